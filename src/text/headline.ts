/** The state of a crawl in a few sentences that need no explanation. */
import { counted, formatCount, percentAtLeast } from "../base/index.ts";
import { clockInWords, roughlyInWords } from "./moments.ts";
import { type RunView, runInWords } from "./states.ts";
import { type Limits, limitTexts, targetInWords } from "./stops.ts";

export interface OverviewWords extends RunView {
  readonly status: { readonly coverage: number; readonly pages: number; readonly frontier: number };
  readonly pagesPerSecond: number | null;
  readonly secondsLeft: number | null;
  readonly nextLimit: keyof Limits | null;
  readonly universe: "scope" | "web";
  readonly scope: string;
  readonly seeds: readonly unknown[];
}

export function headline({ status, state }: Pick<OverviewWords, "status" | "state">): string {
  const { pages, coverage, frontier } = status;
  if (pages === 0) {
    if (state !== "ended") return "No page has been fetched yet";
    return frontier === 0 ? "No page could be fetched" : "No page was fetched";
  }
  const covered = coverage === 1 ? "All importance" : `At least ${percentAtLeast(coverage)} of all importance`;
  return `${covered} is covered, by ${counted(pages, "page")}`;
}

/** What happens next at the current rate, or why nothing does; and what coverage is measured against. */
export function outlook(overview: OverviewWords, nowMs: number): string {
  return `${next(overview, nowMs)} ${measure(overview)}`;
}

function next(overview: OverviewWords, nowMs: number): string {
  const { secondsLeft, nextLimit, pagesPerSecond, limits, status } = overview;
  if (overview.state !== "running" && overview.state !== "elsewhere") return runInWords(overview);
  if (status.pages === 0) return "Waiting for the first responses.";
  if (secondsLeft === null || nextLimit === null || pagesPerSecond === null) return runInWords(overview);
  const when = `in about ${roughlyInWords(secondsLeft)}`;
  if (nextLimit !== "coverage" || limits.coverage === undefined) {
    return `At the current rate, the crawl reaches its ${limitTexts[nextLimit]} ${when}.`;
  }
  const pages = formatCount(roundedPages(status.pages + secondsLeft * pagesPerSecond));
  const at = clockInWords(nowMs + secondsLeft * 1000, { nowMs, to: "minute" });
  const target = `its target of ${targetInWords(limits.coverage)}`;
  return `At the current rate, the crawl reaches ${target} ${when}, at ${at}, with about ${pages} pages.`;
}

function measure({ universe, scope, seeds }: OverviewWords): string {
  const whole = universe === "scope" ? scope : "the web";
  return `Importance is measured over all pages of ${whole}, as seen from ${counted(seeds.length, "seed")}.`;
}

/** Two digits: an estimate should look like one. */
function roundedPages(pages: number): number {
  return Number(pages.toPrecision(pages < 100 ? 1 : 2));
}
