/** What a crawl says before it begins: how far it goes, until when, and what coverage means from now on. */
import { counted, percent, percentAtLeast } from "../../base/index.ts";
import type { Seed } from "../../crawl/index.ts";
import { Scope } from "../../web/index.ts";
import type { CrawlPlan } from "./plan.ts";

type Announced = Pick<CrawlPlan, "dir" | "isResumed" | "settings">;

export function openingSentence({ dir, isResumed, settings: { limits, web } }: Announced): string {
  const { coverage, pages, depth, pagesPerHost, timeMs, bytes } = limits;
  const bounds = [
    new Scope(web.scope).describe(),
    ...(depth === undefined ? [] : [`at most ${counted(depth, "link")} from a seed`]),
    ...(pagesPerHost === undefined ? [] : [`at most ${counted(pagesPerHost, "page")} of a host`]),
  ];
  const stops = [
    ...(coverage === undefined ? [] : [`${percentAtLeast(coverage)} of all importance is certainly covered`]),
    ...(pages === undefined ? [] : [`${counted(pages, "page")} ${pages === 1 ? "is" : "are"} fetched`]),
    ...(timeMs === undefined ? [] : ["its time is up"]),
    ...(bytes === undefined ? [] : ["its bytes are used up"]),
  ];
  const until = stops.length === 0 ? "nothing is left to fetch" : stops.join(", or ");
  return `${isResumed ? "going on with the" : "a new"} crawl in ${dir}: ${bounds.join(", ")}, until ${until}`;
}

const SEEDS_NAMED = 3;

/** Where a crawl goes on with other seeds than it had: coverage means something else then. */
export function trustSentence({
  seedsBefore,
  settings: { seeds },
}: Pick<CrawlPlan, "seedsBefore" | "settings">): string | undefined {
  if (seedsBefore === undefined || JSON.stringify(seedsBefore) === JSON.stringify(seeds)) return undefined;
  return `trust is now on ${named(seeds)}, was on ${named(seedsBefore)}: coverage is measured from the new seeds`;
}

function named(seeds: readonly Seed[]): string {
  const isEven = seeds.every(({ weight }) => weight === seeds[0]?.weight);
  const names = seeds
    .slice(0, SEEDS_NAMED)
    .map(({ url, weight }) => (isEven ? url : `${url} (${percent(weight)})`));
  const more = seeds.length - names.length;
  return [...names, ...(more > 0 ? [counted(more, "more seed")] : [])].join(", ") || "nothing";
}
