/**
 * What it costs to crawl with workers: CPU time per page and memory per known URL of the plain crawler, of one worker,
 * and of several workers on one log in SQLite; what they send each other; and how much faster several are. All crawl
 * the same web, which is computed (crawl/computed-web.ts), on at least 1,000 hosts, and read pages inline. Each process
 * is kept on one processor, where taskset is there.
 *
 * CPU time is given twice: of everything, and after the first 5,000 pages of each process. Until then most of the code
 * is interpreted or being compiled, in each process anew: a plain crawler takes half a second more for its first
 * thousand pages than for any later thousand.
 *
 * TIDEMARK_BENCH_PAGES sets the number of pages (default: 100000), TIDEMARK_BENCH_CROSSING the share of links that lead
 * to other hosts (default: half of them).
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { JOB_VERSION, type JobSettings, setGathered } from "../src/cluster/index.ts";
import { Fingerprinter, plantSeeds } from "../src/crawl/index.ts";
import { createCrawl, createSqliteJob } from "../src/store/index.ts";
import { ComputedWeb, type ComputedWebOptions } from "./crawl/computed-web.ts";
import type { PartFigures, WorkersTask } from "./workers/figures.ts";
import { settingsFor } from "./workers/settings.ts";

interface WorkersFigures {
  readonly workers: number;
  readonly pages: number;
  readonly seconds: number;
  readonly pagesPerSecond: number;
  readonly cpuMillisecondsPerPage: number;
  readonly warmCpuMillisecondsPerPage: number;
  /** Of all processes together, at their peaks. */
  readonly memoryBytesPerKnownUrl: number;
  readonly messagesPerPage: number;
  readonly messageBytesPerPage: number;
  readonly factBytesPerPage: number;
  /** Of gathering everything in one log afterwards. */
  readonly gatherCpuMillisecondsPerPage: number;
}

interface WorkersBenchFigures {
  readonly web: ComputedWebOptions;
  readonly processors: number;
  readonly plain: Pick<
    WorkersFigures,
    "pages" | "pagesPerSecond" | "cpuMillisecondsPerPage" | "warmCpuMillisecondsPerPage" | "memoryBytesPerKnownUrl"
  >;
  readonly runs: readonly WorkersFigures[];
  readonly ratios: {
    /** CPU time per page of one worker, to the plain crawler's. */
    readonly oneWorkerToPlain: number;
    /** CPU time per page of the most workers, to one's. */
    readonly mostWorkersToOne: number;
    /** The same two, once processes are warm. */
    readonly oneWorkerToPlainWarm: number;
    readonly mostWorkersToOneWarm: number;
    /** Speed of as many workers as there are processors, per processor, to one worker's. */
    readonly speedPerProcessor: number;
  };
}

const SHARDS = 64;

