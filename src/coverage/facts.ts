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
  /**
   * What the page counts in coverage of value, from 0 to 1 (C10); pages that are given none count 1. Told before the
   * page is downloaded.
   */
  valued?(page: number, value: number): void;
  /** The page was fetched and its links are in the link table, as written, self links dropped. */
  downloaded(page: number): void;
  /** The page was fetched, but not all of its links are known (truncated, capped, unparsable). */
  linksUnknown(page: number): void;
  dead(page: number): void;
  refused(page: number, reason: Refusal): void;
  /** The URL redirects to another, which may redirect in turn; a loop is dead. */
  redirected(page: number, target: number): void;
  /** Probability from another process: all that `sender` has sent so far. Per sender the greatest total counts (C5). */
  received(page: number, sender: number, total: number): void;
}

/** Why a page that exists was not downloaded. */
export const refusalReasons = [
  "robots",
  "out-of-scope",
  "nofollow",
  "trap",
  "limit",
  "failed",
  "forbidden",
  "blocked",
  "logout",
] as const;
/** Why a page that exists was not downloaded. */
export type RefusalReason = (typeof refusalReasons)[number];
/** The same, or that another shard of the job fetches it: in logs of shards only, where nobody sees it. */
export type Refusal = RefusalReason | "elsewhere";

/**
 * What coverage is measured against: everything that surfers reach, or only what a polite crawler may fetch. In the
 * universe `allowed`, forbidden and dead pages do not exist: a life that steps onto one ends there and counts nothing.
 */
export type Universe = "everything" | "allowed";

/**
 * Reasons of URLs that a polite crawler may not fetch: by a rule that was read, or because they redirect out of the
 * scope, or, where it is logged in, because the URL would log it out.
 */
const forbiddenReasons: readonly RefusalReason[] = ["robots", "out-of-scope", "nofollow", "forbidden", "logout"];

/** Why importance is not covered (C6). */
export const missingReasons = ["not-fetched", "dead", ...refusalReasons, "links-unknown", "trust-unseeded"] as const;
/** Why a part of the importance is not covered. */
export type MissingReason = (typeof missingReasons)[number];

/** Why pages are no part of a universe. */
export function reasonsOutside(universe: Universe): readonly MissingReason[] {
  return universe === "allowed" ? ["dead", ...forbiddenReasons] : [];
}

/** Names of the states of pages, in exports, database and JSON. The last stands for all refusals. */
export const pageStates = ["waiting", "downloaded", "links-unknown", "dead", "redirected", "refused"] as const;
export type PageStateName = (typeof pageStates)[number];

/**
 * The state of a page as one byte: the place of its name in `pageStates`. Refused pages have `PageState.Refused` plus
 * the index of their reason; after the last reason comes `elsewhere`.
 */
export const PageState = {
  Open: 0,
  Downloaded: 1,
  LinksUnknown: 2,
  Dead: 3,
  Redirected: 4,
  Refused: 5,
} as const;

export function refusedState(reason: Refusal): number {
  const index = reason === "elsewhere" ? refusalReasons.length : refusalReasons.indexOf(reason);
  assert(index >= 0, `${reason} is a reason`);
  return PageState.Refused + index;
}

/** Another shard has the page. */
export const ELSEWHERE = refusedState("elsewhere");

const forbiddenStates = Uint8Array.from({ length: PageState.Refused + refusalReasons.length }, (_, state) =>
  forbiddenReasons.includes(refusalReasons[state - PageState.Refused]) ? 1 : 0,
);

/** Whether a page of this state may not be fetched. */
export function isForbidden(state: number): boolean {
  return forbiddenStates[state] === 1;
}

/** Whether what waits on a page of this state can be settled: it is known where it goes, or known to be unknown. */
export function isSettling(state: number): boolean {
  return state >= PageState.Downloaded && state <= PageState.Dead;
}

/** Whether a page of this state, or at a visit with this outcome, was fetched, wholly or partly. */
export function isDownloaded(state: number | PageStateName | "try-again"): boolean {
  if (typeof state === "string") return state === "downloaded" || state === "links-unknown";
  return state === PageState.Downloaded || state === PageState.LinksUnknown;
}
