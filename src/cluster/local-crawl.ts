/**
 * A crawl in a directory by several workers on this machine. To whoever runs it, it is a crawl like any other.
 *
 * While workers crawl, the logs of their shards are in a file of their own beside the crawl (store/sqlite-jobs.ts). In
 * the end everything is gathered in the crawl, and that file goes. If all of this is killed meanwhile, the file stays,
 * and whoever opens the crawl to resume it gathers what is there first.
 */
import { FailureError, type Timers, UsageError, waited } from "../base/index.ts";
import {
  changeStored,
  checkedLimits,
  type Crawl,
  type CrawlEnd,
  type CrawlEvent,
  type CrawlState,
  type CrawlStatus,
  forgetEnd,
  type LaunchOptions,
  type Limits,
  type StopReason,
  type StoredSettings,
  writeEnd,
} from "../crawl/index.ts";
import type { Fetcher } from "../fetch/index.ts";
import {
  dropSqliteJob,
  type FactLog,
  FactLogError,
  isUnreachable,
  type SqliteStore,
  StoreError,
} from "../store/index.ts";
import type { Gathering } from "./gathering.ts";
import { type JobProgress, NO_COUNTS, progressOf } from "./job-progress.ts";
import { gatherAll, LOOK_MS, openGathering } from "./local-gathering.ts";
import { NoteReader } from "./shard-note.ts";

/** What a worker that runs elsewhere is told. */
export type WorkerControl =
  /** Who is to leave stores what it has learnt, and ends. */
  { readonly kind: "pause" | "resume" | "leave" } | { readonly kind: "change-limits"; readonly limits: Limits };

/** A worker that runs, in a process of its own. */
export interface WorkerHandle {
  /** Fulfilled when it has ended: with what ended it against its will, or with nothing. Never rejected. */
  readonly ended: Promise<WorkerFailure | undefined>;
  control(control: WorkerControl): void;
}

export interface WorkerFailure {
  readonly kind: "failed" | "disk-full" | "died";
  readonly message: string;
}

export interface LocalCrawlOptions
  extends Pick<LaunchOptions, "onStatus" | "onEvent" | "progress" | "signal" | "sitemaps"> {
  readonly dir: string;
  /** The open store of the directory; the caller closes it. */
  readonly store: SqliteStore;
  readonly settings: StoredSettings;
  /** To see where the seeds lead; the caller closes it. */
  readonly fetcher: Fetcher;
  readonly workers: number;
  readonly startWorker: (name: string, onEvent: (event: CrawlEvent) => void) => WorkerHandle;
  /** Gather while workers crawl, so that the directory shows how far they are (default: only in the end). */
  readonly gathersMeanwhile?: boolean;
  readonly timers?: Timers;
}

/** A worker that dies is replaced, but not for ever. */
const DEATHS_MAX = 20;

export class LocalCrawl implements Crawl {
  state: CrawlState = "ready";
  status: CrawlStatus;
  readonly hosts = [];
  limits: Limits;
  readonly #options: LocalCrawlOptions & { readonly timers: Timers };
  readonly #log: FactLog;
  readonly #notes = new NoteReader();
  readonly #workers = new Set<WorkerHandle>();
  #named = 0;
  #deaths = 0;
  #failure: FailureError | undefined;
  #reason: StopReason | undefined;
  #isPaused = false;

  /** `pages`: how many the store has. */
  constructor(options: LocalCrawlOptions & { readonly timers: Timers }, log: FactLog, pages: number) {
    this.#options = options;
    this.#log = log;
    this.limits = options.settings.limits;
    this.status = { ...NO_STATUS, pages };
  }

