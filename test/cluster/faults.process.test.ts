/**
 * Four workers and a real PostgreSQL, of which everything is killed or stopped again and again, on a web in which a page
 * that is requested again has other links. In the end the crawl has every page once, and by the record of the web server
 * no host was asked too soon.
 *
 * `npm run test:soak` does it on a web of 50,000 pages with 100 faults.
 */
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Random } from "../../src/base/index.ts";
import { jobOf, progressOf } from "../../src/cluster/index.ts";
import { isDownloaded } from "../../src/coverage/index.ts";
import { type LogSink, replayBatch, SILENT_SINK } from "../../src/log/index.ts";
import { type FactLog, openPostgresJob } from "../../src/store/index.ts";
import { Folder, MAIN } from "../cli/run.ts";
import { PASSWORD, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { serveTwin, type TwinWeb } from "../support/twin-web.ts";

const PAGES = Number(process.env["TIDEMARK_FAULT_PAGES"] ?? 1500);
const FAULTS = Number(process.env["TIDEMARK_FAULTS"] ?? 8);
const WORKERS = 4;
const DELAY_MS = 15;
const LEASE_MS = 15_000;
const DAMPING = 0.85;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.dispose());

describe("a job whose workers and server are killed and stopped", () => {
  it("ends with every page once, never claims too much, and never asks a host too soon", {
    timeout: 7_200_000,
  }, async () => {
    const web = await serveTwin(PAGES, { isChanging: true });
    onTestFinished(() => web.close());
    const crew = new Crew(await startJob(web));
    const log = await openPostgresJob({ url: server.url }, "faulty");
    const record = new Record(web, log);
    const random = new Random(11, PAGES);
    let pauses = 0;
    for (let faults = 0; !(await record.look()); ) {
      crew.fill();
      await sleep(500);
      if (faults >= FAULTS || record.pages < (PAGES * faults) / (FAULTS + 1)) continue;
      faults++;
      switch (random.below(4)) {
        case 0:
        case 1:
          crew.kill(random);
          break;
        case 2:
          // Some pauses are longer than a lease, which another worker takes meanwhile.
          pauses++;
          crew.pause(random, random.below(2) === 0 ? 1000 : LEASE_MS + 3000);
          break;
        case 3:
          await server.kill();
          await server.start();
      }
    }
    await crew.ended();
    await record.look();
    await log.close();
    // Nothing is lost, and nothing is there twice.
    expect(record.stopped).toBe("frontier-empty");
    expect(record.pages).toBe(PAGES);
    expect(record.twice).toEqual([]);
    // What a worker that is stopped between its look at the clock and the system call sends: one request per pause.
    const impolite = tooSoon(web);
    const requests = [...web.requests.values()].reduce((sum, all) => sum + all.length, 0);
    const figures = { pages: PAGES, faults: FAULTS, pauses, requests, changed: record.changed, impolite };
    process.stderr.write(`${JSON.stringify(figures)}\n`);
    expect(impolite.length).toBeLessThanOrEqual(pauses);
  });
});

async function startJob(web: TwinWeb): Promise<Folder> {
  const folder = new Folder();
  const settings = ["--scope", "domain", "--delay", String(DELAY_MS), "--per-host", "1", "--per-address", "64"];
  const where = ["--allow-private", "--resolve", web.resolve, "--no-sitemaps", "--shards", "32"];
  const start = ["cluster", "start", web.seed, "--log", place(), "--job", "faulty", ...settings, ...where];
  const { code, stderr } = await folder.runWith({ PGPASSWORD: PASSWORD }, start);
  if (code !== 0) throw new Error(stderr);
  return folder;
}

function place(): string {
  return `postgres://tidemark@127.0.0.1:${server.port}/postgres`;
}

/** Workers, of which there are always some. */
class Crew {
  readonly #folder: Folder;
  readonly #workers = new Set<ChildProcess>();
  #isOver = false;

  constructor(folder: Folder) {
    this.#folder = folder;
  }

