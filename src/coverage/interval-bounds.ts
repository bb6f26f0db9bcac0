/**
 * The parts of an interval (C9), in ranks that are not divided by the whole. Proved in docs/mathematics.md,
 * "Intervals".
 *
 *     x_i <= r_i <= x_i + Phi Q_i           share_i <= (x_i + Phi Q_i) / (base + Phi T_i)
 *
 * `Phi` is what enters the unknown and can come straight to one page. `Q_i` is the number of visits to page i that each
 * unit of it can bring there, and `T_i` the number of visits, wherever they are, that it brings at least in that case.
 * Q is rounded up, T and base are rounded down.
 *
 * Before, all of what is open was counted as if every visit that follows were to page i. Now it must come by links.
 * That makes intervals six times narrower on cnr-2000 at 0.98.
 */
import { sortDescending } from "../base/index.ts";
import type { Certificate } from "./certificate.ts";
import { isDownloaded } from "./facts.ts";
import { NO_ROW } from "./known-links.ts";
import type { MassLedger } from "./ledger.ts";
import { endsAt, knownLives } from "./lives.ts";
import { returnsAtMost } from "./returns.ts";

/** What the intervals of all pages have in common. */
export interface OpenFlows {
  /** Phi, and the part F_O of what is open that flows to URLs known to exist. */
  readonly flow: number;
  readonly flowToUrls: number;
  /** What every other page has at least, together. */
  readonly base: number;
  /** V: what the whole is at most. */
  readonly wholeAtMost: number;
}

/** Q and T of each downloaded page, 0 for any other. */
export interface ReturnFactors {
  readonly atMost: Float64Array;
  readonly wholeAtLeast: Float64Array;
}

export function openFlows(ledger: MassLedger, certificate: Certificate, redirectsPossible: boolean): OpenFlows {
  const { rankInside, flowOpen, flowDead, delta } = certificate;
  const { damping: d, rounding, flowUnknown, universe } = ledger;
  // What still waits inside may be on its way to any page.
  const direct = flowUnknown + ledger.waitingInside() + (1 - d) * delta;
  const flowToUrls = Math.max(0, flowOpen - direct);
  // An open URL is a page if none redirects and all pages count: then what arrives there is a visit.
  const isVisit = !redirectsPossible && universe === "everything";
  return {
    flow: direct + (redirectsPossible ? 1 : d) * flowToUrls,
    flowToUrls,
    base: Math.max(0, rankInside + flowDead + (isVisit ? flowToUrls : 0) - rounding),
    wholeAtMost: rankInside + flowOpen / (1 - d) + flowDead + rounding,
  };
}

/** `ranking` has the downloaded pages, the highest rank first. */
export function returnFactors(ledger: MassLedger, ranking: Uint32Array, redirectsPossible: boolean): ReturnFactors {
  const lives = knownLives(ledger, redirectsPossible);
  const { links, rows, error, rounding } = lives;
  const rowRanking = ranking.map((page) => links.rowOf[page]).filter((row) => row !== NO_ROW);
  const returns = returnsAtMost(ledger, lives, rowRanking);
  const atMost = new Float64Array(ledger.pages);
  const wholeAtLeast = new Float64Array(ledger.pages);
  for (const page of ranking) {
    const row = links.rowOf[page];
    if (row === NO_ROW) {
      // Without known links a life makes one visit, and ends for certain or goes on in the unknown.
      const ends = endsAt(ledger, page, redirectsPossible);
      atMost[page] = 1 / ends;
      wholeAtLeast[page] = 1 / ends;
      continue;
    }
    atMost[page] = (returns[row] / rows[2 * row]) * (1 + 4 * rounding);
    wholeAtLeast[page] = (rows[2 * row + 1] / Math.min(1, rows[2 * row] + error)) * (1 - 4 * rounding);
  }
  return { atMost, wholeAtLeast };
}

/**
 * The same without any look at links: each visit ends a life with 1-d, so no page has more than 1/(1-d) visits of it.
 * Good enough where Phi is as small as rounding.
 */
export function plainFactors({ pages, damping: d }: MassLedger): ReturnFactors {
  return { atMost: new Float64Array(pages).fill(1 / (1 - d)), wholeAtLeast: new Float64Array(pages) };
}

/** The downloaded pages by importance. */
export function knownRanking(ledger: MassLedger): Uint32Array {
  const { finalPages, finalCount, state, pages } = ledger;
  const ranking = finalPages.slice(0, finalCount).filter((page) => isDownloaded(state[page]));
  ranking.sort();
  const arrived = new Float64Array(pages);
  for (const page of ranking) arrived[page] = ledger.arrived(page);
  sortByImportance(ranking, arrived);
  return ranking;
}

/**
 * Sorts pages, which ascend, by what has certainly arrived at each, highest first; ties by id. The last digits depend
 * on the order of the sums, so two replays of one log could rank equal pages differently: single precision hides that
 * nearly always.
 */
export function sortByImportance(pages: Uint32Array, arrived: Float64Array): void {
  sortDescending(pages, arrived.map(Math.fround));
}
