/**
 * The ceiling: the most that any later certificate of the same crawl can claim. What has arrived at pages that are out
 * of reach for good (failed, blocked, trap, limit, unknown links) only grows, and the whole only shrinks, so the share
 * that is lost already stays lost. Other settings (a retry, another depth) are other facts, and may raise it.
 */
import { assert } from "../base/index.ts";
import { isOutside } from "./certificate.ts";
import { ELSEWHERE, type MissingReason, PageState, refusalReasons, type Universe } from "./facts.ts";
import type { FinalLedger } from "./final-ledger.ts";
import type { MassBook } from "./mass-book.ts";
import { type MassSums, roundingOf, wholeOf } from "./sums.ts";

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
export function ceilingOf(ledger: MassBook, isBeyondLimit?: (page: number) => boolean): Ceiling {
  const { delta } = ledger;
  const unseeded = delta > 0 ? [{ reason: "trust-unseeded" as const, mass: delta, page: undefined }] : [];
  return ceilingBy([...lossesOf(ledger, isBeyondLimit), ...unseeded], ledger, ledger.universe);
}

/** The ceiling of all that these sums are about, by what is lost of it, in visits. */
export function ceilingBy(losses: readonly LostShare[], sums: MassSums, universe: Universe): Ceiling {
  const whole = wholeOf(sums, universe);
  const rounding = roundingOf(sums);
  // Nothing may be fetched at all.
  if (whole <= rounding) return { coverage: 0, lost: [] };
  const lost = losses
    .map(({ reason, mass, page }) => ({ reason, mass: mass / whole, page }))
    .sort((a, b) => b.mass - a.mass);
  const share = lost.reduce((sum, { mass }) => sum + mass, 0);
  // Rounding could have made what is lost too large by as much as it could make a bound too large.
  return { coverage: 1 - Math.max(0, Math.min(1, share - rounding / whole)), lost };
}

/** What is out of reach for good, in visits at least, without trust that was not seeded. */
function lossesOf(ledger: MassBook, isBeyondLimit?: (page: number) => boolean): LostShare[] {
  const losses = new Losses();
  const { flowUnknown, rankDead, universe, damping: d } = ledger;
  if (flowUnknown > 0) losses.lose("links-unknown", flowUnknown / (1 - d), firstUnknown(ledger));
  if (universe === "everything" && rankDead > 0) losses.lose("dead", rankDead);
  waitingLosses(ledger, isBeyondLimit, (reason, mass, page) => losses.lose(reason, mass, page));
  return losses.all;
}

/** The same for each part of a ledger that has parts. */
export function lossesByPart(ledger: FinalLedger): LostShare[][] {
  const { parts, universe, damping: d, isBeyondLimit } = ledger;
  assert(parts !== undefined, "the ledger has parts");
  const losses = Array.from({ length: parts.count }, () => new Losses());
  losses.forEach((each, part) => {
    const flowUnknown = ledger.flowUnknownOf(part);
    const { rankDead } = ledger.sumsOf(part);
    if (flowUnknown > 0) each.lose("links-unknown", flowUnknown / (1 - d));
    if (universe === "everything" && rankDead > 0) each.lose("dead", rankDead);
  });
  waitingLosses(ledger, isBeyondLimit, (reason, mass, page) => losses[parts.of(page)].lose(reason, mass, page));
  return losses.map(({ all }) => all);
}

class Losses {
  readonly #losses = new Map<MissingReason, { mass: number; page: number | undefined; most: number }>();

  lose(reason: MissingReason, mass: number, page?: number): void {
    const loss = this.#losses.get(reason) ?? { mass: 0, page, most: mass };
    this.#losses.set(reason, loss);
    loss.mass += mass;
    if (mass > loss.most) [loss.most, loss.page] = [mass, page];
  }

  get all(): LostShare[] {
    return Array.from(this.#losses, ([reason, { mass, page }]) => ({ reason, mass, page }));
  }
}

/** What waits on pages from which it never moves on. */
function waitingLosses(
  ledger: MassBook,
  isBeyondLimit: ((page: number) => boolean) | undefined,
  lose: (reason: MissingReason, mass: number, page: number) => void,
): void {
  const { state, damping: d, universe } = ledger;
  ledger.forEachWaiting((page, mass) => {
    const own = state[page];
    if (isOutside(own, universe)) return;
    if (own === PageState.Dead) lose("dead", mass, page);
    else if (own === PageState.Open) {
      if (isBeyondLimit?.(page) === true) lose("limit", mass / (1 - d), page);
      // What another shard has is not lost.
    } else if (own >= PageState.Refused && own !== ELSEWHERE) {
      lose(refusalReasons[own - PageState.Refused], mass / (1 - d), page);
    }
  });
}

/** The first page that was read with unknown links: in most orders, the most important of them. */
function firstUnknown({ finalPages, finalCount, state }: MassBook): number | undefined {
  return finalPages.subarray(0, finalCount).find((page) => state[page] === PageState.LinksUnknown);
}
