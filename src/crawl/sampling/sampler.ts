/**
 * The sampled certificate of a running crawl (C8): decides when to walk, says which URLs the walks need next, and what
 * they show. Looks and rounds are records of the log, so a resumed crawl continues its look, with the same dice.
 */
import { systemSeed } from "../../base/index.ts";
import {
  alphaOfLook,
  type CoverageWatch,
  knownArrival,
  levelWithin,
  LookSchedule,
  WALKS_PER_ROUND,
} from "../../coverage/index.ts";
import type { LogFeed } from "../../log/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import type { FactWriter } from "../fact-writer.ts";
import type { Limits } from "../settings/settings.ts";
import { LooksOfLog, type LookUnderWay, type SampledClaim, trustDigest } from "./looks-of-log.ts";

/** What a sampler needs to know of its crawl. */
interface SampledCrawl {
  readonly feed: LogFeed;
  readonly watch: CoverageWatch;
  readonly facts: FactWriter;
  readonly limits: Limits;
  isBeyondLimit(url: number): boolean;
}

export interface SamplerOptions {
  readonly crawl: SampledCrawl;
  readonly hostOf: (url: number) => number;
  readonly store: CrawlStore;
  readonly damping: number;
  readonly confidence: number;
  /** Of the dice (default: random). */
  readonly seed?: number | undefined;
  /** Walk at once, to show as much as so many fetches can show. */
  readonly budget?: number | undefined;
}

/** Walks that need no fetch must end some time. */
const WALKS_PER_FETCH_MAX = 20;

export class Sampler {
  readonly #options: SamplerOptions;
  readonly #looks: LooksOfLog;
  #current: { readonly look: LookUnderWay; readonly schedule: LookSchedule; isWritten: boolean } | undefined;
  #target: number | undefined;
  /** Downloads before which there is nothing to decide. */
  #nextDecision = 0;

  constructor(options: SamplerOptions) {
    const { crawl, damping, hostOf } = options;
    this.#options = options;
    this.#looks = new LooksOfLog({
      links: crawl.feed.links,
      hostOf,
      ledger: { damping, universe: crawl.watch.universe },
      arrivalOf: (url) => knownArrival(crawl.watch, url) ?? (crawl.isBeyondLimit(url) ? { kind: "lost" } : undefined),
    });
  }

  /** Takes in what earlier runs wrote, once the model has read it. */
  prepare(): void {
    const { store, crawl } = this.#options;
    this.#looks.read(store);
    crawl.feed.add(this.#looks.ledger);
  }

  /** What is shown with the confidence that is wanted. */
  get claim(): SampledClaim {
    const { confidence } = this.#options;
    return this.#looks.claim(confidence) ?? { coverage: 0, confidence, walks: 0, fetched: 0 };
  }

  /** The URLs that walks need next. */
  get wanted(): readonly number[] {
    return this.#looks.looks.at(-1)?.walks.wanted ?? [];
  }

  /** Follows the walks that are under way, and begins others if it is time for them. */
  advance(): void {
    const { watch, limits } = this.#options.crawl;
    this.#looks.advance();
    const target = this.#options.budget === undefined ? limits.coverage : this.#targetWithin(this.#options.budget);
    if (target === undefined || this.#looks.looks.at(-1)?.walks.isRoundOver === false) return;
    if (watch.downloadedCount < this.#nextDecision || this.claim.coverage >= target) return;
    const { look, schedule } = this.#currentFor(target);
    if (this.#options.budget !== undefined) return this.#walkAtOnce(look, this.#options.budget);
    if (schedule.isTimeToWalk(watch)) this.#walk(look);
    this.#nextDecision = Math.max(watch.downloadedCount + 1, schedule.nextDecision);
  }

  /** Chosen once, before any dice are thrown. */
  #targetWithin(fetches: number): number {
    const { store, crawl, confidence } = this.#options;
    const alpha = alphaOfLook(1 - confidence, this.#looks.count + 1);
    const trust = Array.from(store.trust(), ({ url, weight }) => [url, weight] as const);
    this.#target ??= levelWithin(crawl.watch, trust, { alpha, fetches, seed: 1 });
    return this.#target;
  }

  #walkAtOnce(look: LookUnderWay, budget: number): void {
    const { entered } = look.walks.look;
    if (entered.length < WALKS_PER_FETCH_MAX * budget) this.#walk(look);
  }

  #walk({ record }: LookUnderWay): void {
    const { facts, feed } = this.#options.crawl;
    const current = this.#current;
    if (current !== undefined && !current.isWritten) facts.look(record);
    if (current !== undefined) current.isWritten = true;
    facts.round({ look: record.number, afterVisit: feed.visits, walks: WALKS_PER_ROUND });
    this.#looks.beginRound({ walks: WALKS_PER_ROUND });
  }

  /** The look for this target: the last one of the log, if it is for the same, or else a new one. */
  #currentFor(target: number) {
    if (this.#current?.look.record.target === target) return this.#current;
    const { confidence, store, damping, seed = systemSeed() } = this.#options;
    const digest = trustDigest(store.trust(), damping);
    const last = this.#looks.looks.at(-1);
    const isSame =
      last?.record.target === target && last.record.confidence === confidence && last.record.trustDigest === digest;
    const number = this.#looks.count + 1;
    const look = isSame ? last : this.#looks.begin({ number, seed, confidence, target, trustDigest: digest });
    const trust = Array.from(store.trust(), ({ url, weight }) => [url, weight] as const);
    const schedule = new LookSchedule({ look: look.walks.look, trust, seed: look.record.seed ^ 1 });
    this.#current = { look, schedule, isWritten: isSame };
    return this.#current;
  }
}