export async function benchWorkers(options: { readonly tiny: boolean }): Promise<WorkersBenchFigures> {
  const { tiny } = options;
  const pages = tiny ? 300 : Number(process.env["TIDEMARK_BENCH_PAGES"] ?? 100_000);
  const crossing = process.env["TIDEMARK_BENCH_CROSSING"];
  const web = {
    pages: 21 * pages,
    hosts: Math.max(50, Math.ceil(pages / 20)),
    linksPerPage: 20,
    seed: 1,
    ...(crossing === undefined ? {} : { crossing: Number(crossing) }),
  };
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-workers-"));
  const processors = availableParallelism();
  try {
    const asked = { pages, web };
    const part = await run({ ...asked, part: "plain", name: "plain", dir: join(dir, "plain") }, 0);
    const plain = {
      pages: part.pages,
      pagesPerSecond: part.pages / part.seconds,
      ...cpuPerPage([part], part.pages),
      memoryBytesPerKnownUrl: part.memoryBytes / part.known,
    };
    const counts = [...new Set(tiny ? [1, 2] : [1, processors, 4])].sort((a, b) => a - b);
    const runs: WorkersFigures[] = [];
    for (const workers of counts) runs.push(await withWorkers(workers, asked, join(dir, String(workers))));
    const of = (workers: number): WorkersFigures => runs.find((each) => each.workers === workers) ?? runs[0];
    const most = runs[runs.length - 1];
    return {
      web,
      processors,
      plain,
      runs,
      ratios: {
        oneWorkerToPlain: of(1).cpuMillisecondsPerPage / plain.cpuMillisecondsPerPage,
        mostWorkersToOne: most.cpuMillisecondsPerPage / of(1).cpuMillisecondsPerPage,
        oneWorkerToPlainWarm: of(1).warmCpuMillisecondsPerPage / plain.warmCpuMillisecondsPerPage,
        mostWorkersToOneWarm: most.warmCpuMillisecondsPerPage / of(1).warmCpuMillisecondsPerPage,
        speedPerProcessor: of(processors).pagesPerSecond / (processors * of(1).pagesPerSecond),
      },
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function withWorkers(
  workers: number,
  asked: Pick<WorkersTask, "pages" | "web">,
  dir: string,
): Promise<WorkersFigures> {
  await makeJob(asked, dir);
  const all = await Promise.all(
    Array.from({ length: workers }, (_, k) => run({ ...asked, part: "worker", name: `worker ${k}`, dir }, k)),
  );
  const gather = await run({ ...asked, part: "gather", name: "gather", dir }, 0);
  const sum = (value: (part: PartFigures) => number): number => sumOf(all, value);
  const pages = Math.max(...all.map((part) => part.pages));
  const seconds = Math.max(...all.map((part) => part.seconds));
  return {
    workers,
    pages,
    seconds,
    pagesPerSecond: pages / seconds,
    ...cpuPerPage(all, pages),
    memoryBytesPerKnownUrl: sum(({ memoryBytes }) => memoryBytes) / Math.max(...all.map(({ known }) => known)),
    messagesPerPage: sum(({ messages }) => messages) / pages,
    messageBytesPerPage: sum(({ messageBytes }) => messageBytes) / pages,
    factBytesPerPage: sum(({ factBytes }) => factBytes) / pages,
    gatherCpuMillisecondsPerPage: (1000 * gather.cpuSeconds) / pages,
  };
}

function cpuPerPage(
  parts: readonly PartFigures[],
  pages: number,
): Pick<WorkersFigures, "cpuMillisecondsPerPage" | "warmCpuMillisecondsPerPage"> {
  const warmPages = sumOf(parts, (part) => part.warmPages);
  return {
    cpuMillisecondsPerPage: (1000 * sumOf(parts, ({ cpuSeconds }) => cpuSeconds)) / pages,
    warmCpuMillisecondsPerPage: (1000 * sumOf(parts, ({ warmCpuSeconds }) => warmCpuSeconds)) / warmPages,
  };
}

function sumOf(parts: readonly PartFigures[], value: (part: PartFigures) => number): number {
  return parts.reduce((total, part) => total + value(part), 0);
}

async function makeJob({ pages, web }: Pick<WorkersTask, "pages" | "web">, dir: string): Promise<void> {
  const settings = settingsFor(new ComputedWeb(web), pages);
  const store = createCrawl(dir, JSON.stringify(settings));
  plantSeeds({ settings, store, fingerprinter: await Fingerprinter.create(settings.web.hashSeed) });
  setGathered(store, { job: "bench", visits: 0, positions: Array.from({ length: SHARDS }, () => 0) });
  store.close();
  const job: JobSettings = { crawl: settings, shardBy: "host", secretHosts: [] };
  const made = { name: "bench", version: JOB_VERSION, shards: SHARDS, settings: JSON.stringify(job) };
  await createSqliteJob(dir, made).close();
}

function run(task: WorkersTask, processor: number): Promise<PartFigures> {
  process.stderr.write(`  ${task.name} ...\n`);
  const child = fileURLToPath(new URL("./workers/child.js", import.meta.url));
  const command = [process.execPath, child, JSON.stringify(task)];
  const pinned = hasTaskset() ? ["taskset", "-c", String(processor % availableParallelism()), ...command] : command;
  return new Promise((resolve, reject) => {
    const running = spawn(pinned[0], pinned.slice(1), { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    running.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    running.once("error", reject);
    running.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(text) as PartFigures);
      else reject(new Error(`${task.name} ended with code ${code}`));
    });
  });
}

function hasTaskset(): boolean {
  try {
    execFileSync("taskset", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
