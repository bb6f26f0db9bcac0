/** What `tidemark cluster export --forever` makes of the hold of its job: when it requests, waits and ends. */
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { systemTimers, UsageError } from "../../src/base/index.ts";
import { permitted } from "../../src/cli/crawl/fetches.ts";
import { RefreshHold } from "../../src/cli/cluster/refresh-hold.ts";
import { startAgain } from "../../src/cli/cluster/start.ts";
import { workOnJob } from "../../src/cli/cluster/work.ts";
import { holderName, JOB_VERSION } from "../../src/cluster/index.ts";
import { crawlSettings } from "../../src/crawl/index.ts";
import { aborted, type Fetcher, type Reply } from "../../src/fetch/index.ts";
import { createCrawl, JobGoneError, JobState, type Lease, MemoryFactLog, openCrawl } from "../../src/store/index.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** A log whose boards come when they are let through. */
class Log extends MemoryFactLog {
  asked = 0;
  through: Promise<void> = Promise.resolve();
  isGone = false;

  override async renew(leases: readonly Lease[], forMs: number) {
    if (this.isGone) throw new JobGoneError("the job is not there any more");
    return super.renew(leases, forMs);
  }

  override async board() {
    this.asked++;
    await this.through;
    return super.board();
  }
}

function held() {
  const state = new JobState({ name: "news", version: 1, shards: 2, settings: "{}" }, systemTimers);
  state.stop("frontier-empty");
  const log = new Log(state);
  const dir = join(temporaryDirectory(), "web");
  createCrawl(dir, "{}").close();
  const interrupt = new AbortController();
  const options = { log: "postgres://me@db.example/crawls", job: "news", dir };
  const start = () => {
    const hold = new RefreshHold(log, options, () => {}, interrupt.signal);
    onTestFinished(() => hold.release());
    return hold;
  };
  const owners = () => new Set(state.board().shards.map(({ worker }) => worker));
  return { state, log, dir, interrupt, hold: start(), start, owners };
}

describe("the hold of a refresh", () => {
  it("ends the refresh when the user interrupts, be it while the log is asked", async () => {
    const { log, interrupt, hold } = held();
    let letThrough = (): void => {};
    log.through = new Promise((resolve) => (letThrough = resolve));
    const lasting = hold.lasting();
    await expect.poll(() => log.asked).toBe(1);
    interrupt.abort();
    letThrough();
    expect([(await lasting).stop.aborted, hold.isLost]).toEqual([true, false]);
  });

  it("is not taken while another process has the directory, which keeps it", async () => {
    const { dir, start, owners } = held();
    const first = start();
    await first.lasting();
    const [owner] = owners();
    const refreshing = openCrawl(dir);
    const second = start();
    await expect(second.lasting()).rejects.toThrow(UsageError);
    await second.release();
    expect([...owners()]).toEqual([owner]);
    refreshing.close();
  });

  it("is one that this command goes on with, until the job is deleted", async () => {
    const { log, hold } = held();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await hold.lasting();
    expect(hold.again).toBe("run this command again");
    log.isGone = true;
    vi.advanceTimersByTime(120_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(hold.again).toBe(undefined);
    expect(hold.isLost).toBe(false);
  });
});

describe("requests of which it is not certain that they may be sent", () => {
  const request = { url: "http://a.example/", purpose: "page" } as const;

  function requests() {
    const sent: string[] = [];
    const replies: Reply[] = [];
    const fetcher: Fetcher = { fetch: ({ url }) => void sent.push(url), close: async () => {} };
    const stop = new AbortController();
    let resolve = (): void => {};
    const doubt = new Promise<void>((known) => (resolve = known));
    const known = async (): Promise<void> => {
      resolve();
      await doubt;
    };
    const doubts = [undefined, doubt];
    const guarded = permitted(fetcher, { stop: stop.signal, doubt: () => doubts.shift() });
    const ask = () => guarded.fetch(request, (reply) => void replies.push(reply));
    return { sent, replies, stop, known, ask };
  }

  it("wait", async () => {
    const { sent, known, ask } = requests();
    ask();
    ask();
    expect(sent).toHaveLength(1);
    await known();
    expect(sent).toHaveLength(2);
  });

  it("are not sent if they may not", async () => {
    const { sent, replies, stop, known, ask } = requests();
    ask();
    ask();
    stop.abort();
    await known();
    expect([sent.length, replies]).toEqual([1, [aborted]]);
  });
});

describe("a job that a refresh holds", () => {
  it("is not started, though the hold begins when the board was read", async () => {
    const crawl = crawlSettings({ urls: ["http://a.example/"] });
    const settings = JSON.stringify({ crawl, shardBy: "host", secretHosts: [] });
    const state = new JobState({ name: "news", version: JOB_VERSION, shards: 2, settings }, systemTimers);
    state.stop("page-limit");
    const log = new Log(state);
    log.restart = async (changed) => {
      // The refresh has seen that the job is stopped, just before.
      for (const shard of [0, 1]) state.lease(holderName("/data/news", "a.example"), shard, 60_000);
      state.restart(changed);
    };
    const options = { log: "postgres://me@db.example/crawls", job: "news" };
    await expect(startAgain(log, { maxPages: 80 }, options)).rejects.toThrow(/is held by the refresh of \/data\/news/);
    expect(state.job()).toMatchObject({ stopped: "page-limit", settings });
  });

  it("has no worker that is called as if it held the job", async () => {
    const options = { log: "postgres://me@127.0.0.1:1/crawls", job: "news", name: "refresh of x" };
    await expect(workOnJob(options)).rejects.toThrow(/^--name refresh of x is how a refresh is called/);
  });
});
