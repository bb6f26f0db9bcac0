/** What a crawl prints at its start and at its end. */
import {
  counted,
  FailureError,
  formatCount,
  formatSeconds,
  formatPercent,
  percentAtLeast,
  shellWord,
} from "../../base/index.ts";
import { hasTexts } from "../../content/index.ts";
import type { RequisiteCounts, Seed } from "../../crawl/index.ts";
import { reading } from "../../store/index.ts";
import {
  closingInWords,
  emptyInWords,
  type NextStep,
  nextSteps,
  targetInWords,
  universeInWords,
  wholeInWords,
} from "../../text/index.ts";
import { hostOfUrl, Scope } from "../../web/index.ts";
import { programName, wrapped } from "../terminal/layout.ts";
import { answerStyle } from "../terminal/terminal.ts";
import type { CrawlPlan } from "./plan.ts";
import type { CrawlResult } from "./run.ts";

/** What the crawl is about to do: how far it goes, and when it stops. */
export function openingSentence({
  dir,
  isResumed,
  isRestarted,
  settings,
}: Pick<CrawlPlan, "dir" | "isResumed" | "isRestarted" | "settings">): string {
  const { limits, web, confidence } = settings;
  const { coverage, pages, depth, pagesPerHost, timeMs, bytes } = limits;
  const bounds = [
    new Scope(web.scope).describe(),
    ...(depth === undefined ? [] : [`at most ${counted(depth, "link")} from a seed`]),
    ...(pagesPerHost === undefined ? [] : [`at most ${counted(pagesPerHost, "page")} per host`]),
  ];
  const sampled = confidence === undefined ? "" : `, or shown by sampling with confidence ${targetInWords(confidence)}`;
  const stops = [
    ...(coverage === undefined
      ? []
      : [`${percentAtLeast(coverage)} of ${wholeInWords(web.universe)} is certainly covered${sampled}`]),
    ...(pages === undefined ? [] : [`${counted(pages, "page")} ${pages === 1 ? "is" : "are"} fetched`]),
    ...(bytes === undefined ? [] : ["its byte limit is reached"]),
  ];
  const until = `until ${stops.join(", or ") || "nothing is left to fetch"}`;
  const time = timeMs === undefined ? [] : [`for at most ${formatSeconds(timeMs / 1000)}`];
  // A crawl that was made before there was a choice keeps what it was measured over.
  const measured = web.universe === "allowed" ? "" : `; coverage is measured over ${universeInWords(web.universe)}`;
  const kind = isResumed ? "resuming the" : isRestarted ? "starting anew, since nothing was fetched, the" : "new";
  return `${kind} crawl in ${dir}: ${[...bounds, until, ...time].join(", ")}${measured}`;
}

/** Before a crawl with workers: why some of them will have nothing to do, if the scope tells. */
export function idleWorkersAhead({ web: { scope } }: CrawlPlan["settings"], workers: number): string | undefined {
  if (scope.kind === "domain" || scope.kind === "any") return undefined;
  return idleWorkers(workers, new Set(scope.seeds.map(hostOfUrl)).size, "the scope has");
}

/** After a crawl with workers: the same, by the hosts that it met. */
export function idleWorkersInHindsight({ end }: CrawlResult, workers: number): string | undefined {
  return idleWorkers(workers, end.status.hosts, "the crawl met");
}

function idleWorkers(workers: number, hosts: number, has: string): string | undefined {
  if (hosts === 0 || hosts >= workers) return undefined;
  const enough = hosts === 1 ? "--workers does not help" : `${hosts} workers would do`;
  return `${enough}: each host is crawled by one worker, and ${has} ${counted(hosts, "host")}`;
}

const SEEDS_NAMED = 3;

type Changes = Pick<CrawlPlan, "before" | "settings">;

/** For a crawl that is resumed with other seeds: coverage has another meaning then. */
export function trustSentence({ before, settings: { seeds } }: Changes): string | undefined {
  if (before === undefined || JSON.stringify(before.seeds) === JSON.stringify(seeds)) return undefined;
  return `the seeds are now ${named(seeds)}; they were ${named(before.seeds)}: coverage is measured from the new seeds`;
}

