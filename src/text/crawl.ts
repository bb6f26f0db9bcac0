/** A crawl in sentences: its state, its limits, why it ended. */
import { counted, formatBytes, formatCount, formatSeconds, percentAtLeast } from "../base/index.ts";
import type { MissingShare } from "../coverage/index.ts";
import type { CrawlStatus, Limits, SampledClaim, StopReason } from "../crawl/index.ts";
import {
  ceilingInWords,
  emptyInWords,
  loginWallInWords,
  type ProvedCoverage,
  type ReasonShare,
  sampledBeyond,
  strictInWords,
  unreachableInWords,
  universeInWords,
  valuedInWords,
  wholeInWords,
} from "./coverage.ts";
import type { LoginWall } from "../log/index.ts";
import { clockInWords, roughlyInWords, targetInWords } from "./figures.ts";
import { type EndState, missingInWords } from "./reasons.ts";

export type { EndState, Limits };

/** What is covered: proven, and shown by sampling. */
type Covered = Pick<CrawlStatus, "coverage" | "sampled">;

/**
 * By the current limits and coverage: a target above the coverage was set after the crawl had stopped. `missing` is
 * what is missing, as far as it is known.
 */
export function endInWords(
  end: EndState,
  limits: Limits,
  covered: Covered,
  missing: readonly ReasonShare[] = [],
): string {
  switch (end) {
    case "running":
      return "The crawl was still running when this report was written.";
    case "earlier":
      return "This is what was known then: the crawl has gone on since.";
    case "cut-off":
      return "The crawl ended unexpectedly (crash or kill). The same command resumes it.";
    case "interrupted":
      return "The user interrupted the crawl. The same command resumes it.";
    default:
      return `The crawl ${reasonInWords(end, limits, covered, missing)}.`;
  }
}

/** Follows "The crawl". Being blocked is not being done. */
function reasonInWords(end: StopReason, limits: Limits, covered: Covered, missing: readonly ReasonShare[]): string {
  return end === "frontier-empty" && isBlocked(missing)
    ? "ended because hosts block this crawler and nothing else was left to fetch"
    : ENDS[end](limits, covered);
}

/** Whether something is missing because hosts block the crawler. */
export function isBlocked(missing: readonly ReasonShare[]): boolean {
  return missing.some(({ reason, mass }) => reason === "blocked" && mass > 0);
}

/** Follow "The crawl". */
const ENDS: Readonly<Record<StopReason, (limits: Limits, covered: Covered) => string>> = {
  "coverage-reached": ({ coverage: target }, { coverage, sampled }) => {
    if (target === undefined || Math.max(coverage, sampled?.coverage ?? 0) < target) {
      return "stopped at the target that it had at the time";
    }
    const how = coverage < target ? " by sampling" : "";
    return `stopped because it reached its target of ${targetInWords(target)}${how}`;
  },
  "frontier-empty": () => "ended because nothing was left to fetch",
  "order-empty": () => "ended because its own order gave no more pages, though URLs wait",
  "page-limit": (limits) => stoppedAt(limits.pages === undefined ? "pagesPerHost" : "pages", limits),
  "depth-limit": (limits) => stoppedAt("depth", limits),
  "time-limit": (limits) => stoppedAt("timeMs", limits),
  "byte-limit": (limits) => stoppedAt("bytes", limits),
  interrupted: () => "was interrupted",
  "disk-full": () => "stopped because the disk was full",
  failed: () => "stopped because the disk, the proxy or the browser failed",
  imported: () => "was imported: another crawler fetched its pages",
};

function stoppedAt(name: keyof Limits, limits: Limits): string {
  const value = limits[name];
  return `stopped at its ${value === undefined ? limitTexts[name] : `limit of ${LIMITS[name](value)}`}`;
}

