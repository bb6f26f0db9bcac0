/**
 * The life of a crawl: it is run, paused, given other limits, stopped. What is fetched meanwhile is the subject of fetching.ts.
 *
 * Everything happens in turns: a reply, a page that was read, or a timer enters, facts are told, then `#pump` starts whatever may be
 * started. Nothing else moves the crawl, so with simulated timers, network and disk the same seed gives the same crawl.
 *
 * Facts are committed once a second; what is reported (`onStatus`, and the end) is what was committed. When the crawl is to stop, nothing
 * new is started; what is under way may finish for a moment, then it is cut off and waits for the next run. A crawl that is paused
 * starts nothing new either, goes on committing, and its time goes on.
 */
import type { ProgressStep } from "../base/index.ts";
import { StoreError } from "../store/index.ts";
import { Alarm } from "./alarm.ts";
import { Committer } from "./committer.ts";
import { Fetching, type FetchingOptions } from "./fetching.ts";
import { checkedLimits, limitReached } from "./limits.ts";
import type { CrawlRecord } from "./record.ts";
import { Replay } from "./replay.ts";
import { forgetEnd, writeEnd } from "./run-end.ts";
import type { Limits } from "./settings/settings.ts";
import type { CrawlStatus } from "./status.ts";
import type { StopReason } from "./stop-reasons.ts";
import { type HostTreatment, treatmentOf } from "./politeness/host-status.ts";

export interface EngineOptions extends FetchingOptions {
  /** How often facts are committed while there are any; once a second unless given. */
  readonly commitMs?: number | undefined;
  /** Limits that are changed hold for this run only. */
  readonly keepsSettings?: boolean | undefined;
  /** After every commit, with what is on disk by then. */
  readonly onStatus?: ((status: CrawlStatus) => void) | undefined;
}

export interface CrawlEnd {
  readonly reason: StopReason;
  /** What is on disk. */
  readonly status: CrawlStatus;
  /** What the disk did, where it ended the crawl. */
  readonly error?: StoreError;
}

/** Life of a crawl: it is ready until it is run, may be paused and go on any number of times, then comes to its end. */
export type CrawlState = "ready" | "running" | "paused" | "stopping" | "ended";

/** How long what is under way may take once the crawl is to stop. */
const DRAIN_MS = 1500;
const DRAIN_INTERRUPTED_MS = 500;

export class Engine {
  readonly #options: EngineOptions;
  readonly #record: CrawlRecord;
  readonly #fetching: Fetching;
  readonly #replay: Generator<ProgressStep, void>;
  readonly #committer: Committer;
  #limits: Limits;
  /** Of a crawl that was not run yet. */
  #newLimits: Limits | undefined;
  #hasBegun = false;
  #isPaused = false;
  #startedMs = 0;
  #inTurn = false;
  #isCutOff = false;
  #stopping: StopReason | undefined;
  #error: StoreError | undefined;
  readonly #alarm: Alarm;
  #settle: { resolve: (end: CrawlEnd) => void; reject: (error: unknown) => void } | undefined;

