/**
 * What is certain of a surfer's life that is at a page and follows known links (C9): `ends`, the probability that it
 * ends before it takes a step into the unknown, and `visits`, its visits that count.
 *
 *     ends_i   = (1-d) + (d/c_i) sum of ends over the links of i       1 without links, 1-d where links are not known
 *     visits_i =   1   + (d/c_i) sum of visits over the links of i
 *
 * A page outside D has fixed values. A life that meets a dead page, or one that is no part of the universe, ends. One
 * that meets an open URL is in the unknown if the URL may redirect; otherwise it visits a page, and ends there with
 * 1-d.
 *
 * Solved by Gauss-Seidel from below, so both are lower bounds at any moment. If no value has changed by more than c in
 * the last sweep, the equations hold up to d c, so no value is too low by more than d c/(1-d): that is `error`.
 */
import { isOutside } from "./certificate.ts";
import { isDownloaded, PageState } from "./facts.ts";
import { type KnownLinks, knownLinks } from "./known-links.ts";
import type { MassLedger } from "./ledger.ts";

/** Stop where values change by less: intervals become wider by a thousandth. */
const CHANGE_MAX = 1e-4;
/** With a damping near 1 values change for long. What is not finished makes intervals wider, never false. */
const SWEEPS_MAX = 200;
/** Rounding of one addition, relative. */
const SUM_ROUNDING = 2 ** -52;

export interface KnownLives {
  readonly links: KnownLinks;
  /** Per row, one after the other: `ends` and `visits`, at most what is true. */
  readonly rows: Float64Array;
  /** By how much each of them may be too low. */
  readonly error: number;
  /** By how much each of them may be too high, as a share of it: only rounding. */
  readonly rounding: number;
  readonly sweeps: number;
}

export function knownLives(ledger: MassLedger, redirectsPossible: boolean): KnownLives {
  const { damping: d, finalCount } = ledger;
  // Sums of what links to other pages bring, which does not change.
  const others = new Float64Array(2 * finalCount);
  const links = knownLinks(ledger, (row, page) => {
    others[2 * row] += endsAt(ledger, page, redirectsPossible);
    others[2 * row + 1] += visitsAt(ledger, page, redirectsPossible);
  });
  const rows = new Float64Array(2 * links.pages.length);
  const { change, sweeps } = solveFromBelow({
    links,
    others,
    rows,
    own: [1 - d, 1],
    damping: d,
    changeMax: CHANGE_MAX,
  });
  const longest = links.counts.reduce((most, count) => Math.max(most, count), 0);
  const rounding = ((longest + 8) * SUM_ROUNDING) / (1 - d);
  return { links, rows, error: (d * change) / (1 - d), rounding, sweeps };
}

/** The probability that a life at a page that is no row ends before it is in the unknown. */
export function endsAt({ state, damping: d, universe }: MassLedger, page: number, redirectsPossible: boolean): number {
  if (state[page] === PageState.LinksUnknown) return 1 - d;
  if (state[page] === PageState.Downloaded || state[page] === PageState.Dead) return 1;
  if (isOutside(state[page], universe)) return 1;
  return redirectsPossible ? 0 : 1 - d;
}

/** The visits of such a life that count. */
function visitsAt({ state, universe }: MassLedger, page: number, redirectsPossible: boolean): number {
  if (isDownloaded(state[page])) return 1;
  // In the universe of what may be fetched, an open URL may turn out to be no page at all.
  if (universe === "allowed") return 0;
  return state[page] === PageState.Dead || !redirectsPossible ? 1 : 0;
}

/** Two unknowns per row, one after the other: x = own + (d/c) (others + sum of x over the links to rows). */
export interface RowSystem {
  readonly links: KnownLinks;
  readonly own: readonly [number, number];
  /** What links to pages that are no rows bring. */
  readonly others: Float64Array;
  /** Where to start, not above the solution; becomes the solution. */
  readonly rows: Float64Array;
  readonly damping: number;
  /** Stop where no value changes by more. */
  readonly changeMax: number;
}

/** Gauss-Seidel from below. Returns the greatest change of the last sweep, and the number of sweeps. */
export function solveFromBelow(system: RowSystem): { readonly change: number; readonly sweeps: number } {
  let change = Number.POSITIVE_INFINITY;
  let sweeps = 0;
  for (; change > system.changeMax && sweeps < SWEEPS_MAX; sweeps++) change = sweep(system);
  return { change, sweeps };
}

function sweep({ links, own, others, rows, damping }: RowSystem): number {
  const { starts, targets, counts } = links;
  const [ownFirst, ownSecond] = own;
  let change = 0;
  for (let row = 0, at = 0; row < counts.length; row++) {
    let first = others[2 * row];
    let second = others[2 * row + 1];
    for (const end = starts[row + 1]; at < end; at++) {
      const target = 2 * targets[at];
      first += rows[target];
      second += rows[target + 1];
    }
    const share = damping / counts[row];
    const newFirst = ownFirst + share * first;
    const newSecond = ownSecond + share * second;
    const rise = Math.max(newFirst - rows[2 * row], newSecond - rows[2 * row + 1]);
    if (rise > change) change = rise;
    rows[2 * row] = newFirst;
    rows[2 * row + 1] = newSecond;
  }
  return change;
}
