/**
 * The ceiling: the most that any later certificate of the same crawl can claim. What has arrived at pages that are out
 * of reach for good (failed, blocked, trap, limit, unknown links) only grows, and the whole only shrinks, so the share
 * that is lost already stays lost. Other settings (a retry, another depth) are other facts, and may raise it.
 */
import { isOutside } from "./certificate.ts";
import { type MissingReason, PageState, refusalReasons } from "./facts.ts";
import type { MassLedger } from "./ledger.ts";

/** The most that can still be covered, and why no more. */
export interface Ceiling {
  readonly coverage: number;
  /** Why it is below 1, largest share first. */
  readonly lost: readonly LostShare[];
}

/** A share of all importance that is out of reach for good. */
export interface LostShare {
  readonly reason: MissingReason;
  /** The share of all importance that is lost at least. */
  readonly mass: number;
  /** The page with most of it; undefined where it is on no page. */
  readonly page: number | undefined;
}

/** `isBeyondLimit` tells which open pages will never be fetched, by a limit of the user. */
export function ceilingOf(ledger: MassLedger, isBeyondLimit: (page: number) => boolean = () => false): Ceiling {
  const { pages, state, waiting, damping: d, universe, whole, rounding } = ledger;
  // Nothing may be fetched at all.
  if (whole <= rounding) return { coverage: 0, lost: [] };
  const losses = new Map<MissingReason, { mass: number; page: number | undefined; most: number }>();
  const lose = (reason: MissingReason, mass: number, page?: number): void => {
    const loss = losses.get(reason) ?? { mass: 0, page, most: mass };
    losses.set(reason, loss);
    loss.mass += mass;
    if (mass > loss.most) [loss.most, loss.page] = [mass, page];
  };
  if (ledger.delta > 0) lose("trust-unseeded", ledger.delta);
  if (ledger.flowUnknown > 0) lose("links-unknown", ledger.flowUnknown / (1 - d), firstUnknown(ledger));
  if (universe === "everything" && ledger.rankDead > 0) lose("dead", ledger.rankDead);
  for (let page = 0; page < pages; page++) {
    const mass = waiting[page];
    if (mass === 0 || isOutside(state[page], universe)) continue;
    if (state[page] === PageState.Dead) lose("dead", mass, page);
    else if (state[page] >= PageState.Refused)
      lose(refusalReasons[state[page] - PageState.Refused], mass / (1 - d), page);
    else if (state[page] === PageState.Open && isBeyondLimit(page)) lose("limit", mass / (1 - d), page);
  }
  const lost = [...losses]
    .map(([reason, { mass, page }]) => ({ reason, mass: mass / whole, page }))
    .sort((a, b) => b.mass - a.mass);
  const share = lost.reduce((sum, { mass }) => sum + mass, 0);
  // Rounding could have made what is lost too large by as much as it could make a bound too large.
  return { coverage: 1 - Math.max(0, Math.min(1, share - rounding / whole)), lost };
}

/** The first page that was read with unknown links: in most orders, the most important of them. */
function firstUnknown({ finalPages, finalCount, state }: MassLedger): number | undefined {
  return finalPages.subarray(0, finalCount).find((page) => state[page] === PageState.LinksUnknown);
}
