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
import { assert } from "../base/index.ts";
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

/** Of a page that was requested without success; every other refusal is B's own choice. */
const failingReasons = ["failed", "forbidden", "blocked"] as const;
type FailingReason = (typeof failingReasons)[number];

/** Reasons of B's own for not fetching a page of A. */
export type NotFetchedReason = "not-discovered" | "waiting" | Exclude<RefusalReason, FailingReason>;
export const notFetchedReasons: readonly NotFetchedReason[] = [
  "not-discovered",
  "waiting",
  ...refusalReasons.filter((reason): reason is Exclude<RefusalReason, FailingReason> => !isFailing(reason)),
];

function isFailing(reason: RefusalReason): reason is FailingReason {
  return (failingReasons as readonly RefusalReason[]).includes(reason);
}

/** The state of a URL that a crawl does not know. */
export const NOT_KNOWN = 255;

const FAILING: ReadonlySet<number> = new Set(failingReasons.map(refusedState));

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
  if (stateInB === PageState.Open) return "waiting";
  const reason = refusalReasons[stateInB - PageState.Refused];
  assert(reason !== undefined && !isFailing(reason), `state ${stateInB} is that of a URL that was not requested`);
  return reason;
}
