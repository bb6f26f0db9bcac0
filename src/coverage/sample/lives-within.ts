/**
 * What is expected of a surfer's life that is at a downloaded page, until it leaves the downloaded pages D: its visits
 * to D (h), to pages whose links are not all known (p), and its arrivals at URLs outside D (e).
 *
 * h and p are solved by Gauss-Seidel from below, on h = 1 + d W h and likewise p, where W follows the links of D within
 * D. So are the visits z to pages without links, where a life ends. It ends or leaves: e = 1 - (1-d) h - d (z + p).
 * So e comes from above, and what is not solved to the end only counts as missed.
 */
import { PageState, isDownloaded } from "../facts.ts";
import type { MassLedger } from "../ledger.ts";

/** What one more sweep may still add to the visits of a life. */
const TOLERANCE = 1e-6;

/** One number for each page. */
export interface Lives {
  readonly visits: Float64Array;
  readonly ends: Float64Array;
  readonly unknown: Float64Array;
  readonly exits: Float64Array;
}

/** `before` are the lives of an earlier moment of the same crawl, from which the solution is sooner found. */
export function livesOf(ledger: MassLedger, before?: Lives): Lives {
  const { pages, state, damping, finalPages, finalCount } = ledger;
  const visits = startFrom(before?.visits, pages);
  const ends = startFrom(before?.ends, pages);
  const unknown = startFrom(before?.unknown, pages);
  const { targets, starts, ends: rowEnds } = ledger.links;
  for (let change = 1; change > TOLERANCE; ) {
    change = 0;
    for (let k = finalCount - 1; k >= 0; k--) {
      const page = finalPages[k];
      if (!isDownloaded(state[page])) continue;
      let sumVisits = 0;
      let sumEnds = 0;
      let sumUnknown = 0;
      const isKnown = state[page] === PageState.Downloaded;
      const start = starts[page];
      const count = isKnown ? rowEnds[page] - start : 0;
      for (let at = start; at < start + count; at++) {
        // Outside D all three are 0.
        const target = ledger.resolve(targets[at]);
        sumVisits += visits[target];
        sumEnds += ends[target];
        sumUnknown += unknown[target];
      }
      const share = count === 0 ? 0 : damping / count;
      const newVisits = 1 + share * sumVisits;
      change = Math.max(change, newVisits - visits[page]);
      visits[page] = newVisits;
      ends[page] = (isKnown && count === 0 ? 1 : 0) + share * sumEnds;
      unknown[page] = (isKnown ? 0 : 1) + share * sumUnknown;
    }
  }
  const exits = new Float64Array(pages);
  for (let k = 0; k < finalCount; k++) {
    const page = finalPages[k];
    if (!isDownloaded(state[page])) continue;
    const ended = (1 - damping) * visits[page] + damping * (ends[page] + unknown[page]);
    exits[page] = Math.max(0, 1 - ended);
  }
  return { visits, ends, unknown, exits };
}

function startFrom(before: Float64Array | undefined, pages: number): Float64Array {
  const values = new Float64Array(pages);
  if (before !== undefined) values.set(before);
  return values;
}
