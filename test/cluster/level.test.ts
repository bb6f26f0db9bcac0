/** Best first across workers: who says what waits, who is held back by it, and that nobody is for good. */
import { describe, expect, it } from "vitest";
import { ComputedWeb } from "../../bench/crawl/computed-web.ts";
import { crawlSettings, InlineReader, Level, Slots } from "../../src/crawl/index.ts";
import { type Fetcher, GraphFetcher, type ServedWeb } from "../../src/fetch/index.ts";
import { JOB_VERSION, shardOf, TextsInMemory, Worker } from "../../src/cluster/index.ts";
import { levelOf, lookaheadOf, NO_LEVEL } from "../../src/cluster/level.ts";
import type { ShardNote } from "../../src/cluster/shard-note.ts";
import { type Board, type BoardShard, FactLogError, JobState, MemoryFactLog } from "../../src/store/index.ts";
import { type CalmJobOptions, generatedWeb, runCalmJob } from "../support/simulation/calm-job.ts";
import { SimulatedTimers } from "../support/simulation/timers.ts";

type ToldShard = Partial<BoardShard> & Partial<Pick<ShardNote, "backlog" | "lookedAhead">>;

function boardOf(shards: readonly ToldShard[], workers = 0): Board {
  const job = { name: "job", version: 1, shards: shards.length, settings: "{}", stopped: null, ageMs: 0 };
  const all = shards.map(({ backlog, lookedAhead, ...given }, shard) => {
    // What is undefined is not written.
    const note = { backlog, lookedAhead };
    return {
      shard,
      epoch: 1,
      worker: "other",
      position: 0,
      pages: 0,
      note: JSON.stringify(note),
      noteEpoch: 1,
      ...given,
    };
  });
  return { job, shards: all, workers: Array.from({ length: workers }, (_, k) => ({ name: `${k}`, info: "{}" })) };
}

describe("the level of a job", () => {
  const others = (): boolean => false;

  it("is half of what waits on the best page for which another worker has no slot", () => {
    expect(levelOf(boardOf([{ backlog: 0.01 }, { backlog: 0.2 }, { backlog: null }]), others)).toBe(0.1);
  });

  it("is none where all others have slots to spare, or have said nothing", () => {
    expect(levelOf(boardOf([{ backlog: null }, {}, { note: null }]), others)).toBe(NO_LEVEL);
  });

  it("does not come from shards of one's own", () => {
    expect(levelOf(boardOf([{ backlog: 0.2 }, { backlog: 0.01 }]), (shard) => shard === 0)).toBe(0.005);
  });

  it("does not come from a shard whose lease has ended, or from an owner before this one", () => {
    expect(levelOf(boardOf([{ backlog: 0.2, worker: null }]), others)).toBe(NO_LEVEL);
    expect(levelOf(boardOf([{ backlog: 0.2, epoch: 2 }]), others)).toBe(NO_LEVEL);
  });
});

describe("how far a worker may look ahead", () => {
  const others = (): boolean => false;

  it("is what others leave of what one process may", () => {
    expect(lookaheadOf(boardOf([{ lookedAhead: 0.25 }, { lookedAhead: 0.125 }, {}], 4), others)).toBe(0.625);
    const own = boardOf([{ lookedAhead: 0.25 }, { lookedAhead: 0.125 }], 4);
    expect(lookaheadOf(own, (shard) => shard === 0)).toBe(0.875);
    expect(lookaheadOf(boardOf([], 0), others)).toBe(1);
  });

  it("does not count a shard whose lease has ended, or an owner before this one", () => {
    expect(lookaheadOf(boardOf([{ lookedAhead: 0.5, worker: null }], 4), others)).toBe(1);
    expect(lookaheadOf(boardOf([{ lookedAhead: 0.5, epoch: 2 }], 4), others)).toBe(1);
  });

  it("is at least its part, and never next to nothing", () => {
    const greedy = boardOf([{ lookedAhead: 0.9 }, { lookedAhead: 0.9 }], 4);
    expect(lookaheadOf(greedy, others)).toBe(0.25);
    expect(lookaheadOf({ ...greedy, workers: boardOf([], 500).workers }, others)).toBe(1 / 16);
  });
});

