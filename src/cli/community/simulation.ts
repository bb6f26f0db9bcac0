/** A community in a graph that is the whole web: scores of its frontier, and FINDGLOBALPR compared with the truth. */
import { counted, formatCount, formatSeconds, systemClock } from "../../base/index.ts";
import {
  checkLocal,
  type Distances,
  distancesBetween,
  type EstimateChoice,
  findGlobalPagerank,
  frontierOf,
  type GlobalEstimate,
  impacts,
  restrictedTo,
} from "../../community/index.ts";
import { pagerank, topPages } from "../../rank/index.ts";
import { urlsOfPages } from "../input/urls.ts";
import type { Output } from "../options/command.ts";
import { writePageValues } from "../output/output-file.ts";
import { column, renderTable, type TextStyle } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { communityOf } from "./survey.ts";
import { type CommunityOptions, greatestImpacts, impactTable, type NamedOptions, type World } from "./world.ts";

/** The scores of the first round: of every page that the community links to, best first. */
export async function scores({ web, crawl, local, urls }: World, options: NamedOptions): Promise<Output> {
  const { damping, levels } = options;
  const own = crawl === undefined ? local : communityOf(crawl.downloaded, local, options.local);
  const { pages, sc, pf, outlinks, leak } = frontierOf({ web, local: own, damping, levels });
  const order = pages.length === 0 ? new Uint32Array(0) : topPages(sc, pages.length);
  const lines = Array.from(order, (c) => {
    return { id: pages[c], sc: sc[c], pf: pf[c], outlinks: outlinks[c], leak: leak[c] };
  });
  const shown = lines.slice(0, options.top);
  const urlOf = await urlsOfPages(urls, new Set(shown.map(({ id }) => id)));
  return {
    document: { scores: lines },
    text: (style) =>
      renderTable(
        [
          column("page"),
          column("sc", 4),
          column("pf", 3),
          column("links", 2, "count"),
          column("leak", 2),
          ...(urls === undefined ? [] : [column("url", 1)]),
        ],
        shown.map((line) => [
          String(line.id),
          line.sc.toPrecision(6),
          line.pf.toPrecision(6),
          line.outlinks,
          line.leak.toPrecision(6),
          urlOf.get(line.id) ?? null,
        ]),
        style,
      ) + `\n${counted(lines.length, "page")} at the frontier of ${counted(own.length, "local page")}.\n`,
  };
}

interface Round extends Distances {
  /** Pages crawled so far. */
  readonly crawled: number;
}

export async function simulateCommunity(
  world: World,
  options: CommunityOptions,
  { progress, note }: Terminal,
): Promise<Output> {
  const { web, local, urls } = world;
  const { select = "auto", damping, levels, seed, fullDegrees = false, rounds = 50 } = options;
  checkLocal(local, web.pages);
  const pagesPerRound = options.pages ?? Math.ceil((2 * local.length) / rounds);
  const stopping = { tolerance: 1e-12 };
  const global = pagerank(web, { damping, dangling: "uniform", stopping, progress }).ranks;
  const truth = restrictedTo(local, global);
  const distances: Round[] = [];
  const estimates: GlobalEstimate[] = [];
  const run = findGlobalPagerank({ web, local, select, rounds, pagesPerRound, damping, levels, seed, fullDegrees });
  // Only the algorithm is timed: neither the truth nor the distances to it.
  let seconds = 0;
  for (;;) {
    const startMs = systemClock.nowMs();
    const step = run.next();
    seconds += (systemClock.nowMs() - startMs) / 1000;
    if (step.done === true) break;
    const { round, crawled, ranks } = step.value;
    progress({ task: "crawling", done: round, total: rounds, unit: "rounds" });
    distances.push({ crawled: crawled.length, ...distancesBetween(ranks, truth) });
    estimates.splice(1, 1, step.value);
  }
  const [{ crawled: _, ...initial }, ...after] = distances as [Round, ...Round[]];
  if (after.length < rounds) {
    note(
      `nothing was left to crawl after ${counted(after.length, "round")}: ` +
        "every page that can be reached from the community is known",
    );
  }
  if (options.out !== undefined) {
    const columns = [estimates[0].ranks, estimates.at(-1)!.ranks, truth];
    await writePageValues(options.out, { pages: local, columns, urls: await urlsOfPages(urls, local) });
  }
  const impact = await greatestImpacts(world, impacts(web, local, global), options.top);
  const { choice } = estimates.at(-1)!;
  return {
    document: {
      local: local.length,
      select,
      pages: pagesPerRound,
      damping,
      dangling: "uniform",
      levels: levels ?? null,
      fullDegrees,
      choice,
      initial,
      rounds: after,
      seconds,
      impact: impact.map(({ value, ...page }) => ({ ...page, impact: value })),
    },
    text: (style) =>
      roundsTable(distances, style) +
      `\n${counted(local.length, "local page")}, ${formatSeconds(seconds)}; ` +
      "distances are to the PageRank in the whole graph.\n" +
      (choice === undefined ? "" : choiceSentence(choice)) +
      impactTable(impact, style),
  };
}

export function choiceSentence({ weight, hidden }: EstimateChoice): string {
  const part = `${formatCount(100 * weight)}%`;
  const assumed = "the pages that were not crawled are assumed to link as the random ones do";
  if (weight === 0) return "The estimate is the rank among the crawled pages alone.\n";
  return `In ${part} of the estimate, ${assumed}; chosen by hiding ${counted(hidden, "page")}.\n`;
}

function roundsTable(rounds: readonly Round[], style: TextStyle): string {
  return renderTable(
    [column("crawled", 0, "count"), column("L1", 3), column("L-infinity", 1), column("Kendall", 2)],
    rounds.map(({ crawled, l1, linf, kendall }) => [
      crawled,
      l1.toFixed(6),
      linf.toFixed(6),
      Number.isNaN(kendall) ? null : kendall.toFixed(4),
    ]),
    style,
  );
}
