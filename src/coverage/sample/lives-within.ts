/**
 * What is expected of a surfer's life that is at a downloaded page, until it leaves the downloaded pages D: its visits
 * to D (h), to pages whose links are not all known (p), and its arrivals at URLs outside D (e).
 *
 * A life ends in D or leaves it: e = 1 - the probability that it ends there. That, h and p are solved from below, so e
 * comes from above. `slack` bounds what is not solved to the end: whoever follows an exit takes it off e and counts it
 * as missed.
 */
import { PageState, isDownloaded } from "../facts.ts";
import { type KnownLinks, knownLinks } from "../known-links.ts";
import type { MassLedger } from "../ledger.ts";
import { solveFromBelow } from "../lives.ts";

/** What one more sweep may still add to the visits of a life. */
const TOLERANCE = 1e-6;

/** One number for each page. */
export interface Lives {
  readonly visits: Float64Array;
  readonly unknown: Float64Array;
  readonly exits: Float64Array;
  /** By how much e may be too large and p too small, together, of any page. */
  readonly slack: number;
}

/** `before` are the lives of an earlier moment of the same crawl, from which the solution is sooner found. */
export function livesOf(ledger: MassLedger, before?: Lives): Lives {
  const { pages, state, damping, finalPages, finalCount } = ledger;
  const visits = new Float64Array(pages);
  const unknown = new Float64Array(pages);
  const exits = new Float64Array(pages);
  const others = new Float64Array(2 * finalCount);
  const unknownOthers = new Float64Array(2 * finalCount);
  let hasUnknown = false;
  const links = knownLinks(ledger, (row, page) => {
    if (!isDownloaded(state[page])) return;
    // A page without links, or with unknown ones: a life that is there has its last visit to D.
    others[2 * row]++;
    others[2 * row + 1]++;
    if (state[page] === PageState.LinksUnknown) unknownOthers[2 * row]++;
    hasUnknown ||= state[page] === PageState.LinksUnknown;
  });
  const rows = startFrom(links, (page) => [1 - (before?.exits[page] ?? 1), before?.visits[page] ?? 0]);
  let { change } = solveFromBelow({ links, others, rows, own: [1 - damping, 1], damping, changeMax: TOLERANCE });
  for (let k = 0; k < finalCount; k++) {
    const page = finalPages[k];
    if (isDownloaded(state[page])) visits[page] = 1;
    if (state[page] === PageState.LinksUnknown) unknown[page] = 1;
  }
  for (let row = 0; row < links.pages.length; row++) {
    exits[links.pages[row]] = Math.max(0, 1 - rows[2 * row]);
    visits[links.pages[row]] = rows[2 * row + 1];
  }
  if (hasUnknown) {
    const system = { links, others: unknownOthers, own: [0, 0], damping, changeMax: TOLERANCE } as const;
    const arrivals = startFrom(links, (page) => [before?.unknown[page] ?? 0, 0]);
    change += solveFromBelow({ ...system, rows: arrivals }).change;
    for (let row = 0; row < links.pages.length; row++) unknown[links.pages[row]] = arrivals[2 * row];
  }
  return { visits, unknown, exits, slack: (damping * change) / (1 - damping) };
}

/** Pages that are new since then start at 0. */
function startFrom({ pages }: KnownLinks, before: (page: number) => readonly [number, number]): Float64Array {
  const rows = new Float64Array(2 * pages.length);
  for (let row = 0; row < pages.length; row++) rows.set(before(pages[row]), 2 * row);
  return rows;
}