describe("a worker below the level", () => {
  const level = (max: number, taken: number): Level => {
    const requests = new Slots(max);
    requests.taken = taken;
    const made = new Level(requests);
    made.mass = 0.1;
    return made;
  };

  it("starts pages while fewer than half of its slots are taken", () => {
    expect(level(16, 7).holdsBack(0.09)).toBe(false);
    expect(level(16, 8).holdsBack(0.09)).toBe(true);
  });

  it("may start something while nothing is under way, however few slots it has", () => {
    for (const max of [1, 2, 7, 8]) expect(level(max, 0).holdsBack(0)).toBe(false);
  });

  it("starts pages at the level and above with all slots", () => {
    expect(level(16, 15).holdsBack(0.1)).toBe(false);
  });

  it("is not held back where there is no level", () => {
    expect(new Level(new Slots(8)).holdsBack(0)).toBe(false);
  });
});

describe("four workers", () => {
  const asked: CalmJobOptions = { workers: 4, concurrency: 4, delayMs: 0, coverages: [0.97] };

  it("need fewer pages with the level, and hardly more time, where few hosts have most of the importance", async () => {
    const web = generatedWeb(2000, 1);
    const [held] = await runCalmJob(web, asked);
    const [free] = await runCalmJob(web, { ...asked, hasLevel: false });
    expect(held.pages).toBeLessThan(0.8 * free.pages);
    expect(held.seconds).toBeLessThan(1.15 * free.seconds);
  });

  it("need no more pages with the level, and hardly more time, where importance is spread over hosts", async () => {
    const computed = new ComputedWeb({ pages: 800, hosts: 40, linksPerPage: 20, seed: 1 });
    const web: ServedWeb = {
      urlOf: (page) => computed.urlOf(page),
      rowOf: (page) => computed.rowOf(page),
      pageOf: (url) => computed.pageOf(url),
    };
    const [held] = await runCalmJob(web, { ...asked, coverages: [0.6] });
    const [free] = await runCalmJob(web, { ...asked, coverages: [0.6], hasLevel: false });
    expect(held.pages).toBeLessThanOrEqual(1.01 * free.pages);
    expect(held.seconds).toBeLessThan(1.05 * free.seconds);
  });
});

describe("four workers on hosts that never rest", () => {
  it("need as many pages as one process with all of their slots, and no more time", async () => {
    const web = generatedWeb(8000, 1);
    const asked = { delayMs: 0, coverages: [0.97] };
    const [one] = await runCalmJob(web, { ...asked, workers: 1, concurrency: 64 });
    const [four] = await runCalmJob(web, { ...asked, workers: 4, concurrency: 16 });
    expect(four.pages).toBeLessThan(1.05 * one.pages);
    expect(four.seconds).toBeLessThan(1.05 * one.seconds);
  });
});

