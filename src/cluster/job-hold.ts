/**
 * Holds a job that has ended: its shards are leased, all of them, by one process that goes on with its hosts in another
 * way, as a refresh does. So a host belongs to one process at a time here, too: whoever starts the job again gets no
 * shard before the hold is released, or has ended because its process was killed.
 *
 * The name of the holder is that of its directory and machine. A process that takes its place after a kill has the same
 * name, and takes its leases at once; it must have locked the directory, so that the other is dead for certain.
 */
import { messageOf, systemTimers, type Timers } from "../base/index.ts";
import { type Board, type FactLog, JobGoneError, type Lease } from "../store/index.ts";
import { LEASE_SHARE } from "./worker-groups.ts";

/** Nobody but a job that is started again waits for its end. */
const HOLD_MS = 120_000;
const HOLDER = "refresh of ";

export function holderName(dir: string, place: string): string {
  return `${HOLDER}${dir} on ${place}`;
}

/** Who holds a job, if somebody does. */
export function holderOf({ shards }: Pick<Board, "shards">): string | undefined {
  return shards.find(({ worker }) => worker !== null && isHolder(worker))?.worker ?? undefined;
}

/** No worker may be called so. */
export function isHolder(name: string): boolean {
  return name.startsWith(HOLDER);
}

export interface JobHoldOptions {
  readonly log: FactLog;
  /** From `holderName`. */
  readonly name: string;
  readonly timers?: Timers;
  readonly holdMs?: number;
  /** The log cannot be reached, for this reason; undefined: it can be again. */
  readonly onConnection?: ((problem: string | undefined) => void) | undefined;
  /** Somebody has deleted the job, so nobody will ever work on it: the hold goes on without it. */
  readonly onDropped?: (() => void) | undefined;
}

export class JobHold {
  readonly #options: JobHoldOptions;
  readonly #timers: Timers;
  readonly #leases: readonly Lease[];
  readonly #lost = new AbortController();
  #isConnected = true;
  #isOver = false;
  #cancelRenewal = (): void => {};
  #cancelEnd = (): void => {};
  /** By the clock of this process. */
  #untilMs = 0;
  #asking: Promise<void> | undefined;

  /** Undefined if the job is to run, or somebody of another name has a shard. */
  static async take(options: JobHoldOptions): Promise<JobHold | undefined> {
    const { log, timers = systemTimers, holdMs = HOLD_MS } = options;
    const askedMs = timers.nowMs();
    const leases: Lease[] = [];
    try {
      const isTaken = await leaseAll(options, holdMs, leases);
      // Whoever starts the job again looks who holds it; it may have looked just before.
      if (isTaken && (await log.job()).stopped !== null) return new JobHold(options, leases, askedMs + holdMs);
    } catch (error) {
      await log.release(leases).catch(() => undefined);
      throw error;
    }
    await log.release(leases);
    return undefined;
  }

  private constructor(options: JobHoldOptions, leases: readonly Lease[], endMs: number) {
    this.#options = options;
    this.#timers = options.timers ?? systemTimers;
    this.#leases = leases;
    this.#lastsUntil(endMs);
    this.#renewLater();
  }

  /** Aborted once others may have taken shards: no host may be requested any more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Undefined while nobody else can have a shard. A long computation keeps this thread from renewing the hold in time;
   * then nothing may be requested before this is fulfilled: it is held again, or `lost`.
   */
  get doubt(): Promise<void> | undefined {
    if (this.#isOver || this.#timers.nowMs() < this.#untilMs) return undefined;
    this.#asking ??= this.#renew().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  /** Called when nothing is requested any more. */
  async release(): Promise<void> {
    this.#end();
    await this.#options.log.release(this.#leases).catch(() => undefined);
  }

  get #holdMs(): number {
    return this.#options.holdMs ?? HOLD_MS;
  }

  #renewLater(): void {
    this.#cancelRenewal();
    this.#cancelRenewal = this.#timers.after(this.#holdMs / 4, () => void this.#renew());
  }

  /** By the clock of this process, a little before it has ended by that of the log. */
  #lastsUntil(endMs: number): void {
    this.#cancelEnd();
    const leftMs = LEASE_SHARE * (endMs - this.#timers.nowMs());
    this.#untilMs = this.#timers.nowMs() + leftMs;
    this.#cancelEnd = this.#timers.after(Math.max(0, leftMs), () => {
      // Where the log could be reached until now, nobody has asked it in time.
      if (this.#isConnected) void this.doubt;
      else this.#lose();
    });
  }

  async #renew(): Promise<void> {
    const { log, onDropped } = this.#options;
    const askedMs = this.#timers.nowMs();
    try {
      const left = await log.renew(this.#leases, this.#holdMs);
      if (this.#isOver) return;
      if (left.includes(undefined)) return this.#lose();
      // Somebody has started it when the hold had ended, or just before it began.
      if ((await log.job()).stopped === null) return this.#lose();
      if (this.#isOver) return;
      this.#lastsUntil(askedMs + this.#holdMs);
      this.#connection(undefined);
    } catch (error) {
      if (this.#isOver) return;
      if (error instanceof JobGoneError) {
        this.#end();
        return onDropped?.();
      }
      // Whatever it is, the hold lasts as long as it lasts.
      this.#connection(messageOf(error));
      if (this.#timers.nowMs() >= this.#untilMs) return this.#lose();
    }
    this.#renewLater();
  }

  #connection(problem: string | undefined): void {
    if (this.#isConnected === (problem === undefined)) return;
    this.#isConnected = problem === undefined;
    this.#options.onConnection?.(problem);
  }

  #lose(): void {
    if (this.#isOver) return;
    this.#end();
    this.#lost.abort();
  }

  #end(): void {
    this.#isOver = true;
    this.#cancelRenewal();
    this.#cancelEnd();
  }
}

/** Adds to `leases` what was leased. Returns whether that is everything. */
async function leaseAll({ log, name }: JobHoldOptions, holdMs: number, leases: Lease[]): Promise<boolean> {
  const { job, shards } = await log.board();
  if (job.stopped === null) return false;
  const own = shards
    .filter(({ worker }) => worker === name)
    .map(({ shard, epoch }) => ({ shard, worker: name, epoch }));
  // Whoever had them can neither renew nor release the new ones.
  await log.release(own);
  for (const { shard } of shards) {
    const lease = await log.lease(name, shard, holdMs);
    if (lease === undefined) return false;
    leases.push(lease);
  }
  return true;
}
