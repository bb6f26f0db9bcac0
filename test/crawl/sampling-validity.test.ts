/**
 * Sampled claims of live crawls are false no more often than they may be, and follow from the log alone: the engine
 * crawls random webs in simulated time, is killed and resumed in the middle of looks, and samples again and again.
 */
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { certifyLog, type CrawlEnd, launchCrawl, type LaunchOptions, type Limits } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { cases } from "../support/cases.ts";
import { inlineSettings } from "../support/inline-web.ts";
import { binomialLimit } from "../support/sampling.ts";
import { SampledSite } from "../support/simulation/sampled-site.ts";

const WEBS = cases(150);
const alpha = 0.3;
const ROUNDING = 1e-9;
const RUNS = 6;
const DEATHS_MAX = 3;

/** What has happened to one web. */
interface Outcome {
  isFalse: boolean;
  /** Claims above the proof, deaths, looks, claims that a ban has made void. */
  above: number;
  deaths: number;
  looks: number;
  voided: number;
}

class SampledCrawl {
  readonly outcome: Outcome = { isFalse: false, above: 0, deaths: 0, looks: 0, voided: 0 };
  readonly #site: SampledSite;
  readonly #random: Random;
  readonly #store = new MemoryStore("{}");
  readonly #seed: number;
  #claimed = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new Random(seed, 22);
    this.#site = new SampledSite(seed, seed % 2 === 0 ? "allowed" : "everything");
  }

  /** Crawls a little, samples, crawls on, as somebody does who wants to hear a high number. */
  async run(): Promise<Outcome> {
    const random = this.#random;
    let pages = 1 + random.below(30);
    for (let run = 0; run < RUNS; run++) {
      if (random.below(2) === 0) {
        const coverage = 0.3 + 0.6 * random.float();
        await this.#untilTheEnd({ pages, coverage }, {});
        pages += random.below(40);
      } else {
        const walks = { confidence: 1 - alpha, budget: 1 + random.below(80), seed: this.#seed };
        await this.#untilTheEnd({ pages }, { walks, keepsSettings: true });
      }
    }
    this.outcome.looks = [...this.#store.looks()].length;
    return this.outcome;
  }

  async #untilTheEnd(limits: Limits, options: Partial<LaunchOptions>): Promise<void> {
    for (let deaths = 0; ; deaths++) {
      const steps = deaths < DEATHS_MAX ? this.#random.below(60) : Number.POSITIVE_INFINITY;
      const end = await this.#runFor(steps, limits, options);
      if (end !== undefined) return this.#check(end.status);
      this.outcome.deaths++;
      this.#site.web.forget();
      this.#store.crash();
    }
  }

  /** Undefined if the process died before the end. */
  async #runFor(steps: number, limits: Limits, options: Partial<LaunchOptions>): Promise<CrawlEnd | undefined> {
    const { seed, web, universe, world } = this.#site;
    const { timers } = web;
    const settings = inlineSettings([seed], {
      limits,
      confidence: 1 - alpha,
      seed: this.#seed,
      damping: world.damping,
      politeness: { delayMs: 0, concurrency: 4, perHost: 3, perAddress: 4, crawlDelayMsMax: 0 },
      web: { universe: universe === "allowed" ? "allowed" : "scope" },
    });
    const crawl = await launchCrawl({
      store: this.#store,
      settings,
      fetcher: web,
      readers: 0,
      timers,
      ...options,
      onStatus: (status) => this.#check(status),
    });
    const last = timers.steps + steps;
    const outcome: { end?: CrawlEnd; bug?: unknown } = {};
    crawl.run().then(
      (end) => (outcome.end = end),
      (bug: unknown) => (outcome.bug = bug),
    );
    while (outcome.end === undefined && outcome.bug === undefined) {
      if (timers.steps >= last) return undefined;
      if (!timers.step()) await Promise.resolve();
    }
    if (outcome.end === undefined) throw outcome.bug;
    return outcome.end;
  }

  /** What is reported against the truth about what is on disk, and against the log. */
  #check({ sampled, coverage: proven }: CrawlEnd["status"]): void {
    const { coverage: actual, isBanKnown } = this.#site.actual(this.#store);
    expect(proven).toBeLessThanOrEqual(actual + ROUNDING);
    const { sampled: ofLog } = certifyLog(this.#store);
    expect(ofLog).toEqual(sampled);
    const claimed = sampled?.coverage ?? 0;
    if (claimed > actual + ROUNDING) this.outcome.isFalse = true;
    if (claimed > proven) this.outcome.above++;
    if (isBanKnown && claimed < this.#claimed) this.outcome.voided++;
    else if (!isBanKnown) expect(claimed).toBeGreaterThanOrEqual(this.#claimed);
    this.#claimed = claimed;
  }
}

describe("what live crawls claim with confidence", () => {
  it("is false no more often than it may be, and follows from the log", { timeout: 600_000 }, async () => {
    const sum = { errors: 0, above: 0, deaths: 0, looks: 0, voided: 0 };
    for (let seed = 0; seed < WEBS; seed++) {
      const { isFalse, above, deaths, looks, voided } = await new SampledCrawl(seed).run().catch((error: unknown) => {
        throw new Error(`seed ${seed} failed`, { cause: error });
      });
      sum.errors += Number(isFalse);
      sum.above += Number(above > 0);
      sum.deaths += deaths;
      sum.looks += looks;
      sum.voided += Number(voided > 0);
    }
    expect(sum.errors).toBeLessThanOrEqual(binomialLimit(WEBS, alpha));
    // The test is worth something: on many webs more is claimed than is proven, in spite of deaths; bans void claims.
    expect(sum.above).toBeGreaterThan(WEBS / 4);
    expect(sum.deaths).toBeGreaterThan(WEBS);
    expect(sum.looks).toBeGreaterThan(WEBS);
    expect(sum.voided).toBeGreaterThan(WEBS / 40);
  });
});
