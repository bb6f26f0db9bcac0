/** Crawls with workers that tests watch, disturb and look into. */
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { isDownloaded } from "../../src/coverage/index.ts";
import { type LogSink, replayBatch } from "../../src/log/index.ts";
import { openSqliteJob, reading, urlTexts } from "../../src/store/index.ts";
import { expectIndexOfWarcio, readAll } from "../store/warc-reading.ts";
import { type Line, linesOf } from "./demo-web.ts";
import { type Folder, MAIN, type Outcome, outcomeOf } from "./run.ts";

/** A crawl that runs; `args` with `--json`. */
export class RunningCrawl {
  readonly pid: number;
  readonly ended: Promise<Outcome>;
  readonly #child: ChildProcess;
  readonly #known = new Set<number>();
  #stdout = "";

  constructor(folder: Folder, args: readonly string[]) {
    this.#child = folder.start(process.execPath, [MAIN, "crawl", ...args, "--json"]);
    this.ended = outcomeOf(this.#child);
    this.#child.stdout?.on("data", (text: string) => (this.#stdout += text));
    this.pid = this.#child.pid ?? 0;
    // Workers that are stopped would outlive the test.
    onTestFinished(() => {
      for (const pid of this.#known) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    });
  }

  /** What it has printed so far. */
  get lines(): Line[] {
    const whole = this.#stdout.slice(0, this.#stdout.lastIndexOf("\n") + 1);
    return whole === "" ? [] : linesOf(whole);
  }

  /** The greatest number of pages that it has reported. */
  get pages(): number {
    return Math.max(0, ...this.lines.map((line) => Number(line["pages"] ?? 0)));
  }

  /** Waits until so many pages are reported. */
  async reported(pages: number): Promise<void> {
    await expect.poll(() => this.pages, { interval: 50 }).toBeGreaterThanOrEqual(pages);
  }

  /** The processes of its workers, in the order in which they were started. */
  get workers(): number[] {
    const text = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, "utf8");
    const pids = text.split(" ").filter(Boolean).map(Number);
    for (const pid of pids) this.#known.add(pid);
    return pids;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** The last line, of a crawl that succeeds. */
  async done(): Promise<Line> {
    const { code, stderr } = await this.ended;
    expect(code, stderr).toBe(0);
    return this.lines.at(-1) as Line;
  }
}

/** Whether it runs or is stopped; a process that has ended and that nobody has waited for does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

export async function allEnded(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isAlive), { interval: 50 }).toEqual([]);
}

export function hasLeftovers(dir: string): boolean {
  return existsSync(join(dir, "workers.sqlite"));
}

/** The URLs of all downloads in a crawl, in the order of its log. */
export function pagesIn(dir: string): Promise<string[]> {
  return reading(dir, (store) => {
    const texts = new Map(urlTexts(store));
    return [...store.visits()].filter(({ outcome }) => isDownloaded(outcome)).map(({ url }) => texts.get(url) ?? "");
  });
}

/** The URLs of all downloads that workers have stored and nobody has gathered. */
export async function pagesOfWorkers(dir: string): Promise<string[]> {
  const log = openSqliteJob(dir);
  try {
    const { shards } = await log.job();
    const pages: string[] = [];
    for (let shard = 0; shard < shards; shard++) {
      const sink = new Downloads();
      for (let position = 0; ; ) {
        const batches = await log.read(shard, position, 2 ** 20);
        if (batches.length === 0) break;
        for (const { batch } of batches) replayBatch(batch, sink);
        position = batches[batches.length - 1].position;
      }
      pages.push(...sink.pages);
    }
    return pages;
  } finally {
    await log.close();
  }
}

/** The process that owns each shard. */
export async function ownersIn(dir: string): Promise<(number | undefined)[]> {
  const log = openSqliteJob(dir);
  try {
    const { shards, workers } = await log.board();
    const places = new Map(workers.map(({ name, info }) => [name, (JSON.parse(info) as { place: string }).place]));
    return shards.map(({ worker }) => {
      const place = worker === null ? undefined : places.get(worker);
      return place === undefined ? undefined : Number(place.replace("process ", ""));
    });
  } finally {
    await log.close();
  }
}

class Downloads implements LogSink {
  readonly pages: string[] = [];
  readonly #origins: string[] = [];
  readonly #urls: string[] = [];

  addOrigin(_: number, origin: string): void {
    this.#origins.push(origin);
  }

  addUrl({ origin, path }: Parameters<LogSink["addUrl"]>[0]): void {
    this.#urls.push(`${this.#origins[origin]}${path}`);
  }

  addVisit({ url, outcome }: Parameters<LogSink["addVisit"]>[0]): void {
    if (isDownloaded(outcome)) this.pages.push(this.#urls[url]);
  }

  addAnchors(): void {}
  addTexts(): void {}
  replaceTrust(): void {}
  putRobots(): void {}
  putSitemap(): void {}
  putMeta(): void {}
}

/** Each page is there once, and none that a robots.txt forbids. */
export function expectSound(pages: readonly string[]): void {
  expect(new Set(pages).size).toBe(pages.length);
  expect(pages.filter((url) => url.includes("/reading-room/"))).toEqual([]);
}

/** One record of each page of the crawl, and none of another page; the index is right, and nothing else is there. */
export async function expectArchived(dir: string): Promise<void> {
  expect(hasLeftovers(dir)).toBe(false);
  const pages = await pagesIn(dir);
  expectSound(pages);
  const records = (await readAll(dir)).filter(({ type }) => type === "response" || type === "revisit");
  const isPage = (url: string): boolean => !/\/(?:robots\.txt|sitemap[^/]*\.xml)$/.test(url);
  const kept = records.filter(({ status, url }) => status === 200 && isPage(url)).map(({ url }) => url);
  expect(kept.sort()).toEqual([...pages].sort());
  await expectIndexOfWarcio(dir, { hasKeys: false });
  const others = readdirSync(`${dir}/warc`).filter((name) => !name.endsWith(".warc.gz"));
  expect(others).toEqual(["index.cdxj"]);
}
