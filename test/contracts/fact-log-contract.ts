/**
 * What every log that workers share must keep. Times are passed by the log's own clock, so that nothing waits: leases
 * last minutes.
 */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Board, FactLog, Lease, Message, NewJob, NewLease } from "../../src/store/index.ts";
import { FactLogModel, MINUTE_MS, type Operation, operations, SHARDS, withoutTimes } from "./fact-log-model.ts";

/** A job, and what can happen to it. */
export interface LogUnderTest {
  /** One more connection to the job. */
  connect(): Promise<FactLog>;
  /** Lets this much time pass by the clock of the log. */
  pass(ms: number): Promise<void>;
  /** How much more time may have passed than was told: 0 for a clock that stands still. */
  readonly slackMs: number;
  /** Frees what the test holds. */
  dispose(): Promise<void>;
}

const JOB: NewJob = { name: "tides", version: 7, shards: SHARDS, settings: '{"Ünïcode":"🌊"}' };

/** As `cluster start --shards` and `crawl --workers` allow. */
const SHARDS_MAX = 2048;

/** `runs` is how many random sequences of operations are drawn. */
export function factLogContract(
  name: string,
  create: (job: NewJob) => Promise<LogUnderTest>,
  { runs }: { readonly runs: number },
): void {
  describe(`the log of workers ${name}`, () => {
    const opened: LogUnderTest[] = [];
    afterEach(async () => {
      for (const subject of opened.splice(0)) await subject.dispose();
    });
    const make = async (job = JOB): Promise<LogUnderTest> => {
      const subject = await create(job);
      opened.push(subject);
      return subject;
    };
    /** A job of which Anna owns shard 0. */
    const owned = async (): Promise<{ subject: LogUnderTest; log: FactLog; anna: NewLease }> => {
      const subject = await make();
      const log = await subject.connect();
      return { subject, log, anna: await leased(log, "anna", 0) };
    };
    /** The same after Bert has taken over, unseen by Anna. */
    const takenOver = async (): Promise<{ log: FactLog; other: FactLog; anna: NewLease; bert: NewLease }> => {
      const { subject, log, anna } = await owned();
      await subject.pass(MINUTE_MS);
      const other = await subject.connect();
      return { log, other, anna, bert: await leased(other, "bert", 0) };
    };

    it("begins with the job as it was made, and shards that nobody has owned", async () => {
      const log = await (await make()).connect();
      const { job, shards, workers } = await log.board();
      expect(job).toEqual({ ...JOB, stopped: null, ageMs: expect.any(Number) });
      expect(await log.job()).toEqual({ ...job, ageMs: expect.any(Number) });
      const empty = { epoch: 0, worker: null, position: 0, pages: 0, note: null, noteEpoch: 0 };
      expect(shards).toEqual([0, 1, 2].map((shard) => ({ shard, ...empty })));
      expect(workers).toEqual([]);
      expect(await log.read(0, 0, 1000)).toEqual([]);
    });

    it("gives a shard to one worker at a time, until its lease has ended by the log's clock", async () => {
      const { subject, log, anna } = await owned();
      expect(anna).toMatchObject({ shard: 0, worker: "anna", epoch: 1, position: 0, pages: 0 });
      expect(anna.leftMs).toBe(MINUTE_MS);
      expect(await log.lease("bert", 0, MINUTE_MS)).toBeUndefined();
      expect(await log.lease("anna", 0, MINUTE_MS)).toBeUndefined();
      await subject.pass(MINUTE_MS / 2);
      expect(await log.lease("bert", 0, MINUTE_MS)).toBeUndefined();
      expect((await log.board()).shards[0].worker).toBe("anna");
      await subject.pass(MINUTE_MS / 2);
      expect((await log.board()).shards[0].worker).toBeNull();
      expect(await log.lease("bert", 0, MINUTE_MS)).toMatchObject({ worker: "bert", epoch: 2 });
    });

    it("gives a shard that was released away at once, with a greater epoch", async () => {
      const { log, anna } = await owned();
      await log.release([anna]);
      const bert = await leased(log, "bert", 0);
      expect(bert.epoch).toBe(2);
      await log.release([anna]);
      expect((await log.board()).shards[0].worker).toBe("bert");
      await log.release([bert]);
      expect(await leased(log, "anna", 0)).toMatchObject({ epoch: 3 });
    });

    it("renews leases, also those that have ended, but never makes one shorter", async () => {
      const { subject, log, anna } = await owned();
      const near = async (lease: Lease, forMs: number): Promise<number> => (await log.renew([lease], forMs))[0] ?? -1;
      expectNear(await near(anna, 3 * MINUTE_MS), 3 * MINUTE_MS, subject);
      expectNear(await near(anna, MINUTE_MS), 3 * MINUTE_MS, subject);
      await subject.pass(3 * MINUTE_MS);
      expectNear(await near(anna, 2 * MINUTE_MS), 2 * MINUTE_MS, subject);
      await subject.pass(MINUTE_MS);
      expect(await log.lease("bert", 0, MINUTE_MS)).toBeUndefined();
    });

    it("does not renew a lease that was released or taken over, in any company", async () => {
      const { log, anna, bert } = await takenOver();
      const free = await leased(log, "anna", 1);
      await log.release([free]);
      const held = await leased(log, "anna", 2);
      const [first, second, third, fourth] = await log.renew([anna, free, held, bert], MINUTE_MS);
      expect([first, second]).toEqual([undefined, undefined]);
      expect(third).toBeGreaterThan(0);
      expect(fourth).toBeGreaterThan(0);
      expect(await log.renew([], MINUTE_MS)).toEqual([]);
    });

    it("keeps batches at the positions that their owner names, and gives them to the next", async () => {
      const { log, anna } = await owned();
      expect(await append(log, anna, 1, "one")).toBe("appended");
      expect(await append(log, anna, 2, "")).toBe("appended");
      await log.release([anna]);
      const bert = await leased(log, "bert", 0);
      expect(bert.position).toBe(2);
      expect(await append(log, bert, 3, "three")).toBe("appended");
      expect(await texts(log, 0)).toEqual([
        [1, 1, "one"],
        [2, 1, ""],
        [3, 2, "three"],
      ]);
      expect((await log.board()).shards[0].position).toBe(3);
    });

    it("keeps every byte", async () => {
      const { log, anna } = await owned();
      const batch = Uint8Array.from({ length: 100_000 }, (_, k) => (k * k) >> 3);
      await log.append([{ lease: anna, position: 1, batch }]);
      const [stored] = await log.read(0, 0, 1);
      expect(Buffer.compare(stored.batch, batch)).toBe(0);
      await log.send([{ sender: 2, receiver: 0, payload: batch }]);
      const [message] = await log.take([anna]);
      expect(Buffer.compare(message.payload, batch)).toBe(0);
    });

    it("recognises a batch that is sent again, also long after", async () => {
      const { log, anna } = await owned();
      await append(log, anna, 1, "one");
      expect(await append(log, anna, 1, "one")).toBe("already-there");
      await append(log, anna, 2, "two");
      expect(await append(log, anna, 1, "one")).toBe("already-there");
      expect(await texts(log, 0)).toHaveLength(2);
    });

    it("refuses another batch at a position that is taken, and one that leaves a gap", async () => {
      const { log, anna } = await owned();
      expect(await append(log, anna, 2, "two")).toBe("fenced");
      expect(await append(log, anna, 0, "zero")).toBe("fenced");
      await append(log, anna, 1, "one");
      expect(await append(log, anna, 1, "other")).toBe("fenced");
      expect(await append(log, anna, 1, "")).toBe("fenced");
      expect(await append(log, anna, 3, "three")).toBe("fenced");
      expect(await append(log, anna, 2, "two")).toBe("appended");
      expect(await texts(log, 0)).toHaveLength(2);
    });

    it("takes appends after the time of a lease as long as nobody else has the shard", async () => {
      const { subject, log, anna } = await owned();
      await subject.pass(5 * MINUTE_MS);
      expect(await append(log, anna, 1, "late")).toBe("appended");
    });

    it("refuses everything that a former owner writes", async () => {
      const { log, other, anna, bert } = await takenOver();
      await other.reserve([{ lease: bert, pages: 5 }], 100);
      await other.publish([{ lease: bert, note: "of bert" }]);
      await other.send([{ sender: 1, receiver: 0, payload: bytesOf("for bert") }]);
      const before = await other.board();
      expect(await append(log, anna, 1, "late")).toBe("fenced");
      expect(await log.reserve([{ lease: anna, pages: 9 }], 100)).toEqual([undefined]);
      expect(await log.reserve([{ lease: anna, pages: 0 }], 100)).toEqual([undefined]);
      expect(await log.take([anna])).toEqual([]);
      await log.publish([{ lease: anna, note: "of anna" }]);
      await log.release([anna]);
      expect(await log.renew([anna], MINUTE_MS)).toEqual([undefined]);
      expect(withoutTimes(await log.board()).rest).toEqual(withoutTimes(before).rest);
      expect(await texts(log, 0)).toEqual([]);
      expect(textsOf(await other.take([bert]))).toEqual(["1 to 0: for bert"]);
      // The same position, epoch apart: the batches are two, although their bytes are the same.
      expect(await append(other, bert, 1, "late")).toBe("appended");
      expect(await append(log, anna, 1, "late")).toBe("fenced");
    });

    it("refuses what a worker writes by a lease of its own that is over", async () => {
      const { subject, log, anna } = await owned();
      await subject.pass(MINUTE_MS);
      const again = await leased(log, "anna", 0);
      expect(again.epoch).toBe(2);
      expect(await append(log, anna, 1, "late")).toBe("fenced");
      expect(await log.reserve([{ lease: anna, pages: 5 }], 100)).toEqual([undefined]);
      expect(await log.renew([anna, again], MINUTE_MS)).toEqual([undefined, expect.any(Number)]);
      await log.publish([{ lease: anna, note: "late" }]);
      await log.release([anna]);
      expect((await log.board()).shards[0]).toMatchObject({ worker: "anna", note: null, pages: 0 });
    });

    it("refuses everything that is written after a release", async () => {
      const { log, anna } = await owned();
      await append(log, anna, 1, "one");
      await log.release([anna]);
      expect(await append(log, anna, 2, "two")).toBe("fenced");
      expect(await append(log, anna, 1, "one")).toBe("already-there");
      expect(await log.reserve([{ lease: anna, pages: 5 }], 100)).toEqual([undefined]);
      await log.send([{ sender: 1, receiver: 0, payload: bytesOf("x") }]);
      expect(await log.take([anna])).toEqual([]);
      await log.publish([{ lease: anna, note: "of anna" }]);
      expect((await log.board()).shards[0]).toMatchObject({ worker: null, note: null, position: 1, pages: 0 });
    });

    it("tells a former owner that a batch of its own is there", async () => {
      const { subject, log, anna } = await owned();
      await append(log, anna, 1, "one");
      await subject.pass(MINUTE_MS);
      await leased(log, "bert", 0);
      expect(await append(log, anna, 1, "one")).toBe("already-there");
    });

    it("appends to many shards in one call, each for itself", async () => {
      const { log, anna: first } = await owned();
      const second = await leased(log, "anna", 1);
      const third = await leased(log, "anna", 2);
      await append(log, second, 1, "there");
      await log.release([third]);
      const results = await log.append([
        { lease: third, position: 1, batch: bytesOf("fenced") },
        { lease: first, position: 1, batch: bytesOf("new") },
        { lease: second, position: 1, batch: bytesOf("there") },
      ]);
      expect(results).toEqual(["fenced", "appended", "already-there"]);
      expect(await log.append([])).toEqual([]);
      const twice = [1, 2].map((position) => ({ lease: first, position, batch: bytesOf("x") }));
      await expect((async () => log.append(twice))()).rejects.toThrow("at most once per shard");
    });

    it("reads in chunks of about so many bytes, at least one batch each", async () => {
      const { log, anna } = await owned();
      const sizes = [10, 10, 10, 50, 1, 0, 0, 10];
      for (const [k, size] of sizes.entries()) await append(log, anna, k + 1, "x".repeat(size));
      const positions = async (after: number, bytesMax: number): Promise<number[]> =>
        (await log.read(0, after, bytesMax)).map(({ position }) => position);
      expect(await positions(0, 1000)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(await positions(0, 0)).toEqual([1]);
      expect(await positions(0, 20)).toEqual([1, 2]);
      expect(await positions(0, 21)).toEqual([1, 2, 3]);
      expect(await positions(2, 11)).toEqual([3, 4]);
      expect(await positions(4, 2)).toEqual([5, 6, 7, 8]);
      expect(await positions(8, 1000)).toEqual([]);
      expect(await log.read(1, 0, 1000)).toEqual([]);
    });

    it("hands messages to the owner of their receiver, once, in the order in which each sender has sent them", async () => {
      const { log, anna } = await owned();
      const other = await leased(log, "anna", 1);
      const say = (sender: number, receiver: number, text: string): Message => ({
        sender,
        receiver,
        payload: bytesOf(text),
      });
      await log.send([say(2, 1, "a"), say(2, 0, "b"), say(1, 0, "c")]);
      await log.send([say(2, 0, "d"), say(2, 1, "e"), say(2, 2, "not owned")]);
      const taken = await log.take([anna, other]);
      expect(textsOf(taken.filter(({ sender }) => sender === 2))).toEqual([
        "2 to 1: a",
        "2 to 0: b",
        "2 to 0: d",
        "2 to 1: e",
      ]);
      expect(textsOf(taken.filter(({ sender }) => sender === 1))).toEqual(["1 to 0: c"]);
      expect(await log.take([anna, other])).toEqual([]);
      await log.send([say(0, 1, "f")]);
      await log.send([]);
      expect(await log.take([anna])).toEqual([]);
      expect(textsOf(await log.take([other]))).toEqual(["0 to 1: f"]);
      expect(await log.take([])).toEqual([]);
      expect(textsOf(await log.take([await leased(log, "bert", 2)]))).toEqual(["2 to 2: not owned"]);
    });

    it("takes no message twice, whoever takes at the same time", async () => {
      const { subject, log, anna } = await owned();
      const logs = await Promise.all([1, 2, 3].map(() => subject.connect()));
      const sent = Array.from({ length: 30 }, (_, k) => ({ sender: 1, receiver: 0, payload: bytesOf(String(k)) }));
      const taking = logs.map(async (each) => [...(await each.take([anna])), ...(await each.take([anna]))]);
      for (const message of sent) await log.send([message]);
      const taken = [...(await Promise.all(taking)).flat(), ...(await log.take([anna]))];
      expect(textsOf(taken).sort()).toEqual(textsOf(sent).sort());
    });

    it("shows the notes of shards, with the epoch of who wrote them", async () => {
      const { log, anna, other, bert } = await takenOver();
      await log.publish([]);
      const second = await leased(log, "anna", 1);
      await log.publish([
        { lease: anna, note: "ignored" },
        { lease: second, note: '{"level":0.5}' },
      ]);
      const notes = async (): Promise<unknown> =>
        (await log.board()).shards.map(({ note, noteEpoch }) => [note, noteEpoch]);
      expect(await notes()).toEqual([
        [null, 0],
        ['{"level":0.5}', 1],
        [null, 0],
      ]);
      await other.publish([{ lease: bert, note: "of bert" }]);
      await other.release([bert]);
      await leased(log, "anna", 0);
      expect(await notes()).toEqual([
        ["of bert", 2],
        ['{"level":0.5}', 1],
        [null, 0],
      ]);
    });

    it("allows shards as many pages as there is room for, which go with the shard", async () => {
      const { log, anna } = await owned();
      const other = await leased(log, "anna", 1);
      const reserve = async (lease: Lease, pages: number, max: number) =>
        (await log.reserve([{ lease, pages }], max))[0];
      expect(await reserve(anna, 60, 100)).toBe(60);
      expect(await reserve(other, 60, 100)).toBe(40);
      expect(await reserve(other, 60, 100)).toBe(40);
      expect(await reserve(anna, 35, 100)).toBe(35);
      expect(await reserve(other, 60, 100)).toBe(60);
      expect(await reserve(other, 80, 100)).toBe(65);
      // Less than what is allowed already: nobody gets more, and pages can be given back.
      expect(await reserve(anna, 36, 10)).toBe(35);
      expect(await reserve(anna, 30, 10)).toBe(30);
      expect(await reserve(anna, 0, 10)).toBe(0);
      await log.release([other]);
      expect(await leased(log, "bert", 1)).toMatchObject({ pages: 65 });
      expect((await log.board()).shards.map(({ pages }) => pages)).toEqual([0, 65, 0]);
    });

    it("lets one shard have what another gives, in one call, those first that stand first", async () => {
      const { log, subject, anna } = await owned();
      const elsewhere = await subject.connect();
      const [second, third] = [await leased(log, "anna", 1), await leased(elsewhere, "bert", 2)];
      const reserve = (...pages: number[]) =>
        log.reserve(
          pages.map((wanted, k) => ({ lease: [anna, second][k], pages: wanted })),
          100,
        );
      expect(await log.reserve([], 100)).toEqual([]);
      expect(await reserve(80, 5)).toEqual([80, 5]);
      expect(await elsewhere.reserve([{ lease: third, pages: 50 }], 100)).toEqual([15]);
      expect(await reserve(30, 40)).toEqual([30, 40]);
      expect(await elsewhere.reserve([{ lease: third, pages: 50 }], 100)).toEqual([30]);
      expect(await reserve(30, 70)).toEqual([30, 40]);
      expect(await reserve(20, 90)).toEqual([20, 50]);
      expect(await reserve(25, 90)).toEqual([20, 50]);
      expect(await elsewhere.reserve([{ lease: third, pages: 20 }], 100)).toEqual([20]);
      expect(await reserve(26, 90)).toEqual([26, 54]);
      await log.release([anna]);
      // What is no longer held neither gives nor takes.
      expect(await reserve(0, 80)).toEqual([undefined, 54]);
      expect((await log.board()).shards.map(({ pages }) => pages)).toEqual([26, 54, 20]);
    });

    it("never allows more pages than the limit, however many reserve at once", async () => {
      const { subject, log, anna } = await owned();
      const leases = [anna, await leased(log, "anna", 1), await leased(log, "anna", 2)];
      const workers = leases.map(async (lease, k) => {
        const mine = await subject.connect();
        for (let round = 0; round < 12; round++) {
          const pages = (round % 3 === 2 ? round - 2 : round) * (3 + k);
          await mine.reserve([{ lease, pages }], 50);
        }
      });
      const boards = await boardsDuring(log, Promise.all(workers));
      expect(Math.max(...boards.map(pagesOf))).toBeLessThanOrEqual(50);
      for (const lease of leases) await log.reserve([{ lease, pages: 100 }], 50);
      expect(pagesOf(await log.board())).toBe(50);
    });

    it("gives a shard to one of many that ask at once", async () => {
      const subject = await make();
      const logs = await Promise.all([1, 2, 3, 4].map(() => subject.connect()));
      for (let round = 1; round <= 5; round++) {
        const given = await Promise.all(logs.map((log, k) => log.lease(`worker ${k}`, 1, MINUTE_MS)));
        const owners = given.filter((lease) => lease !== undefined);
        expect(owners).toHaveLength(1);
        expect(owners[0].epoch).toBe(round);
        await logs[0].release(owners);
      }
    });

    it("takes a batch or fences it when the shard is taken over meanwhile, and the next owner knows which", async () => {
      const subject = await make();
      const [first, second] = [await subject.connect(), await subject.connect()];
      let position = 0;
      for (let round = 1; round <= 10; round++) {
        const lease = await leased(first, "anna", 0);
        await subject.pass(MINUTE_MS);
        const [result, next] = await Promise.all([
          append(first, lease, position + 1, `round ${round}`),
          second.lease("bert", 0, MINUTE_MS),
        ]);
        if (result === "appended") position++;
        expect(next?.position).toBe(position);
        await second.release([next!]);
      }
      expect(await texts(first, 0)).toHaveLength(position);
    });

    it("knows the workers that have said lately that they are alive", async () => {
      const subject = await make();
      const log = await subject.connect();
      await log.register("bert", "{}", 2 * MINUTE_MS);
      await log.register("anna", "first", MINUTE_MS);
      await log.register("anna", "second", MINUTE_MS);
      const workers = async (): Promise<unknown> => (await log.board()).workers;
      expect(await workers()).toEqual([
        { name: "anna", info: "second" },
        { name: "bert", info: "{}" },
      ]);
      await subject.pass(MINUTE_MS);
      expect(await workers()).toEqual([{ name: "bert", info: "{}" }]);
      await log.register("anna", "third", MINUTE_MS);
      await log.unregister("bert");
      await log.unregister("nobody");
      expect(await workers()).toEqual([{ name: "anna", info: "third" }]);
    });

    it("keeps the first reason to stop until the job is started again, with other settings", async () => {
      const subject = await make();
      const log = await subject.connect();
      await subject.pass(5 * MINUTE_MS);
      await log.stop("target reached");
      await subject.pass(MINUTE_MS);
      await log.stop("interrupted");
      // A job that has ended grows no older.
      await subject.pass(MINUTE_MS);
      expect(await log.job()).toMatchObject({ stopped: "target reached", settings: JOB.settings });
      expectNear((await log.job()).ageMs, 5 * MINUTE_MS, subject, "later");
      await log.restart('{"max":2}');
      expect(await log.job()).toMatchObject({ name: "tides", stopped: null, settings: '{"max":2}' });
      await subject.pass(2 * MINUTE_MS);
      expectNear((await log.board()).job.ageMs, 2 * MINUTE_MS, subject, "later");
      await log.stop("");
      await log.stop("other");
      expect((await log.board()).job.stopped).toBe("");
    });

    it("shows one moment on its board: what a call has written is there as a whole or not at all", async () => {
      const { subject, log, anna } = await owned();
      const leases = [anna, await leased(log, "anna", 1), await leased(log, "anna", 2)];
      const writer = await subject.connect();
      const writing = (async () => {
        for (let position = 1; position <= 10; position++) {
          await writer.append(leases.map((lease) => ({ lease, position, batch: bytesOf("x") })));
        }
      })();
      for (const { shards } of await boardsDuring(log, writing)) {
        expect(new Set(shards.map(({ position }) => position)).size).toBe(1);
      }
    });

    it("takes what the owner of all shards has to say at once, of as many as a job may have", async () => {
      const log = await (await make({ ...JOB, shards: SHARDS_MAX })).connect();
      const leases: NewLease[] = [];
      for (let shard = 0; shard < SHARDS_MAX; shard++) leases.push(await leased(log, "anna", shard));
      const all = <Value>(value: Value): Value[] => leases.map(() => value);
      expect(await log.renew(leases, 2 * MINUTE_MS)).toHaveLength(SHARDS_MAX);
      expect(await log.append(leases.map((lease) => ({ lease, position: 1, batch: bytesOf("b") })))).toEqual(
        all("appended"),
      );
      expect(await log.append(leases.map((lease) => ({ lease, position: 1, batch: bytesOf("b") })))).toEqual(
        all("already-there"),
      );
      await log.publish(leases.map((lease) => ({ lease, note: "n" })));
      expect(
        await log.reserve(
          leases.map((lease) => ({ lease, pages: 2 })),
          2 * SHARDS_MAX,
        ),
      ).toEqual(all(2));
      await log.send(leases.map(({ shard }) => ({ sender: 0, receiver: shard, payload: bytesOf("p") })));
      expect(await log.take(leases)).toHaveLength(SHARDS_MAX);
      await log.release(leases);
      const { shards } = await log.board();
      expect(shards.every(({ worker, note, position }) => worker === null && note === "n" && position === 1)).toBe(
        true,
      );
    });

    it("answers any sequence of operations as the history of the job demands", { timeout: 600_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(operations, async (drawn) => {
          const subject = await create(JOB);
          try {
            await expectAnswers(subject, drawn);
          } finally {
            await subject.dispose();
          }
        }),
        { numRuns: runs },
      );
    });
  });
}

