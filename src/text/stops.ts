/** Why a crawl ended, and which limits it has. */
import { counted, formatBytes, formatSeconds } from "../base/index.ts";
import type { Limits, StopReason } from "../crawl/index.ts";

export type { Limits };

/** Why a crawl ended, or that it has not. A crawl that was cut off could not store its reason. */
export type CrawlEnd = StopReason | "running" | "cut-off";

/** By the current limits and coverage: a target above the coverage was set after the crawl had stopped. */
export function endInWords(end: CrawlEnd, limits: Limits, covered: number): string {
  const { coverage, pages, depth, timeMs, bytes } = limits;
  const limit = (text: string): string => `The crawl stopped at its ${text}.`;
  switch (end) {
    case "running":
      return "The crawl was still running when this report was written.";
    case "cut-off":
      return "The crawl was cut off. The same command resumes it.";
    case "coverage-reached":
      return coverage === undefined || covered < coverage
        ? "The crawl stopped at the target that it had at the time."
        : `The crawl stopped because it reached its target of ${targetInWords(coverage)}.`;
    case "frontier-empty":
      return "The crawl ended because nothing was left to fetch.";
    case "page-limit":
      return limit(pages === undefined ? limitTexts.pages : `limit of ${counted(pages, "page")}`);
    case "depth-limit":
      return limit(depth === undefined ? limitTexts.depth : `limit of ${counted(depth, "link")} from a seed`);
    case "time-limit":
      return limit(timeMs === undefined ? limitTexts.timeMs : `limit of ${formatSeconds(timeMs / 1000)}`);
    case "byte-limit":
      return limit(bytes === undefined ? limitTexts.bytes : `limit of ${formatBytes(bytes)}`);
    case "interrupted":
      return "The user interrupted the crawl. The same command resumes it.";
    case "disk-full":
      return "The crawl stopped because the disk was full.";
    case "failed":
      return "The crawl stopped because the disk failed.";
  }
}

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
