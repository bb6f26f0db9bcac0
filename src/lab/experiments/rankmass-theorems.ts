/**
 * RankMass, Theorems 1 to 5, checked on a graph whose ranks are known.
 *
 *     1, 2   the pages within L links of one trusted page (of all trusted pages) hold at least 1 - d^(L+1) of all rank
 *     3      if only trust 1 - delta is seeded, they hold at least (1 - delta) (1 - d^(L+1))
 *     4      what the RankMass algorithm guarantees is never more than what it has
 *     5      what waits on a page that was not downloaded (sumPathProb) is never more than its rank
 *
 * The left sides come from a breadth-first search or from the order that a crawl runs, the right sides from PageRank of
 * the whole graph, so no side is derived from the other.
 */
import { formatCount, noProgress } from "../../base/index.ts";
import { type Graph, linksOf, successors } from "../../graph/index.ts";
import { createOrder } from "../../order/index.ts";
import type { Chart, ClaimVerdict, Table } from "../exhibits.ts";
import { trueRanks } from "../simulate.ts";
import { columnsByTitle, type Experiment, type ExperimentInput, solidCurves, verdict } from "./experiment.ts";

const LINKS_MAX = 10;
/** Of Theorem 1: so many of the most trusted pages, each with all trust. */
const SINGLE_PAGES = 10;
/** Ranks are computed to 1e-12. */
const ROUNDING = 1e-10;

type Trust = ExperimentInput["trust"];

/** One inequality: what the theorem promises, and what was found. */
interface Comparison {
  readonly at: number;
  readonly promised: number;
  readonly found: number;
}

/** How often a theorem was compared with the truth, and how it fared. */
class Tally {
  comparisons = 0;
  violations = 0;
  /** The least of found minus promised. */
  margin = Infinity;

  compare(promised: number, found: number): void {
    this.comparisons++;
    this.margin = Math.min(this.margin, found - promised);
    if (found - promised < -ROUNDING) this.violations++;
  }
}

export const theorems: Experiment = {
  name: "rankmass-theorems",
  title: "RankMass, Theorems 1 to 5: bounds and what they bound",
  run(input) {
    const trust = wholeTrust(input.trust);
    const byTrust = trust.toSorted(([, a], [, b]) => b - a);
    const one = byTrust.slice(0, SINGLE_PAGES).flatMap(([page]) => neighbourhoods(input, [[page, 1]], [page]));
    const all = neighbourhoods(
      input,
      trust,
      trust.map(([page]) => page),
    );
    const half = byTrust.slice(0, Math.ceil(trust.length / 2)).map(([page]) => page);
    const partial = neighbourhoods(input, trust, half);
    const { guarantees, pages } = crawl(input, trust);
    const tallies = [tallyOf(one), tallyOf(all), tallyOf(partial), guarantees, pages];
    return {
      paragraphs: [
        "The paper proves that the pages within L links of the trusted ones hold at least 1 - d^(L+1) of all rank " +
          "(Theorems 1 and 2), that with trust 1 - delta they hold (1 - delta) times that (Theorem 3), and that the " +
          "RankMass algorithm never guarantees more than it has (Theorems 4 and 5). It assumes that every page has " +
          "links. Here a page without links sends the surfer back to the trusted pages.",
        `Compared are: Theorem 1 for each of the ${SINGLE_PAGES} most trusted pages, with all trust on it; Theorem ` +
          "3 for the more trusted half of the trusted pages; Theorems 4 and 5 while rankmass:literal crawls. " +
          "Differences up to 1e-10 are rounding.",
      ],
      charts: [chartOf({ all, partial })],
      tables: [{ heading: "Inequalities", table: tableOf(tallies) }],
      verdicts: tallies.map(judge),
    };
  },
};

/** All trust is seeded: what is given is scaled to 1. */
function wholeTrust(trust: Trust): Trust {
  const total = trust.reduce((sum, [, weight]) => sum + weight, 0);
  return trust.map(([page, weight]) => [page, weight / total] as const);
}

/** For L from 0 to 10: what the pages within L links of the seeds hold if the surfer has this trust. */
export function neighbourhoods(
  { graph, damping, progress }: Pick<ExperimentInput, "graph" | "damping" | "progress">,
  trust: Trust,
  seeds: readonly number[],
): Comparison[] {
  const truth = trueRanks(graph, trust, damping, progress);
  const isSeed = new Set(seeds);
  const seeded = trust.reduce((sum, [page, weight]) => sum + (isSeed.has(page) ? weight : 0), 0);
  const held = new Float64Array(LINKS_MAX + 1);
  const distances = distancesFrom(graph, seeds);
  for (const [page, distance] of distances.entries()) if (distance <= LINKS_MAX) held[distance] += truth[page];
  let found = 0;
  return Array.from(held, (rank, at) => {
    found += rank;
    return { at, promised: seeded * (1 - damping ** (at + 1)), found };
  });
}