async function expectAnswers(subject: LogUnderTest, drawn: readonly Operation[]): Promise<void> {
  const logs = [await subject.connect(), await subject.connect()];
  const model = new FactLogModel(JOB);
  for (const [k, operation] of drawn.entries()) {
    const log = logs[k % 2];
    const actual = withoutTimes(await model.performOn(log, operation, (ms) => subject.pass(ms)));
    const expected = withoutTimes(model.answer(operation));
    expect([operation, actual.rest]).toEqual([operation, expected.rest]);
    for (const [i, ms] of actual.timesMs.entries()) expectNear(ms, expected.timesMs[i], subject);
  }
  const board = withoutTimes(await logs[0].board());
  const expected = withoutTimes(model.board());
  expect(board.rest).toEqual(expected.rest);
  expectNear(board.timesMs[0], expected.timesMs[0], subject, "later");
}

async function leased(log: FactLog, worker: string, shard: number): Promise<NewLease> {
  const lease = await log.lease(worker, shard, MINUTE_MS);
  expect(lease).toBeDefined();
  return lease!;
}

/** What the board showed until some work had ended. */
async function boardsDuring(log: FactLog, work: Promise<unknown>): Promise<Board[]> {
  const boards: Board[] = [];
  const ended = work.then(() => true);
  do boards.push(await log.board());
  while (!(await Promise.race([ended, false])));
  return boards;
}

