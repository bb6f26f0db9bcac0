/** What has changed between two crawls, A and B, as people read it. */
import { counted, formatCount, percentAtLeast } from "../base/index.ts";
import type { ComparedAspect, NotFetchedReason, PageChange } from "../compare/index.ts";
import type { PageStateName, RefusalReason } from "../coverage/index.ts";
import { reasonInWords, refusalInWords } from "./events.ts";
import { isNegligible, shareAtLeast } from "./figures.ts";
import { shortened } from "./foreign.ts";
import { stateTexts } from "./states.ts";

interface ChangeText {
  readonly name: string;
  readonly meaning: string;
  /** The crawl whose state of a page is worth telling: in the other one it was downloaded, or is not known. */
  readonly told?: "a" | "b";
}

/** In the order in which people read them. */
export const changeTexts: Readonly<Record<PageChange, ChangeText>> = {
  changed: {
    name: "Changed",
    meaning: "Downloaded by both crawls. The content differs, be it by a single byte.",
  },
  gone: {
    name: "Gone",
    meaning: "Downloaded in A. In B they do not exist: not found, gone, no such host, or a redirect loop.",
    told: "b",
  },
  redirected: { name: "Redirected", meaning: "Downloaded in A. In B they redirect to another URL.", told: "b" },
  failing: {
    name: "Failing",
    meaning:
      "Downloaded in A. In B they were requested without success: every attempt failed, or the server forbade it.",
    told: "b",
  },
  recovered: { name: "Recovered", meaning: "Dead, redirected or failing in A. Downloaded in B.", told: "a" },
  new: { name: "New", meaning: "Downloaded in B. A did not know these URLs." },
  "first-fetched": {
    name: "First fetched in B",
    meaning: "Downloaded in B. A knew these URLs but did not fetch them, so they need not be new.",
    told: "a",
  },
  "not-fetched": {
    name: "Not fetched in B",
    meaning: "Downloaded in A. B did not fetch them, so it says nothing about them: they need not be gone.",
    told: "b",
  },
  "content-unknown": {
    name: "Content not comparable",
    meaning: "Downloaded by both crawls. Whether the content differs is not known.",
  },
  unchanged: { name: "Unchanged", meaning: "Downloaded by both crawls, with the same content." },
};

/** Why B did not fetch a page of A: after a number of pages. */
const notFetchedTexts: Readonly<Record<NotFetchedReason, string>> = {
  "not-discovered": "not discovered",
  waiting: "waiting to be fetched",
  robots: "forbidden by robots.txt",
  "out-of-scope": "out of scope",
  nofollow: "marked nofollow",
  trap: "looking like a trap",
  limit: "beyond a limit",
  logout: "looking like logout",
};

/** What a setting that differs makes unfair. */
export const aspectTexts: Readonly<Record<ComparedAspect, string>> = {
  urls: "the same page may have different URLs",
  pages: "the crawls fetch different pages",
  importance: "shares of importance cannot be compared",
  responses: "servers may respond differently",
};

export const MOVED_WORDS =
  "Pages of both crawls whose share of all importance differs, certain changes first. A change is certain if the " +
  "share in one crawl is higher than it can be in the other; else it is possible, because a crawl that covers more " +
  "proves more.";

export const TITLES_WORDS = "Downloaded by both crawls, with another title.";

/** "120 not discovered, 3 beyond a limit in B". */
export function notFetchedInWords(counts: Readonly<Record<NotFetchedReason, number>>): string {
  const parts = (Object.keys(notFetchedTexts) as NotFetchedReason[])
    .filter((reason) => counts[reason] > 0)
    .map((reason) => `${formatCount(counts[reason])} ${notFetchedTexts[reason]}`);
  return parts.length === 0 ? "" : `${parts.join(", ")} in B`;
}

/** "+1.20%": how a proven share has changed. */
export function shareChangeInWords(change: number): string {
  if (isNegligible(Math.abs(change))) return "±0%";
  return `${change > 0 ? "+" : "−"}${shareAtLeast(Math.abs(change))}`;
}

interface ComparedSide {
  readonly coverage: number;
  readonly isRunning: boolean;
}

/** Beyond this difference of coverage, lists say more about the crawls than about the web. */
const COVERAGE_DIFFERENCE_MAX = 0.05;

/** What to keep in mind while reading, besides settings that differ. */
export function comparisonNotes({
  a,
  b,
  common,
  isContentComparable,
}: {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  readonly common: number;
  readonly isContentComparable: boolean;
}): string[] {
  const running = [...(a.isRunning ? ["A"] : []), ...(b.isRunning ? ["B"] : [])];
  const covered = `A covers at least ${percentAtLeast(a.coverage)}, B ${percentAtLeast(b.coverage)}`;
  return [
    ...(common === 0 ? ["The crawls have no URL in common. Are they crawls of the same site?"] : []),
    ...(running.length === 0
      ? []
      : [`${running.join(" and ")} ${running.length === 1 ? "is" : "are"} still running: compared is what is stored.`]),
    ...(Math.abs(a.coverage - b.coverage) > COVERAGE_DIFFERENCE_MAX
      ? [`${covered}. What only one crawl has fetched says little about the web.`]
      : []),
    ...(isContentComparable
      ? []
      : [
          "Contents cannot be compared: at least one crawl was started by a version whose digests are those of one " +
            "crawl alone. Titles can.",
        ]),
  ];
}

const LENGTH_MAX = 120;

/** "downloaded", "responds with 404 (not found)", "redirects to ..."; null is a URL that the crawl does not know. */
export function comparedStateInWords(
  page: {
    readonly state: PageStateName;
    /** As in exports. */
    readonly reason: string | null;
    readonly target: string | null;
  } | null,
): string {
  if (page === null) return notFetchedTexts["not-discovered"];
  const { state, reason, target } = page;
  if (state === "redirected" && target !== null) return `redirects to ${shortened(target, LENGTH_MAX)}`;
  if (state === "dead" && reason !== null) return reasonInWords(reason);
  if (state !== "refused" || reason === null) return stateTexts[state].name.toLowerCase();
  const [head, ...rest] = reason.split(":");
  return refusalInWords(head as RefusalReason, rest.length === 0 ? null : rest.join(":"));
}

export function titleInWords(title: string | null): string {
  const text = title?.trim() ?? "";
  return text === "" ? "(none)" : shortened(text, LENGTH_MAX);
}

interface MovedCounts {
  readonly up: number;
  readonly down: number;
  readonly possible: number;
}

/** "3 pages have certainly gained, 1 page has certainly lost, 12 pages may have moved." */
export function movedInWords({ up, down, possible }: MovedCounts): string {
  const verb = (pages: number): string => (pages === 1 ? "has" : "have");
  const gained = `${counted(up, "page")} ${verb(up)} certainly gained`;
  const lost = `${counted(down, "page")} ${verb(down)} certainly lost`;
  return `${gained}, ${lost}, ${counted(possible, "page")} may have moved.`;
}

/** "4 (12 more are possible)". */
export function movedFigure({ up, down, possible }: MovedCounts): string {
  return `${formatCount(up + down)}${possible === 0 ? "" : ` (${formatCount(possible)} more possible)`}`;
}