/** How many links each page is away; Infinity if it cannot be reached. */
function distancesFrom(graph: Graph, seeds: readonly number[]): Float64Array {
  const distances = new Float64Array(graph.pages).fill(Infinity);
  const queue = Array.from(new Set(seeds));
  for (const seed of queue) distances[seed] = 0;
  for (const page of queue) {
    for (const target of successors(graph, page)) {
      if (distances[target] !== Infinity) continue;
      distances[target] = distances[page] + 1;
      queue.push(target);
    }
  }
  return distances;
}

/** Theorem 4 after each download, Theorem 5 for all waiting pages each time the crawl has grown by a tenth. */
function crawl({ graph, damping, maxPages = graph.pages, progress = noProgress }: ExperimentInput, trust: Trust) {
  const truth = trueRanks(graph, trust, damping, progress);
  const order = createOrder("rankmass:literal", { links: linksOf(graph), pages: graph.pages, damping });
  for (const [page, weight] of trust) order.trusted(page, weight);
  const isDownloaded = new Uint8Array(graph.pages);
  const guarantees = new Tally();
  const pages = new Tally();
  let actual = 0;
  let nextCheck = 1;
  for (let downloads = 0; ; downloads++) {
    const next = order.next();
    guarantees.compare(order.guaranteed() ?? 0, actual);
    const isOver = next < 0 || downloads === maxPages;
    if (downloads >= nextCheck || isOver) {
      progress({ task: "rankmass:literal", done: downloads, unit: "pages" });
      nextCheck = Math.ceil(1.1 * downloads) + 1;
      for (let page = 0; page < graph.pages; page++) {
        const promised = order.arrived!(page);
        if (isDownloaded[page] === 0 && promised > 0) pages.compare(promised, truth[page]);
      }
    }
    if (isOver) return { guarantees, pages };
    order.downloaded(next);
    isDownloaded[next] = 1;
    actual += truth[next];
  }
}

function tallyOf(comparisons: readonly Comparison[]): Tally {
  const tally = new Tally();
  for (const { promised, found } of comparisons) tally.compare(promised, found);
  return tally;
}

const CLAIMS = [
  "Theorem 1: the pages within L links of the only trusted page hold at least 1 - d^(L+1).",
  "Theorem 2: the pages within L links of all trusted pages hold at least 1 - d^(L+1).",
  "Theorem 3: from seeds with trust 1 - delta they hold at least (1 - delta) (1 - d^(L+1)).",
  "Theorem 4: what RankMass guarantees of the downloaded pages is never more than their rank.",
  "Theorem 5: what waits on a page that was not downloaded is never more than its rank.",
];

function judge({ comparisons, margin, violations }: Tally, index: number): ClaimVerdict {
  return verdict(
    CLAIMS[index],
    comparisons === 0
      ? "Nothing could be compared."
      : `Violated in ${formatCount(violations)} of ${formatCount(comparisons)} comparisons; the least of found minus ` +
          `promised is ${margin.toPrecision(3)}.`,
    comparisons === 0 ? undefined : violations === 0,
  );
}

function tableOf(tallies: readonly Tally[]): Table {
  return {
    columns: columnsByTitle({ theorem: "count", comparisons: "count", violations: "count", "least margin": "number" }),
    rows: tallies.map(({ comparisons, violations, margin }, i) => [
      i + 1,
      comparisons,
      violations,
      comparisons === 0 ? null : margin,
    ]),
  };
}

function chartOf(results: { readonly all: readonly Comparison[]; readonly partial: readonly Comparison[] }): Chart {
  const curve = (comparisons: readonly Comparison[], what: "promised" | "found") =>
    comparisons.map((each) => [each.at, Math.min(1, each[what])] as const);
  return {
    title: "Rank within L links of the trusted pages",
    description: "What Theorems 2 and 3 promise, and what the pages within L links hold.",
    groupLabel: "Seeds",
    x: { label: "Links L", kind: "count", scale: "linear" },
    y: { label: "Share of all rank", kind: "coverage", scale: "linear" },
    series: Object.entries({ "all trusted pages": results.all, "half of them": results.partial }).flatMap(
      ([group, comparisons]) => [
        ...solidCurves("found", [[group, curve(comparisons, "found")]]),
        { group, measure: "promised", line: "dashed" as const, points: curve(comparisons, "promised") },
      ],
    ),
  };
}