  constructor(options: EngineOptions) {
    const { record, settings, store } = options;
    this.#options = options;
    this.#record = record;
    this.#limits = settings.limits;
    this.#alarm = new Alarm(options.timers);
    this.#committer = new Committer(options);
    this.#fetching = new Fetching(options, {
      turn: (event) => this.#turn(event),
      note: () => this.#committer.note(),
    });
    const { visits, robots } = this.#fetching;
    this.#replay = new Replay({ record, store, visits, robots }).steps();
  }

  /** What earlier runs learnt is told again step by step as this is iterated; what is left of it, at once when the crawl is run. */
  prepare(): Iterable<ProgressStep> {
    return this.#replay;
  }

  /** Crawls until there is a reason to stop. Called once. */
  run(): Promise<CrawlEnd> {
    return new Promise((resolve, reject) => {
      while (this.#replay.next().done !== true);
      this.#settle = { resolve, reject };
      this.#hasBegun = true;
      this.#startedMs = this.#options.timers.nowMs();
      this.#turn(() => {
        forgetEnd(this.#options.store);
        this.#committer.start((event) => this.#turn(event));
        if (this.#newLimits !== undefined) this.#setLimits(this.#newLimits);
      });
    });
  }

  get state(): CrawlState {
    if (this.#settle === undefined && this.#hasBegun) return "ended";
    if (this.#stopping !== undefined) return "stopping";
    if (this.#isPaused) return "paused";
    return this.#hasBegun ? "running" : "ready";
  }

  get limits(): Limits {
    return this.#newLimits ?? this.#limits;
  }

  /** Null for a host that the crawl has not heard of. */
  treatmentOf(hostName: string): HostTreatment | null {
    const { hosts } = this.#record;
    const host = hosts.find(hostName);
    const nowMs = this.#options.timers.nowMs();
    return host === undefined ? null : treatmentOf(host, { hosts, limits: this.#limits, nowMs });
  }

  // Controls. A crawl that is stopping or has ended is not changed by them; one that was not run yet is, as soon as it is run.

  /** Starts nothing new until `resume`; what is under way ends. */
  pause(): void {
    if (this.#isPaused || this.#isOver()) return;
    this.#isPaused = true;
    this.#record.tell({ name: "paused", atMs: this.#options.timers.wallMs() });
  }

  resume(): void {
    if (!this.#isPaused || this.#isOver()) return;
    this.#isPaused = false;
    this.#record.tell({ name: "resumed", atMs: this.#options.timers.wallMs() });
    this.#turn(() => {});
  }

  /** All limits anew: one left out does not limit any more. Limits that make no sense change nothing. */
  changeLimits(limits: Limits): void {
    const checked = checkedLimits(limits);
    if (this.#isOver()) return;
    if (this.#settle === undefined) this.#newLimits = checked;
    else this.#turn(() => this.#setLimits(checked));
  }

  /** Stops as soon as what is under way has ended or been cut off; a crawl that was not run yet, as soon as it is. */
  stop(reason: StopReason): void {
    if (this.#isOver()) return;
    if (this.#settle === undefined) this.#stop(reason);
    else this.#turn(() => this.#stop(reason));
  }

  #isOver(): boolean {
    return this.#stopping !== undefined || (this.#hasBegun && this.#settle === undefined);
  }

  #setLimits(limits: Limits): void {
    const { settings, store, keepsSettings = false, timers } = this.#options;
    this.#newLimits = undefined;
    this.#limits = limits;
    this.#fetching.limit(limits);
    this.#record.watch.aim(limits.coverage ?? 1);
    if (!keepsSettings) store.replaceSettings(JSON.stringify({ ...settings, limits }));
    this.#committer.note();
    this.#record.tell({ name: "limits-changed", atMs: timers.wallMs(), limits });
  }

  /** Everything that happens goes through here. */
  #turn(event: () => void): void {
    if (this.#settle === undefined) return;
    // A reader or a fetcher that answers at once is part of the turn that asked it.
    if (this.#inTurn) return event();
    this.#inTurn = true;
    try {
      event();
      this.#pump();
    } catch (error) {
      if (!(error instanceof StoreError)) return this.#fail(error);
      this.#error = error;
      this.#tellStop(error.kind);
      void this.#options.fetcher.close();
    } finally {
      this.#inTurn = false;
    }
    this.#finishIfDone();
  }

  /** A bug of ours ends the crawl; what was committed stays. */
  #fail(error: unknown): void {
    const settle = this.#settle;
    this.#settle = undefined;
    this.#cancelTimers();
    void this.#options.fetcher.close();
    settle?.reject(error);
  }

  #pump(): void {
    const now = this.#options.timers.nowMs();
    this.#fetching.wake(now);
    this.#checkLimits(now);
    this.#startAll(now);
    if (this.#stopping !== undefined) return;
    this.#arm();
    if (!this.#isPaused && this.#fetching.isIdle) this.#stop(this.#fetching.reasonOfEnd);
  }

  #startAll(now: number): void {
    while (this.#stopping === undefined && !this.#isPaused && this.#fetching.startNext()) {
      // A fetcher may have answered at once.
      this.#checkLimits(now);
    }
  }

  #checkLimits(now: number): void {
    const reason = limitReached(this.#limits, this.#record, now - this.#startedMs);
    if (reason !== undefined) this.#stop(reason);
  }

  #stop(reason: StopReason): void {
    if (this.#stopping !== undefined) return;
    this.#tellStop(reason);
    const { timers, fetcher } = this.#options;
    const drainMs = reason === "interrupted" ? DRAIN_INTERRUPTED_MS : DRAIN_MS;
    if (this.#fetching.requests + this.#fetching.readings === 0) return;
    this.#alarm.cancel();
    this.#alarm.set(timers.nowMs() + drainMs, () => {
      this.#isCutOff = true;
      void fetcher.close();
      this.#turn(() => {});
    });
  }

  #tellStop(reason: StopReason): void {
    this.#stopping = reason;
    this.#record.tell({ name: "stopping", atMs: this.#options.timers.wallMs(), reason });
  }

  #finishIfDone(): void {
    if (this.#stopping === undefined || this.#settle === undefined) return;
    // What was asked for ends when the fetcher is closed; pages still being read then are left to the next run.
    const left = this.#fetching.requests + (this.#isCutOff ? 0 : this.#fetching.readings);
    if (this.#error === undefined && left > 0) return;
    const settle = this.#settle;
    const { store, timers } = this.#options;
    this.#cancelTimers();
    if (this.#error === undefined) {
      try {
        writeEnd(store, { reason: this.#stopping, atMs: timers.wallMs() });
        this.#committer.commit();
      } catch (error) {
        if (!(error instanceof StoreError)) return this.#fail(error);
        this.#error = error;
        this.#stopping = error.kind;
      }
    }
    this.#settle = undefined;
    const end = { reason: this.#stopping, status: this.#committer.status };
    settle.resolve(this.#error === undefined ? end : { ...end, error: this.#error });
  }

  /** Wakes up when the next rest, pause, wait or limit ends. */
  #arm(): void {
    const limitMs = this.#startedMs + (this.#limits.timeMs ?? Number.POSITIVE_INFINITY);
    this.#alarm.set(Math.min(this.#fetching.nextMs, limitMs), () => this.#turn(() => {}));
  }

  #cancelTimers(): void {
    this.#alarm.cancel();
    this.#committer.stop();
  }
}
