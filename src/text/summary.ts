/** What a crawl has found, in sentences: the same in its report and in the dashboard of a crawl that has ended. */
import { counted, formatCount } from "../base/index.ts";
import type { CrawlStatus, Limits } from "../crawl/index.ts";
import {
  emptyInWords,
  loginWallInWords,
  outsideInWords,
  type ReasonShare,
  sampledBeyond,
  valuedInWords,
} from "./coverage.ts";
import { endInWords, shortfallInWords } from "./crawl.ts";
import { atMostInWords, spanInWords } from "./figures.ts";
import { type EndState, reasonFor } from "./reasons.ts";

export interface CrawlSummary {
  readonly status: Pick<
    CrawlStatus,
    "pages" | "known" | "hosts" | "frontier" | "coverage" | "valued" | "ceiling" | "sampled" | "loginWall"
  >;
  readonly end: EndState;
  readonly limits: Limits;
  /** Number of seeds. */
  readonly seeds: number;
  readonly firstVisitMs: number | null;
  readonly lastVisitMs: number | null;
  /** Largest first. */
  readonly missing: readonly ReasonShare[];
  /** What the universe leaves out, largest first. */
  readonly outside: readonly ReasonShare[];
}

/** The stricter number stands beside the headline, not here. */
export function* summaryInWords(summary: CrawlSummary): Generator<string> {
  const { status, end, limits, missing, outside } = summary;
  if (status.known === 0) {
    yield "The crawl has not started: no URL is known yet.";
    return;
  }
  // A target is reached by the proof or by sampling, whichever came first.
  const coverage = Math.max(status.coverage, status.sampled?.coverage ?? 0);
  yield `${progressInWords(summary)} ${endInWords(end, limits, status, missing)}`;
  if (status.loginWall !== undefined) yield loginWallInWords(status.loginWall);
  const shown = status.pages === 0 ? undefined : sampledBeyond(status);
  if (shown !== undefined) yield shown;
  if (status.pages > 0 && status.valued !== undefined) yield valuedInWords(status.valued);
  const isDone = status.frontier === 0;
  const empty = status.pages === 0 ? emptyInWords(missing, outside) : undefined;
  if (empty !== undefined) yield empty;
  const goesOn = end === "running" || end === "earlier";
  const short = goesOn ? undefined : shortfallInWords({ ...status, coverage, target: limits.coverage, isDone });
  if (short !== undefined && empty === undefined) yield short;
  if (empty === undefined) yield* missingSentences(summary);
  const left = status.pages === 0 ? undefined : outsideInWords(outside);
  if (left !== undefined) yield left;
}

function progressInWords({ status, end, firstVisitMs, lastVisitMs }: CrawlSummary): string {
  if (status.pages === 0) {
    const none = end === "frontier-empty" ? "No page could be fetched" : "No page has been fetched yet";
    return `${none}; ${counted(status.known, "URL")} ${status.known === 1 ? "is" : "are"} known.`;
  }
  const when = firstVisitMs === null || lastVisitMs === null ? "" : `, ${spanInWords(firstVisitMs, lastVisitMs)}`;
  const downloaded = `${status.pages === 1 ? "was" : "were"} downloaded, from ${counted(status.hosts, "host")}`;
  return `${formatCount(status.pages)} of ${counted(status.known, "known URL")} ${downloaded}${when}.`;
}

/** Where the largest share is missing, and what to do about it. */
function* missingSentences({ status, end, seeds, missing }: CrawlSummary): Generator<string> {
  const [largest] = missing;
  if (largest === undefined || largest.mass <= 0) {
    if (status.pages > 0) yield "Nothing is missing.";
    return;
  }
  const { clause, advice } = reasonFor(largest.reason, { pages: status.pages, seeds, end });
  const isAll = largest.mass >= 0.999 * (1 - status.coverage);
  const what = isAll ? "What is missing" : "Most of what is missing";
  yield `${what} (${atMostInWords(largest.mass)}) ${clause}. ${advice}`;
}
