/**
 * The sampled certificate of a running crawl (C8): decides when to walk, says which URLs the walks need next, and what
 * they show. Looks and rounds are records of the log, so a resumed crawl continues its look, with the same dice.
 */
import { Random, systemSeed } from "../../base/index.ts";
import {
  alphaOfLook,
  type Arrival,
  type CoverageWatch,
  knownArrival,
  levelWithin,
  LookSchedule,
  PageState,
  WALKS_PER_ROUND,
} from "../../coverage/index.ts";
import type { CrawlLog, LogFeed, LookRecord } from "../../log/index.ts";
import type { EngineStore } from "../../store/index.ts";
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
  readonly store: Pick<EngineStore, "trust">;
  readonly damping: number;
  readonly confidence: number;
  /** Of the dice (default: random). */
  readonly seed?: number | undefined;
  /** Walk at once, to show as much as so many fetches can show. */
  readonly budget?: number | undefined;
}

/**
 * Why a sample with a budget has ended: its aim is shown; an earlier one shows as much as this one could; no page was
 * downloaded, or nothing is left to walk to; the walks need no fetch, and are many; the budget is spent.
 */
export type SampleStop = "shown" | "shown-before" | "no-page" | "nothing-open" | "walks-spent" | "budget-spent";

/** Bounds walks that need no fetch. */
const WALKS_PER_FETCH_MAX = 20;

export class Sampler {
  readonly #options: SamplerOptions;
  readonly #looks: LooksOfLog;
  #current: CurrentLook | undefined;
  #target: number | undefined;
  #isPrepared = false;
  #hasWalked = false;
  /** Downloads before which there is nothing to decide. */
  #nextDecision = 0;

