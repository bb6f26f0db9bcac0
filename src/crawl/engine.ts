/**
 * The crawl itself: the only place that joins order, coverage, web, fetch and store.
 *
 * Everything happens in turns: a reply, a page that was read, or a timer enters, facts are told, then `#pump` starts whatever may be
 * started. Nothing else moves the crawl, so with simulated timers, network and disk the same seed gives the same crawl.
 *
 * Facts are committed once a second; what is reported (`onStatus`, and the end) is what was committed. When the crawl is to stop, nothing
 * new is started; what is under way may finish for a moment, then it is cut off and waits for the next run. A crawl that is paused
 * starts nothing new either, goes on committing, and its time goes on.
 */
import type { ProgressStep, Timers } from "../base/index.ts";
import { type Answer, type Fetcher, type Reply, verdictOf } from "../fetch/index.ts";
import { type Archive, type CrawlStore, StoreError } from "../store/index.ts";
import { Alarm } from "./alarm.ts";
import { Committer } from "./committer.ts";
import { Errands } from "./errands.ts";
import { Frontier } from "./frontier.ts";
import type { Host } from "./hosts.ts";
import { checkedLimits, limitReached } from "./limits.ts";
import { PageVisits } from "./page-visit.ts";
import type { PageContent, PageReader } from "./reading.ts";
import { Readings } from "./readings.ts";
import type { CrawlRecord } from "./record.ts";
import { Replay } from "./replay.ts";
import { RobotsDesk } from "./robots-desk.ts";
import { RobotsKeeper } from "./robots-keeper.ts";
import { forgetEnd, writeEnd } from "./run-end.ts";
import type { CrawlSettings, Limits } from "./settings.ts";
import type { CrawlStatus } from "./status.ts";
import type { StopReason } from "./stop-reasons.ts";
import { type HostTreatment, treatmentOf } from "./treatment.ts";
import { believable, noteTrouble } from "./trouble.ts";

