/**
 * A crawl as a machine (machine.ts): inputs become facts, and what may start, starts. It decides when to stop; the
 * dispatcher and the work decide what is fetched.
 *
 * Life of a crawl: ready until it is started; running or paused any number of times; stopping, while what is under way
 * ends; ended. A paused crawl starts nothing new, and its time goes on.
 */
import { limitReached, type StopReason } from "./stop-reasons.ts";
import type { ProgressStep } from "../base/index.ts";
import type { CrawlLog } from "../log/index.ts";
import type { EngineStore } from "../store/index.ts";
import { canonicalUrl } from "../web/index.ts";
import { CrawlWork, type WorkOptions } from "./crawl-work.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { Effect, Input, Machine, Now } from "./machine.ts";
import type { CrawlModel } from "./model.ts";
import { type HostStatus, hostStatus } from "./politeness/host-status.ts";
import { type GivenSitemap, Politeness } from "./politeness/politeness.ts";
import { RemoteRecords } from "./remote-records.ts";
import { type ShardPart, Slots } from "./shard-part.ts";
import { checkedLimits } from "./settings/crawl-settings.ts";
import { changeStored, type CrawlSettings, type Limits } from "./settings/settings.ts";

export interface EngineOptions extends WorkOptions {
  readonly settings: CrawlSettings;
  readonly model: CrawlModel;
  readonly store: EngineStore;
  /** Limits that are changed hold for this run only. */
  readonly keepsSettings?: boolean;
  /** Sitemaps that need not be read in this run (default: none). */
  readonly readSitemaps?: readonly string[];
  /** It shares the crawl with other engines, and does not end by itself (default: it has the crawl for itself). */
  readonly shard?: ShardPart | undefined;
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
  readonly #remote: RemoteRecords;
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
    const slots = options.shard?.means.requests ?? new Slots(settings.politeness.concurrency);
    this.#dispatcher = new Dispatcher({ politeness: this.#politeness, work, effects, slots });
    this.#remote = new RemoteRecords(model, settings.web);
  }

  /** Learns what earlier runs wrote, some of it per step. To be iterated to its end before the first input. */
  *prepare(log: CrawlLog): Generator<ProgressStep, void> {
    this.#model.sampler?.open(log);
    for (const step of this.#model.feed.read(log)) {
      this.#model.hosts.rest();
      yield step;
    }
    this.open();
  }

  /** The feed has read what earlier runs wrote. */
  open(): void {
    const given = this.#givenSitemaps.flatMap((url) => this.#givenSitemap(url));
    this.#politeness.restore(this.#model.takeObeyed(), given, () => this.#model.hosts.rest());
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

  /** Nobody waits for what is under way any more: what it has taken of shared means is free for others. */
  abandon(): void {
    this.#dispatcher.abandon();
    this.#work.pipeline.abandon();
    this.#model.hosts.abandon();
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
    const left = this.#dispatcher.requests + (this.#isCutOff ? 0 : this.#work.pipeline.count);
    return left === 0 ? this.#stopping : undefined;
  }

  hostStatus(hostName: string, nowMs: number): HostStatus | null {
    const { hosts } = this.#model;
    const host = hosts.shown(hostName);
    return host === undefined ? null : hostStatus(host, { hosts, limits: this.#model.limits, nowMs });
  }

  step(input: Input, now: Now): readonly Effect[] {
    if (this.ended !== undefined) return [];
    this.#take(input, now);
    if (this.#hasStarted) this.#advance(input.kind === "timer", now);
    this.#model.hosts.rest();
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
        return this.#work.pipeline.pageRead(input.id, input.content);
      case "resource-wanted":
        return this.#work.pipeline.resourceWanted(input);
      case "rendered":
        return this.#work.pipeline.rendered(input.id, input.rendering);
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
        return this.#remote.take(input.records, now);
      case "errand":
        return this.#politeness.runErrand(input.id, input.request);
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
    const elapsedMs = now.nowMs - this.#startedMs;
    const reason = limitReached(this.#model.limits, this.#model, {
      elapsedMs,
      pendingBytes: this.#work.pipeline.bytes,
    });
    this.#checkCeiling(now);
    if (reason !== undefined) this.#stop(reason, now);
    this.mayStart = this.#stopping === undefined && !this.#isPaused;
    if (!this.mayStart || !isTimer) return;
    this.mayStart = this.#dispatcher.startNext(now);
    // A shard may still hear from others.
    if (!this.isIdle || this.#options.shard !== undefined) return;
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

  /** What waits on the best page that was not fetched; -Infinity where none waits. */
  get best(): number {
    return this.#model.order.best?.() ?? 0;
  }

  /** How far it looks ahead for pages of hosts that may be requested now, as a share of how far it may. */
  get lookedAhead(): number {
    return this.#work.lookedAhead;
  }

  /** Whether no further page may be requested because of the number of pages. */
  get isAtQuota(): boolean {
    return !this.#work.mayFetchMore;
  }

  /** Pages downloaded, and those under way. */
  get pages(): number {
    return this.#work.pages;
  }

  /** What keeps pages from being fetched though they wait; null where nothing does. */
  get parkedBy(): "depth-limit" | "page-limit" | null {
    const reason = this.#work.reasonOfEnd;
    return reason === "depth-limit" || reason === "page-limit" ? reason : null;
  }

  /** URLs that wait for something else than another limit: for a host, an address, or means that are shared. */
  get waiting(): number {
    return this.#model.index.open - this.#work.parked;
  }

  /** Nothing is under way, and no time will bring anything. */
  get isIdle(): boolean {
    return (
      !this.mayStart &&
      this.#dispatcher.requests === 0 &&
      this.#work.pipeline.count === 0 &&
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
    this.#work.pipeline.stop();
    this.#model.effects.emit({ name: "stopping", atMs: wallMs, reason });
    if (this.#hasStarted) this.#drain();
  }

  #drain(): void {
    if (this.ended !== undefined) return;
    const withinMs = this.#stopping === "interrupted" ? DRAIN_INTERRUPTED_MS : DRAIN_MS;
    this.#model.effects.push({ kind: "drain", withinMs });
  }
}
