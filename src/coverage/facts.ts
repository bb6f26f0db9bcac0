import { assert } from "../base/index.ts";

/**
 * What a crawl learns, on integer ids: the one vocabulary in which a crawler (live or simulated) speaks to crawl orders
 * and to the coverage certificate.
 *
 * Life cycle of a page:
 *
 *     open ──> downloaded            fetched, its links are all known
 *      │ ├───> links-unknown         fetched, but its links are not all known
 *      │ ├───> dead                  leads nowhere: 404, 410, no such host
 *      │ ├───> redirected            no page at all: what arrives goes to its target
 *      └─┴───> refused by a reason   exists with links we cannot see; may still become any of the above
 *
 * Downloaded, links-unknown, dead and redirected are final: should such a fact change, everything derived from the old
 * facts is discarded and computed again (C5).
 */
export interface CrawlFacts {
  /** Ids below `pages` may occur from now on. */
  grow(pages: number): void;
  /** The page is trusted with this weight; weights of all pages sum to at most 1. */
  trusted(page: number, weight: number): void;
  /** The page was fetched and its links are in the link table, as written, self links dropped. */
  downloaded(page: number): void;
  /** The page was fetched, but not all of its links are known (truncated, capped, unparsable). */
  linksUnknown(page: number): void;
  dead(page: number): void;
  refused(page: number, reason: RefusalReason): void;
  /** The URL redirects to another, which may redirect in turn; a loop is dead. */
  redirected(page: number, target: number): void;
  /** Probability from another process: all that `sender` has sent so far. Per sender the greatest total counts (C5). */
  received(page: number, sender: number, total: number): void;
}

/** Why a page that exists was not downloaded. */
export const refusalReasons = ["robots", "out-of-scope", "nofollow", "trap", "limit", "failed"] as const;
/** Why a page that exists was not downloaded. */
export type RefusalReason = (typeof refusalReasons)[number];

/** Why importance is not covered (C6). */
export const missingReasons = ["not-fetched", "dead", ...refusalReasons, "links-unknown", "trust-unseeded"] as const;
/** Why a part of the importance is not covered. */
export type MissingReason = (typeof missingReasons)[number];

/** The state of a page as one byte. Refused pages have `PageState.Refused` plus the index of their reason. */
export const PageState = {
  Open: 0,
  Downloaded: 1,
  LinksUnknown: 2,
  Dead: 3,
  Redirected: 4,
  Refused: 5,
} as const;

export function refusedState(reason: RefusalReason): number {
  const index = refusalReasons.indexOf(reason);
  assert(index >= 0, `${reason} is a reason`);
  return PageState.Refused + index;
}

/** Whether what waits on a page of this state can be settled: it is known where it goes, or known to be unknown. */
export function isSettling(state: number): boolean {
  return state >= PageState.Downloaded && state <= PageState.Dead;
}

/** Whether a page of this state was fetched, wholly or partly. */
export function isDownloaded(state: number): boolean {
  return state === PageState.Downloaded || state === PageState.LinksUnknown;
}

/**
 * What other processes have sent to pages of this one. Each message names a running total, and per sender and page the
 * greatest total counts; so messages may be late, repeated or reordered, and nothing is counted twice (C5).
 */
export class ReceivedTotals {
  readonly #bySender = new Map<number, Map<number, number>>();

  /** Takes a total and returns by how much it exceeds what was known: 0 for an old message. */
  raise(page: number, sender: number, total: number): number {
    let totals = this.#bySender.get(sender);
    if (totals === undefined) this.#bySender.set(sender, (totals = new Map()));
    const before = totals.get(page) ?? 0;
    if (!(total > before)) return 0;
    totals.set(page, total);
    return total - before;
  }

  copyFrom(other: ReceivedTotals): void {
    this.#bySender.clear();
    for (const [sender, totals] of other.#bySender) this.#bySender.set(sender, new Map(totals));
  }
}

/** Where redirecting URLs end. No chain comes back to itself: a redirect that would close a loop is rejected. */
export class Redirects {
  readonly #targets = new Map<number, number>();

  get size(): number {
    return this.#targets.size;
  }

  /** Adds a redirect. Returns false if it would close a loop: then the URL leads nowhere. */
  add(page: number, target: number): boolean {
    if (this.resolve(target) === page) return false;
    this.#targets.set(page, target);
    return true;
  }

  copyFrom(other: Redirects): void {
    this.#targets.clear();
    for (const [page, target] of other.#targets) this.#targets.set(page, target);
  }

  resolve(page: number): number {
    let end = page;
    for (let next = this.#targets.get(page); next !== undefined; next = this.#targets.get(end)) end = next;
    for (let each = page; each !== end; ) {
      const next = this.#targets.get(each)!;
      if (next !== end) this.#targets.set(each, end);
      each = next;
    }
    return end;
  }
}