  async run(): Promise<CrawlEnd> {
    try {
      const end = await this.#crawl();
      await this.#close();
      dropSqliteJob(this.#options.dir);
      return end;
    } catch (error) {
      // What could not be gathered stays for the next run.
      await this.#endWorkers();
      await this.#close();
      throw error;
    }
  }

  async #crawl(): Promise<CrawlEnd> {
    const { dir, store, settings, workers, timers } = this.#options;
    forgetEnd(store);
    if (this.#reason !== undefined) await this.#stopJob(this.#reason);
    if (this.state === "ready") this.state = "running";
    const startedMs = timers.nowMs();
    for (let k = 0; k < workers; k++) this.#start();
    const gathering = await this.#watch(startedMs);
    await this.#look(startedMs);
    const reason = ((await this.#log.job()).stopped ?? "failed") as StopReason;
    // A worker that was killed may have stored more than it could say.
    this.status = { ...this.status, pages: await gatherAll({ dir, log: this.#log, store, settings, gathering }) };
    writeEnd(store, { reason, atMs: timers.wallMs() });
    store.commit();
    return this.#end(this.#failure === undefined ? reason : this.#reasonOf(this.#failure));
  }

  /** They would crawl on, and nobody would gather it. The log may be what has failed, so they are told directly. */
  async #endWorkers(): Promise<void> {
    this.#reason ??= "failed";
    this.#control({ kind: "leave" });
    while (this.#workers.size > 0) await Promise.all(Array.from(this.#workers, ({ ended }) => ended));
  }

  async #close(): Promise<void> {
    if (this.state === "ended") return;
    this.state = "ended";
    await this.#log.close();
  }

  #end(reason: StopReason): CrawlEnd {
    const { status } = this;
    if (this.#failure !== undefined) return { reason, status, error: this.#failure };
    return reason === "coverage-reached" ? { reason, status, by: "proven" } : { reason, status };
  }

  #reasonOf(failure: FailureError): StopReason {
    return failure instanceof StoreError && failure.kind === "disk-full" ? "disk-full" : "failed";
  }

  /** Until all workers have ended. */
  async #watch(startedMs: number): Promise<Gathering | undefined> {
    const { timers, gathersMeanwhile = false } = this.#options;
    const gathering = gathersMeanwhile ? await openGathering({ ...this.#options, log: this.#log }) : undefined;
    while (this.#workers.size > 0) {
      await waited(timers, LOOK_MS);
      try {
        await gathering?.step();
        await this.#look(startedMs);
      } catch (error) {
        // A worker that somebody has stopped may hold the file: the next look will do.
        if (!isUnreachable(error)) throw error;
      }
    }
    return gathering;
  }

  async #look(startedMs: number): Promise<void> {
    const { timers, settings, onStatus } = this.#options;
    const board = await this.#log.board();
    // Before every shard was opened, less is known than the directory has.
    if (board.shards.some(({ note }) => note === null)) return;
    this.status = statusOf(progressOf(board, settings, this.#notes), timers.nowMs() - startedMs);
    onStatus?.(this.status);
  }

  #start(): void {
    const { startWorker, onEvent } = this.#options;
    const worker = startWorker(`worker ${++this.#named}`, (event) => onEvent?.(event));
    this.#workers.add(worker);
    if (this.#isPaused) worker.control({ kind: "pause" });
    if (this.limits !== this.#options.settings.limits) worker.control({ kind: "change-limits", limits: this.limits });
    void worker.ended.then((failure) => this.#ended(worker, failure));
  }

  #ended(worker: WorkerHandle, failure: WorkerFailure | undefined): void {
    // Once all are to end, nobody is missed.
    const isMissed = failure !== undefined && (failure.kind !== "died" || this.#reason === undefined);
    if (isMissed && failure.kind === "died" && ++this.#deaths <= DEATHS_MAX) this.#start();
    else if (isMissed) this.#fail(failure);
    this.#workers.delete(worker);
  }

  /** The others end, too: what made this one fail will not spare them. */
  #fail({ kind, message }: WorkerFailure): void {
    this.#failure ??= new StoreError(kind === "disk-full" ? "disk-full" : "failed", message);
    this.stop(kind === "disk-full" ? "disk-full" : "failed");
  }

  hostStatus(): null {
    return null;
  }

  pause(): void {
    if (this.#isPaused || this.#reason !== undefined) return;
    this.#isPaused = true;
    if (this.state === "running") this.state = "paused";
    this.#control({ kind: "pause" });
    this.#emit({ name: "paused", atMs: this.#options.timers.wallMs() });
  }

  resume(): void {
    if (!this.#isPaused || this.#reason !== undefined) return;
    this.#isPaused = false;
    if (this.state === "paused") this.state = "running";
    this.#control({ kind: "resume" });
    this.#emit({ name: "resumed", atMs: this.#options.timers.wallMs() });
  }

  changeLimits(limits: Limits): void {
    const checked = checkedLimits(limits);
    if (this.#reason !== undefined) return;
    this.limits = checked;
    changeStored(this.#options.store, () => ({ limits: checked }));
    this.#control({ kind: "change-limits", limits: checked });
    this.#emit({ name: "limits-changed", atMs: this.#options.timers.wallMs(), limits: checked });
  }

  stop(reason: StopReason): void {
    if (this.#reason === undefined) this.#emit({ name: "stopping", atMs: this.#options.timers.wallMs(), reason });
    this.#reason ??= reason;
    this.state = "stopping";
    this.#stopJob(reason).catch((error: unknown) => {
      this.#failure ??= error instanceof FailureError ? error : new FactLogError("failed", String(error));
    });
  }

  /** As often as it takes: otherwise the workers would go on. */
  async #stopJob(reason: StopReason): Promise<void> {
    for (;;) {
      try {
        return await this.#log.stop(reason);
      } catch (error) {
        if (!isUnreachable(error) || this.state === "ended") throw error;
        await waited(this.#options.timers, LOOK_MS);
      }
    }
  }

  receive(): void {
    throw new UsageError("a crawl with workers hears from its own workers only");
  }

  #emit(event: CrawlEvent): void {
    this.#options.onEvent?.(event);
  }

  #control(control: WorkerControl): void {
    for (const worker of this.#workers) worker.control(control);
  }
}

const NO_STATUS: CrawlStatus = {
  ...NO_COUNTS,
  known: 0,
  frontier: 0,
  hosts: 0,
  coverage: 0,
  strict: 0,
  ceiling: 1,
  guaranteed: null,
  elapsedMs: 0,
};

function statusOf(progress: JobProgress, elapsedMs: number): CrawlStatus {
  const { counts, known, frontier, hosts, coverage, strict, ceiling } = progress;
  return {
    ...counts,
    known,
    frontier,
    hosts,
    coverage,
    strict,
    ceiling: ceiling.coverage,
    guaranteed: null,
    elapsedMs,
  };
}
