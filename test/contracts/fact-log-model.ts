/**
 * What a log must answer, by another method than those of the implementations: nothing is kept but the history of what
 * happened, and every answer is looked up in it. Random operations are drawn here too.
 */
import fc from "fast-check";
import type {
  AppendResult,
  Board,
  FactLog,
  Lease,
  Message,
  NewJob,
  Reservation,
  NewLease,
} from "../../src/store/index.ts";

export const MINUTE_MS = 60_000;

export type Operation =
  | { readonly kind: "pass"; readonly minutes: number }
  | { readonly kind: "lease"; readonly worker: string; readonly shard: number; readonly minutes: number }
  /** Leases are named by their place among all that were ever given. */
  | { readonly kind: "renew"; readonly leases: readonly number[]; readonly minutes: number }
  | { readonly kind: "release" | "take"; readonly leases: readonly number[] }
  | { readonly kind: "append"; readonly appends: readonly DrawnAppend[] }
  | { readonly kind: "read"; readonly shard: number; readonly after: number; readonly bytesMax: number }
  | { readonly kind: "reserve"; readonly wishes: readonly { readonly lease: number; readonly pages: number }[] }
  | { readonly kind: "send"; readonly messages: readonly Message[] }
  | { readonly kind: "publish"; readonly lease: number; readonly note: string }
  | { readonly kind: "register"; readonly worker: string; readonly info: string; readonly minutes: number }
  | { readonly kind: "unregister"; readonly worker: string }
  | { readonly kind: "stop" | "restart"; readonly words: string };

interface DrawnAppend {
  readonly lease: number;
  /** How far it is off the position that would be right; mostly 0. */
  readonly off: number;
  readonly batch: Uint8Array;
}

export const SHARDS = 3;
const PAGES_MAX = 12;

const shard = fc.nat(SHARDS - 1);
const worker = fc.constantFrom("anna", "bert");
const lease = fc.nat(7);
const leases = fc.array(lease, { maxLength: 3 });
const minutes = fc.integer({ min: 1, max: 3 });
const words = fc.constantFrom("", "{}", '{"Ünïcode":"🌊"}');
const bytes = fc.constantFrom(...["", "a", "b", "a longer one"].map((text) => new TextEncoder().encode(text)));
const off = fc.constantFrom(0, 0, 0, 0, -1, 1);

export const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass"), minutes }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("lease"), worker, shard, minutes }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("renew"), leases, minutes }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("release"), leases }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("append"),
        appends: fc.array(fc.record({ lease, off, batch: bytes }), { maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("read"), shard, after: fc.nat(5), bytesMax: fc.nat(20) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("reserve"),
        wishes: fc.array(fc.record({ lease, pages: fc.nat(12) }), { maxLength: 3 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("send"),
        messages: fc.array(fc.record({ sender: shard, receiver: shard, payload: bytes }), { maxLength: 3 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("take"), leases }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("publish"), lease, note: words }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("register"), worker, info: words, minutes }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("unregister"), worker }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("stop", "restart"), words }) },
  ) as fc.Arbitrary<Operation>,
  { maxLength: 40 },
);

type Event = { readonly atMs: number } & (
  | { readonly what: "leased"; readonly lease: Lease; readonly endsMs: number }
  | { readonly what: "renewed"; readonly lease: Lease; readonly endsMs: number }
  | { readonly what: "released"; readonly lease: Lease }
  | { readonly what: "appended"; readonly lease: Lease; readonly batch: Uint8Array }
  | { readonly what: "reserved"; readonly lease: Lease; readonly pages: number }
  | { readonly what: "noted"; readonly lease: Lease; readonly note: string }
  | { readonly what: "registered"; readonly worker: string; readonly info: string; readonly endsMs: number }
  | { readonly what: "unregistered"; readonly worker: string }
  | { readonly what: "stopped" | "restarted"; readonly words: string }
);
type EventOf<What extends Event["what"]> = Event & { readonly what: What };

export class FactLogModel {
  readonly #job: NewJob;
  readonly #history: Event[] = [];
  #underWay: Message[] = [];
  #nowMs = 0;

  constructor(job: NewJob) {
    this.#job = job;
  }