export interface ClosingSummary extends ProvedCoverage {
  readonly reason: StopReason;
  /** The most that can still be reached. */
  readonly ceiling: number;
  /** What sampling shows. */
  readonly sampled?: SampledClaim | undefined;
  /** Proved coverage of value. */
  readonly valued?: number | undefined;
  readonly pages: number;
  readonly loginWall?: LoginWall | undefined;
  readonly limits: Limits;
  /** Left out where it would have taken too long to compute. */
  readonly missing?: readonly MissingShare[] | undefined;
  /** What the universe leaves out. */
  readonly outside?: readonly ReasonShare[] | undefined;
}

/** What a crawl prints when it ends: why, how much is certainly covered, and what is missing. */
export function closingInWords(summary: ClosingSummary): string {
  const { reason, pages, loginWall, limits, missing, outside = [], sampled, valued, ceiling, ...proved } = summary;
  const coverage = Math.max(proved.coverage, sampled?.coverage ?? 0);
  const covered = { coverage: proved.coverage, ...(sampled === undefined ? {} : { sampled }) };
  const end = capitalised(reasonInWords(reason, limits, covered, missing ?? []).replace(/^was /, ""));
  const isDone = reason === "frontier-empty";
  const short = shortfallInWords({ coverage, ceiling, target: limits.coverage, isDone });
  const login = loginWall === undefined ? undefined : loginWallInWords(loginWall);
  if (pages === 0) {
    const why = isDone ? emptyInWords(missing ?? [], outside) : undefined;
    return sentences([`${end}: no page was fetched, so nothing is covered.`, login, why ?? short]);
  }
  // Behind a login page much may be missing.
  const isUnknown = missing === undefined || (login !== undefined && missing.length === 0);
  const rest = isUnknown ? undefined : missingInWords(missing);
  const shown = sampledBeyond(covered);
  const worth = valued === undefined ? undefined : valuedInWords(valued);
  return sentences([`${end}: ${coveredInWords(proved, pages)}.`, login, shown, worth, short, rest]);
}

interface Shortfall {
  readonly coverage: number;
  readonly ceiling: number;
  readonly target: number | undefined;
  /** Whether nothing is left to fetch. */
  readonly isDone: boolean;
}

/** That the target was not reached, and whether it can be; undefined where it was, or where there is none. */
export function shortfallInWords({ coverage, ceiling, target, isDone }: Shortfall): string | undefined {
  if (target === undefined || coverage >= target) return undefined;
  const which = `The target of ${targetInWords(target)}`;
  if (!isDone && ceiling >= target) return `${which} was not reached.`;
  const most = isDone ? undefined : ceilingInWords(ceiling);
  return `${which} cannot be reached${most === undefined ? "" : `: ${most}`}.`;
}

function sentences(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" ");
}

function capitalised(text: string): string {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}

