/**
 * A crawl of a small web by somebody who wants to claim too much, knows the truth, and may do all that a user may: look
 * when it suits, look again until the answer pleases, and crawl on in between. Walks run in parallel, end late or fail.
 */
import { Random } from "../../src/base/index.ts";
import { alphaOfLook, certify, Look, MassLedger, type Universe, type Walk } from "../../src/coverage/index.ts";
import { arrivalAt, coverageOf, truthIn } from "./sampling.ts";
import type { Truth, World } from "./truth.ts";
import type { CrawledWeb } from "./webs.ts";
import { FactEmitter } from "./worlds.ts";

export interface LookingOptions {
  readonly universe: Universe;
  readonly seed: number;
  /** What all looks together may err with. */
  readonly alpha: number;
  /** Whether the server may turn out to block the crawler, so that what was forbidden counts (default: false). */
  readonly mayBlock?: boolean;
}

export interface LookingOutcome {
  /** Whether any look claimed more than the truth, at the moment of its claim. */
  isFalse: boolean;
  /** Whether a proven number was above it. */
  isProofFalse: boolean;
  /** How far a claim was above the proof at best. */
  above: number;
  looks: number;
  /** Whether a claim that was voided would have been false from then on. */
  isVoidedFalse: boolean;
}

const ROUNDS = 8;
const WALKS_PER_ROUND = 30;
const GRID = Array.from({ length: 40 }, (_, k) => (k + 1) / 40);
/** Truth and claims are computed in different ways. */
const ROUNDING = 1e-9;

export function crawlAndLook(web: CrawledWeb, options: LookingOptions): LookingOutcome {
  const { seed, alpha, universe, mayBlock = false } = options;
  const random = new Random(seed, 5);
  const crawl = new LookedAtCrawl(web, universe);
  const outcome: LookingOutcome = { isFalse: false, isProofFalse: false, above: 0, looks: 0, isVoidedFalse: false };
  const failures = random.float() < 0.5 ? 0 : 0.02;
  let looks: Look[] = [];
  crawl.advance(web.learnt.length >> random.below(3));
  for (let round = 0; round < ROUNDS; round++) {
    if (mayBlock && !crawl.isBlocked && random.below(ROUNDS) === 0) {
      crawl.block();
      outcome.isVoidedFalse ||= looks.some(({ shown }) => shown > crawl.actual + ROUNDING);
      looks = [];
    }
    const { actual } = crawl;
    const fixed = crawl.fixedLedger();
    const { coverage, strict } = certify(fixed);
    if (coverage > actual + ROUNDING || strict > crawl.actualStrict + ROUNDING) outcome.isProofFalse = true;
    if (looks.length === 0 || random.float() < 0.5) {
      outcome.looks++;
      // Who knows the truth tests the level right above it.
      const levels = random.below(2) === 0 ? GRID : [Math.min(1, actual + 1e-6)];
      looks.push(new Look({ alpha: alphaOfLook(alpha, outcome.looks), levels, seed: random.uint32() }));
    }
    const look = looks[looks.length - 1];
    const fetched = look.beginRound(fixed) ? walkInParallel(crawl, look, { random, failures }) : [];
    const shown = look.enter();
    if (shown > actual + ROUNDING) outcome.isFalse = true;
    outcome.above = Math.max(outcome.above, shown - coverage);
    // An earlier claim is made again, about pages of which there are only more.
    for (const url of fetched) if (random.float() < 0.1) crawl.learn(url);
    crawl.advance(random.below(1 + round));
  }
  return outcome;
}

/** A web that is crawled in part, and the truth about that. */
class LookedAtCrawl {
  isBlocked = false;
  readonly universe: Universe;
  readonly #world: World;
  readonly #learnt: readonly number[];
  readonly #emitter: FactEmitter;
  readonly #ledger: MassLedger;
  readonly #forbidden: number[] = [];
  readonly #strictTruth: Truth;
  #truth: Truth;
  #known = 0;

  constructor({ world, learnt }: CrawledWeb, universe: Universe) {
    this.universe = universe;
    this.#world = world;
    this.#learnt = learnt;
    this.#truth = truthIn(world, universe);
    this.#strictTruth = truthIn(world, "everything");
    this.#emitter = new FactEmitter(world);
    this.#ledger = this.#emitter.addListener(new MassLedger({ ...this.#emitter.options, universe }));
    this.#emitter.emit({ about: "trust", url: 0 });
    this.advance(1);
  }

  get actual(): number {
    return coverageOf(this.#truth, this.#emitter.had);
  }

  get actualStrict(): number {
    return coverageOf(this.#strictTruth, this.#emitter.had);
  }

  /** D as it is now; what is fetched meanwhile joins the crawl, not this. */
  fixedLedger(): MassLedger {
    this.#ledger.grow(this.#world.urls.length);
    const { options } = this.#emitter;
    const fixed = new MassLedger({ ...options, pages: this.#ledger.pages, universe: this.universe });
    fixed.copyFrom(this.#ledger);
    return fixed;
  }

  /** The next URLs in the order of the crawl. */
  advance(urls: number): void {
    for (const url of this.#learnt.slice(this.#known, this.#known + urls)) this.learn(url);
    this.#known += urls;
  }

  learn(url: number): void {
    if (this.#world.urls[url].kind === "forbidden") {
      if (this.isBlocked) this.#ledger.refused(url, "blocked");
      else {
        this.#forbidden.push(url);
        this.#emitter.emit({ about: "fate", url });
      }
    } else if (!this.#emitter.learnt.has(url)) this.#emitter.emit({ about: "fate", url });
  }

  /** What a blocking server forbids are pages, which count as missing. */
  block(): void {
    this.isBlocked = true;
    const urls = this.#world.urls.map((url) => (url.kind === "forbidden" ? { ...url, kind: "page" as const } : url));
    this.#truth = truthIn({ ...this.#world, urls }, this.universe);
    for (const url of this.#forbidden) this.#ledger.refused(url, "blocked");
  }

  arriveAt(walk: Walk): void {
    const isLost = this.isBlocked && this.#world.urls[walk.at].kind === "forbidden";
    walk.arrive(isLost ? { kind: "lost" } : arrivalAt(this.#world, walk.at, this.universe));
  }
}

interface Weather {
  readonly random: Random;
  /** The share of fetches that fail for good. */
  readonly failures: number;
}

/** Walks are given outcomes in a random order, so some end late. Some fail, whatever they met. Returns what they met. */
function walkInParallel(crawl: LookedAtCrawl, look: Look, { random, failures }: Weather): number[] {
  const fetched: number[] = [];
  const walks = Array.from({ length: WALKS_PER_ROUND }, () => look.draw());
  const isHasty = random.float() < 0.2;
  while (walks.length > 0) {
    const k = random.below(walks.length);
    const walk = walks[k];
    fetched.push(walk.at);
    if (random.float() < failures) walk.arrive({ kind: "lost" });
    else crawl.arriveAt(walk);
    if (!walk.hasEnded) continue;
    walks.splice(k, 1);
    // Who is hasty takes the good news, and gives up the rest as lost.
    if (isHasty && walk.inside > 2 * walk.outside) for (const each of walks.splice(0)) each.arrive({ kind: "lost" });
  }
  return fetched;
}
