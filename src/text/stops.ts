/** How a crawl ended, in words. The dashboard's page uses it too: browser-safe. */
import { counted, formatBytes, formatSeconds } from "../base/index.ts";
import type { Limits, StopReason } from "../crawl/index.ts";

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
