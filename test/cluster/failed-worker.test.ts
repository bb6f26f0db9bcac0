/** A worker whose disk fails in the middle of a page: nothing of what it knows by then goes into the log. */
import { expect, it } from "vitest";
import { JOB_VERSION, TextsInMemory, Worker } from "../../src/cluster/index.ts";
import { crawlSettings, InlineReader } from "../../src/crawl/index.ts";
import { GraphFetcher } from "../../src/fetch/index.ts";
import { type Append, JobState, MemoryFactLog, StoreError } from "../../src/store/index.ts";
import { SimulatedTimers } from "../support/simulation/timers.ts";

const SITE = "http://a.test/";
const PAGES = 20_000;
const LEASE_MS = 8000;

/** Texts that cannot be read once. */
class BrokenOnce extends TextsInMemory {
  failure: StoreError | undefined;

  override get(number: number): string {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    return super.get(number);
  }
}

/** A server that takes a while to renew leases. Meanwhile, from a time on, the disk fails. */
class SlowLog extends MemoryFactLog {
  readonly texts = new BrokenOnce();
  readonly appendedMs: number[] = [];
  readonly #timers: SimulatedTimers;

  constructor(timers: SimulatedTimers, settings: string) {
    super(new JobState({ name: "job", version: JOB_VERSION, shards: 1, settings }, timers));
    this.#timers = timers;
  }

  override async renew(...given: Parameters<MemoryFactLog["renew"]>) {
    if (this.#timers.nowMs() > 5000) this.texts.failure = new StoreError("failed", "the disk is gone");
    await new Promise<void>((done) => this.#timers.after(1500, done));
    return super.renew(...given);
  }

  override async append(appends: readonly Append[]) {
    this.appendedMs.push(this.#timers.nowMs());
    return super.append(appends);
  }
}

it("a worker that has failed stores nothing any more, also if it was just renewing its leases", async () => {
  const timers = new SimulatedTimers();
  const crawl = crawlSettings({ urls: [`${SITE}0`], delay: 0, concurrency: 4, perHost: 4 });
  const settings = { ...crawl, web: { ...crawl.web, hashSeed: 1, sitemaps: false } };
  const log = new SlowLog(timers, JSON.stringify({ crawl: settings, shardBy: "host", secretHosts: [] }));
  const fetcher = new GraphFetcher({
    urlOf: (page) => `${SITE}${page}`,
    rowOf: (page) => Array.from({ length: 20 }, (_, k) => (page * 20 + 7 * k + 1) % PAGES),
    pageOf: (url) => Number(url.slice(SITE.length)),
    schedule: (callback) => void timers.after(20, callback),
  });
  const worker = await Worker.join({
    log,
    name: "w",
    place: "here",
    fetcher,
    reader: await InlineReader.create(settings),
    timers,
    leaseMs: LEASE_MS,
    textsOf: () => log.texts,
  });
  let endedMs: number | undefined;
  const end = worker.run().finally(() => (endedMs = timers.nowMs()));
  while (timers.step()) await new Promise((resolve) => setImmediate(resolve));
  expect(await end).toMatchObject({ reason: "failed", error: { message: "the disk is gone" } });
  expect(log.appendedMs.length).toBeGreaterThan(1);
  expect(log.appendedMs.filter((atMs) => atMs > endedMs!)).toEqual([]);
});
