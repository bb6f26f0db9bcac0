/** A job that has ended is held by one process, as long as that lives. */
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { holderName, holderOf, JobHold } from "../../src/cluster/index.ts";
import { FactLogError, JobGoneError, JobState, type Lease, MemoryFactLog } from "../../src/store/index.ts";
import { SimulatedTimers } from "../support/simulation/timers.ts";

const SHARDS = 3;
const HOLD_MS = 1000;
const NAME = holderName("/data/news", "a.example");

/** A log on which renewals fail with this, if it is set. */
class Log extends MemoryFactLog {
  renewalFails: Error | undefined;
  /** Timers that are due come before the answer. */
  takesTime = false;
  onLease = (_shard: number): void => {};

  override async renew(leases: readonly Lease[], forMs: number) {
    if (this.takesTime) await new Promise((resolve) => setImmediate(resolve));
    if (this.renewalFails !== undefined) throw this.renewalFails;
    return super.renew(leases, forMs);
  }

  override async lease(worker: string, shard: number, forMs: number) {
    this.onLease(shard);
    return super.lease(worker, shard, forMs);
  }
}

function ended() {
  const timers = new SimulatedTimers();
  const state = new JobState({ name: "news", version: 1, shards: SHARDS, settings: "{}" }, timers);
  state.stop("frontier-empty");
  const log = new Log(state);
  /** Lets time pass, and whatever waits for promises go on. */
  const pass = async (forMs: number): Promise<void> => {
    const untilMs = timers.nowMs() + forMs;
    timers.after(forMs, () => {});
    while ((timers.nextMs ?? Infinity) <= untilMs) {
      timers.step();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const take = (name = NAME) => JobHold.take({ log, name, timers, holdMs: HOLD_MS, ...said });
  const said = {
    heard: [] as (string | undefined)[],
    dropped: 0,
    onConnection: (problem: string | undefined) => void said.heard.push(problem),
    onDropped: () => void said.dropped++,
  };
  const owners = () => state.board().shards.map(({ worker }) => worker);
  return { timers, state, log, pass, take, said, owners };
}

describe("a job that is held", () => {
  it("has no shard for anybody else, for as long as it is held", async () => {
    const { state, pass, take, owners } = ended();
    const hold = await take();
    expect(owners()).toEqual([NAME, NAME, NAME]);
    expect(holderOf(state.board())).toBe(NAME);
    for (let k = 0; k < 20; k++) {
      await pass(HOLD_MS / 3);
      expect(state.lease("worker", k % SHARDS, HOLD_MS)).toBe(undefined);
    }
    expect(hold?.lost.aborted).toBe(false);
    await hold?.release();
    expect(owners()).toEqual([null, null, null]);
    await pass(10 * HOLD_MS);
    expect(state.lease("worker", 0, HOLD_MS)).toMatchObject({ shard: 0 });
  });

  it("is not held while it runs, nor while a worker has a shard, and nothing is kept of the attempt", async () => {
    const { state, take, owners } = ended();
    const lease = state.lease("worker", 1, HOLD_MS);
    expect(await take()).toBe(undefined);
    expect(owners()).toEqual([null, "worker", null]);
    state.release(lease === undefined ? [] : [lease]);
    state.restart("{}");
    expect(await take()).toBe(undefined);
    expect(owners()).toEqual([null, null, null]);
    expect(holderOf(state.board())).toBe(undefined);
  });

  it("is not held if somebody starts it while it is taken", async () => {
    const { state, log, take, owners } = ended();
    log.onLease = (shard) => {
      if (shard === SHARDS - 1) state.restart("{}");
    };
    expect(await take()).toBe(undefined);
    expect(owners()).toEqual([null, null, null]);
  });

  it("is given up if it was started all the same", async () => {
    const { state, pass, take } = ended();
    const hold = await take();
    state.restart("{}");
    await pass(HOLD_MS / 2);
    expect(hold?.lost.aborted).toBe(true);
  });

  it("is taken over at once by a process in the place of one that was killed, and later by others", async () => {
    const { log, timers, state, take, pass } = ended();
    // Killed: nobody renews it.
    for (let shard = 0; shard < SHARDS; shard++) state.lease(NAME, shard, HOLD_MS);
    const other = holderName("/data/other", "a.example");
    expect(await take(other)).toBe(undefined);
    const again = await take();
    expect(again).toBeDefined();
    expect(await take(other)).toBe(undefined);
    await again?.release();
    expect(await JobHold.take({ log, name: other, timers, holdMs: HOLD_MS })).toBeDefined();
    await pass(HOLD_MS);
    expect(await take()).toBe(undefined);
  });

  it("is not released by whoever had it before", async () => {
    const { take, pass, owners } = ended();
    const first = await take();
    const second = await take();
    await first?.release();
    expect(owners()).toEqual([NAME, NAME, NAME]);
    await pass(3 * HOLD_MS);
    expect([second?.lost.aborted, owners()]).toEqual([false, [NAME, NAME, NAME]]);
  });

  it("is lost before anybody else can have it, where the log cannot be reached", async () => {
    const { timers, state, log, pass, take, said } = ended();
    const hold = await take();
    await pass(HOLD_MS / 2);
    log.renewalFails = new FactLogError("unreachable", "the server is away");
    const states: boolean[] = [];
    hold?.lost.addEventListener("abort", () => {
      states.push(state.lease("worker", 0, HOLD_MS) === undefined);
    });
    const fromMs = timers.nowMs();
    await pass(HOLD_MS);
    expect(states).toEqual([true]);
    expect(timers.nowMs() - fromMs).toBeGreaterThanOrEqual(HOLD_MS / 2);
    expect(said.heard).toEqual(["the server is away"]);
    // It is back: what nobody has taken meanwhile is held again.
    log.renewalFails = undefined;
    expect((await take())?.lost.aborted).toBe(false);
  });

  it("survives a short absence of the log", async () => {
    const { log, pass, take, said } = ended();
    const hold = await take();
    log.renewalFails = new FactLogError("unreachable", "the server is away");
    await pass(HOLD_MS / 2);
    log.renewalFails = undefined;
    await pass(5 * HOLD_MS);
    expect(hold?.lost.aborted).toBe(false);
    expect(said.heard).toEqual(["the server is away", undefined]);
  });

  describe("by a process that computes for longer than it is held", () => {
    async function blocked(meanwhile: (state: JobState, log: Log) => void = () => {}) {
      const { timers, state, log, pass, take } = ended();
      log.takesTime = true;
      const hold = await take();
      expect(hold?.doubt).toBe(undefined);
      timers.block(2 * HOLD_MS);
      meanwhile(state, log);
      return { timers, state, hold, pass };
    }

    it("is held again before anything is requested", async () => {
      const { state, hold } = await blocked();
      expect(holderOf(state.board())).toBe(undefined);
      expect(hold?.doubt).toBeDefined();
      await hold?.doubt;
      expect([hold?.lost.aborted, holderOf(state.board())]).toEqual([false, NAME]);
    });

    it("is held again if nothing is to be requested", async () => {
      const { timers, state, hold, pass } = await blocked();
      // The renewal and the end are both due, and come before any answer.
      timers.step();
      timers.step();
      await pass(5 * HOLD_MS);
      expect([hold?.lost.aborted, holderOf(state.board())]).toEqual([false, NAME]);
    });

    it.each<[string, (state: JobState, log: Log) => void]>([
      ["a worker has a shard", (state) => void state.lease("worker", 1, 60_000)],
      ["the job was started again", (state) => state.restart("{}")],
      ["the log is away", (_, log) => (log.renewalFails = new FactLogError("unreachable", "the server is away"))],
    ])("is lost before anything is requested if %s", async (_what, meanwhile) => {
      const { hold } = await blocked(meanwhile);
      expect(hold?.doubt).toBeDefined();
      await hold?.doubt;
      expect([hold?.lost.aborted, hold?.doubt]).toEqual([true, undefined]);
    });
  });

  it("is lost when somebody else has a shard", async () => {
    const { state, pass, take } = ended();
    const hold = await take();
    const [{ epoch }] = state.board().shards;
    state.release([{ shard: 0, worker: NAME, epoch }]);
    state.lease("worker", 0, HOLD_MS);
    await pass(HOLD_MS / 2);
    expect(hold?.lost.aborted).toBe(true);
  });

  it("that was deleted is lost to nobody", async () => {
    const { log, pass, take, said } = ended();
    const hold = await take();
    log.renewalFails = new JobGoneError("the job news is not there any more");
    await pass(10 * HOLD_MS);
    expect([hold?.lost.aborted, said.dropped, said.heard]).toEqual([false, 1, []]);
  });

  it("is lost in time where the log refuses us, since workers may get in", async () => {
    const { log, pass, take, said } = ended();
    const hold = await take();
    log.renewalFails = new UsageError("the password is wrong");
    await pass(HOLD_MS);
    expect([hold?.lost.aborted, said.dropped, said.heard]).toEqual([true, 0, ["the password is wrong"]]);
  });
});
