/**
 * The log that the workers of a job share: who owns which shard, what each shard has learnt, what shards say to each
 * other, and a board on which everybody sees how far they are. One contract, three implementations: memory, one SQLite
 * file (many processes on one machine), PostgreSQL (many machines). test/contracts/fact-log-contract.ts runs on all.
 *
 * A job has a fixed number of shards. **The facts of a shard** are batches at positions 1, 2, 3, ... The owner of a
 * shard names the position of what it appends, so a batch that is sent twice, because nobody knows whether the first
 * attempt succeeded, is recognised. **A lease** makes a worker the owner until it ends; every new owner has a greater
 * epoch. Whatever an owner writes names its epoch, which is checked together with the write: an owner that was stopped
 * and wakes up after another has taken over can write nothing. A lease is **held** until it is released or another
 * worker takes the shard; that its time is over only allows others to take it.
 *
 * Times of leases are those of the log, never of a worker. A worker learns how much is left, and starts its own
 * monotonic clock before it asks: so it believes in less than it has.
 *
 * Batches, notes and messages are bytes or text to the log: it does not know what they mean.
 */
import { assert, FailureError, UsageError } from "../base/index.ts";

/** What a job is. Shards and settings never change while it exists, except for the limits among its settings. */
export interface NewJob {
  readonly name: string;
  /** Of the batches and messages: workers of another version do not join. */
  readonly version: number;
  readonly shards: number;
  /** A JSON document that workers understand. */
  readonly settings: string;
}

export interface JobRecord extends NewJob {
  /** Why its workers are to end; null while they are to work. */
  readonly stopped: string | null;
  /** Since it was started, or started again after a stop, until now or its stop; by the clock of the log. */
  readonly ageMs: number;
}

/** The right to write for a shard. */
export interface Lease {
  readonly shard: number;
  readonly worker: string;
  /** Greater than that of every owner before. */
  readonly epoch: number;
}

export interface NewLease extends Lease {
  /** How long it lasts unless it is renewed. */
  readonly leftMs: number;
  /** The position of the last batch; 0 if there is none. */
  readonly position: number;
  /** How many pages the shard may fetch in all, as far as reserved. */
  readonly pages: number;
}

export interface Append {
  readonly lease: Lease;
  /** The one after the last. */
  readonly position: number;
  readonly batch: Uint8Array;
}

/** How many pages a shard is to be allowed in all. */
export interface Reservation {
  readonly lease: Lease;
  readonly pages: number;
}

/**
 * `appended`: durable now. `already-there`: the same batch of the same owner is there, durable. `fenced`: the lease is
 * no longer that of the owner, or the position is not the next one: nothing was written, and never will be.
 */
export type AppendResult = "appended" | "already-there" | "fenced";

export interface StoredBatch {
  readonly position: number;
  readonly epoch: number;
  readonly batch: Uint8Array;
}

/** From one shard to another. It may be lost, late, repeated or out of order; it is gone once it was taken. */
export interface Message {
  readonly sender: number;
  readonly receiver: number;
  readonly payload: Uint8Array;
}

/** What the owner of a shard wants everybody to know. */
export interface ShardNote {
  readonly lease: Lease;
  readonly note: string;
}

export interface BoardShard {
  readonly shard: number;
  /** 0 for a shard that nobody has owned yet. */
  readonly epoch: number;
  /** Null if nobody owns it now: it was released, or its lease has ended. */
  readonly worker: string | null;
  readonly position: number;
  readonly pages: number;
  /** Of its last owner that wrote one, with the epoch of that owner. */
  readonly note: string | null;
  readonly noteEpoch: number;
}

interface BoardWorker {
  readonly name: string;
  /** What it says about itself. */
  readonly info: string;
}

/** All at one moment. */
export interface Board {
  readonly job: JobRecord;
  /** In the order of their numbers. */
  readonly shards: readonly BoardShard[];
  /** Those that have said within the time they named that they are alive, in the order of their names. */
  readonly workers: readonly BoardWorker[];
}

export interface FactLog {
  job(): Promise<JobRecord>;
  /** The first reason counts, until `restart`. */
  stop(reason: string): Promise<void>;
  /** Removes the reason to stop, and sets the settings. Its age begins anew. */
  restart(settings: string): Promise<void>;

  /** Says that a worker is alive, for as long as this. */
  register(worker: string, info: string, forMs: number): Promise<void>;
  unregister(worker: string): Promise<void>;

  /** Takes a shard that nobody owns. Undefined if somebody does. */
  lease(worker: string, shard: number, forMs: number): Promise<NewLease | undefined>;
  /**
   * One answer per lease: how long it lasts from now on, or undefined if it was released or another worker has taken
   * the shard. A lease that has ended can be renewed as long as nobody has. Renewing never makes a lease shorter, since
   * nobody knows whether its owner will learn of it.
   */
  renew(leases: readonly Lease[], forMs: number): Promise<readonly (number | undefined)[]>;
  /** Leases that are no longer held are ignored. */
  release(leases: readonly Lease[]): Promise<void>;

  /** One result per append; at most one append per shard. Results do not depend on each other. */
  append(appends: readonly Append[]): Promise<readonly AppendResult[]>;
  /** The batches after a position, in order: some of them (about `bytesMax`, at least one), none at the end. */
  read(shard: number, after: number, bytesMax: number): Promise<readonly StoredBatch[]>;

  /**
   * Says how many pages shards may fetch in all; at once, so that one may have what another gives. Where it is more
   * than before, as many are allowed as there is room for, the first in the list first, so that all shards of the job
   * together are allowed no more than `max`. One answer per reservation: how many the shard is allowed now, or
   * undefined if the lease is no longer held. To say the same twice changes nothing.
   */
  reserve(reservations: readonly Reservation[], max: number): Promise<readonly (number | undefined)[]>;

  send(messages: readonly Message[]): Promise<void>;
  /** Takes all messages to shards that are still held, in the order in which each sender has sent them. */
  take(leases: readonly Lease[]): Promise<readonly Message[]>;

  /** At most one note per shard. Notes of shards that are no longer held are ignored. */
  publish(notes: readonly ShardNote[]): Promise<void>;
  board(): Promise<Board>;

  close(): Promise<void>;
}

/** What went wrong with a log, by what happens next. */
export class FactLogError extends FailureError {
  override readonly name = "FactLogError";
  /**
   * `unreachable`: try again later, nothing is known about what was asked. `disk-full`: it takes nothing more until
   * there is room; nothing was written. `failed`: something that trying again will not mend.
   */
  readonly kind: "unreachable" | "disk-full" | "failed";

  constructor(kind: FactLogError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The job was deleted: nobody works on it any more. */
export class JobGoneError extends UsageError {}

/** Whether it may succeed if it is tried again later. */
export function isUnreachable(error: unknown): error is FactLogError {
  return error instanceof FactLogError && error.kind === "unreachable";
}

/** How many batches are weighed to find out how many of them a read returns. */
export const READ_BATCHES_MAX = 1024;

/** What names a lease in a statement. */
export function keyOf({ shard, epoch, worker }: Lease): readonly [shard: number, epoch: number, worker: string] {
  return [shard, epoch, worker];
}

/** Only a bug of ours appends two batches to a shard in one call, or says two things about it. */
export function expectOnePerShard(writes: readonly { readonly lease: Lease }[]): void {
  const shards = new Set(writes.map(({ lease }) => lease.shard));
  assert(shards.size === writes.length, "a call writes at most once per shard");
}
