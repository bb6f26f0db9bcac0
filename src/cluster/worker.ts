/**
 * A worker of a job: leases shards, crawls them, and writes what it learns to the log of the job, until the job is
 * stopped or it is told to leave.
 *
 * Everything that has to do with the log happens in one loop, the beat: facts are appended, then what follows from them
 * is told to the board and to the other shards; then messages are taken and the board is read. If the log cannot be
 * reached, the beat is tried again. Meanwhile the shards are crawled until their leases end by the clock of this
 * process, and go on when they are renewed.
 */
import { FailureError, VERSION } from "../base/index.ts";
import {
  AddressTable,
  type CrawlEvent,
  Fingerprinter,
  Level,
  type Limits,
  type PageReader,
  READING_BYTES_MAX,
  READINGS_MAX,
  Runner,
  type SharedMeans,
  Slots,
  type StopReason,
} from "../crawl/index.ts";
import type { Renderer } from "../render/index.ts";
import { type Board, FactLogError, isUnreachable, type JobRecord, StoreError } from "../store/index.ts";
import { AddressShares } from "./address-shares.ts";
import { type Job, jobOf } from "./job.ts";
import { EndDetector, jobLimit, type JobProgress, progressOf } from "./job-progress.ts";
import { levelOf, lookaheadOf, NO_LEVEL } from "./level.ts";
import { decodeBundle, type ShardMessage } from "./messages.ts";
import { PageReservations } from "./page-reservations.ts";
import { limitsOfShards, type ShardGroup } from "./shard-group.ts";
import { NoteReader } from "./shard-note.ts";
import { WorkerAppends } from "./worker-appends.ts";
import { type GroupsOptions, LEASE_SHARE, WorkerGroups } from "./worker-groups.ts";
import { type WorkerInfo, workersOf } from "./worker-info.ts";
import { type WorkerInput, WorkerMachine } from "./worker-machine.ts";
import { WorkerMessages } from "./worker-messages.ts";

export interface WorkerOptions extends GroupsOptions {
  /** Where it runs, for people. */
  readonly place: string;
  readonly reader: PageReader;
  readonly renderer?: Renderer | undefined;
  readonly leaseMs?: number;
  readonly beatMs?: number;
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined;
  /** After each beat. */
  readonly onProgress?: ((progress: JobProgress, shards: number) => void) | undefined;
  /** The log cannot be reached, for this reason; undefined: it can be again. */
  readonly onConnection?: ((problem: string | undefined) => void) | undefined;
}

export interface WorkerEnd {
  /** Why the job was stopped; "interrupted" if the worker was told to leave. */
  readonly reason: StopReason;
  /** What ended it against its will. */
  readonly error?: FailureError;
}

const LEASE_MS = 15_000;
const BEAT_MS = 200;
/** Near the target the board is read more often. */
const BEAT_MS_LEAST = 50;
/** What is missing, as a multiple of what may be. */
const NEAR = 3;
/** What may wait inside the shards of a worker, or be under way between them, as a share of what is missing. */
const SLACK = 0.01;

export class Worker {
  readonly #options: WorkerOptions;
  readonly #groups: WorkerGroups;
  readonly #messages: WorkerMessages;
  readonly #appends: WorkerAppends;
  readonly #endDetector = new EndDetector();
  readonly #notes = new NoteReader();
  readonly #means: SharedMeans;
  readonly #shares: AddressShares;
  /** What the log knows of this worker. */
  #registered: string | undefined;
  readonly #runner: Runner<WorkerInput>;
  readonly #job: Job;
  /** The document of the job from which its limits were last read. */
  #document: string;
  #limits: Limits;
  #board: Board | undefined;
  #progress: JobProgress | undefined;
  #renewedMs = Number.NEGATIVE_INFINITY;
  #ending: StopReason | undefined;
  #failure: FailureError | undefined;
  #isConnected = true;
  #isOver = false;
  #settle: { resolve: (end: WorkerEnd) => void; reject: (error: unknown) => void } | undefined;

  /** A worker of the job of the log. Throws a `UsageError` if it cannot work on it. */
  static async join(options: WorkerOptions): Promise<Worker> {
    const record = await options.log.job();
    const fingerprinter = await Fingerprinter.create(jobOf(record).settings.crawl.web.hashSeed);
    return new Worker(options, record, fingerprinter);
  }