  fill(): void {
    while (this.#workers.size < WORKERS && !this.#isOver) {
      const args = [MAIN, "cluster", "work", "--log", place(), "--job", "faulty", "--quiet"];
      const worker = this.#folder.start(process.execPath, args, { PGPASSWORD: PASSWORD });
      worker.stdout?.resume();
      worker.stderr?.pipe(process.stderr);
      this.#workers.add(worker);
      worker.once("close", () => this.#workers.delete(worker));
    }
  }

  kill(random: Random): void {
    this.#one(random)?.kill("SIGKILL");
  }

  pause(random: Random, forMs: number): void {
    const worker = this.#one(random);
    worker?.kill("SIGSTOP");
    void sleep(forMs).then(() => worker?.kill("SIGCONT"));
  }

  async ended(): Promise<void> {
    this.#isOver = true;
    while (this.#workers.size > 0) await sleep(100);
  }

  #one(random: Random): ChildProcess | undefined {
    const all = [...this.#workers];
    return all[random.below(all.length)];
  }
}

/** What is in the logs, and what is claimed about it. */
class Record {
  pages = 0;
  stopped: string | null = null;
  readonly twice: number[] = [];
  readonly #web: TwinWeb;
  readonly #log: FactLog;
  /** By page, which of its requests was stored. */
  readonly #stored = new Map<number, number>();
  readonly #positions: number[] = [];
  readonly #names: { readonly origins: string[]; readonly urls: string[] }[] = [];

  constructor(web: TwinWeb, log: FactLog) {
    this.#web = web;
    this.#log = log;
  }

  /** Pages that are stored as a later request has found them. */
  get changed(): number {
    return [...this.#stored.values()].filter((nth) => nth > 1).length;
  }

  /** Reads on. Whatever was claimed before must be true of what is there now. True when the job has ended. */
  async look(): Promise<boolean> {
    const board = await this.#log.board();
    const { coverage, counts } = progressOf(board, jobOf(board.job).settings.crawl);
    for (const { shard } of board.shards) await this.#read(shard);
    const ranks = ranksOf(this.#web, this.#stored);
    const covered = [...this.#stored.keys()].reduce((sum, page) => sum + ranks[page], 0);
    expect(coverage).toBeLessThanOrEqual(covered + 1e-9);
    expect(counts.pages).toBeLessThanOrEqual(this.pages);
    this.stopped = board.job.stopped;
    return this.stopped !== null;
  }

  async #read(shard: number): Promise<void> {
    const names = (this.#names[shard] ??= { origins: [], urls: [] });
    for (;;) {
      const batches = await this.#log.read(shard, this.#positions[shard] ?? 0, 2 ** 20);
      if (batches.length === 0) return;
      for (const { batch, position } of batches) {
        replayBatch(batch, this.#sink(names));
        this.#positions[shard] = position;
      }
    }
  }

  #sink(names: { readonly origins: string[]; readonly urls: string[] }): LogSink {
    return {
      ...SILENT_SINK,
      addOrigin: (_, origin) => void names.origins.push(origin),
      addUrl: ({ origin, path }) => void names.urls.push(`${names.origins[origin]}${path}`),
      addVisit: ({ url, outcome, etag }) => {
        if (isDownloaded(outcome)) this.#add(this.#web.pageOf(names.urls[url]), Number(etag?.slice(1, -1)));
      },
    };
  }

  #add(page: number, nth: number): void {
    if (this.#stored.has(page)) this.twice.push(page);
    this.#stored.set(page, nth);
    this.pages++;
  }
}

/**
 * The importance of each page, as a share of all, on the web of which the logs know these requests: a surfer starts at
 * the seed. By iteration, from above.
 */
function ranksOf({ pages, linksOf }: TwinWeb, stored: ReadonlyMap<number, number>): Float64Array {
  const rows = Array.from({ length: pages }, (_, page) => linksOf(page, stored.get(page) ?? 1));
  let ranks: Float64Array = new Float64Array(pages).fill(1);
  for (let step = 0; step < 150; step++) {
    const next = new Float64Array(pages);
    next[0] = 1 - DAMPING;
    rows.forEach((row, page) => {
      for (const target of row) next[target] += (DAMPING * ranks[page]) / row.length;
    });
    ranks = next;
  }
  const sum = ranks.reduce((a, b) => a + b, 0);
  return ranks.map((rank) => rank / sum);
}

/** Requests of a host that began before the delay after the last one was over. */
function tooSoon({ requests }: TwinWeb): number[] {
  return [...requests.values()].flatMap((all) =>
    all.slice(1).flatMap(({ fromMs }, k) => (fromMs - all[k].toMs < DELAY_MS ? [fromMs - all[k].toMs] : [])),
  );
}
