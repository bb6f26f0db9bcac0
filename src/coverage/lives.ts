/**
 * What is certain of a surfer's life that is at a page and follows known links (C9): `ends`, the probability that it
 * ends before it takes a step into the unknown, and `visits`, its visits that count.
 *
 *     ends_i   = (1-d) + (d/c_i) sum of ends over the links of i       1 without links, 1-d where links are not known
 *     visits_i =   1   + (d/c_i) sum of visits over the links of i
 *
 * A page outside D has fixed values. A life that meets a dead page, or one that is no part of the universe, ends. One
 * that meets an open URL is in the unknown if the URL may redirect; otherwise it visits a page, and ends there with 1-d.
 *
 * Solved by Gauss-Seidel from below, so both are lower bounds at any moment. If no value has changed by more than c in
 * the last sweep, the equations hold up to d c, so no value is too low by more than d c/(1-d): that is `error`.
 */
import { isDownloaded, PageState } from "./facts.ts";
import { isOutside } from "./certificate.ts";
import type { MassLedger } from "./ledger.ts";

/** Stop where values change by less: intervals become wider by a ten-thousandth. */
const CHANGE_MAX = 1e-5;
/** With a damping near 1 values change for long. What is not finished makes intervals wider, never false. */
const SWEEPS_MAX = 200;
/** Rounding of one addition, relative. */
const SUM_ROUNDING = 2 ** -52;

export interface KnownLives {
  /** One per page, at most what is true. */
  readonly ends: Float64Array;
  readonly visits: Float64Array;
  /** By how much each of them may be too low. */
  readonly error: number;
  /** By how much each of them may be too high, as a share of it: only rounding. */
  readonly rounding: number;
  readonly sweeps: number;
}

export function knownLives(ledger: MassLedger, redirectsPossible: boolean): KnownLives {
  const { pages, state, links, damping: d, universe, finalPages, finalCount } = ledger;
  const ends = new Float64Array(pages);
  const visits = new Float64Array(pages);
  const redirected: number[] = [];
  for (let page = 0; page < pages; page++) {
    if (isDownloaded(state[page])) {
      const isEnd = state[page] === PageState.Downloaded && links.starts[page] === links.ends[page];
      ends[page] = isEnd ? 1 : 1 - d;
      visits[page] = 1;
    } else if (state[page] === PageState.Redirected) redirected.push(page);
    else if (isOutside(state[page], universe)) ends[page] = 1;
    else if (state[page] === PageState.Dead) ends[page] = visits[page] = 1;
    else if (!redirectsPossible) {
      ends[page] = 1 - d;
      // In the universe of what may be fetched, an open URL may turn out to be no page at all.
      visits[page] = universe === "everything" ? 1 : 0;
    }
  }
  const rows = rowsOf(ledger);
  const resolve = () => {
    for (const page of redirected) {
      const end = ledger.resolve(page);
      ends[page] = ends[end];
      visits[page] = visits[end];
    }
  };
  let change = 1;
  let sweeps = 0;
  for (; change > CHANGE_MAX && sweeps < SWEEPS_MAX; sweeps++) {
    resolve();
    change = sweep({ targets: links.targets, starts: links.starts, ends: links.ends, rows, d }, ends, visits);
  }
  resolve();
  let longest = 0;
  for (let k = 0; k < finalCount; k++) {
    const page = finalPages[k];
    if (state[page] === PageState.Downloaded) longest = Math.max(longest, links.ends[page] - links.starts[page]);
  }
  return { ends, visits, error: (d * change) / (1 - d), rounding: ((longest + 8) * SUM_ROUNDING) / (1 - d), sweeps };
}

/** Pages whose links are all known and at least one, the last downloaded first: what they link to came later. */
function rowsOf({ finalPages, finalCount, state, links }: MassLedger): Uint32Array {
  const rows = new Uint32Array(finalCount);
  let count = 0;
  for (let k = finalCount - 1; k >= 0; k--) {
    const page = finalPages[k];
    if (state[page] === PageState.Downloaded && links.starts[page] < links.ends[page]) rows[count++] = page;
  }
  return rows.subarray(0, count);
}

interface Rows {
  readonly targets: Uint32Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly rows: Uint32Array;
  readonly d: number;
}

/** Returns the greatest change. */
function sweep({ targets, starts, ends: rowEnds, rows, d }: Rows, ends: Float64Array, visits: Float64Array): number {
  let change = 0;
  for (let k = 0; k < rows.length; k++) {
    const page = rows[k];
    const start = starts[page];
    const end = rowEnds[page];
    let sumEnds = 0;
    let sumVisits = 0;
    for (let at = start; at < end; at++) {
      const target = targets[at];
      sumEnds += ends[target];
      sumVisits += visits[target];
    }
    const share = d / (end - start);
    const newEnds = 1 - d + share * sumEnds;
    const newVisits = 1 + share * sumVisits;
    const rise = Math.max(newEnds - ends[page], newVisits - visits[page]);
    if (rise > change) change = rise;
    ends[page] = newEnds;
    visits[page] = newVisits;
  }
  return change;
}
