/**
 * RankMass, section 2: spam and trust. A spammer makes a link farm for one of his pages, the target: F new pages that
 * link to the target alone, while the target links to all of them. This is the farm that gains most for its size.
 *
 * With uniform trust every new page is trusted, and the target gains in proportion to F. With trust on good pages only,
 * a surfer comes into the farm by the target alone; after each visit he is back with probability at most d^2. So the
 * rank of the target grows by at most 1 / (1 - d^2), however large the farm (the surfer never ends in the farm, so what
 * all pages have in sum does not fall, and the bound holds for shares, too).
 */
import { formatCount, noProgress } from "../../base/index.ts";
import { type Graph, GraphBuilder, linksOf, outDegree, successors } from "../../graph/index.ts";
import { createOrder } from "../../order/index.ts";
import { topPages } from "../../rank/index.ts";
import type { ClaimVerdict } from "../exhibits.ts";
import { trueRanks } from "../simulate.ts";
import { columnsByTitle, type Experiment, type ExperimentInput, solidCurves, verdict } from "./experiment.ts";

const FARMS = [10, 100, 1000, 10_000];
const ORDERS = ["rankmass", "rankmass:literal", "windowed:10", "opic", "pagerank", "backlink", "lneighbor", "random:1"];
/**
 * Of the pages without the farm: how many are downloaded, and how large the farm is, to see what an order makes of it.
 */
const DOWNLOADED_SHARE = 0.1;
const CRAWLED_FARM_SHARE = 0.1;

const TRUSTS = {
  uniform: "trust on all pages",
  good: "trust on the trusted pages",
  mistake: "trust on a page of the farm, too",
} as const;
type Trusting = keyof typeof TRUSTS;
const TRUSTINGS = Object.keys(TRUSTS) as Trusting[];

/** What a farm of this size makes of its target. */
interface FarmResult {
  readonly pages: number;
  readonly growth: Readonly<Record<Trusting, number>>;
  /** Place of the target among all pages, 1 for the first. */
  readonly place: Readonly<Record<Trusting, number>>;
  /** What farm and target have of all rank. */
  readonly spamRank: Readonly<Record<Trusting, number>>;
}

export const spam: Experiment = {
  name: "rankmass-spam",
  title: "RankMass, section 2: what a link farm gains, by who is trusted",
  run(input) {
    const candidates = candidatesOf(input);
    if (candidates.length === 0) return withoutTarget();
    const target = candidates[Math.floor(candidates.length / 2)];
    const farms = FARMS.filter((pages) => pages <= input.graph.pages);
    const before = Object.fromEntries(
      TRUSTINGS.map((trusting) => [trusting, ranksWith(input, input.graph, trusting)[target]]),
    ) as Record<Trusting, number>;
    const results = farms.map((pages) => farmResult(input, { target, pages, before }));
    const shares = crawlShares(input, candidates[0]);
    const largest = results.at(-1);
    return {
      paragraphs: [
        "The paper says that PageRank with uniform trust is easily spammed by a massive number of pages that link " +
          "among themselves, and that a spammer cannot raise his rank in this way if only pages that are no spam " +
          "are trusted. Here a page of medium rank becomes the target of a link farm: new pages that link to it " +
          "alone, and to which it links. Growth is its rank relative to that before.",
        "Trusted by mistake: one page of the farm has as much trust as a trusted page on average.",
        "For crawl orders the target is the page of highest rank that is not trusted, as if it had been taken over, " +
          `so that every order comes upon it. Its farm has ${100 * CRAWLED_FARM_SHARE}% of as many pages as the ` +
          `web; ${100 * DOWNLOADED_SHARE}% of as many are downloaded.`,
      ],
      charts: [
        {
          title: "Growth of the target's rank by the size of its farm",
          description: `The rank of the target relative to that without a farm${
            largest === undefined ? "" : `; with ${formatCount(largest.pages)} pages ${saidGrowth(largest)}`
          }.`,
          groupLabel: "Trust",
          x: { label: "Pages of the farm", kind: "count", scale: "log" },
          y: { label: "Growth", kind: "number", scale: "log" },
          series: solidCurves(
            "growth",
            TRUSTINGS.map((trusting) => [
              TRUSTS[trusting],
              results.map(({ pages, growth }) => [pages, growth[trusting]] as const),
            ]),
          ),
        },
      ],
      tables: [
        { heading: "By the size of the farm", table: farmTable(results) },
        {
          heading: "Downloads spent on the farm, by crawl order",
          table: {
            columns: columnsByTitle({ order: "text", downloads: "count", "of them spam": "count", share: "coverage" }),
            rows: shares.map(({ order, downloads, wasted }) => [order, downloads, wasted, wasted / downloads]),
          },
        },
      ],
      verdicts: [...onFarms(results, input.damping), onCrawls(shares)],
    };
  },
};

function withoutTarget() {
  return {
    paragraphs: ["A link farm needs a page with links that is not trusted. This graph has none."],
    verdicts: [verdict("A spammer cannot raise his rank by many pages.", "Nothing was measured.", undefined)],
  };
}

/** Pages that have links, can be reached and are not trusted, highest rank first. */
function candidatesOf({ graph, trust, damping, progress }: ExperimentInput): number[] {
  const isTrusted = new Set(trust.map(([page]) => page));
  const ranks = trueRanks(graph, trust, damping, progress);
  return Array.from(topPages(ranks, graph.pages)).filter(
    (page) => ranks[page] > 0 && outDegree(graph, page) > 0 && !isTrusted.has(page),
  );
}

