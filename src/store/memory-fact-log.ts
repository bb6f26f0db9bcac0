/**
 * The log that workers share, in memory: the twin of those on disk.
 *
 * `JobState` is all of it, synchronous and with a clock that is handed in, so that a simulation can drive it with
 * delays and losses of its own. `MemoryFactLog` is one connection to it. It is also the shortest description of what
 * the contract means.
 */
import { assert, type Clock } from "../base/index.ts";
import {
  type Append,
  type AppendResult,
  type Board,
  expectOnePerShard,
  type FactLog,
  type JobRecord,
  type Lease,
  type Message,
  type NewJob,
  type NewLease,
  type Reservation,
  type ShardNote,
  type StoredBatch,
} from "./fact-log.ts";

type Synchronous<Contract> = {
  [Name in keyof Contract]: Contract[Name] extends (...given: infer Given) => Promise<infer Result>
    ? (...given: Given) => Result
    : never;
};

interface Shard {
  epoch: number;
  worker: string | null;
  endsMs: number;
  pages: number;
  note: string | null;
  noteEpoch: number;
  readonly batches: StoredBatch[];
}

export class JobState implements Omit<Synchronous<FactLog>, "close"> {
  readonly #job: NewJob;
  readonly #clock: Clock;
  readonly #shards: readonly Shard[];
  readonly #workers = new Map<string, { readonly info: string; readonly endsMs: number }>();
  #messages: readonly Message[] = [];
  #settings: string;
  #stopped: string | null = null;
  #startedMs: number;
  #endedMs: number | undefined;

