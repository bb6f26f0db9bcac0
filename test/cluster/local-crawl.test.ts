/** What a crawl with workers on one machine leaves in its directory, and what it makes of what it finds there. */
import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "../../src/base/index.ts";
import {
  gatheredIn,
  Gathering,
  gatherLeftovers,
  launchLocalCrawl,
  setGathered,
  type WorkerControl,
  type WorkerFailure,
  type WorkerHandle,
} from "../../src/cluster/index.ts";
import { isDownloaded } from "../../src/coverage/index.ts";
import type { StoredSettings } from "../../src/crawl/index.ts";
import {
  createCrawl,
  createSqliteJob,
  FactLogError,
  isSqliteJob,
  openSqliteJob,
  type SqliteStore,
} from "../../src/store/index.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { SqliteFactLog } from "../../src/store/sqlite-fact-log.ts";
import { InlineWeb, inlineSettings } from "../support/inline-web.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const settings = { ...inlineSettings(["https://a.example/"], {}), network: { warc: false } } as StoredSettings;

function smallCrawl(): { readonly dir: string; readonly store: SqliteStore } {
  const dir = join(temporaryDirectory(), "crawl");
  const store = tellSmallCrawl(createCrawl(dir, JSON.stringify(settings)));
  store.commit();
  return { dir, store };
}

describe("a crawl with workers", () => {
  it("that was killed while its log was split has everything, also if it was exported from a job", async () => {
    const { dir, store } = smallCrawl();
    const exported = { job: "news", visits: store.nextVisit - 1, positions: [3, 4] };
    setGathered(store, exported);
    store.commit();
    await createSqliteJob(dir, { name: "workers.sqlite", version: 1, shards: 2, settings: "{}" }).close();
    await gatherLeftovers({ dir, store, settings, signal: new AbortController().signal });
    expect(isSqliteJob(dir)).toBe(false);
    expect(gatheredIn(store)).toEqual(exported);
    store.close();
  });

  it("counts its time from when its log was split", async () => {
    const { dir, store } = smallCrawl();
    const splitMs = 300;
    vi.spyOn(store, "robots").mockImplementation(() => {
      for (const untilMs = systemClock.nowMs() + splitMs; systemClock.nowMs() < untilMs; );
      return [];
    });
    const beforeMs = systemClock.nowMs();
    const crawl = await launchLocalCrawl({
      dir,
      store,
      settings,
      fetcher: new InlineWeb(() => undefined),
      workers: 2,
      startWorker: () => ({ ended: Promise.resolve(undefined), control() {} }),
    });
    const log = openSqliteJob(dir);
    const { ageMs } = await log.job();
    expect(systemClock.nowMs() - beforeMs).toBeGreaterThanOrEqual(splitMs);
    expect(systemClock.nowMs() - beforeMs - ageMs).toBeGreaterThanOrEqual(splitMs);
    await log.close();
    crawl.stop("interrupted");
    expect(await crawl.run()).toMatchObject({ reason: "interrupted" });
    expect(isSqliteJob(dir)).toBe(false);
    store.close();
  });

  it("whose file is held by a worker that somebody has stopped waits for it, and ends as it was told to", async () => {
    const { dir, store } = smallCrawl();
    let end = (): void => {};
    const ended = new Promise<undefined>((resolve) => (end = () => resolve(undefined)));
    const options = { dir, store, settings, fetcher: new InlineWeb(() => undefined), workers: 1 };
    const crawl = await launchLocalCrawl({ ...options, startWorker: () => ({ ended, control() {} }) });
    const holder = openDatabase(join(dir, "workers.sqlite"), { access: "write" });
    holder.exec("BEGIN EXCLUSIVE");
    // What takes five seconds takes 50 ms.
    const realNowMs = systemClock.nowMs.bind(systemClock);
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(systemClock, "nowMs").mockImplementation(() => 100 * realNowMs());
    const failures = vi.spyOn(SqliteFactLog.prototype, "stop");
    const running = crawl.run();
    crawl.stop("interrupted");
    await expect.poll(() => failures.mock.settledResults.filter(({ type }) => type === "rejected").length).toBe(2);
    holder.exec("COMMIT");
    holder.close();
    await expect.poll(() => failures.mock.settledResults.at(-1)?.type).toBe("fulfilled");
    end();
    expect(await running).toMatchObject({ reason: "interrupted", status: { pages: crawl.status.pages } });
    store.close();
  });

  it("knows how many pages it has, and reads what it has gathered meanwhile only once", async () => {
    const { dir, store } = smallCrawl();
    const pages = [...store.visits()].filter(({ outcome }) => isDownloaded(outcome)).length;
    expect(pages).toBeGreaterThan(0);
    const options = { dir, store, settings, fetcher: new InlineWeb(() => undefined), workers: 1 };
    const startWorker = (): WorkerHandle => ({ ended: Promise.resolve(undefined), control() {} });
    const crawl = await launchLocalCrawl({ ...options, startWorker, gathersMeanwhile: true });
    expect(crawl.status.pages).toBe(pages);
    onTestFinished(() => void vi.restoreAllMocks());
    const open = vi.spyOn(Gathering, "open");
    crawl.stop("interrupted");
    expect(await crawl.run()).toMatchObject({ reason: "interrupted", status: { pages } });
    expect(open).toHaveBeenCalledTimes(1);
    store.close();
  });

  it("that fails ends its workers first, replaces none, and leaves what they have stored to the next run", async () => {
    const { dir, store } = smallCrawl();
    const options = { dir, store, settings, fetcher: new InlineWeb(() => undefined), workers: 2 };
    const told: string[] = [];
    const startWorker = (name: string): WorkerHandle => {
      const leaving = new EventEmitter();
      const ended = once(leaving, "ended").then(([failure]: (WorkerFailure | undefined)[]) => failure);
      const control = ({ kind }: WorkerControl): void => {
        told.push(`${name}: ${kind}`);
        // One leaves as it is told to, the other dies.
        const failure = name === "worker 1" ? undefined : { kind: "died", message: "killed" };
        setImmediate(() => told.push(`${name} ended`) && leaving.emit("ended", failure));
      };
      return { ended, control };
    };
    const crawl = await launchLocalCrawl({ ...options, startWorker });
    onTestFinished(() => void vi.restoreAllMocks());
    const failure = new FactLogError("failed", "the file is damaged");
    vi.spyOn(SqliteFactLog.prototype, "board").mockRejectedValue(failure);
    await expect(crawl.run()).rejects.toBe(failure);
    expect(told.toSorted()).toEqual(["worker 1 ended", "worker 1: leave", "worker 2 ended", "worker 2: leave"]);
    expect([crawl.state, isSqliteJob(dir)]).toEqual(["ended", true]);
    store.close();
  });
});
