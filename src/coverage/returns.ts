/**
 * How often a life that is at a page visits it by known links, at most: g_ii of (C9), for all pages with known links.
 *
 * g = 1/(1 - f), where f is the probability that the life comes back by known links. From below, f is found by pushing:
 * a life of weight 1 leaves page i, and what arrives at i again has come back. What is not pushed, because it is too
 * little or too far away, is counted with the most that can come back from where it is. For a weight at page k that is
 *
 *     (visits_k - 1) / visits_i     a life at k visits k, and once it comes to i it makes visits_i visits
 *     x_i g_k / x_k                 known paths come to k a first time with x_k/g_k, and what they bring to i is in x_i
 *
 * The second is what makes a small push do: most weight is soon on pages of higher rank, which seldom lead to page i.
 * So pages are taken by rank, and g_k of a page of higher rank is already the better one.
 *
 * Cost: at most `arcsMax` links per page, on cnr-2000 140 on average, and `ARCS_MAX` for all: the more pages there are,
 * the shorter the push of each. People look at the first thousand pages, so these get more. There the bound is within a
 * few per cent of the exact value, which would cost a whole solution per page.
 */
import type { MassLedger } from "./ledger.ts";
import type { KnownLives } from "./lives.ts";

/** How far to push: a weight that brings back less than `least` is not pushed, nor any after `arcsMax` links. */
interface Effort {
  readonly least: number;
  readonly arcsMax: number;
}

const TOP_ROWS = 1000;
const TOP_EFFORT: Effort = { least: 1e-5, arcsMax: 300_000 };
const EFFORT: Effort = { least: 1e-2, arcsMax: 1000 };
/**
 * Of all pages together; and of one of the first, times the number of known links. Both are reached in large crawls
 * only. There memory is slow, and intervals may take half as long as all else that a survey does.
 */
const ARCS_MAX = 2e7;
const TOP_ARCS_TIMES_LINKS_MAX = 1.1e11;
/** Rounding of one addition, relative. */
const SUM_ROUNDING = 2 ** -52;

/** Upper bounds of g, one per row of the known links. `ranking` has all rows, the highest rank first. */
export function returnsAtMost(ledger: MassLedger, lives: KnownLives, ranking: Uint32Array): Float64Array {
  const push = new ReturnPush(ledger, lives);
  const rows = Math.max(1, ranking.length);
  const links = Math.max(1, lives.links.targets.length);
  const effort = { ...EFFORT, arcsMax: Math.min(EFFORT.arcsMax, ARCS_MAX / rows) };
  const topEffort = { ...TOP_EFFORT, arcsMax: Math.min(TOP_EFFORT.arcsMax, TOP_ARCS_TIMES_LINKS_MAX / links) };
  for (const row of ranking) push.improve(row, effort);
  for (const row of ranking.subarray(0, TOP_ROWS)) push.improve(row, topEffort);
  return push.bounds;
}

class ReturnPush {
  readonly bounds: Float64Array;
  readonly #lives: KnownLives;
  readonly #damping: number;
  /** Lower bounds of x, and what may be missing in any of them. */
  readonly #x: Float64Array;
  readonly #xMissing: number;
  readonly #weights: Float64Array;

  constructor(ledger: MassLedger, lives: KnownLives) {
    const { pages } = lives.links;
    const { damping, rounding } = ledger;
    this.#lives = lives;
    this.#damping = damping;
    this.#x = Float64Array.from(pages, (page) => ledger.arrived(page) - rounding);
    this.#xMissing = ledger.waitingInside() / (1 - damping) + 2 * rounding;
    this.#weights = new Float64Array(pages.length);
    this.bounds = Float64Array.from(pages, (_, row) => 1 / (1 - Math.min(damping, this.#byVisits(row, row))));
  }

  improve(row: number, effort: Effort): void {
    const comesBack = Math.min(this.#damping, this.#push(row, effort));
    this.bounds[row] = Math.min(this.bounds[row], 1 / (1 - comesBack));
  }

  /** The probability that a life at `origin` comes back to it by known links, at most. */
  #push(origin: number, { least, arcsMax }: Effort): number {
    const { starts, targets, counts } = this.#lives.links;
    const weights = this.#weights;
    const queue = [origin];
    weights[origin] = 1;
    let back = 0;
    let arcs = 0;
    for (let k = 0; k < queue.length; k++) {
      const row = queue[k];
      const weight = weights[row];
      weights[row] = 0;
      if (k > 0) {
        const most = weight * this.#comesAtMost(row, origin);
        if (most < least || arcs > arcsMax) {
          back += most;
          continue;
        }
      }
      arcs += starts[row + 1] - starts[row];
      const share = (this.#damping * weight) / counts[row];
      for (let at = starts[row]; at < starts[row + 1]; at++) {
        const target = targets[at];
        if (target === origin) back += share;
        else {
          if (weights[target] === 0) queue.push(target);
          weights[target] += share;
        }
      }
    }
    return back * (1 + this.#lives.rounding + arcs * SUM_ROUNDING);
  }

  /** The probability that a life at `row` comes to `origin`, at most. */
  #comesAtMost(row: number, origin: number): number {
    const atMost = Math.min(this.#damping, this.#byVisits(row, origin));
    const x = this.#x[row];
    return x <= 0 ? atMost : Math.min(atMost, ((this.#x[origin] + this.#xMissing) * this.bounds[row]) / x);
  }

  /** The probability that a life at `row` comes to `origin` after this visit, at most. */
  #byVisits(row: number, origin: number): number {
    const { rows, error } = this.#lives;
    return Math.max(0, rows[2 * row + 1] + error - 1) / rows[2 * origin + 1];
  }
}
