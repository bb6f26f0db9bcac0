/**
 * What became of a page between two crawls, A and B, by what each crawl knows of its URL:
 *
 *                                          in B
 *     in A            page              dead  redirected  failing  anything else
 *     page            unchanged,        gone  redirected  failing  not-fetched
 *                     changed, or
 *                     content-unknown
 *     dead, redirected,
 *     or failing      recovered
 *     known           first-fetched
 *     not known       new
 *
 * A page is a URL that was downloaded. Failing: it was requested without success (failed, forbidden, blocked). Only
 * what B was told by a server is held against a page: one that B did not fetch is `not-fetched`, never `gone`.
 */
import { isDownloaded, PageState, type RefusalReason, refusalReasons, refusedState } from "../coverage/index.ts";

export const pageChanges = [
  "changed",
  "gone",
  "redirected",
  "failing",
  "recovered",
  "new",
  "first-fetched",
  "not-fetched",
  "content-unknown",
  "unchanged",
] as const;
export type PageChange = (typeof pageChanges)[number];

/** Reasons of B's own for not fetching a page of A. */
export const notFetchedReasons = [
  "not-discovered",
  "waiting",
  "robots",
  "out-of-scope",
  "nofollow",
  "trap",
  "limit",
] as const;
export type NotFetchedReason = (typeof notFetchedReasons)[number];

/** The state of a URL that a crawl does not know. */
export const NOT_KNOWN = 255;

const FAILING: ReadonlySet<number> = new Set((["failed", "forbidden", "blocked"] as const).map(refusedState));

/** Of a page of B; `isSameContent` is undefined where nobody knows. */
export function changeOfPageInB(stateInA: number, isSameContent: boolean | undefined): PageChange {
  if (isDownloaded(stateInA)) {
    if (isSameContent === undefined) return "content-unknown";
    return isSameContent ? "unchanged" : "changed";
  }
  if (stateInA === NOT_KNOWN) return "new";
  const wasNoPage = stateInA === PageState.Dead || stateInA === PageState.Redirected || FAILING.has(stateInA);
  return wasNoPage ? "recovered" : "first-fetched";
}

/** Of a page of A that is no page in B. */
export function changeOfPageLost(stateInB: number): PageChange {
  if (stateInB === PageState.Dead) return "gone";
  if (stateInB === PageState.Redirected) return "redirected";
  return FAILING.has(stateInB) ? "failing" : "not-fetched";
}

/** Why B did not fetch a URL of this state. */
export function reasonNotFetched(stateInB: number): NotFetchedReason {
  if (stateInB === NOT_KNOWN) return "not-discovered";
  if (stateInB < PageState.Refused) return "waiting";
  const reason: RefusalReason = refusalReasons[stateInB - PageState.Refused];
  return notFetchedReasons.find((name) => name === reason) ?? "waiting";
}