/** The web with a farm: its pages have the last ids. */
export function withFarm(graph: Graph, { target, pages }: { readonly target: number; readonly pages: number }): Graph {
  const builder = new GraphBuilder();
  for (let page = 0; page < graph.pages; page++) {
    if (page !== target) for (const to of successors(graph, page)) builder.add(page, to);
  }
  for (let page = graph.pages; page < graph.pages + pages; page++) {
    builder.add(target, page);
    builder.add(page, target);
  }
  return builder.finish({ pages: graph.pages + pages });
}

function ranksWith({ graph, trust, damping, progress }: ExperimentInput, web: Graph, trusting: Trusting): Float64Array {
  const weights = new Float64Array(web.pages);
  if (trusting === "uniform") weights.fill(1 / web.pages);
  else {
    const hasFarm = trusting === "mistake" && web.pages > graph.pages;
    const total = trust.reduce((sum, [, weight]) => sum + weight, 0);
    const share = hasFarm ? trust.length / (trust.length + 1) : 1;
    for (const [page, weight] of trust) weights[page] = (share * weight) / total;
    if (hasFarm) weights[graph.pages] = 1 - share;
  }
  return trueRanks(web, weights, damping, progress);
}

function farmResult(
  input: ExperimentInput,
  farm: { readonly target: number; readonly pages: number; readonly before: Readonly<Record<Trusting, number>> },
): FarmResult {
  const { target, pages, before } = farm;
  const web = withFarm(input.graph, farm);
  const growth: Partial<Record<Trusting, number>> = {};
  const place: Partial<Record<Trusting, number>> = {};
  const spamRank: Partial<Record<Trusting, number>> = {};
  for (const trusting of TRUSTINGS) {
    const ranks = ranksWith(input, web, trusting);
    growth[trusting] = ranks[target] / before[trusting];
    place[trusting] = 1 + ranks.filter((rank) => rank > ranks[target]).length;
    spamRank[trusting] = ranks.subarray(input.graph.pages).reduce((sum, rank) => sum + rank, ranks[target]);
  }
  return { pages, growth, place, spamRank } as FarmResult;
}

function farmTable(results: readonly FarmResult[]) {
  return {
    columns: [
      { title: "farm", kind: "count" as const },
      ...TRUSTINGS.flatMap((trusting) => [
        { title: "growth", kind: "number" as const, group: TRUSTS[trusting] },
        { title: "place", kind: "count" as const, group: TRUSTS[trusting] },
        { title: "spam", kind: "coverage" as const, group: TRUSTS[trusting] },
      ]),
    ],
    rows: results.map(({ pages, growth, place, spamRank }) => [
      pages,
      ...TRUSTINGS.flatMap((trusting) => [growth[trusting], place[trusting], spamRank[trusting]]),
    ]),
  };
}

interface CrawlShare {
  readonly order: string;
  readonly downloads: number;
  readonly wasted: number;
}

function crawlShares({ graph, trust, damping, progress = noProgress }: ExperimentInput, target: number): CrawlShare[] {
  const web = withFarm(graph, { target, pages: Math.ceil(CRAWLED_FARM_SHARE * graph.pages) });
  const most = Math.ceil(DOWNLOADED_SHARE * graph.pages);
  return ORDERS.map((name) => {
    progress({ task: name, done: 0, unit: "pages" });
    const order = createOrder(name, { links: linksOf(web), pages: web.pages, damping });
    for (const [page, weight] of trust) order.trusted(page, weight);
    let downloads = 0;
    let wasted = 0;
    for (let page = order.next(); page >= 0 && downloads < most; page = order.next()) {
      order.downloaded(page);
      downloads++;
      if (page >= graph.pages) wasted++;
    }
    return { order: name, downloads, wasted };
  });
}

/** More than this is called a boost. */
const BOOST = 10;

function onFarms(results: readonly FarmResult[], damping: number): ClaimVerdict[] {
  const [smallest, largest] = [results[0], results.at(-1)];
  if (smallest === undefined || largest === undefined) {
    return [verdict("PageRank with uniform trust is easily spammed.", "The web is too small for a farm.", undefined)];
  }
  const most = 1 / (1 - damping ** 2);
  const said =
    `With ${formatCount(smallest.pages)} pages: ${saidGrowth(smallest)}; with ` +
    `${formatCount(largest.pages)}: ${saidGrowth(largest)}.`;
  const { good } = largest.growth;
  return [
    verdict(
      `PageRank with uniform trust is easily spammed: the target grows more than ${BOOST} times.`,
      said,
      largest.growth.uniform > BOOST,
    ),
    verdict(
      "With trust on pages that are no spam, a spammer cannot raise his rank by creating a large number of pages: a " +
        "large farm gains no more than a small one.",
      said,
      good <= 1.001 * smallest.growth.good,
    ),
    verdict(
      `Our own claim: there a farm multiplies the rank of its target by at most 1 / (1 - d^2), ${most.toFixed(2)}.`,
      `The most is ${Math.max(...results.map(({ growth }) => growth.good)).toFixed(3)}.`,
      results.every(({ growth }) => growth.good <= most * (1 + 1e-9)),
    ),
  ];
}

function onCrawls(shares: readonly CrawlShare[]): ClaimVerdict {
  const of = (name: string): number => {
    const { downloads, wasted } = shares.find(({ order }) => order === name)!;
    return wasted / downloads;
  };
  return verdict(
    "Our own claim: rankmass spends no larger share of its downloads on the farm than breadth first does.",
    `Spam among the downloads: ${shares
      .map(({ order, downloads, wasted }) => `${order} ${((100 * wasted) / downloads).toFixed(1)}%`)
      .join(", ")}.`,
    of("rankmass") <= of("lneighbor"),
  );
}

function saidGrowth({ growth }: FarmResult): string {
  return TRUSTINGS.map((trusting) => `${growth[trusting].toPrecision(3)} times with ${TRUSTS[trusting]}`).join(", ");
}
