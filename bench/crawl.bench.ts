/**
 * Pages per second of a whole crawl, compared with Crawlee's CheerioCrawler, on a web that this machine serves itself
 * (crawl/local-web.ts): Debian's documentation, one host name per package, over TLS, without delay. Tidemark obeys
 * robots.txt, stores pages and links and keeps its certificate up to date; Crawlee stores nothing. Each run is a
 * process of its own; the order of the runs is reversed every round. The time includes nginx, which runs on the same
 * cores; the CPU figures do not.
 *
 * TIDEMARK_BENCH_PAGES (default: 10000) and TIDEMARK_BENCH_ROUNDS (default: 2) set the size.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { documentationSites } from "./crawl/documentation.ts";
import { type CrawlFigures, type CrawlTask, ranAs } from "./crawl/figures.ts";
import { generatedSites } from "./crawl/generated-sites.ts";
import { type LocalWeb, startLocalWeb } from "./crawl/local-web.ts";
import { topFunctions } from "./crawl/top-functions.ts";

interface CrawlBenchFigures {
  readonly web: { readonly source: string; readonly hosts: number; readonly pages: number };
  readonly rounds: number;
  /** The best round of each crawler. */
  readonly best: Readonly<Record<string, CrawlFigures>>;
  /** Round by round: the ratio of Tidemark to the faster Crawlee of the same round. */
  readonly ratios: {
    readonly pagesPerSecond: number[];
    readonly cpu: number[];
    readonly peakMemory: number[];
  };
  readonly runs: readonly CrawlFigures[];
  /** The shares of time of one more run of Tidemark, by function. */
  readonly profile: Readonly<Record<string, readonly string[]>>;
}

type CrawlerTask = Pick<CrawlTask, "tidemark" | "crawlee">;

const TIDEMARK: CrawlerTask = { tidemark: { readers: 1, perHost: 2 } };
const CRAWLEE: readonly CrawlerTask[] = [{ crawlee: { http2: false } }, { crawlee: { http2: true } }];

export async function benchCrawl(options: { readonly tiny: boolean }): Promise<CrawlBenchFigures> {
  const { tiny } = options;
  execFileSync("sh", [fileURLToPath(new URL("../../../scripts/ensure-nginx.sh", import.meta.url))], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const pages = tiny ? 40 : Number(process.env["TIDEMARK_BENCH_PAGES"] ?? 10_000);
  const rounds = tiny ? 1 : Number(process.env["TIDEMARK_BENCH_ROUNDS"] ?? 2);
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-crawl-"));
  let web: LocalWeb | undefined;
  try {
    web = await startLocalWeb(tiny ? generatedSites(join(dir, "sites")) : documentationSites());
    const runs: CrawlFigures[][] = [];
    for (let round = 0; round < rounds; round++) {
      const tasks = [TIDEMARK, ...CRAWLEE];
      runs.push(await inTurn(round % 2 === 0 ? tasks : tasks.toReversed(), web, pages, dir));
    }
    const source = tiny ? "generated pages" : "Debian documentation packages";
    return {
      web: { source, hosts: web.hosts, pages: web.pages },
      rounds,
      best: bestOf(runs.flat()),
      ratios: ratiosOf(runs),
      runs: runs.flat(),
      profile: await profiled(web, pages, dir),
    };
  } finally {
    await web?.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function inTurn(
  tasks: readonly CrawlerTask[],
  web: LocalWeb,
  pages: number,
  dir: string,
): Promise<CrawlFigures[]> {
  const figures: CrawlFigures[] = [];
  for (const task of tasks) figures.push(await run(task, web, pages, dir));
  return figures;
}

/** One more run with profiled threads: it is slower, so it does not count. */
async function profiled(web: LocalWeb, pages: number, dir: string): Promise<Record<string, string[]>> {
  const profiles = join(dir, "profiles");
  await run(TIDEMARK, web, pages, dir, ["--cpu-prof", `--cpu-prof-dir=${profiles}`]);
  return topFunctions(profiles);
}

async function run(
  task: CrawlerTask,
  web: LocalWeb,
  pages: number,
  dir: string,
  nodeFlags: readonly string[] = [],
): Promise<CrawlFigures> {
  const { seed, certificateFile } = web;
  const own = join(dir, "run");
  mkdirSync(own);
  try {
    const crawlee = new URL("./crawl/crawlee-child.js", import.meta.url);
    const tidemark = new URL("./crawl/tidemark-child.js", import.meta.url);
    const child = fileURLToPath(task.tidemark === undefined ? crawlee : tidemark);
    const asked: CrawlTask = { ...task, seed, pages, certificateFile, dir: own };
    process.stderr.write(`  ${ranAs(asked)} ...\n`);
    const text = await outputOf([...nodeFlags, child, JSON.stringify(asked)], certificateFile);
    return JSON.parse(text) as CrawlFigures;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function outputOf(command: readonly string[], certificateFile: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: certificateFile },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(text);
      else reject(new Error(`a crawler ended with code ${code}: ${text}`));
    });
  });
}

function bestOf(runs: readonly CrawlFigures[]): Record<string, CrawlFigures> {
  const best: Record<string, CrawlFigures> = {};
  for (const figures of runs) {
    const before = best[figures.crawler];
    if (before === undefined || figures.pagesPerSecond > before.pagesPerSecond) best[figures.crawler] = figures;
  }
  return best;
}

function ratiosOf(rounds: readonly (readonly CrawlFigures[])[]): CrawlBenchFigures["ratios"] {
  const pairs = rounds.map((runs) => {
    const tidemark = runs.find(({ crawler }) => crawler.startsWith("Tidemark"))!;
    const peers = runs.filter((figures) => figures !== tidemark);
    return { tidemark, peer: peers.reduce((a, b) => (a.pagesPerSecond >= b.pagesPerSecond ? a : b)) };
  });
  const ratio = (of: (figures: CrawlFigures) => number): number[] =>
    pairs.map(({ tidemark, peer }) => of(tidemark) / of(peer));
  return {
    pagesPerSecond: ratio((figures) => figures.pagesPerSecond),
    cpu: ratio((figures) => figures.cpuMillisecondsPerPage),
    peakMemory: ratio((figures) => figures.peakMegabytes),
  };
}
