/**
 * When to walk, so that pages fetched in all are few: walk too early, and many walks are needed because coverage is
 * hardly above the target; walk too late, and the crawl has fetched more than was needed.
 *
 * The schedule predicts what the look will still cost if it walks now, and if the crawl first grows by 2%, 4%, ... In
 * both cases it assumes lives like those that were followed lately, and before there are any, like those of a
 * rehearsal. The flow F to open URLs falls nearly as a power of the number of downloads, R rises accordingly, and both
 * say how fast the capital of the test grows, and when the proof will come, which needs no walk at all. It is time to
 * walk if waiting is not expected to be cheaper.
 *
 * Few lives tell little, so the schedule is optimistic: it assumes that lives bring a little more than they did on
 * average, the less is known the more. So it walks a little early to learn more, instead of waiting for long because
 * of an unlucky start. Nothing of this can make a claim false: it only decides when to walk.
 *
 * Cost: linear in what is known of the crawl, each time that the crawl has grown by 1% to 10%.
 */
import { tighten } from "../certificate.ts";
import type { MassBook } from "../mass-book.ts";
import { LifeSample } from "./life-sample.ts";
import type { Look } from "./look.ts";
import { rehearse, type Trust } from "./rehearsal.ts";
import { type Flows, flowsOf } from "./round.ts";

/** The next decision comes after this share of the way to the moment that looks best, early rather than late. */
const CAUTION = 1 / 8;
/** Between two decisions the crawl grows by factors between these, and by this many downloads at least. */
const GROWTH_LEAST = 1.01;
const GROWTH_MOST = 1.1;
const DOWNLOADS_LEAST = 4;
/** Earlier than that nothing is known. */
const FIRST_DECISION = 50;
/** A new rehearsal is made each time that the crawl has grown by this factor. */
const REHEARSAL_GROWTH = 1.2;
/** The fall of the flow is measured over the last growth by this factor. */
const TREND_GROWTH = 1.3;
const TREND_DEFAULT = 0.5;
/** How far the crawl may grow before it walks; 1 is now. */
const WAITS = [1, 1.02, 1.04, 1.07, 1.1, 1.15, 1.2, 1.3, 1.4, 1.6, 2, 3];
const FOREVER = Infinity;
/** What a walk fetches joins the crawl, so a part of it is not lost. */
const FETCH_COST = 0.75;
const PRECISION = 1e-4;

/** How many walks are drawn before the next decision. */
export const WALKS_PER_ROUND = 4;

export interface ScheduleOptions {
  readonly look: Look;
  /** The trust of the crawl. */
  readonly trust: Trust;
  /** For the dice of rehearsals. */
  readonly seed: number;
}

export class LookSchedule {
  readonly #look: Look;
  readonly #trust: Trust;
  readonly #seed: number;
  readonly #sample = new LifeSample();
  #nextDecision = FIRST_DECISION;
  #nextRehearsal = 0;
  readonly #flows: { readonly downloads: number; readonly flow: number }[] = [];

  constructor({ look, trust, seed }: ScheduleOptions) {
    this.#look = look;
    this.#trust = trust;
    this.#seed = seed;
  }

  /** The number of downloads before which there is no need to call `isTimeToWalk`. */
  get nextDecision(): number {
    return this.#nextDecision;
  }

  /**
   * Whether to draw a round of `WALKS_PER_ROUND` walks now. If so, ask again after the round; if not, the next decision
   * is due when the crawl has grown. Pushes what waits on downloaded pages of the ledger.
   */
  isTimeToWalk(ledger: MassBook): boolean {
    const downloads = ledger.downloadedCount;
    tighten(ledger, { relativeGap: PRECISION });
    const flows = flowsOf(ledger);
    if (downloads >= this.#nextRehearsal) this.#rehearse(ledger);
    this.#sample.update(this.#look.entered, downloads);
    this.#flows.push({ downloads, flow: flows.open });
    const wait = flows.open > 0 ? this.#cheapestWait(ledger, flows) : FOREVER;
    if (wait === 1) this.#nextDecision = downloads;
    else {
      const growth = Math.min(GROWTH_MOST, Math.max(GROWTH_LEAST, 1 + CAUTION * (wait - 1)));
      this.#nextDecision = Math.max(downloads + DOWNLOADS_LEAST, Math.ceil(downloads * growth));
    }
    return wait === 1;
  }

  #rehearse(ledger: MassBook): void {
    const rehearsal = rehearse(ledger, this.#trust, this.#seed);
    if (rehearsal !== undefined) this.#sample.rehearsal = rehearsal;
    this.#nextRehearsal = ledger.downloadedCount * REHEARSAL_GROWTH;
  }

  /** By which factor the crawl should grow before it walks; 1 is now. */
  #cheapestWait(ledger: MassBook, { open, missed }: Flows): number {
    const { target } = this.#look;
    const { inside, outside } = this.#sample.mean(target);
    const visits = inside + outside;
    const whole = ledger.rankInside + open * visits;
    const trend = this.#trend();
    let cheapest = { wait: FOREVER, cost: Infinity };
    for (const wait of WAITS) {
      const flow = open * wait ** -trend;
      const perFlow = { rank: whole / flow - visits, missed: missed / flow };
      const growth = this.#sample.growth(target, perFlow, ledger.damping);
      // Where the proof is there already, no walk is needed; it is noticed elsewhere.
      if (growth === 0 || (wait === 1 && growth === Infinity)) continue;
      const walks = Math.max(0, this.#look.missingGrowth) / growth;
      const cost = (wait - 1) * ledger.downloadedCount + FETCH_COST * walks * this.#sample.fetches;
      if (cost < cheapest.cost) cheapest = { wait, cost };
    }
    return cheapest.wait;
  }

  /** g, where the flow falls as downloads to the power of -g. */
  #trend(): number {
    const now = this.#flows[this.#flows.length - 1];
    const before = this.#flows.findLast(({ downloads }) => downloads <= now.downloads / TREND_GROWTH);
    if (before === undefined || before.flow <= now.flow) return TREND_DEFAULT;
    return Math.log(before.flow / now.flow) / Math.log(now.downloads / before.downloads);
  }
}