  private constructor(options: WorkerOptions, record: JobRecord, fingerprinter: Fingerprinter) {
    const { log, fetcher, reader, renderer, timers, archive, onEvent } = options;
    const job = jobOf(record);
    this.#options = options;
    this.#job = job;
    this.#document = record.settings;
    this.#limits = job.settings.crawl.limits;
    this.#shares = new AddressShares(options.name, job.settings.crawl.politeness.perAddress);
    const requests = new Slots(job.settings.crawl.politeness.concurrency);
    this.#means = {
      requests,
      level: new Level(requests),
      readings: new Slots(READINGS_MAX),
      readingBytes: new Slots(READING_BYTES_MAX),
      addresses: new AddressTable((address) => this.#shares.limitOf(address)),
    };
    this.#groups = new WorkerGroups(options, {
      job,
      means: this.#means,
      fingerprinter,
      limits: () => this.#limits,
      ending: () => this.#ending,
      isOver: () => this.#isOver,
      input: (input) => this.#runner.input(input),
      failed: (error) => this.#stopFor(error),
    });
    const groups = this.#groups;
    const reservations = new PageReservations(log, groups, {
      max: () => this.#limits.pages,
      pages: () => this.#progress?.counts.pages ?? 0,
      workers: () => this.#workers,
    });
    this.#messages = new WorkerMessages({
      groups,
      clock: timers,
      ownerOf: (shard) => (groups.has(shard) ? options.name : (this.#board?.shards[shard].worker ?? null)),
      hear: (messages) => this.#hear(messages),
    });
    const wake = (group: ShardGroup): void =>
      this.#runner.input({ kind: "group-input", group, input: { kind: "remote", records: [] } });
    this.#appends = new WorkerAppends({ log, timers, archive, groups, reservations, messages: this.#messages, wake });
    const machine = new WorkerMachine({ sharding: job.sharding, means: this.#means });
    this.#runner = new Runner<WorkerInput>(machine, { fetcher, reader, renderer, timers, archive, onEvent });
  }

  /** Works until the job is stopped, or until `leave`. Called once. */
  run(): Promise<WorkerEnd> {
    const ended = new Promise<WorkerEnd>((resolve, reject) => (this.#settle = { resolve, reject }));
    this.#runner.run().then(
      ({ reason, error }) => this.#end(error === undefined ? { reason } : { reason, error }),
      (error: unknown) => this.#fail(error),
    );
    void this.#beat();
    return ended;
  }

  /** Gives its shards up and ends, whatever the job does. */
  leave(): void {
    this.#ending ??= "interrupted";
  }

  /** Starts nothing new until `resume`. */
  pause(): void {
    this.#runner.input({ kind: "pause" });
  }

  resume(): void {
    this.#runner.input({ kind: "resume" });
  }

  /** From now on, for this worker: all workers of a job are to be told. */
  changeLimits(limits: Limits): void {
    const isOtherNumber = limits.pages !== undefined && limits.pages !== this.#limits.pages;
    this.#limits = limits;
    // Shards may be allowed more than the new limit, or have fetched pages that nobody has counted.
    for (const owned of isOtherNumber ? this.#groups.all : []) {
      owned.isUnsettled = true;
      owned.group.quota.pages = owned.group.pages;
    }
    this.#runner.input({ kind: "change-limits", limits: limitsOfShards(limits) });
  }

  get progress(): JobProgress | undefined {
    return this.#progress;
  }

  async #beat(): Promise<void> {
    if (this.#isOver) return;
    try {
      await this.#exchangeWithLog();
      this.#connection(undefined);
    } catch (error) {
      if (!isUnreachable(error)) return this.#stopFor(error);
      this.#connection(error.message);
      // What others have said is old.
      this.#runner.input({ kind: "level", mass: NO_LEVEL, lookahead: 1 });
    }
    if (this.#isOver) return;
    if (this.#ending !== undefined && this.#groups.leased === 0) return this.#finish();
    this.#options.timers.after(this.#beatMs, () => void this.#beat());
  }

  /** Everything that was learnt is written, then what follows from it; then what others did is read. */
  async #exchangeWithLog(): Promise<void> {
    const { log } = this.#options;
    await this.#renew();
    // What it has learnt since may be half of a page: the disk failed meanwhile.
    if (this.#isOver) return;
    await this.#appends.append(this.#slack);
    // Before any message: whoever sees on the board that something was heard also sees that it was sent.
    await log.publish(this.#groups.shards.map(({ note }) => note).filter((note) => note !== undefined));
    await log.send(this.#messages.bundled());
    await this.#groups.releaseEnded();
    const received = await log.take(this.#groups.shards.map(({ shard }) => shard.lease));
    this.#hear(received.flatMap(({ payload }) => decodeBundle(payload)));
    const board = await log.board();
    await this.#look(board);
    if (this.#ending !== undefined) return;
    const { leaseMs = LEASE_MS } = this.#options;
    await this.#groups.balance(board, { leaseMs, seenUntilMs: this.#renewedMs + leaseMs });
  }

  async #renew(): Promise<void> {
    const { log, name, place, timers, leaseMs = LEASE_MS } = this.#options;
    const nowMs = timers.nowMs();
    const isDue = nowMs - this.#renewedMs >= leaseMs / 4;
    const info: WorkerInfo = { place, version: VERSION, ...this.#shares.state };
    const registration = JSON.stringify(info);
    if (isDue || registration !== this.#registered) await log.register(name, registration, leaseMs);
    this.#registered = registration;
    if (!isDue) return;
    if (nowMs - this.#renewedMs >= LEASE_SHARE * leaseMs) this.#shares.lapse(this.#means.addresses);
    await this.#groups.renew(nowMs, leaseMs);
    this.#renewedMs = nowMs;
    // What waited for the leases may start.
    this.#runner.input({ kind: "timer" });
  }

  /** What may be missing in the sums because it waits somewhere, as a flow. */
  get #slack(): number {
    const { damping } = this.#settings;
    return (SLACK * (1 - damping) * (1 - (this.#progress?.coverage ?? 0))) / this.#workers;
  }

  get #settings(): Job["settings"]["crawl"] {
    return this.#job.settings.crawl;
  }

  get #workers(): number {
    return Math.max(1, this.#board?.workers.length ?? 1);
  }

  #hear(messages: readonly ShardMessage[]): void {
    if (messages.length > 0) this.#runner.input({ kind: "messages", messages });
  }

  async #look(board: Board): Promise<void> {
    const { log, onProgress } = this.#options;
    this.#board = board;
    this.#readLimits(board.job);
    const progress = progressOf(board, this.#settings, this.#notes);
    this.#progress = progress;
    onProgress?.(progress, this.#groups.leased);
    const stopped = board.job.stopped as StopReason | null;
    if (stopped !== null) this.#ending ??= stopped;
    else {
      const reason = jobLimit(this.#limits, progress) ?? this.#endDetector.look(board, progress, this.#notes);
      if (reason !== undefined) await log.stop(reason);
    }
    this.#shares.update(workersOf(board), board.job.ageMs, this.#means.addresses);
    const isOurs = (shard: number): boolean => this.#groups.has(shard);
    const mass = levelOf(board, isOurs, this.#notes);
    const lookahead = lookaheadOf(board, isOurs, this.#notes);
    this.#runner.input({ kind: "level", mass, lookahead });
    this.#runner.input({ kind: "look-at-errands" });
    if (this.#ending !== undefined) this.#groups.giveUpAll();
  }

  /** A job that is started again may have other limits, also while its workers run. */
  #readLimits(record: JobRecord): void {
    if (record.settings === this.#document) return;
    this.#document = record.settings;
    this.changeLimits(jobOf(record).settings.crawl.limits);
  }

  /** Sooner where the target is near: pages that are fetched after it was reached are too many. */
  get #beatMs(): number {
    const { beatMs = BEAT_MS } = this.#options;
    const target = this.#limits.coverage;
    const progress = this.#progress;
    if (target === undefined || progress === undefined) return beatMs;
    const isNear = 1 - progress.coverage < NEAR * (1 - target);
    return isNear ? Math.min(beatMs, BEAT_MS_LEAST) : beatMs;
  }

  #connection(problem: string | undefined): void {
    if (this.#isConnected === (problem === undefined)) return;
    this.#isConnected = problem === undefined;
    this.#options.onConnection?.(problem);
  }

  /** Something that trying again does not mend: everything in the log stays, and the leases end by themselves. */
  #stopFor(error: unknown): void {
    if (!(error instanceof FailureError)) return this.#fail(error);
    this.#failure = error;
    const isOfDisk = error instanceof FactLogError || error instanceof StoreError;
    this.#ending = isOfDisk && error.kind === "disk-full" ? "disk-full" : "failed";
    this.#finish();
  }

  #finish(): void {
    const reason = this.#ending ?? "failed";
    const { log, name } = this.#options;
    this.#groups.closeAll();
    const end = this.#failure === undefined ? { reason } : { reason, error: this.#failure };
    log
      .unregister(name)
      .catch(() => undefined)
      .finally(() => this.#end(end));
  }

  #end(end: WorkerEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#runner.input({ kind: "stop", reason: end.reason });
    this.#settle?.resolve(end);
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    this.#settle?.reject(error);
  }
}