  constructor(job: NewJob, clock: Clock) {
    this.#job = job;
    this.#clock = clock;
    this.#settings = job.settings;
    this.#startedMs = clock.nowMs();
    this.#shards = Array.from({ length: job.shards }, () => ({
      epoch: 0,
      worker: null,
      endsMs: 0,
      pages: 0,
      note: null,
      noteEpoch: 0,
      batches: [],
    }));
  }

  job(): JobRecord {
    const { name, version, shards } = this.#job;
    const ageMs = (this.#endedMs ?? this.#clock.nowMs()) - this.#startedMs;
    return { name, version, shards, settings: this.#settings, stopped: this.#stopped, ageMs };
  }

  stop(reason: string): void {
    this.#stopped ??= reason;
    this.#endedMs ??= this.#clock.nowMs();
  }

  restart(settings: string): void {
    this.#settings = settings;
    this.#stopped = null;
    this.#endedMs = undefined;
    this.#startedMs = this.#clock.nowMs();
  }

  register(worker: string, info: string, forMs: number): void {
    this.#workers.set(worker, { info, endsMs: this.#clock.nowMs() + forMs });
  }

  unregister(worker: string): void {
    this.#workers.delete(worker);
    for (const [name, { endsMs }] of this.#workers) if (endsMs <= this.#clock.nowMs()) this.#workers.delete(name);
  }

  lease(worker: string, shard: number, forMs: number): NewLease | undefined {
    const state = this.#shard(shard);
    if (this.#ownerOf(state) !== null) return undefined;
    state.epoch++;
    state.worker = worker;
    state.endsMs = this.#clock.nowMs() + forMs;
    const { epoch, pages, batches } = state;
    return { shard, worker, epoch, leftMs: forMs, position: batches.length, pages };
  }

  renew(leases: readonly Lease[], forMs: number): (number | undefined)[] {
    return leases.map((lease) => {
      const state = this.#held(lease);
      if (state === undefined) return undefined;
      const nowMs = this.#clock.nowMs();
      state.endsMs = Math.max(state.endsMs, nowMs + forMs);
      return state.endsMs - nowMs;
    });
  }

  release(leases: readonly Lease[]): void {
    for (const lease of leases) {
      const state = this.#held(lease);
      if (state !== undefined) state.worker = null;
    }
  }

  append(appends: readonly Append[]): AppendResult[] {
    expectOnePerShard(appends);
    return appends.map(({ lease, position, batch }) => {
      const { batches } = this.#shard(lease.shard);
      if (this.#held(lease) !== undefined && position === batches.length + 1) {
        batches.push({ position, epoch: lease.epoch, batch: batch.slice() });
        return "appended";
      }
      const there = batches[position - 1];
      const isSame = there?.epoch === lease.epoch && Buffer.compare(there.batch, batch) === 0;
      return isSame ? "already-there" : "fenced";
    });
  }

  read(shard: number, after: number, bytesMax: number): StoredBatch[] {
    const { batches } = this.#shard(shard);
    let end = after;
    for (let bytes = 0; end < batches.length && (end === after || bytes < bytesMax); end++) {
      bytes += batches[end].batch.length;
    }
    return batches.slice(after, end);
  }

  reserve(reservations: readonly Reservation[], max: number): (number | undefined)[] {
    expectOnePerShard(reservations);
    const held = reservations.map(({ lease, pages }) => ({ state: this.#held(lease), pages }));
    for (const { state, pages } of held) if (state !== undefined) state.pages = Math.min(state.pages, pages);
    let room = Math.max(0, max - this.#shards.reduce((sum, { pages }) => sum + pages, 0));
    return held.map(({ state, pages }) => {
      if (state === undefined) return undefined;
      const granted = Math.min(pages - state.pages, room);
      room -= granted;
      return (state.pages += granted);
    });
  }

  send(messages: readonly Message[]): void {
    this.#messages = [...this.#messages, ...messages.map((sent) => ({ ...sent, payload: sent.payload.slice() }))];
  }

  take(leases: readonly Lease[]): Message[] {
    const held = new Set(leases.filter((lease) => this.#held(lease) !== undefined).map(({ shard }) => shard));
    const taken = this.#messages.filter(({ receiver }) => held.has(receiver));
    if (taken.length > 0) this.#messages = this.#messages.filter(({ receiver }) => !held.has(receiver));
    return taken;
  }

  publish(notes: readonly ShardNote[]): void {
    expectOnePerShard(notes);
    for (const { lease, note } of notes) {
      const state = this.#held(lease);
      if (state !== undefined) Object.assign(state, { note, noteEpoch: lease.epoch });
    }
  }

  board(): Board {
    const shards = this.#shards.map((state, shard) => {
      const { epoch, pages, note, noteEpoch, batches } = state;
      return { shard, epoch, worker: this.#ownerOf(state), position: batches.length, pages, note, noteEpoch };
    });
    const alive = [...this.#workers].filter(([, { endsMs }]) => endsMs > this.#clock.nowMs());
    const workers = alive.map(([name, { info }]) => ({ name, info })).sort((a, b) => (a.name < b.name ? -1 : 1));
    return { job: this.job(), shards, workers };
  }

  #shard(shard: number): Shard {
    const state = this.#shards[shard];
    assert(state !== undefined, `shard ${shard} is one of ${this.#shards.length}`);
    return state;
  }

  #held({ shard, worker, epoch }: Lease): Shard | undefined {
    const state = this.#shard(shard);
    return state.epoch === epoch && state.worker === worker ? state : undefined;
  }

  #ownerOf({ worker, endsMs }: Shard): string | null {
    return endsMs > this.#clock.nowMs() ? worker : null;
  }
}

/** One of the connections to a state. */
export class MemoryFactLog implements FactLog {
  readonly #state: JobState;

  constructor(state: JobState) {
    this.#state = state;
  }

  async job(): Promise<JobRecord> {
    return this.#state.job();
  }

  async stop(reason: string): Promise<void> {
    this.#state.stop(reason);
  }

  async restart(settings: string): Promise<void> {
    this.#state.restart(settings);
  }

  async register(worker: string, info: string, forMs: number): Promise<void> {
    this.#state.register(worker, info, forMs);
  }

  async unregister(worker: string): Promise<void> {
    this.#state.unregister(worker);
  }

  async lease(worker: string, shard: number, forMs: number): Promise<NewLease | undefined> {
    return this.#state.lease(worker, shard, forMs);
  }

  async renew(leases: readonly Lease[], forMs: number): Promise<readonly (number | undefined)[]> {
    return this.#state.renew(leases, forMs);
  }

  async release(leases: readonly Lease[]): Promise<void> {
    this.#state.release(leases);
  }

  async append(appends: readonly Append[]): Promise<readonly AppendResult[]> {
    return this.#state.append(appends);
  }

  async read(shard: number, after: number, bytesMax: number): Promise<readonly StoredBatch[]> {
    return this.#state.read(shard, after, bytesMax);
  }

  async reserve(reservations: readonly Reservation[], max: number): Promise<readonly (number | undefined)[]> {
    return this.#state.reserve(reservations, max);
  }

  async send(messages: readonly Message[]): Promise<void> {
    this.#state.send(messages);
  }

  async take(leases: readonly Lease[]): Promise<readonly Message[]> {
    return this.#state.take(leases);
  }

  async publish(notes: readonly ShardNote[]): Promise<void> {
    this.#state.publish(notes);
  }

  async board(): Promise<Board> {
    return this.#state.board();
  }

  async close(): Promise<void> {}
}
