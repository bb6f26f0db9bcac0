/** What a crawl prints at its start and at its end. */
import { counted, FailureError, formatSeconds, formatPercent, percentAtLeast } from "../../base/index.ts";
import type { MissingShare } from "../../coverage/index.ts";
import type { CrawlStatus, Limits, Seed, StopReason } from "../../crawl/index.ts";
import { closingInWords, wholeInWords } from "../../text/index.ts";
import { Scope } from "../../web/index.ts";
import { programName, shellWord, wrapped } from "../terminal/layout.ts";
import { answerStyle } from "../terminal/terminal.ts";
import type { CrawlPlan } from "./plan.ts";
import type { CrawlResult } from "./run.ts";

/** What the crawl is about to do: how far it goes, and when it stops. */
export function openingSentence({
  dir,
  isResumed,
  settings,
}: Pick<CrawlPlan, "dir" | "isResumed" | "settings">): string {
  const { limits, web } = settings;
  const { coverage, pages, depth, pagesPerHost, timeMs, bytes } = limits;
  const bounds = [
    new Scope(web.scope).describe(),
    ...(depth === undefined ? [] : [`at most ${counted(depth, "link")} from a seed`]),
    ...(pagesPerHost === undefined ? [] : [`at most ${counted(pagesPerHost, "page")} per host`]),
  ];
  const stops = [
    ...(coverage === undefined
      ? []
      : [`${percentAtLeast(coverage)} of ${wholeInWords(web.universe)} is certainly covered`]),
    ...(pages === undefined ? [] : [`${counted(pages, "page")} ${pages === 1 ? "is" : "are"} fetched`]),
    ...(bytes === undefined ? [] : ["its byte limit is reached"]),
  ];
  const until = `until ${stops.join(", or ") || "nothing is left to fetch"}`;
  const time = timeMs === undefined ? [] : [`for at most ${formatSeconds(timeMs / 1000)}`];
  return `${isResumed ? "resuming the" : "new"} crawl in ${dir}: ${[...bounds, until, ...time].join(", ")}`;
}

const SEEDS_NAMED = 3;

/** For a crawl that is resumed with other seeds: coverage has another meaning then. */
export function trustSentence(plan: Pick<CrawlPlan, "seedsBefore" | "settings">): string | undefined {
  const { seedsBefore, settings } = plan;
  const { seeds } = settings;
  if (seedsBefore === undefined || JSON.stringify(seedsBefore) === JSON.stringify(seeds)) return undefined;
  return `the seeds are now ${named(seeds)}; they were ${named(seedsBefore)}: coverage is measured from the new seeds`;
}

function named(seeds: readonly Seed[]): string {
  const isEven = seeds.every(({ weight }) => weight === seeds[0]?.weight);
  const names = seeds
    .slice(0, SEEDS_NAMED)
    .map(({ url, weight }) => (isEven ? url : `${url} (${formatPercent(weight)})`));
  const more = seeds.length - names.length;
  return [...names, ...(more > 0 ? [counted(more, "more seed")] : [])].join(", ") || "none";
}

export function summary({ dir, isResumed, settings }: CrawlPlan, { end, missing, ...proved }: CrawlResult): object {
  const { coverage, strict, valued, ceiling, sampled } = proved;
  const { pages, failed, bytes, elapsedMs, frontier, dead, redirects, refused, retries, known, hosts } = end.status;
  const outcome = {
    reason: end.reason,
    pages,
    failed,
    bytes,
    seconds: elapsedMs / 1000,
    coverage,
    strict,
    ...(valued === undefined ? {} : { valued }),
    ceiling,
    frontier,
  };
  const counts = { dead, redirects, refused, retries, known, hosts };
  const { universe } = settings.web;
  const claims = { ...(sampled === undefined ? {} : { sampled }), ...(end.by === undefined ? {} : { by: end.by }) };
  return { ...outcome, ...claims, dir, resumed: isResumed, ...counts, order: settings.order, universe, missing };
}

/** The end of a crawl for people, with commands that make sense next. */
export function closingText({ dir, settings }: CrawlPlan, { end, limits, ...proved }: CrawlResult): string {
  const { reason, status } = end;
  const about = { reason, limits, ...proved, universe: settings.web.universe };
  const steps = nextSteps({ ...about, dir: shellWord(dir), status });
  const lines = steps.map((step) => `  ${programName()} ${step}\n`);
  return `${wrapped(closingInWords({ ...about, pages: status.pages }), answerStyle())}\n${lines.join("")}`;
}

/** Throws if the disk ended the crawl, or if no page could be fetched. */
export function expectSuccess({ dir }: CrawlPlan, { end: { error, reason, status } }: CrawlResult): void {
  if (error !== undefined) {
    throw new FailureError(
      `${error.message}; everything that was reported is stored (${counted(status.pages, "page")}). ` +
        `Fix this, then resume: ${programName()} crawl --dir ${shellWord(dir)}`,
    );
  }
  if (status.pages > 0 || reason !== "frontier-empty") return;
  throw new FailureError("no page could be fetched: see above what happened to the seeds");
}

export interface WhereItStands {
  readonly reason: StopReason;
  readonly limits: Limits;
  /** As a shell reads it. */
  readonly dir: string;
  readonly status: Pick<CrawlStatus, "pages" | "bytes" | "frontier">;
  readonly coverage: number;
  readonly ceiling: number;
  readonly missing?: readonly MissingShare[] | undefined;
}

/** Commands to go on with: none that would fetch nothing, none whose target is unreachable. */
export function nextSteps(where: WhereItStands): string[] {
  const { dir, status, missing } = where;
  const more = status.frontier === 0 ? undefined : wayToMore(where);
  const isAnythingMissing = missing === undefined || missing.some(({ mass }) => mass > 0);
  return [
    ...(more === undefined ? [] : [`crawl --dir ${dir}${more}`]),
    ...(status.pages > 0 && isAnythingMissing ? [`coverage ${dir}   # what is missing`] : []),
    ...(status.pages > 0 ? [`export ${dir} --format csv --out pages.csv   # the pages as a table`] : []),
  ];
}

/** The options of a command that fetches more; undefined where none would. */
function wayToMore(where: WhereItStands): string | undefined {
  const { reason, limits, status } = where;
  switch (reason) {
    case "frontier-empty":
      return undefined;
    case "coverage-reached": {
      const level = levelAbove(where);
      return level === undefined ? undefined : ` --coverage ${level}   # cover more`;
    }
    case "page-limit":
      return limits.pages !== undefined && status.pages >= limits.pages
        ? ` --max-pages ${2 * Math.max(limits.pages, status.pages)}   # fetch more`
        : ` --max-pages-per-host ${2 * (limits.pagesPerHost ?? 1)}   # fetch more per host`;
    case "byte-limit":
      return ` --max-bytes ${2 * Math.max(limits.bytes ?? 1, status.bytes)}   # fetch more`;
    case "depth-limit":
      return ` --max-depth ${(limits.depth ?? 0) + 1}   # go deeper`;
    default:
      return "   # resume";
  }
}

/** Halfway from what is covered to what can be reached. Undefined where that is next to nothing. */
function levelAbove({ limits, coverage, ceiling }: WhereItStands): number | undefined {
  const reached = Math.max(limits.coverage ?? 0, coverage);
  const level = Math.floor(1e4 * (reached + (ceiling - reached) / 2) + 1e-6) / 1e4;
  return level > reached ? level : undefined;
}
