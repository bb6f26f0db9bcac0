/** A community in a graph that is the whole web: scores of its frontier, and FINDGLOBALPR with the truth beside it. */
import { counted, formatSeconds, systemClock } from "../../base/index.ts";
import {
  checkLocal,
  type Distances,
  distancesBetween,
  findGlobalPagerank,
  frontierOf,
  impacts,
  restrictedTo,
} from "../../community/index.ts";
import { pagerank, topPages } from "../../rank/index.ts";
import type { Answer } from "../options/command.ts";
import { renderTable } from "../terminal/table.ts";
import type { Terminal, TextStyle } from "../terminal/terminal.ts";
import { impactTable, listed, writeLines } from "./pages.ts";
import { communityOf } from "./survey.ts";
import type { CommunityOptions, World } from "./world.ts";

/** The scores of the first round: of every page that the community links to, best first. */
export async function scores(world: World, local: Uint32Array, options: CommunityOptions): Promise<Answer> {
  const { damping, levels } = options;
  const own = world.crawl === undefined ? local : communityOf(world.crawl.downloaded, local, options.local);
  const { pages, sc, pf, outlinks } = frontierOf({ web: world.web, local: own, damping, levels });
  const order = pages.length === 0 ? new Uint32Array(0) : topPages(sc, pages.length);
  const lines = Array.from(order, (c) => ({ id: pages[c], sc: sc[c], pf: pf[c], outlinks: outlinks[c] }));
  const shown = lines.slice(0, options.top);
  const urls = await world.urlsOf(shown.map(({ id }) => id));
  return {
    document: { scores: lines },
    text: (style) =>
      renderTable(
        [
          { title: "page", kind: "text" },
          { title: "sc", kind: "text", importance: 4 },
          { title: "pf", kind: "text", importance: 3 },
          { title: "links", kind: "count", importance: 2 },
          ...(urls === undefined ? [] : [{ title: "url", kind: "text", importance: 1 } as const]),
        ],
        shown.map((line) => [
          String(line.id),
          line.sc.toPrecision(6),
          line.pf.toPrecision(6),
          line.outlinks,
          urls?.get(line.id) ?? null,
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
  local: Uint32Array,
  options: CommunityOptions,
  { progress, note }: Terminal,
): Promise<Answer> {
  const { web } = world;
  const { select, damping, levels, seed, rounds = 50 } = options;
  checkLocal(local, web.pages);
  const pagesPerRound = options.pages ?? Math.ceil((2 * local.length) / rounds);
  const global = pagerank(web, {
    damping,
    dangling: "uniform",
    stopping: { tolerance: 1e-12 },
    progress,
  }).ranks;
  const truth = restrictedTo(local, global);
  const watch = new Stopwatch();
  const distances: Round[] = [];
  const estimates: Float64Array[] = [];
  const run = findGlobalPagerank({ web, local, select, rounds, pagesPerRound, damping, levels, seed });
  for (let step = watch.run(() => run.next()); step.done !== true; step = watch.run(() => run.next())) {
    const { round, crawled, ranks } = step.value;
    progress({ task: "crawling", done: round, total: rounds, unit: "rounds" });
    distances.push({ crawled: crawled.length, ...distancesBetween(ranks, truth) });
    estimates.splice(1, 1, ranks);
  }
  const [{ crawled: _, ...initial }, ...after] = distances as [Round, ...Round[]];
  if (after.length < rounds) {
    note(
      `nothing was left to crawl after ${counted(after.length, "round")}: ` +
        "every page that can be reached from the community is known",
    );
  }
  if (options.out !== undefined) {
    await writeLines(options.out, world, local, [estimates[0], estimates.at(-1)!, truth]);
  }
  const impact = await listed(world, impacts(web, local, global), options.top);
  return {
    document: {
      local: local.length,
      select,
      pages: pagesPerRound,
      damping,
      dangling: "uniform",
      levels: levels ?? null,
      initial,
      rounds: after,
      seconds: watch.seconds,
      impact: impact.map(({ value, ...page }) => ({ ...page, impact: value })),
    },
    text: (style) =>
      roundsTable(distances, style) +
      `\n${counted(local.length, "local page")}, ${formatSeconds(watch.seconds)}; ` +
      "distances are to the PageRank in the whole graph.\n" +
      impactTable(impact, style),
  };
}

/** Measures the algorithm alone: neither the truth nor the distances to it. */
class Stopwatch {
  seconds = 0;

  run<T>(work: () => T): T {
    const startMs = systemClock.nowMs();
    const result = work();
    this.seconds += (systemClock.nowMs() - startMs) / 1000;
    return result;
  }
}

function roundsTable(rounds: readonly Round[], style: TextStyle): string {
  return renderTable(
    [
      { title: "crawled", kind: "count" },
      { title: "L1", kind: "text", importance: 3 },
      { title: "L-infinity", kind: "text", importance: 1 },
      { title: "Kendall", kind: "text", importance: 2 },
    ],
    rounds.map(({ crawled, l1, linf, kendall }) => [
      crawled,
      l1.toFixed(6),
      linf.toFixed(6),
      Number.isNaN(kendall) ? null : kendall.toFixed(4),
    ]),
    style,
  );
}
