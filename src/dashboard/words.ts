/**
 * Reasons and ends of a crawl in words for people who were not there, with what one can do about each. The page imports this file, so it may
 * import nothing but types and what a browser understands.
 */
import { counted, formatBytes, formatSeconds, percent } from "../base/index.ts";
import type { MissingReason } from "../coverage/index.ts";
import type { Limits, StopReason } from "../crawl/index.ts";

export interface ReasonWords {
  readonly name: string;
  /** What it means, as a sentence. */
  readonly meaning: string;
  readonly advice: string;
  /** As the end of "3% ...". A crawl says the same on a terminal when it ends; a test keeps it so. */
  readonly fate: string;
}

export const REASONS: Readonly<Record<MissingReason, ReasonWords>> = {
  "not-fetched": {
    name: "Not fetched yet",
    meaning: "Links lead there, and nothing speaks against fetching it.",
    advice: "Let the crawl go on: a higher target or page limit brings them in, the most important first.",
    fate: "was not fetched",
  },
  dead: {
    name: "Dead links",
    meaning: "Links lead there, and nothing is there: not found, gone, or no such host.",
    advice: "Whoever owns the linking pages can repair them, or redirect the old addresses.",
    fate: "is on dead links",
  },
  robots: {
    name: "Forbidden by robots.txt",
    meaning: "The site asks crawlers to stay away from these pages.",
    advice: "Only the owner of the site can allow it; the crawler obeys.",
    fate: "is forbidden by robots.txt",
  },
  "out-of-scope": {
    name: "Out of scope",
    meaning: "Links lead out of the part of the web that was to be crawled.",
    advice: "Begin a crawl with a wider scope, or measure coverage inside the scope only (--universe scope).",
    fate: "is out of scope",
  },
  nofollow: {
    name: "Marked nofollow",
    meaning: "The links that lead there ask not to be followed.",
    advice: "Begin a crawl with --follow-nofollow if the links are your own.",
    fate: "is behind links marked nofollow",
  },
  trap: {
    name: "Looks like a trap",
    meaning: "URLs that repeat themselves, grow without end, or show the same content again and again.",
    advice: "Look at the addresses; pages that are real can be reached by a seed of their own.",
    fate: "looks like a trap",
  },
  limit: {
    name: "Beyond a limit",
    meaning: "Deeper, or on a host with more pages, than the crawl was allowed.",
    advice: "Raise the limit of depth or of pages a host, and go on.",
    fate: "lies beyond a limit",
  },
  failed: {
    name: "Could not be fetched",
    meaning: "The server failed, or did not answer, each time it was asked.",
    advice: "Look at the pages for what happened; a host may have been down for a while.",
    fate: "could not be fetched",
  },
  "links-unknown": {
    name: "Links that could not be read",
    meaning:
      "The pages were fetched, but were cut off, had too many links, or were of a kind that is not read for links.",
    advice: "The pages themselves are covered; where they lead is not known.",
    fate: "is behind links that could not be read",
  },
  "trust-unseeded": {
    name: "Trust without a seed",
    meaning: "The weights of the seeds sum to less than 1.",
    advice: "Give the rest of the trust to seeds, or let --normalise-trust share it out.",
    fate: "is trust given to no seed",
  },
};

/** How a crawl stands: it goes on, or has ended for a reason, which is not known of one that was cut off. */
export type Standing = StopReason | "running" | "cut-off";

/** By the limits that hold now and what is covered: a target beyond that was set after the crawl had stopped. */
export function endInWords(end: Standing, limits: Limits, covered: number): string {
  const { coverage, pages, depth, timeMs, bytes } = limits;
  const limit = (value: string): string => `The crawl stopped at its limit of ${value}.`;
  switch (end) {
    case "running":
      return "The crawl was still running when this report was made.";
    case "cut-off":
      return "The crawl was cut off in the middle of its work; it can go on.";
    case "coverage-reached":
      return coverage === undefined || covered < coverage
        ? "The crawl stopped at the target that it had then."
        : `The crawl stopped because its target of ${targetInWords(coverage)} was reached.`;
    case "frontier-empty":
      return "The crawl ended because nothing was left to fetch.";
    case "page-limit":
      return limit(pages === undefined ? "pages" : counted(pages, "page"));
    case "depth-limit":
      return limit(depth === undefined ? "depth" : `${counted(depth, "link")} from a seed`);
    case "time-limit":
      return limit(timeMs === undefined ? "time" : formatSeconds(timeMs / 1000));
    case "byte-limit":
      return limit(bytes === undefined ? "bytes" : formatBytes(bytes));
    case "interrupted":
      return "The crawl was interrupted by its user; it can go on.";
    case "disk-full":
      return "The crawl stopped because the disk was full.";
    case "failed":
      return "The crawl stopped because the disk failed.";
  }
}

/** As it was given: 0.95 is "95%", 0.99995 is "99.995%". */
export function targetInWords(target: number): string {
  return `${Number((100 * target).toPrecision(12))}%`;
}

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/** "14 Nov 2023, 22:13 UTC" */
export function momentInWords(atMs: number): string {
  return `${MOMENT.format(atMs)} UTC`;
}

/** When something was done that ended at a moment: "on ...", or "within 29 min 05 s, up to ...". */
export function spanInWords(firstMs: number, lastMs: number): string {
  const seconds = Math.round((lastMs - firstMs) / 1000);
  const end = momentInWords(lastMs);
  return seconds < 1 ? `on ${end}` : `within ${formatSeconds(seconds)}, up to ${end}`;
}

/** Shares below this are no more than dust, and a row of zeros would not fit. */
export const DUST = 1e-6;

/** A share of what is missing. */
export function shareInWords(share: number): string {
  return share > 0 && share < DUST ? "< 0.0001%" : percent(share);
}

const DIGITS = 3;

/** "0.421%": at most the share, within three digits. */
export function shareAtLeast(share: number): string {
  return percentage(stepped(share, -1));
}

/** "0.443%": at least the share; a row of zeros says less than that it is dust. */
export function shareAtMost(share: number): string {
  return percentage(share === 0 ? 0 : stepped(Math.max(share, DUST), 1));
}

/** One number where a bound is all there is: as `shareAtLeast`, or "< 0.0001%". */
export function shareFigure(share: number): string {
  return share < DUST ? shareInWords(share) : shareAtLeast(share);
}

/** The nearest number of three digits on one side of `value`. */
function stepped(value: number, side: 1 | -1): number {
  if (value <= 0) return 0;
  const nearest = Number(value.toPrecision(DIGITS));
  if (side * (nearest - value) >= 0) return nearest;
  const unit = 10 ** (Math.floor(Math.log10(value)) - DIGITS + 1);
  return Number((nearest + side * unit).toPrecision(DIGITS));
}

function percentage(share: number): string {
  if (share === 0) return "0%";
  return `${(100 * share).toLocaleString("en-US", { minimumSignificantDigits: DIGITS, maximumSignificantDigits: DIGITS })}%`;
}