/** For a crawl that is resumed and keeps more of pages than before: those that are there already lack it. */
export function keptFromNowOn({ before, settings }: Changes): string | undefined {
  if (before === undefined) return undefined;
  const { texts = [] } = settings;
  const added = [
    ...(settings.anchors === true && before.anchors !== true ? ["--anchors"] : []),
    ...(settings.nearDuplicates === true && before.nearDuplicates !== true ? ["--near-duplicates"] : []),
    ...(texts.some((form) => before.texts?.includes(form) !== true) ? [`--store ${texts.join(",")}`] : []),
    ...(settings.network.warc && !before.network.warc ? ["--warc"] : []),
  ];
  if (added.length === 0) return undefined;
  return (
    `${added.join(" ")} ${added.length === 1 ? "holds" : "hold"} for pages fetched from now on; for all of ` +
    "them start a new crawl in another --dir"
  );
}

function named(seeds: readonly Seed[]): string {
  const isEven = seeds.every(({ weight }) => weight === seeds[0]?.weight);
  const names = seeds
    .slice(0, SEEDS_NAMED)
    .map(({ url, weight }) => (isEven ? url : `${url} (${formatPercent(weight)})`));
  const more = seeds.length - names.length;
  return [...names, ...(more > 0 ? [counted(more, "more seed")] : [])].join(", ") || "none";
}

export function summary(
  { dir, isResumed, settings }: CrawlPlan,
  { end, missing, outside, requisites, ...proved }: CrawlResult,
): object {
  const { coverage, strict, valued, ceiling, sampled } = proved;
  const { pages, failed, bytes, elapsedMs, frontier, dead, redirects, refused, retries, known, hosts } = end.status;
  const { loginWall } = end.status;
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
  return {
    ...outcome,
    ...claims,
    dir,
    resumed: isResumed,
    ...counts,
    order: settings.order,
    universe,
    missing,
    outside,
    ...(loginWall === undefined ? {} : { loginWall }),
    ...(requisites === undefined ? {} : { requisites }),
  };
}

/**
 * The end of a crawl for people, with commands that make sense next: none where this process goes on by itself. With
 * `runFlags` the crawl is resumed as it was.
 */
export async function closingText(
  { dir, settings }: CrawlPlan,
  { end, limits, requisites, ...proved }: CrawlResult,
  { goesOn, runFlags }: { readonly goesOn: boolean; readonly runFlags: string },
): Promise<string> {
  const { reason, status } = end;
  const about = { reason, limits, ...proved, universe: settings.web.universe };
  const closing = [
    closingInWords({ ...about, pages: status.pages, loginWall: status.loginWall }),
    ...requisitesInWords(requisites),
  ].join(" ");
  const text = wrapped(closing, answerStyle());
  if (goesOn) return text;
  const searchable = await reading(dir, (store) => hasTexts(dir, store));
  const steps = nextSteps({ ...about, dir: shellWord(dir), status, searchable, runFlags });
  return `${text}\n${stepsText(steps)}`;
}

/** Commands to type, one per line. */
export function stepsText(steps: readonly NextStep[]): string {
  return steps.map(({ command, purpose }) => `  ${programName()} ${command}   # ${purpose}\n`).join("");
}

function requisitesInWords(requisites: RequisiteCounts | undefined): string[] {
  if (requisites === undefined) return [];
  const { fetched, dead, forbidden, left } = requisites;
  const others = [
    ...(dead === 0 ? [] : [`${formatCount(dead)} dead`]),
    ...(forbidden === 0 ? [] : [`${formatCount(forbidden)} forbidden`]),
    ...(left === 0 ? [] : [`${formatCount(left)} failed and left to the next run with --requisites`]),
  ];
  return [
    `Of what archived pages need to be shown, ${[`${counted(fetched, "more file")} stored`, ...others].join(", ")}.`,
  ];
}

/** Throws if the disk ended the crawl, or if no page could be fetched. */
export function expectSuccess(
  { dir }: CrawlPlan,
  { end, missing = [], outside = [] }: CrawlResult,
  runFlags = "",
): void {
  const { error, reason, status } = end;
  if (error !== undefined) {
    throw new FailureError(
      `${error.message}; everything that was reported is stored (${counted(status.pages, "page")}). ` +
        `Fix this, then resume: ${programName()} crawl --dir ${shellWord(dir)}${runFlags}`,
    );
  }
  if (status.pages > 0 || reason !== "frontier-empty") return;
  // The closing text has said why nothing may be fetched.
  const why = emptyInWords(missing, outside) === undefined ? ": see above what happened to the seeds" : "";
  throw new FailureError(`no page could be fetched${why}`);
}