describe("a worker whose neighbour says that it has far better pages than slots", () => {
  const SLOTS = 16;
  const LEASE_MS = 60_000;
  const host = (shard: number): string => {
    for (let k = 0; ; k++) if (shardOf(`h${k}.test`, { shards: 2, by: "host" }) === shard) return `http://h${k}.test/`;
  };
  const own = host(0);
  const web: ServedWeb = {
    urlOf: (page) => `${own}${page}`,
    rowOf: (page) => (page === 0 ? Array.from({ length: 400 }, (_, k) => k + 1) : []),
    pageOf: (url) => Number(url.slice(own.length)),
  };

  /** The most requests that are under way at once, in each of these seconds. */
  async function busiest(
    { seconds, requestMs = 400 }: { readonly seconds: number; readonly requestMs?: number },
    act: (second: number, log: TalkingLog) => void,
  ): Promise<number[]> {
    const timers = new SimulatedTimers();
    const crawl = crawlSettings({ urls: [own + 0], scope: "any", delay: 0, concurrency: SLOTS, perHost: SLOTS });
    const settings = { ...crawl, web: { ...crawl.web, hashSeed: 1, sitemaps: false } };
    const job = JSON.stringify({ crawl: settings, shardBy: "host", secretHosts: [] });
    const state = new JobState({ name: "job", version: JOB_VERSION, shards: 2, settings: job }, timers);
    state.register("other", JSON.stringify({ place: "there", version: "1", knows: [], slot: 0, over: [] }), LEASE_MS);
    const lease = state.lease("other", 1, LEASE_MS)!;
    state.publish([{ lease, note: JSON.stringify({ ...QUIET_NOTE, backlog: 1 }) }]);
    const log = new TalkingLog(state);
    let underWay = 0;
    const most: number[] = [];
    const fetcher = new GraphFetcher({ ...web, schedule: (callback) => void timers.after(requestMs, callback) });
    const counted: Fetcher = {
      fetch: (request, done) => {
        underWay++;
        fetcher.fetch(request, (reply) => {
          underWay--;
          done(reply);
        });
      },
      close: () => fetcher.close(),
    };
    const reader = await InlineReader.create(settings);
    const textsOf = (): TextsInMemory => new TextsInMemory();
    const worker = await Worker.join({ log, name: "this", place: "here", fetcher: counted, reader, timers, textsOf });
    const bugs: unknown[] = [];
    worker.run().catch((bug: unknown) => bugs.push(bug));
    for (let second = 0; second < seconds; second++) {
      act(second, log);
      most[second] = 0;
      while ((timers.nextMs ?? 0) < 1000 * (second + 1)) {
        timers.step();
        await new Promise((resolve) => setImmediate(resolve));
        most[second] = Math.max(most[second], underWay);
      }
    }
    expect(bugs).toEqual([]);
    return most;
  }

  it("uses half of its slots, and all once the other has a slot to spare", async () => {
    const most = await busiest({ seconds: 8 }, (second, log) => {
      if (second === 5) log.otherHasSlots();
    });
    expect(most.slice(3, 5)).toEqual([SLOTS / 2, SLOTS / 2]);
    expect(most[7]).toBe(SLOTS);
  });

  it("does so at once, not with the next reply", async () => {
    const most = await busiest({ seconds: 9, requestMs: 2500 }, (second, log) => {
      if (second === 7) log.otherHasSlots();
    });
    expect(most.slice(6, 8)).toEqual([SLOTS / 2, SLOTS]);
  });

  it("uses all slots once the log cannot be reached: what the other has said is old", async () => {
    const most = await busiest({ seconds: 8 }, (second, log) => {
      if (second === 5) log.isReachable = false;
    });
    expect(most.slice(3, 5)).toEqual([SLOTS / 2, SLOTS / 2]);
    expect(most[7]).toBe(SLOTS);
  });
});

/** A shard with nothing to do. */
const QUIET_NOTE = {
  counts: { pages: 0, dead: 0, redirects: 0, refused: 0, failed: 0, retries: 0, bytes: 0 },
  known: 0,
  frontier: 0,
  hosts: 0,
  sums: { rankInside: 0, rankDangling: 0, rankDead: 0, flowForbidden: 0, trust: 0, additions: 0 },
  losses: [],
  isIdle: false,
  isClosed: false,
  parked: null,
  sent: 0,
  heard: 0,
  number: 1,
};

class TalkingLog extends MemoryFactLog {
  isReachable = true;
  readonly #state: JobState;

  constructor(state: JobState) {
    super(state);
    this.#state = state;
  }

  otherHasSlots(): void {
    const lease = { shard: 1, worker: "other", epoch: 1 };
    this.#state.publish([{ lease, note: JSON.stringify({ ...QUIET_NOTE, backlog: null }) }]);
  }

  override async board(): Promise<Board> {
    if (!this.isReachable) throw new FactLogError("unreachable", "the log cannot be reached");
    return super.board();
  }
}
