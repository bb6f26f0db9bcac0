/** The state of a crawl in two sentences that need no explanation. */
import { counted, formatCount, percentAtLeast } from "../../../base/index.ts";
import type { Limits } from "../../../crawl/index.ts";
import type { Overview } from "../../protocol/http.ts";
import { targetInWords } from "../../../text/index.ts";
import { formatMinute, formatRoughly } from "../components/parts.tsx";
import { stateWords } from "../components/words.ts";

export const limitNames: Readonly<Record<keyof Limits, string>> = {
  coverage: "target",
  pages: "page limit",
  depth: "depth limit",
  timeMs: "time limit",
  bytes: "byte limit",
  pagesPerHost: "limit of pages a host",
};

export function headline({ status, state }: Overview): string {
  if (status.pages === 0) {
    if (state !== "ended") return "No page has been read yet";
    return status.frontier === 0 ? "Not a single page could be read" : "Not a single page was read";
  }
  if (status.coverage === 1) return `All importance is covered, by ${counted(status.pages, "page")}`;
  return `At least ${percentAtLeast(status.coverage)} of all importance is covered, by ${counted(status.pages, "page")}`;
}

/** What happens next by present speed, or why nothing does; and what the numbers are about. */
export function outlook(overview: Overview, nowMs: number): string {
  return `${next(overview, nowMs)} ${measure(overview)}`;
}

function next(overview: Overview, nowMs: number): string {
  const { secondsLeft, nextLimit, pagesPerSecond, limits, status } = overview;
  if (overview.state === "running" || overview.state === "elsewhere") {
    if (status.pages === 0) return "The first answers are awaited.";
    if (secondsLeft !== null && nextLimit !== null && pagesPerSecond !== null) {
      const when = `in about ${formatRoughly(secondsLeft)}`;
      if (nextLimit !== "coverage" || limits.coverage === undefined) {
        return `By present speed the ${limitNames[nextLimit]} is reached ${when}.`;
      }
      const pages = formatCount(roundedPages(status.pages + secondsLeft * pagesPerSecond));
      const at = formatMinute(nowMs + secondsLeft * 1000);
      return `By present speed the target of ${targetInWords(limits.coverage)} is reached ${when}, at ${at}, with about ${pages} pages.`;
    }
  }
  return stateWords(overview).sentence;
}

function measure({ universe, scope, seeds }: Overview): string {
  const whole =
    universe === "scope"
      ? `the importance of all pages of ${scope}`
      : "the importance of all pages of the web";
  return `Measured is ${whole}, as seen from ${counted(seeds.length, "seed")}.`;
}

/** Two digits: an estimate should look like one. */
function roundedPages(pages: number): number {
  return Number(pages.toPrecision(pages < 100 ? 1 : 2));
}
