/**
 * A crawl as a machine (machine.ts): inputs become facts, and what may start, starts. It decides when to stop; the
 * dispatcher and the work decide what is fetched.
 *
 * Life of a crawl: ready until it is started; running or paused any number of times; stopping, while what is under way
 * ends; ended. A paused crawl starts nothing new, and its time goes on.
 */
import { limitReached, type StopReason } from "./stop-reasons.ts";
import type { ProgressStep } from "../base/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { canonicalUrl } from "../web/index.ts";
import { CrawlWork, type WorkOptions } from "./crawl-work.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { Effect, Input, Machine, Now, RemoteRecord } from "./machine.ts";
import type { CrawlModel } from "./model.ts";
import { type HostStatus, hostStatus } from "./politeness/host-status.ts";
import { type GivenSitemap, Politeness } from "./politeness/politeness.ts";
import { checkedLimits } from "./settings/crawl-settings.ts";
import { changeStored, type CrawlSettings, type Limits } from "./settings/settings.ts";

export interface EngineOptions extends WorkOptions {
  readonly settings: CrawlSettings;
  readonly model: CrawlModel;
  readonly store: CrawlStore;
  /** Limits that are changed hold for this run only. */
  readonly keepsSettings?: boolean;
  /** Sitemaps that need not be read in this run (default: none). */
  readonly readSitemaps?: readonly string[];
}

/** Where a crawl is in its life. */
export type CrawlState = "ready" | "running" | "paused" | "stopping" | "ended";

/** How long what is under way may take once the crawl is to stop. */
const DRAIN_MS = 1500;
const DRAIN_INTERRUPTED_MS = 500;
/** Reasons that are named when the target cannot be reached. */
const LOSSES_REPORTED = 3;

export class Engine implements Machine {
  mayStart = false;
  readonly #options: EngineOptions;
  readonly #model: CrawlModel;
  readonly #work: CrawlWork;
  readonly #politeness: Politeness;
  readonly #dispatcher: Dispatcher;
  readonly #givenSitemaps: readonly string[];
  #hasStarted = false;
  #isPaused = false;
  #startedMs = 0;
  #isCutOff = false;
  #stopping: StopReason | undefined;
  /** The last target that was reported as unreachable. */
  #unreachable: number | undefined;