  /** What a log must answer to an operation; then compare it with what `performOn` returns. */
  answer(operation: Operation): unknown {
    const atMs = this.#nowMs;
    const endsMs = "minutes" in operation ? atMs + operation.minutes * MINUTE_MS : 0;
    switch (operation.kind) {
      case "pass":
        this.#nowMs = endsMs;
        return undefined;
      case "lease": {
        const { worker, shard } = operation;
        if (this.#owner(shard) !== null) return undefined;
        const lease = { shard, worker, epoch: this.#of("leased", shard).length + 1 };
        this.#history.push({ atMs, what: "leased", lease, endsMs });
        return { ...lease, leftMs: endsMs - atMs, position: this.#position(shard), pages: this.#pages(shard) };
      }
      case "renew":
        return this.#given(operation.leases).map((lease) => {
          if (!this.#isHeld(lease)) return undefined;
          this.#history.push({ atMs, what: "renewed", lease, endsMs });
          return { leftMs: this.#endOf(lease) - atMs };
        });
      case "release":
        for (const lease of this.#given(operation.leases)) this.#history.push({ atMs, what: "released", lease });
        return undefined;
      case "append":
        return this.appendsOf(operation.appends).map((append) => this.#append(append));
      case "read": {
        const { shard, after, bytesMax } = operation;
        const all = this.#of("appended", shard);
        const rest = all.map(({ lease, batch }, k) => ({ position: k + 1, epoch: lease.epoch, batch })).slice(after);
        const sizes = rest.map(({ batch }) => batch.length);
        return rest.filter((_, k) => k === 0 || sizes.slice(0, k).reduce((a, b) => a + b, 0) < bytesMax);
      }
      case "reserve": {
        const wishes = this.#reservationsOf(operation.wishes);
        const held = wishes.filter(({ lease }) => this.#isHeld(lease));
        const allow = (lease: Lease, pages: number) => this.#history.push({ atMs, what: "reserved", lease, pages });
        for (const { lease, pages } of held) if (pages < this.#pages(lease.shard)) allow(lease, pages);
        for (const { lease, pages } of held) {
          const others = [0, 1, 2].filter((shard) => shard !== lease.shard);
          const most = PAGES_MAX - others.reduce((sum, shard) => sum + this.#pages(shard), 0);
          if (pages > this.#pages(lease.shard)) allow(lease, Math.max(this.#pages(lease.shard), Math.min(pages, most)));
        }
        return wishes.map(({ lease }) => (this.#isHeld(lease) ? this.#pages(lease.shard) : undefined));
      }
      case "send":
        this.#underWay.push(...operation.messages);
        return undefined;
      case "take": {
        const held = this.#given(operation.leases).filter((lease) => this.#isHeld(lease));
        const isTaken = ({ receiver }: Message): boolean => held.some(({ shard }) => shard === receiver);
        const taken = this.#underWay.filter(isTaken);
        this.#underWay = this.#underWay.filter((message) => !isTaken(message));
        return taken;
      }
      case "publish": {
        const [lease] = this.#given([operation.lease]);
        if (lease !== undefined && this.#isHeld(lease)) {
          this.#history.push({ atMs, what: "noted", lease, note: operation.note });
        }
        return undefined;
      }
      case "register":
        this.#history.push({ atMs, what: "registered", worker: operation.worker, info: operation.info, endsMs });
        return undefined;
      case "unregister":
        this.#history.push({ atMs, what: "unregistered", worker: operation.worker });
        return undefined;
      case "stop":
      case "restart":
        this.#history.push({
          atMs,
          what: operation.kind === "stop" ? "stopped" : "restarted",
          words: operation.words,
        });
        return undefined;
    }
  }

  board(): Board {
    const restart = this.#history.findLastIndex(({ what }) => what === "restarted");
    const restarted = this.#history[restart] as EventOf<"restarted"> | undefined;
    const stopped = this.#history.slice(restart + 1).find(({ what }) => what === "stopped") as
      | EventOf<"stopped">
      | undefined;
    const shards = Array.from({ length: this.#job.shards }, (_, shard) => {
      const noted = this.#of("noted", shard).at(-1);
      return {
        shard,
        epoch: this.#of("leased", shard).length,
        worker: this.#owner(shard),
        position: this.#position(shard),
        pages: this.#pages(shard),
        note: noted?.note ?? null,
        noteEpoch: noted?.lease.epoch ?? 0,
      };
    });
    const workers = ["anna", "bert"].flatMap((name) => {
      const last = this.#history.findLast((event) => "worker" in event && event.worker === name);
      const isAlive = last?.what === "registered" && last.endsMs > this.#nowMs;
      return isAlive ? [{ name, info: last.info }] : [];
    });
    const settings = restarted?.words ?? this.#job.settings;
    const ageMs = (stopped?.atMs ?? this.#nowMs) - (restarted?.atMs ?? 0);
    return { job: { ...this.#job, settings, stopped: stopped?.words ?? null, ageMs }, shards, workers };
  }

  /** The appends that were drawn, at most one per shard, with the leases that were given. */
  appendsOf(drawn: readonly DrawnAppend[]): { lease: Lease; position: number; batch: Uint8Array }[] {
    const appends = drawn.flatMap(({ lease: place, off, batch }) =>
      this.#given([place]).map((lease) => ({ lease, position: this.#position(lease.shard) + 1 + off, batch })),
    );
    return appends.filter(({ lease }, k) => appends.findIndex((other) => other.lease.shard === lease.shard) === k);
  }

  #append({ lease, position, batch }: ReturnType<FactLogModel["appendsOf"]>[number]): AppendResult {
    const there = this.#of("appended", lease.shard)[position - 1];
    if (there !== undefined) {
      const isSame = there.lease.epoch === lease.epoch && String(there.batch) === String(batch);
      return isSame ? "already-there" : "fenced";
    }
    if (!this.#isHeld(lease) || position !== this.#position(lease.shard) + 1) return "fenced";
    this.#history.push({ atMs: this.#nowMs, what: "appended", lease, batch });
    return "appended";
  }

  /** Performs it on a log as the model would: before the model has, because both name leases and positions by it. */
  async performOn(log: FactLog, operation: Operation, pass: (ms: number) => Promise<void>): Promise<unknown> {
    const forMs = "minutes" in operation ? operation.minutes * MINUTE_MS : 0;
    switch (operation.kind) {
      case "pass":
        return pass(forMs);
      case "lease":
        return log.lease(operation.worker, operation.shard, forMs);
      case "renew":
        return (await log.renew(this.#given(operation.leases), forMs)).map((leftMs) => leftMs && { leftMs });
      case "release":
        return log.release(this.#given(operation.leases));
      case "append":
        return log.append(this.appendsOf(operation.appends));
      case "read":
        return log.read(operation.shard, operation.after, operation.bytesMax);
      case "reserve": {
        return log.reserve(this.#reservationsOf(operation.wishes), PAGES_MAX);
      }
      case "send":
        return log.send(operation.messages);
      case "take":
        return log.take(this.#given(operation.leases));
      case "publish":
        return log.publish(this.#given([operation.lease]).map((lease) => ({ lease, note: operation.note })));
      case "register":
        return log.register(operation.worker, operation.info, forMs);
      case "unregister":
        return log.unregister(operation.worker);
      case "stop":
        return log.stop(operation.words);
      case "restart":
        return log.restart(operation.words);
    }
  }

  #given(places: readonly number[]): Lease[] {
    const all = this.#history.flatMap((event) => (event.what === "leased" ? [event.lease] : []));
    return [...new Set(places)].flatMap((place) => all[place] ?? []);
  }

  #of<What extends "leased" | "renewed" | "released" | "appended" | "reserved" | "noted">(
    what: What,
    shard: number,
  ): EventOf<What>[] {
    return this.#history.filter(
      (event): event is EventOf<What> => event.what === what && "lease" in event && event.lease.shard === shard,
    );
  }

  #isHeld(lease: Lease): boolean {
    const isReleased = this.#of("released", lease.shard).some((event) => event.lease.epoch === lease.epoch);
    return this.#of("leased", lease.shard).length === lease.epoch && !isReleased;
  }

  #endOf({ shard, epoch }: Lease): number {
    const events = [...this.#of("leased", shard), ...this.#of("renewed", shard)];
    return Math.max(...events.filter(({ lease }) => lease.epoch === epoch).map(({ endsMs }) => endsMs));
  }

  #owner(shard: number): string | null {
    const lease = this.#of("leased", shard).at(-1)?.lease;
    return lease !== undefined && this.#isHeld(lease) && this.#endOf(lease) > this.#nowMs ? lease.worker : null;
  }

  #position(shard: number): number {
    return this.#of("appended", shard).length;
  }

  #pages(shard: number): number {
    return this.#of("reserved", shard).at(-1)?.pages ?? 0;
  }

  /** One per shard. */
  #reservationsOf(wishes: readonly { readonly lease: number; readonly pages: number }[]): Reservation[] {
    const all = wishes.flatMap(({ lease, pages }) => this.#given([lease]).map((given) => ({ lease: given, pages })));
    return all.filter(({ lease }, k) => all.findIndex((other) => other.lease.shard === lease.shard) === k);
  }
}

/** An answer in which times are left out, and those times. */
export function withoutTimes(answer: unknown): { readonly rest: unknown; readonly timesMs: readonly number[] } {
  const timesMs: number[] = [];
  const strip = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return `bytes ${[...value].join(" ")}`;
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, inner]) => {
      if (!TIMES.has(key)) return [key, strip(inner)];
      timesMs.push(Number(inner));
      return [key, "time"];
    });
    return Object.fromEntries(entries);
  };
  return { rest: strip(answer), timesMs };
}

const TIMES: ReadonlySet<string> = new Set<keyof NewLease | keyof Board["job"]>(["leftMs", "ageMs"]);
