/**
 * How often a life that is at a page visits it by known links, at most: g_ii of (C9), for all downloaded pages.
 *
 * g = 1/(1 - f), where f is the probability that the life comes back by known links. From below, f is found by pushing:
 * a life of weight 1 leaves page i, and what arrives at i again has come back. What is not pushed, because it is too
 * little or too far away, is counted with the most that can come back from where it is. For a weight at page k that is
 *
 *     (visits_k - 1) / visits_i     a life at k visits k, and where it comes to i it makes visits_i visits there and after
 *     x_i g_k / x_k                 of the known paths, x_k/g_k come to k a first time, and what they bring to i is in x_i
 *
 * The second is what makes a small push do: most weight is soon on pages of higher rank, which seldom lead to page i. So
 * pages are taken by rank, and g_k of a page of higher rank is already the better one.
 *
 * Cost: at most `arcsMax` links per page, on cnr-2000 140 on average. People look at the first thousand pages, so these
 * get more. There the bound is within a few per cent of the exact value, which would cost a whole solution per page.
 */
import { PageState } from "./facts.ts";
import type { MassLedger } from "./ledger.ts";
import type { KnownLives } from "./lives.ts";

/** How far to push: a weight that brings back less than `least` is not pushed, nor any after `arcsMax` links. */
interface Effort {
  readonly least: number;
  readonly arcsMax: number;
}

const TOP_PAGES = 1000;
const TOP_EFFORT: Effort = { least: 1e-5, arcsMax: 300_000 };
const EFFORT: Effort = { least: 1e-2, arcsMax: 1000 };
/** Rounding of one addition, relative. */
const SUM_ROUNDING = 2 ** -52;

/** Upper bounds of g, one per page; 1 for pages that are not downloaded. `ranking` has the downloaded pages. */
export function returnsAtMost(ledger: MassLedger, lives: KnownLives, ranking: Uint32Array): Float64Array {
  const { pages, damping: d } = ledger;
  const bounds = new Float64Array(pages).fill(1);
  for (const page of ranking) bounds[page] = 1 / (1 - Math.min(d, comesBackAtMost(lives, page, page)));
  const push = new ReturnPush(ledger, lives, bounds);
  for (const page of ranking) improve(page, EFFORT);
  for (const page of ranking.subarray(0, TOP_PAGES)) improve(page, TOP_EFFORT);
  return bounds;

  function improve(page: number, effort: Effort): void {
    bounds[page] = Math.min(bounds[page], 1 / (1 - Math.min(d, push.from(page, effort))));
  }
}

/** The probability that a life at `page` comes to `goal` after this visit. */
function comesBackAtMost({ visits, error }: KnownLives, page: number, goal: number): number {
  return Math.max(0, visits[page] + error - 1) / visits[goal];
}

class ReturnPush {
  readonly #ledger: MassLedger;
  readonly #lives: KnownLives;
  readonly #bounds: Float64Array;
  readonly #weights: Float64Array;
  readonly #rounding: number;
  /** What may be missing in x of any page. */
  readonly #xMissing: number;

  constructor(ledger: MassLedger, lives: KnownLives, bounds: Float64Array) {
    this.#ledger = ledger;
    this.#lives = lives;
    this.#bounds = bounds;
    this.#weights = new Float64Array(ledger.pages);
    this.#rounding = ledger.rounding;
    this.#xMissing = ledger.waitingInside() / (1 - ledger.damping) + this.#rounding;
  }

  /** The probability that a life at `origin` comes back to it by known links, at most. */
  from(origin: number, { least, arcsMax }: Effort): number {
    const { state, damping: d } = this.#ledger;
    const { targets, starts, ends } = this.#ledger.links;
    const weights = this.#weights;
    if (!this.#leadsOn(origin)) return 0;
    const queue = [origin];
    weights[origin] = 1;
    let back = 0;
    let arcs = 0;
    for (let k = 0; k < queue.length; k++) {
      const page = queue[k];
      const weight = weights[page];
      weights[page] = 0;
      if (k > 0) {
        const most = weight * this.#comesAtMost(page, origin);
        if (most < least || arcs > arcsMax) {
          back += most;
          continue;
        }
      }
      const start = starts[page];
      const end = ends[page];
      arcs += end - start;
      const share = (d * weight) / (end - start);
      for (let at = start; at < end; at++) {
        const written = targets[at];
        const target = state[written] === PageState.Redirected ? this.#ledger.resolve(written) : written;
        if (target === origin) back += share;
        else if (this.#leadsOn(target)) {
          if (weights[target] === 0) queue.push(target);
          weights[target] += share;
        }
      }
    }
    return back * (1 + this.#lives.rounding + arcs * SUM_ROUNDING);
  }

  /** The probability that a life at `page` comes to `origin`, at most. */
  #comesAtMost(page: number, origin: number): number {
    const atMost = Math.min(this.#ledger.damping, comesBackAtMost(this.#lives, page, origin));
    const x = this.#ledger.arrived(page) - this.#rounding;
    if (x <= 0) return atMost;
    return Math.min(atMost, ((this.#ledger.arrived(origin) + this.#xMissing) * this.#bounds[page]) / x);
  }

  #leadsOn(page: number): boolean {
    const { starts, ends } = this.#ledger.links;
    return this.#ledger.state[page] === PageState.Downloaded && starts[page] < ends[page];
  }
}