function coveredInWords(proved: ProvedCoverage, pages: number): string {
  const strict = strictInWords(proved);
  const beside = strict === undefined ? "" : ` (${strict})`;
  const share = `${percentAtLeast(proved.coverage)} of ${wholeInWords(proved.universe)}`;
  return `${share} is certainly covered, by ${counted(pages, "page")}${beside}`;
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

/**
 * The life of a crawl as a dashboard sees it. A crawl in this process is `running`, `paused` or `stopping`.
 * `refreshing`: this process goes on reading it, new pages and known ones again. `elsewhere`: another process runs it.
 * `ended`: no process runs it. `earlier`: it is shown as it was known at an earlier moment, whatever has become of it
 * since.
 */
export type RunState = "running" | "paused" | "stopping" | "refreshing" | "elsewhere" | "ended" | "earlier";

export const runStateNames: Readonly<Record<RunState, string>> = {
  running: "Running",
  paused: "Paused",
  stopping: "Stopping",
  refreshing: "Refreshing",
  elsewhere: "Running elsewhere",
  ended: "Ended",
  earlier: "Earlier",
};

export interface RunView {
  readonly state: RunState;
  /** Why the last run ended; null if that is unknown. */
  readonly reason: StopReason | null;
  readonly limits: Limits;
  readonly status: Covered;
}

export function runInWords({ state, reason, limits, status }: RunView): string {
  switch (state) {
    case "running":
      return "The crawl is running.";
    case "paused":
      return "The crawl is paused. Requests in progress are completed.";
    case "stopping":
      return "The crawl is stopping. Requests in progress are completed.";
    case "refreshing":
      return "A refresh is running: it reads new pages, and known ones again.";
    case "elsewhere":
      return "Another process runs this crawl. This view reads its files.";
    case "ended":
      return endInWords(reason ?? "cut-off", limits, status);
    case "earlier":
      return "This is what was known at an earlier moment.";
  }
}

export interface OverviewWords extends RunView {
  readonly status: Pick<CrawlStatus, "coverage" | "strict" | "sampled" | "ceiling" | "pages" | "frontier">;
  readonly pagesPerSecond: number | null;
  readonly secondsLeft: number | null;
  readonly nextLimit: keyof Limits | null;
  readonly universe: "allowed" | "scope" | "web";
  readonly scope: string;
  readonly seeds: readonly unknown[];
}

export function headline({ status, state, universe }: Pick<OverviewWords, "status" | "state" | "universe">): string {
  const { pages, coverage, frontier } = status;
  if (pages === 0) {
    if (state !== "ended") return "No page has been fetched yet";
    return frontier === 0 ? "No page could be fetched" : "No page was fetched";
  }
  const whole = wholeInWords(universe);
  const covered =
    coverage === 1
      ? `All of ${whole}`.replace("All of all", "All")
      : `At least ${percentAtLeast(coverage)} of ${whole}`;
  return `${covered} is covered, by ${counted(pages, "page")}`;
}

/** What happens next at the current rate, or why nothing does; and what coverage is measured against. */
export function outlook(overview: OverviewWords, nowMs: number): string {
  const measure = measureInWords(overview);
  // A notice above all views says as of when they are.
  return overview.state === "earlier" ? measure : `${next(overview, nowMs)} ${measure}`;
}

/** The stricter number, for a line below the headline; undefined where it is the same, or nothing is covered. */
export function besideHeadline({ status, universe }: Pick<OverviewWords, "status" | "universe">): string | undefined {
  return status.pages === 0 ? undefined : strictInWords({ ...status, universe });
}

/**
 * That the target of a crawl is out of reach, why, and what to do about it; undefined where it is not. `missing` is
 * what is missing now.
 */
export function outOfReach(
  { status, limits }: Pick<OverviewWords, "status" | "limits">,
  missing: readonly ReasonShare[],
): string | undefined {
  const target = limits.coverage;
  if (target === undefined || status.ceiling >= target) return undefined;
  // What waits can still be had.
  const lost = missing.filter(({ reason, mass }) => reason !== "not-fetched" && mass > 0);
  const losses = lost.map(({ reason, mass }) => ({ reason, mass, url: null }));
  return `${capitalised(unreachableInWords({ target, ceiling: status.ceiling, losses }))}.`;
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
  const sooner = status.sampled === undefined ? "" : ", or earlier by sampling";
  return `At the current rate, the crawl reaches ${target} ${when}, at ${at}, with about ${pages} pages${sooner}.`;
}

/** Why nothing can be read of a crawl, by its directory. */
export function noPagesInWords(name: string): string {
  return `${name} has no pages yet`;
}

/** What coverage is measured over. */
export function measureInWords({
  universe,
  scope,
  seeds,
}: Pick<OverviewWords, "universe" | "scope" | "seeds">): string {
  return `Coverage is measured over ${wholeOf(universe, scope)}, as seen from ${counted(seeds.length, "seed")}.`;
}

function wholeOf(universe: OverviewWords["universe"], scope: string): string {
  if (universe === "allowed") return `all pages of ${scope} that exist and may be fetched`;
  if (universe === "web") return universeInWords(universe);
  return `all pages of ${scope}, forbidden and dead ones included (--universe scope)`;
}

/** Two digits: an estimate should look like one. */
function roundedPages(pages: number): number {
  return Number(pages.toPrecision(pages < 100 ? 1 : 2));
}