function pagesOf({ shards }: Board): number {
  return shards.reduce((sum, { pages }) => sum + pages, 0);
}

async function append(log: FactLog, lease: Lease, position: number, text: string): Promise<string> {
  const [result] = await log.append([{ lease, position, batch: bytesOf(text) }]);
  return result;
}

async function texts(log: FactLog, shard: number): Promise<[number, number, string][]> {
  const batches = await log.read(shard, 0, 1_000_000);
  return batches.map(({ position, epoch, batch }) => [position, epoch, new TextDecoder().decode(batch)]);
}

function textsOf(messages: readonly Message[]): string[] {
  return messages.map(
    ({ sender, receiver, payload }) => `${sender} to ${receiver}: ${new TextDecoder().decode(payload)}`,
  );
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** What is left of a time may be less than told, and an age more, by as much as the test itself takes. */
function expectNear(
  ms: number,
  expectedMs: number,
  { slackMs }: LogUnderTest,
  side: "sooner" | "later" = "sooner",
): void {
  const [least, most] = side === "sooner" ? [expectedMs - slackMs, expectedMs] : [expectedMs, expectedMs + slackMs];
  expect(ms).toBeGreaterThanOrEqual(least - ROUNDING_MS);
  expect(ms).toBeLessThanOrEqual(most + ROUNDING_MS);
}

/** Of numbers with fractions. */
const ROUNDING_MS = 0.01;
