/**
 * Seed selection: `greedy` compared with every method of the paper, for 1 to 10 seeds and 1 to 5 hops, on the benchmark
 * web and on every site of uci-ics if that is available. Counted: how often another method covers more (never, by
 * construction), how often plain greedy alone was best, and the CPU time of `greedy` compared with MAXWEIGHT(2). Values
 * are 1; with `spam`, one page in 50 has value -10 and one in 20 value 10.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { Random } from "../src/base/index.ts";
import { ArcsDecoder, type Graph, hostsOf, withoutSelfLinks } from "../src/graph/index.ts";
import { paperMethods, paperValues, selectSeeds, sitesOf } from "../src/seeds/index.ts";
import { cpuSeconds } from "./measure.ts";

export interface SeedFigures {
  readonly web: string;
  readonly cases: number;
  readonly otherCoversMore: number;
  /** Plain greedy was as good as any other method, before swaps. */
  readonly plainGreedyBest: number;
  readonly improvedBySwaps: number;
  readonly provedGreedy: number;
  /** The value relative to that of the paper's best method, averaged over cases. */
  readonly gainOverBestPaperMethod: number;
  readonly greedySeconds: number;
  readonly maxWeight2Seconds: number;
  /** The ratio of total times, and that of the worst case of at least a millisecond. */
  readonly timeRatio: number;
  readonly timeRatioWorst: number;
}

export function benchSeeds(graph: Graph, { tiny }: { readonly tiny: boolean }): SeedFigures[] {
  const counts = tiny ? [3] : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const hops = tiny ? [1, 2] : [1, 2, 3, 4, 5];
  const figures = [false, true].map((spam) => compare("bench web", [graph], { counts, hops, spam }));
  const sites = tiny ? [] : uciSites();
  if (sites.length === 0) return figures;
  return [
    ...figures,
    ...[false, true].map((spam) => compare(`${sites.length} sites of uci-ics`, sites, { counts, hops, spam })),
  ];
}

interface Grid {
  readonly counts: readonly number[];
  readonly hops: readonly number[];
  readonly spam: boolean;
}

function compare(web: string, graphs: readonly Graph[], grid: Grid): SeedFigures {
  const totals = { cases: 0, otherCoversMore: 0, plainGreedyBest: 0, improvedBySwaps: 0, provedGreedy: 0 };
  let gains = 0;
  let greedySeconds = 0;
  let maxWeight2Seconds = 0;
  let timeRatioWorst = 0;
  for (const graph of graphs) {
    const values = valuesOf(graph, grid.spam);
    for (const hops of grid.hops) {
      for (const count of grid.counts.filter((each) => each <= graph.pages)) {
        const problem = { graph, values, count, hops };
        let best = Number.NEGATIVE_INFINITY;
        let own = 0;
        for (const method of paperMethods) {
          const seconds = cpuSeconds(() => {
            best = Math.max(best, selectSeeds(problem, { method }).covered.value);
          });
          if (method === "maxweight") own = seconds;
        }
        let selection = selectSeeds({ graph, count: 1, hops: 1 }, { method: "random" });
        const seconds = cpuSeconds(() => void (selection = selectSeeds(problem, { method: "greedy" })));
        const { covered, greedy } = selection;
        totals.cases++;
        if (best > Math.max(0, covered.value) * (1 + 1e-12)) totals.otherCoversMore++;
        if (greedy!.winner === "greedy") totals.plainGreedyBest++;
        if (greedy!.swapGain > 0) totals.improvedBySwaps++;
        if (greedy!.isProved) totals.provedGreedy++;
        gains += best > 0 ? covered.value / best - 1 : 0;
        greedySeconds += seconds;
        maxWeight2Seconds += own;
        if (own >= 1e-3) timeRatioWorst = Math.max(timeRatioWorst, seconds / own);
      }
    }
  }
  return {
    web: grid.spam ? `${web}, with spam and clicks` : web,
    ...totals,
    gainOverBestPaperMethod: gains / totals.cases,
    greedySeconds,
    maxWeight2Seconds,
    timeRatio: greedySeconds / maxWeight2Seconds,
    timeRatioWorst,
  };
}

function valuesOf({ pages }: Graph, spam: boolean): Float64Array {
  const random = new Random(1);
  const drawn = (chance: number) =>
    Array.from({ length: pages }, (_, page) => page).filter(() => random.float() < chance);
  return paperValues({ pages, ...(spam ? { spam: drawn(1 / 50), clicked: drawn(1 / 20) } : {}) });
}

function uciSites(): Graph[] {
  const data = resolve(process.env["TIDEMARK_SHARED"] ?? "../shared", "data");
  if (!existsSync(`${data}/uci-ics.arcs.gz`)) return [];
  const urls = gunzipSync(readFileSync(`${data}/uci-ics.urls.gz`))
    .toString()
    .trim()
    .split("\n");
  const decoder = new ArcsDecoder({ pages: urls.length });
  decoder.push(gunzipSync(readFileSync(`${data}/uci-ics.arcs.gz`)));
  return [...sitesOf(withoutSelfLinks(decoder.finish()), hostsOf(urls))].map((site) => site.graph);
}
