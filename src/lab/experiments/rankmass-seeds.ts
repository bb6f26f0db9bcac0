/**
 * RankMass, Figures 9 and 10: how many seeds. The trust of a page is its uniform PageRank. A crawl can be seeded with
 * the most trusted pages only; the trust of the others exists, but is unseeded.
 */
import { formatCount, formatCoverage, noProgress } from "../../base/index.ts";
import { pagerank, topPages } from "../../rank/index.ts";
import { coverageChart, type ClaimVerdict } from "../exhibits.ts";
import { trueRanks } from "../simulate.ts";
import type { SimulationRun } from "../simulation.ts";
import {
  columnsByTitle,
  downloadsTo,
  type Experiment,
  type ExperimentInput,
  runOrders,
  solidCurves,
  verdict,
} from "./experiment.ts";

const SEED_COUNTS = [160, 1600, 16_000];

export const figure9: Experiment = {
  name: "rankmass-figure9",
  title: "RankMass, Figure 9: overall trust of the seeds by their number",
  ownTrust: true,
  run(input) {
    const { pages, trust } = trustByPageRank(input);
    const thousandth = Math.max(1, Math.round(pages.length / 1000));
    const points: [number, number][] = [];
    let total = 0;
    let share = 0;
    for (let count = 1; count <= pages.length; count++) {
      total += trust[pages[count - 1]];
      if (count === thousandth) share = total;
      if (isSampled(count) || count === pages.length) points.push([count, Math.min(1, total)]);
    }
    return {
      paragraphs: ["The paper adds up the trust of the most trusted pages, where trust is distributed as PageRank is."],
      charts: [
        {
          title: "Overall trust of the seeds",
          description: "The total trust of the most trusted pages, by their number.",
          groupLabel: "Trust",
          x: { label: "Seeds", kind: "count", scale: "log" },
          y: { label: "Trust", kind: "coverage", scale: "linear" },
          series: solidCurves("trust", [["PageRank", points]]),
        },
      ],
      verdicts: [
        verdict(
          "The most trusted 0.1% of all pages hold more than 99% of all trust.",
          `Here the first ${formatCount(thousandth)} pages (0.1%) hold ${formatCoverage(share)}.`,
          share > 0.99,
        ),
      ],
    };
  },
};

export const figure10: Experiment = {
  name: "rankmass-figure10",
  title: "RankMass, Figure 10: coverage by the number of seeds",
  ownTrust: true,
  run(input) {
    const { pages, trust: all } = trustByPageRank(input);
    const truth = trueRanks(input.graph, all, input.damping, input.progress);
    const counts = SEED_COUNTS.filter((count) => count <= input.graph.pages);
    const seeds = counts.map((count) => Array.from(pages.subarray(0, count), (page) => [page, all[page]] as const));
    const runs = seeds.flatMap((trust) => runOrders({ ...input, trust, trueRanks: truth }, [{ order: "lneighbor" }]));
    const names = counts.map((count) => `${formatCount(count)} seeds`);
    return {
      paragraphs: [
        "The paper runs L-Neighbor from the 160, 1,600 and 16,000 most trusted pages, where trust is distributed as " +
          "PageRank is, and compares guaranteed and actual coverage. Here trust outside the seeds is on pages of the " +
          "same graph. The guarantee is (C7), since Theorem 3 of the paper is no bound if pages without links " +
          "restart the surfer.",
      ],
      charts: [
        coverageChart(runs, { title: "Actual coverage", measures: ["actual"], names }),
        coverageChart(runs, { title: "Guaranteed coverage", measures: ["guaranteed"], names }),
      ],
      tables: [
        {
          heading: "By number of seeds",
          table: {
            columns: columnsByTitle({
              seeds: "text",
              "their trust": "coverage",
              "guaranteed at the end": "coverage",
              "downloads to actual 0.9": "count",
              "downloads to actual 0.98": "count",
            }),
            rows: runs.map((run, i) => [
              names[i],
              seeds[i].reduce((sum, [, weight]) => sum + weight, 0),
              run.final.guaranteed,
              run.actual["0.9"] ?? null,
              run.actual["0.98"] ?? null,
            ]),
          },
        },
      ],
      verdicts: verdictsOn(runs, names),
      runs,
    };
  },
};

function verdictsOn(runs: readonly SimulationRun[], names: readonly string[]): ClaimVerdict[] {
  const finals = runs.map(({ final }) => final.guaranteed ?? 0);
  const needed = runs.map((run) => run.actual["0.9"]);
  const actual = needed.map((each) => each ?? Number.POSITIVE_INFINITY);
  return [
    verdict(
      "More seeds capture more trust and give a much higher guarantee.",
      `Guaranteed at the end: ${finals.map((each, i) => `${names[i]} ${formatCoverage(each)}`).join(", ")}.`,
      finals.length < 2 ? undefined : finals.every((each, i) => i === 0 || each > finals[i - 1]),
    ),
    verdict(
      "In what is actually collected, no number of seeds has a clear advantage later in the crawl.",
      `Downloads to an actual 0.9: ${needed.map((each, i) => `${names[i]} ${downloadsTo(each)}`).join(", ")}.`,
      actual.length < 2 || !actual.some(Number.isFinite) ? undefined : Math.max(...actual) < 1.25 * Math.min(...actual),
    ),
  ];
}

/** All pages, most trusted first, and the trust of each, its uniform PageRank. */
function trustByPageRank({ graph, damping, progress = noProgress }: ExperimentInput) {
  const { ranks } = pagerank(graph, { damping, progress });
  return { pages: topPages(ranks, graph.pages), trust: ranks };
}

/** About fifty numbers for each factor of ten. */
function isSampled(count: number): boolean {
  return count < 20 || Math.floor(50 * Math.log10(count)) !== Math.floor(50 * Math.log10(count - 1));
}
