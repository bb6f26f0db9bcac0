/** Why a crawl ended, and which limits it has. */
import { counted, formatBytes, formatSeconds, percentAtLeast } from "../base/index.ts";
import type { MissingShare } from "../coverage/index.ts";
import type { Limits, StopReason } from "../crawl/index.ts";
import { missingInWords } from "./missing.ts";

export type { Limits };

/** Why a crawl ended, or that it has not. A crawl that was cut off could not store its reason. */
export type CrawlEnd = StopReason | "running" | "cut-off";

/** By the current limits and coverage: a target above the coverage was set after the crawl had stopped. */
export function endInWords(end: CrawlEnd, limits: Limits, covered: number): string {
  switch (end) {
    case "running":
      return "The crawl was still running when this report was written.";
    case "cut-off":
      return "The crawl was cut off. The same command resumes it.";
    case "interrupted":
      return "The user interrupted the crawl. The same command resumes it.";
    default:
      return `The crawl ${ENDS[end](limits, covered)}.`;
  }
}

/** Follow "The crawl". */
const ENDS: Readonly<Record<StopReason, (limits: Limits, covered: number) => string>> = {
  "coverage-reached": ({ coverage }, covered) =>
    coverage === undefined || covered < coverage
      ? "stopped at the target that it had at the time"
      : `stopped because it reached its target of ${targetInWords(coverage)}`,
  "frontier-empty": () => "ended because nothing was left to fetch",
  "page-limit": (limits) => stoppedAt(limits.pages === undefined ? "pagesPerHost" : "pages", limits),
  "depth-limit": (limits) => stoppedAt("depth", limits),
  "time-limit": (limits) => stoppedAt("timeMs", limits),
  "byte-limit": (limits) => stoppedAt("bytes", limits),
  interrupted: () => "was interrupted",
  "disk-full": () => "stopped because the disk was full",
  failed: () => "stopped because the disk failed",
};

function stoppedAt(name: keyof Limits, limits: Limits): string {
  const value = limits[name];
  return `stopped at its ${value === undefined ? limitTexts[name] : `limit of ${LIMITS[name](value)}`}`;
}

export interface Findings {
  readonly reason: StopReason;
  readonly coverage: number;
  readonly pages: number;
  readonly limits: Limits;
  /** Left out where it would have taken too long to compute. */
  readonly missing?: readonly MissingShare[];
}

/** What a crawl prints when it ends: why, how much is certainly covered, and what is missing. */
export function closingInWords({ reason, coverage, pages, limits, missing }: Findings): string {
  const end = ENDS[reason](limits, coverage).replace(/^was /, "");
  const covered =
    pages === 0
      ? "no page was fetched, so nothing is covered"
      : `${percentAtLeast(coverage)} of all importance is certainly covered, by ${counted(pages, "page")}`;
  const target = limits.coverage;
  const verb = reason === "frontier-empty" ? "cannot be" : "was not";
  const short =
    target === undefined || coverage >= target ? "" : ` The target of ${targetInWords(target)} ${verb} reached.`;
  const rest = missing === undefined || pages === 0 ? "" : ` ${missingInWords(missing)}`;
  return `${end[0].toUpperCase()}${end.slice(1)}: ${covered}.${short}${rest}`;
}

/** "95% coverage, 1,000 pages"; "none" without limits. */
export function limitsInWords(limits: Limits): string {
  const words = (Object.keys(LIMITS) as (keyof Limits)[]).flatMap((name) => {
    const value = limits[name];
    return value === undefined ? [] : [LIMITS[name](value)];
  });
  return words.join(", ") || "none";
}

const LIMITS: Readonly<Record<keyof Limits, (value: number) => string>> = {
  coverage: (share) => `${targetInWords(share)} coverage`,
  pages: (count) => counted(count, "page"),
  depth: (links) => `${counted(links, "link")} from a seed`,
  timeMs: (ms) => formatSeconds(ms / 1000),
  bytes: formatBytes,
  pagesPerHost: (count) => `${counted(count, "page")} per host`,
};

/** Follow "the". */
export const limitTexts: Readonly<Record<keyof Limits, string>> = {
  coverage: "target",
  pages: "page limit",
  depth: "depth limit",
  timeMs: "time limit",
  bytes: "byte limit",
  pagesPerHost: "limit of pages per host",
};

/** As it was given: 0.95 is "95%", 0.99995 is "99.995%". */
export function targetInWords(target: number): string {
  return `${Number((100 * target).toPrecision(12))}%`;
}