  constructor(options: EngineOptions) {
    const { settings, model, store } = options;
    const { effects, hosts, index } = model;
    this.#options = options;
    this.#model = model;
    const work = new CrawlWork(model, settings, options);
    const isSample = options.walkBudget !== undefined;
    const followsSitemaps = settings.web.sitemaps && !isSample;
    this.#givenSitemaps = isSample ? [] : (settings.sitemap ?? []);
    this.#work = work;
    const { readSitemaps } = options;
    this.#politeness = new Politeness(
      { settings, scope: model.scope, hosts, origins: index, store, effects, followsSitemaps, readSitemaps },
      work,
    );
    const { concurrency } = settings.politeness;
    this.#dispatcher = new Dispatcher({ politeness: this.#politeness, work, effects, concurrency });
  }

  /** Learns what earlier runs wrote, some of it per step. To be iterated to its end before the first input. */
  *prepare(): Generator<ProgressStep, void> {
    this.#model.sampler?.open();
    yield* this.#model.feed.read(this.#options.store);
    const given = this.#givenSitemaps.flatMap((url) => this.#givenSitemap(url));
    this.#politeness.restore(this.#model.obeyed, given);
    this.#model.sampler?.prepare();
    this.#work.open();
    // A log that was only read has nothing to report.
    this.#model.effects.take();
  }

  #givenSitemap(location: string): GivenSitemap[] {
    const url = canonicalUrl(location);
    return url === null ? [] : [{ url, origin: this.#model.facts.originOf(url) }];
  }

  get state(): CrawlState {
    if (this.ended !== undefined) return "ended";
    if (this.#stopping !== undefined) return "stopping";
    if (this.#isPaused) return "paused";
    return this.#hasStarted ? "running" : "ready";
  }

  get limits(): Limits {
    return this.#model.limits;
  }

  get nextMs(): number {
    if (this.#stopping !== undefined) return Number.POSITIVE_INFINITY;
    const limitMs = this.#startedMs + (this.#model.limits.timeMs ?? Number.POSITIVE_INFINITY);
    return Math.min(this.#politeness.nextMs, this.#work.nextMs, limitMs);
  }

  get ended(): StopReason | undefined {
    if (this.#stopping === undefined || !this.#hasStarted) return undefined;
    // Requests end when the fetcher is closed; pages still being read then are left to the next run.
    const left = this.#dispatcher.requests + (this.#isCutOff ? 0 : this.#work.pagesAtWork);
    return left === 0 ? this.#stopping : undefined;
  }

  hostStatus(hostName: string, nowMs: number): HostStatus | null {
    const { hosts } = this.#model;
    const host = hosts.find(hostName);
    return host === undefined ? null : hostStatus(host, { hosts, limits: this.#model.limits, nowMs });
  }

  step(input: Input, now: Now): readonly Effect[] {
    if (this.ended !== undefined) return [];
    this.#take(input, now);
    if (this.#hasStarted) this.#advance(input.kind === "timer", now);
    return this.#model.effects.take();
  }

  #take(input: Input, now: Now): void {
    switch (input.kind) {
      case "start":
        this.#hasStarted = true;
        this.#startedMs = now.nowMs;
        // Limits that were changed before, and a stop, hold from now on.
        if (this.#stopping !== undefined) this.#drain();
        return;
      case "timer":
        return;
      case "reply":
        return this.#dispatcher.replied(input.id, input.reply, now);
      case "looked-up":
        return this.#politeness.lookedUp(input.host, input.validForMs, now);
      case "page-read":
        return this.#work.pageRead(input.id, input.content);
      case "resource-wanted":
        return this.#work.resourceWanted(input);
      case "rendered":
        return this.#work.rendered(input.id, input.rendering);
      case "sitemap-read": {
        const request = this.#work.sitemapRead(input.id, input.content, now);
        if (request === undefined) return;
        const { sitemaps } = input.content;
        // What the user gave is read wherever it is, and so is all that it names.
        if (request.isGiven === true)
          this.#politeness.give(
            sitemaps.flatMap((each) => this.#givenSitemap(each)),
            now,
          );
        return this.#politeness.sitemapRead(request, request.isGiven === true ? [] : sitemaps);
      }
      case "pause":
      case "resume":
        return this.#pause(input.kind === "pause", now);
      case "change-limits":
        return this.#changeLimits(checkedLimits(input.limits), now);
      case "stop":
        return this.#stop(input.reason, now);
      case "cut-off":
        this.#isCutOff = true;
        return;
      case "remote":
        return this.#takeRemote(input.record);
    }
  }

  /**
   * Ends what is due. Only a timer starts a request, so that a page that is read at once is known before the next
   * choice.
   */
  #advance(isTimer: boolean, now: Now): void {
    this.#politeness.wake(now.nowMs);
    this.#work.wake(now.nowMs, { isPaused: this.#isPaused });
    this.#model.sampler?.advance();
    const { bytesAtWork } = this.#work;
    const elapsedMs = now.nowMs - this.#startedMs;
    const reason = limitReached(this.#model.limits, this.#model, { elapsedMs, bytesAtWork });
    this.#checkCeiling(now);
    if (reason !== undefined) this.#stop(reason, now);
    this.mayStart = this.#stopping === undefined && !this.#isPaused;
    if (!this.mayStart || !isTimer) return;
    this.mayStart = this.#dispatcher.startNext(now);
    if (!this.#isIdle) return;
    // The last check may be long ago, and whoever had a target wants to know why it was not reached.
    if (this.#model.limits.coverage !== undefined) this.#model.watch.check();
    this.#checkCeiling(now);
    this.#stop(this.#work.reasonOfEnd, now);
  }

  /** Reports that the target cannot be reached, as soon as that is known. */
  #checkCeiling({ wallMs }: Now): void {
    const { watch, limits, index, effects } = this.#model;
    const { coverage: target } = limits;
    const { coverage: ceiling, lost } = watch.ceiling;
    if (target === undefined || ceiling >= target || this.#unreachable === target) return;
    this.#unreachable = target;
    const losses = lost.slice(0, LOSSES_REPORTED).map(({ reason, mass, page }) => ({
      reason,
      mass,
      url: page === undefined ? null : index.textOf(page),
    }));
    effects.emit({ name: "target-unreachable", atMs: wallMs, target, ceiling, losses });
  }

  /** Nothing is under way, and no time will bring anything. */
  get #isIdle(): boolean {
    return (
      !this.mayStart &&
      this.#dispatcher.requests === 0 &&
      this.#work.pagesAtWork === 0 &&
      this.#politeness.waiting === 0 &&
      this.#politeness.lookups === 0 &&
      this.#politeness.nextMs === Number.POSITIVE_INFINITY &&
      this.#work.nextMs === Number.POSITIVE_INFINITY
    );
  }

  #pause(isPaused: boolean, { wallMs }: Now): void {
    if (this.#isPaused === isPaused || this.#stopping !== undefined) return;
    this.#isPaused = isPaused;
    this.#model.effects.emit({ name: isPaused ? "paused" : "resumed", atMs: wallMs });
  }

  #changeLimits(limits: Limits, { wallMs }: Now): void {
    if (this.#stopping !== undefined) return;
    this.#model.limits = limits;
    this.#work.limitsChanged();
    this.#model.watch.aim(limits.coverage ?? 1);
    const { store, keepsSettings = false } = this.#options;
    if (!keepsSettings) changeStored(store, () => ({ limits }));
    this.#model.effects.emit({ name: "limits-changed", atMs: wallMs, limits });
  }

  #stop(reason: StopReason, { wallMs }: Now): void {
    if (this.#stopping !== undefined) return;
    this.#stopping = reason;
    this.mayStart = false;
    this.#work.stop();
    this.#model.effects.emit({ name: "stopping", atMs: wallMs, reason });
    if (this.#hasStarted) this.#drain();
  }

  #drain(): void {
    if (this.ended !== undefined) return;
    const withinMs = this.#stopping === "interrupted" ? DRAIN_INTERRUPTED_MS : DRAIN_MS;
    this.#model.effects.push({ kind: "drain", withinMs });
  }

  /** The other process may have other settings: what is out of our scope is ignored. */
  #takeRemote(record: RemoteRecord): void {
    const { facts, index } = this.#model;
    const { depth } = record;
    const text = canonicalUrl(record.url, undefined, this.#options.settings.web.urlRules);
    if (text === null || !this.#model.scope.contains(text)) return;
    const url = facts.discover(text, { source: "remote", depth, onVisit: false });
    index.lowerDepth(url, depth);
    if (record.kind === "received") facts.received({ url, sender: record.sender, total: record.total });
  }
}