  constructor(options: SamplerOptions) {
    const { crawl, damping } = options;
    this.#options = options;
    this.#looks = new LooksOfLog({
      links: crawl.feed.links,
      ledger: { damping, universe: crawl.watch.universe },
      arrivalOf: (url) => knownArrival(crawl.watch, url) ?? this.#cut(url),
    });
    this.#looks.listenTo(crawl.feed);
  }

  /** A URL beyond a limit of the user is never fetched, so the walks of this look lose what leads there. */
  #cut(url: number): Arrival | undefined {
    const { crawl } = this.#options;
    const look = this.#looks.looks.at(-1);
    if (!this.#isPrepared || look === undefined || !crawl.isBeyondLimit(url)) return undefined;
    look.cuts.add(url);
    crawl.facts.cut({ look: look.record.number, url });
    return { kind: "lost" };
  }

  /** Before the feed of the crawl reads what earlier runs wrote. */
  open(log: CrawlLog): void {
    this.#looks.open(log);
  }

  /** Once the feed has read it. */
  prepare(): void {
    this.#looks.finish();
    this.#isPrepared = true;
  }

  /** What is shown with the confidence that is wanted. */
  get claim(): SampledClaim {
    const { confidence } = this.#options;
    return this.#looks.claim(confidence) ?? { coverage: 0, confidence, walks: 0, fetched: 0 };
  }

  /** Why a sample with a budget does not go on. If walks still wait for a URL, there was no fetch left for it. */
  get stop(): SampleStop {
    const { crawl, budget = 0 } = this.#options;
    const look = this.#looks.looks.at(-1)?.walks;
    if (crawl.watch.downloadedCount === 0) return "no-page";
    if (this.#target !== undefined && this.claim.coverage >= this.#target) {
      return this.#hasWalked ? "shown" : "shown-before";
    }
    if (look?.isRoundOver === false) return "budget-spent";
    if (!this.#isAnythingOpen()) return "nothing-open";
    return (look?.look.entered.length ?? 0) >= WALKS_PER_FETCH_MAX * budget ? "walks-spent" : "budget-spent";
  }

  /** The URLs that walks need next. */
  get wanted(): readonly number[] {
    return this.#looks.looks.at(-1)?.walks.wanted ?? [];
  }

  /** Follows the walks that are under way, and begins others if it is time for them. */
  advance(): void {
    const { watch, limits } = this.#options.crawl;
    const { budget } = this.#options;
    this.#looks.advance();
    if (watch.downloadedCount === 0 || this.#looks.looks.at(-1)?.walks.isRoundOver === false) return;
    const target = budget === undefined ? limits.coverage : (this.#target ??= this.#targetWithin(budget));
    if (target === undefined || watch.downloadedCount < this.#nextDecision || this.claim.coverage >= target) return;
    const { look, schedule } = this.#currentFor(target);
    if (budget !== undefined) return this.#walkAtOnce(look, WALKS_PER_FETCH_MAX * budget);
    if (schedule.isTimeToWalk(watch)) this.#walk(look);
    this.#nextDecision = Math.max(watch.downloadedCount + 1, schedule.nextDecision);
  }

  /** By a rehearsal with dice of its own, before the dice of the look are thrown. */
  #targetWithin(fetches: number): number {
    const { crawl, confidence, seed = systemSeed() } = this.#options;
    const alpha = alphaOfLook(1 - confidence, this.#looks.count + 1);
    const rehearsed = new Random(seed, REHEARSAL_STREAM).uint32();
    return levelWithin(crawl.watch, this.#trust(), { alpha, fetches, seed: rehearsed });
  }

  /** Until a walk waits for a fetch, or enough is shown. */
  #walkAtOnce({ walks, record }: LookUnderWay, walksMax: number): void {
    const { look } = walks;
    while (walks.isRoundOver && look.entered.length < walksMax && look.shown < record.target) {
      if (!this.#walk({ record })) return;
    }
  }

  /** False if there is nothing to walk to. */
  #walk({ record }: Pick<LookUnderWay, "record">): boolean {
    const { facts, feed } = this.#options.crawl;
    if (!this.#isAnythingOpen()) return false;
    if (record.number > this.#looks.count) {
      facts.look(record);
      this.#looks.written();
    }
    this.#hasWalked = true;
    facts.round({ look: record.number, afterVisit: feed.visits, walks: WALKS_PER_ROUND });
    return this.#looks.beginRound({ walks: WALKS_PER_ROUND });
  }

  #isAnythingOpen(): boolean {
    const { watch } = this.#options.crawl;
    return watch.state.some((each, url) => each === PageState.Open && watch.arrived(url) > 0);
  }

  /** The look for this target: the last one of the log, if it is for the same, or else a new one. */
  #currentFor(target: number): CurrentLook {
    const current = this.#current;
    if (current?.look.record.target === target && this.#looks.looks.includes(current.look)) return current;
    const { confidence, store, damping, seed = systemSeed() } = this.#options;
    const digest = trustDigest(store.trust(), damping);
    const last = this.#looks.looks.at(-1);
    const number = this.#looks.count + 1;
    const look =
      last !== undefined && isContinued(last.record, { number: number - 1, target, confidence, trustDigest: digest })
        ? last
        : this.#looks.begin({
            number,
            // Every look has dice of its own.
            seed: new Random(seed, number).uint32(),
            confidence,
            target,
            trustDigest: digest,
          });
    const rehearsed = new Random(look.record.seed, REHEARSAL_STREAM).uint32();
    const schedule = new LookSchedule({ look: look.walks.look, trust: this.#trust(), seed: rehearsed });
    this.#current = { look, schedule };
    return this.#current;
  }

  #trust(): (readonly [url: number, weight: number])[] {
    return Array.from(this.#options.store.trust(), ({ url, weight }) => [url, weight] as const);
  }
}

/** Not that of any walk. */
const REHEARSAL_STREAM = 2 ** 32 - 1;

interface CurrentLook {
  readonly look: LookUnderWay;
  readonly schedule: LookSchedule;
}

function isContinued(record: LookRecord, wanted: Omit<LookRecord, "seed">): boolean {
  return (
    record.number === wanted.number &&
    record.target === wanted.target &&
    record.confidence === wanted.confidence &&
    record.trustDigest === wanted.trustDigest
  );
}