export interface EngineOptions {
  readonly settings: CrawlSettings;
  readonly record: CrawlRecord;
  readonly store: CrawlStore;
  readonly fetcher: Fetcher;
  readonly reader: PageReader;
  readonly timers: Timers;
  readonly archive?: (Archive & { readonly requestHeaders: Readonly<Record<string, string>> }) | undefined;
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
  readonly #frontier: Frontier;
  readonly #errands: Errands;
  readonly #visits: PageVisits;
  readonly #robots: RobotsDesk;
  readonly #replay: Generator<ProgressStep, void>;
  readonly #committer: Committer;
  readonly #readings: Readings;
  #limits: Limits;
  /** Of a crawl that was not run yet. */
  #newLimits: Limits | undefined;
  #hasBegun = false;
  #isPaused = false;
  #startedMs = 0;
  #inTurn = false;
  #underWay = 0;
  #pagesUnderWay = 0;
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
    this.#readings = new Readings(options.reader, (event) => this.#turn(event));
    this.#frontier = new Frontier(record, settings.limits);
    this.#errands = new Errands(record.hosts);
    this.#visits = new PageVisits(record, this.#frontier, settings.web);
    this.#robots = new RobotsDesk({
      keeper: new RobotsKeeper(store, {
        productToken: settings.productToken,
        originText: (origin) => record.originText(origin),
      }),
      record,
      settings,
      errands: this.#errands,
      timers: options.timers,
      readSitemap: (job, done) => {
        this.#readings.sitemap(job, (content) => {
          this.#committer.note();
          done(content);
        });
      },
      awake: (host) => this.#awake(host),
    });
    this.#replay = new Replay({ record, store, visits: this.#visits, robots: this.#robots }).steps();
    this.#committer = new Committer(options);
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
    this.#frontier.limit(limits);
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
    this.#record.hosts.wake(now, (host) => this.#awake(host));
    this.#frontier.wake(now);
    this.#errands.wake(now);
    this.#checkLimits(now);
    this.#startAll(now);
    if (this.#stopping !== undefined) return;
    this.#arm();
    if (!this.#isPaused && this.#isIdle()) this.#stop(this.#reasonOfEnd());
  }

  #startAll(now: number): void {
    const { concurrency } = this.#options.settings.politeness;
    while (this.#stopping === undefined && !this.#isPaused && this.#underWay < concurrency) {
      const next = this.#errands.next();
      if (next !== undefined) {
        const { errand, host } = next;
        this.#start(host, errand.url, errand.purpose, (reply) => {
          this.#committer.note();
          this.#errands.replied(errand, reply);
        });
        continue;
      }
      if (this.#readings.areMany || !this.#mayFetchMore()) return;
      const url = this.#frontier.next();
      if (url < 0) return;
      this.#consider(url);
      // A fetcher may have answered at once.
      this.#checkLimits(now);
    }
  }

  /** Fetches a page of a host that may be asked, unless its robots.txt has something against it. */
  #consider(url: number): void {
    const { timers } = this.#options;
    const host = this.#record.hostOf(url);
    const wallMs = timers.wallMs();
    const text = this.#record.textOf(url);
    const verdict = this.#robots.judge(url, text, host, wallMs);
    switch (verdict.kind) {
      case "allowed":
        this.#pagesUnderWay++;
        this.#frontier.started(host);
        return this.#start(host, text, "page", (reply) => this.#pageReplied(url, text, reply));
      case "later":
        return this.#frontier.hold(url, host);
      case "dead":
        this.#committer.note();
        return this.#record.dead(url, { atMs: wallMs, reason: verdict.reason });
      case "refused":
        this.#committer.note();
        return this.#record.refused(url, verdict.reason, verdict.detail, { atMs: wallMs });
    }
  }

  #start(
    host: Host,
    url: string,
    purpose: "page" | "robots" | "sitemap",
    done: (reply: Reply) => void,
  ): void {
    const { fetcher, timers } = this.#options;
    this.#record.hosts.start(host);
    this.#underWay++;
    fetcher.fetch({ url, purpose }, (given) =>
      this.#turn(() => {
        const reply = believable(host, given);
        this.#underWay--;
        if (reply.address !== null) this.#locate(host, reply.address);
        noteTrouble(this.#record, host, reply, timers);
        done(reply);
        // After the reply was understood: a crawl-delay that it brought counts from now on.
        this.#record.hosts.finish(host, timers.nowMs());
        this.#awake(host);
      }),
    );
  }

  #locate(host: Host, address: string): void {
    const before = host.address;
    this.#record.hosts.locate(host, address);
    if (before === host.address) return;
    this.#errands.moved(host, before);
    if (before !== undefined) this.#frontier.vacated(before);
  }

  #awake(host: Host): void {
    this.#errands.awake(host);
    this.#frontier.awake(host);
  }

  #pageReplied(url: number, text: string, reply: Reply): void {
    const { timers } = this.#options;
    this.#pagesUnderWay--;
    this.#committer.note();
    const verdict = verdictOf(reply);
    const wallMs = timers.wallMs();
    if (verdict.meaning !== "page" || reply.kind !== "answer") {
      this.#visits.replied(url, text, reply, verdict, { nowMs: timers.nowMs(), wallMs });
      return this.#frontier.ended(this.#record.hostOf(url));
    }
    this.#readings.page(text, reply, (content) => this.#pageRead(url, text, reply, content, wallMs));
  }

  #pageRead(url: number, text: string, answer: Answer, content: PageContent, wallMs: number): void {
    const { archive } = this.#options;
    this.#committer.note();
    archive?.keep({ ...answer, url: text, dateMs: wallMs, requestHeaders: archive.requestHeaders });
    this.#visits.content(url, answer, content, wallMs);
    this.#frontier.ended(this.#record.hostOf(url));
  }

  #mayFetchMore(): boolean {
    const pagesMax = this.#limits.pages ?? Number.POSITIVE_INFINITY;
    return this.#record.pages + this.#pagesUnderWay + this.#readings.count < pagesMax;
  }

  #checkLimits(now: number): void {
    const reason = limitReached(this.#limits, this.#record, now - this.#startedMs);
    if (reason !== undefined) this.#stop(reason);
  }

  /** Nothing is under way, and no time will bring anything. */
  #isIdle(): boolean {
    return (
      this.#underWay === 0 &&
      this.#readings.count === 0 &&
      this.#errands.count === 0 &&
      this.#record.hosts.nextMs === Number.POSITIVE_INFINITY &&
      this.#frontier.nextMs === Number.POSITIVE_INFINITY
    );
  }

  #reasonOfEnd(): StopReason {
    if (this.#frontier.tooDeep > 0) return "depth-limit";
    return this.#frontier.overHostLimit > 0 ? "page-limit" : "frontier-empty";
  }

  #stop(reason: StopReason): void {
    if (this.#stopping !== undefined) return;
    this.#tellStop(reason);
    const { timers, fetcher } = this.#options;
    const drainMs = reason === "interrupted" ? DRAIN_INTERRUPTED_MS : DRAIN_MS;
    if (this.#underWay + this.#readings.count === 0) return;
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
    const left = this.#underWay + (this.#isCutOff ? 0 : this.#readings.count);
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
    const atMs = Math.min(this.#record.hosts.nextMs, this.#frontier.nextMs, this.#errands.nextMs, limitMs);
    this.#alarm.set(atMs, () => this.#turn(() => {}));
  }

  #cancelTimers(): void {
    this.#alarm.cancel();
    this.#committer.stop();
  }
}
