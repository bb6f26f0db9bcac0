/** Seeds, Figures 2 to 5: pages and value covered by the number of seeds and of hops, for each method, over RANDOM. */
import { formatCount } from "../../base/index.ts";
import { type ClaimVerdict } from "../exhibits.ts";
import { type Experiment, type Findings, mean, solidCurves, verdict } from "./experiment.ts";
import { CLICKED_SHARE, runSeeds, type SeedRuns, SITE_PAGES_MIN, SPAM_SHARE, VARIANTS } from "./seeds-run.ts";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const HOPS = [1, 2, 3, 4, 5];
const FIXED = 5;

type What = "pages" | "value";

export const seedsFigure2 = figure(2, "pages", "seeds", (gains) => [
  overRandom(gains),
  fallsWithSeeds(gains),
  pagerankBelowOutdegree(gains),
  verdict(
    "All four graph-based algorithms cover more pages than the heuristics.",
    means(gains),
    least(gains, GRAPH_BASED) > most(gains, HEURISTICS),
  ),
  verdict(
    "MAXOUT performs best in terms of the coverage of pages.",
    means(gains),
    most(gains, ["MAXOUT"]) >= most(gains, [...HEURISTICS, ...GRAPH_BASED]),
  ),
]);

export const seedsFigure3 = figure(3, "value", "seeds", (gains) => [
  overRandom(gains),
  pagerankBelowOutdegree(gains),
  verdict(
    "Depth-d approximation covers more value than methods that use strongly connected components.",
    means(gains),
    least(gains, ["MAXWEIGHT(2)", "MAXWEIGHT(3)"]) > most(gains, ["MAXSCC", "ROOTSCC"]),
  ),
  verdict(
    "ROOTSCC covers less value than the heuristic OUTDEGREE.",
    means(gains),
    meanOf(gains, "ROOTSCC") < meanOf(gains, "OUTDEGREE"),
  ),
  verdict(
    "MAXWEIGHT performs alike with d = 2 and d = 3: two hops are enough.",
    means(gains),
    Math.abs(meanOf(gains, "MAXWEIGHT(2)") - meanOf(gains, "MAXWEIGHT(3)")) < 0.05 * meanOf(gains, "MAXWEIGHT(3)"),
  ),
]);

export const seedsFigure4 = figure(4, "pages", "hops", (gains) => [overRandom(gains), growsWithHops(gains)]);

export const seedsFigure5 = figure(5, "value", "hops", (gains) => [overRandom(gains), growsWithHops(gains)]);

const HEURISTICS = ["PAGERANK", "OUTDEGREE"];
const GRAPH_BASED = ["MAXOUT", "MAXWEIGHT(2)", "MAXSCC", "ROOTSCC"];

/** For each method what it covers along the axis, relative to RANDOM. */
type Gains = ReadonlyMap<string, readonly number[]>;

function figure(number: number, what: What, by: "seeds" | "hops", judge: (gains: Gains) => ClaimVerdict[]): Experiment {
  const along = by === "seeds" ? SEEDS : HOPS;
  const setting = by === "seeds" ? `${FIXED} hops and 1 to 10 seeds` : `${FIXED} seeds and 1 to 5 hops`;
  return {
    name: `seeds-figure${number}`,
    title: `Seeds, Figure ${number}: ${what} covered by the number of ${by}, over RANDOM`,
    run(input) {
      const runs = runSeeds(input, by === "seeds" ? { counts: SEEDS, hops: [FIXED] } : { counts: [FIXED], hops: HOPS });
      const gains = gainsOf(runs, what);
      const sites = runs.sites === 1 ? "site" : `sites of at least ${SITE_PAGES_MIN} pages`;
      const { plainBest, runs: greedyRuns } = runs.greedy;
      return {
        paragraphs: [
          `The paper takes 2,000 sites, ${setting}, and averages what each method covers. Here: ` +
            `${formatCount(runs.sites)} ${sites} of this graph. Random pages, from seed 1, are spam ` +
            `(${100 * SPAM_SHARE}%, value -10) or were clicked (${100 * CLICKED_SHARE}%, value 10); all others have ` +
            "value 1.",
          `Plain greedy alone was as good as every other method in ${formatCount(plainBest)} of ` +
            `${formatCount(greedyRuns)} runs.`,
        ],
        charts: [
          {
            title: `${what === "pages" ? "Pages" : "Value"} covered, relative to RANDOM`,
            description: `${what} covered by the number of ${by}, divided by that of RANDOM. Mean: ${means(gains)}`,
            groupLabel: "Method",
            x: { label: by === "seeds" ? "Seeds" : "Hops", kind: "count", scale: "linear" },
            y: { label: "Times RANDOM", kind: "number", scale: "linear" },
            series: solidCurves(
              what,
              [...gains].map(([name, values]) => [
                name,
                values.map((value, at) => [along[at], Math.max(0, value)] as const),
              ]),
            ),
          },
        ],
        tables: [shareTable(runs, what, along, by)],
        verdicts: [...judge(gains), ...ours(runs, what)],
      };
    },
  };
}

function shareTable(runs: SeedRuns, what: What, along: readonly number[], by: string): Findings["tables"][number] {
  const rows = [["RANDOM", runs.random] as const, ...runs.byName];
  return {
    heading: `Share of all ${what} covered, averaged over the sites`,
    table: {
      columns: [
        { title: "method", kind: "text" },
        ...along.map((each) => ({ title: String(each), kind: "coverage" as const, group: by })),
      ],
      rows: rows.map(([name, shares]) => [name, ...shares[what]]),
    },
  };
}

function gainsOf({ random, byName }: SeedRuns, what: What): Gains {
  const base = random[what];
  return new Map(
    [...byName].map(([name, shares]) => [name, shares[what].map((share, at) => (base[at] > 0 ? share / base[at] : 0))]),
  );
}

function overRandom(gains: Gains): ClaimVerdict {
  const names = VARIANTS.map(({ name }) => name);
  const holds = names.every((name) => gains.get(name)!.every((gain) => gain > 1));
  return verdict("All other strategies outperform RANDOM.", means(gains), holds);
}

function fallsWithSeeds(gains: Gains): ClaimVerdict {
  const { first, last, said } = fromTo(gains, "seed", "ten");
  return verdict("The improvement over RANDOM is larger when the number of seeds is small.", said, first > last);
}

function growsWithHops(gains: Gains): ClaimVerdict {
  const { first, last, said } = fromTo(gains, "hop", "five");
  return verdict("The improvement over RANDOM grows slightly with the number of hops.", said, last > first);
}

function fromTo(gains: Gains, one: string, most: string): { first: number; last: number; said: string } {
  const weight = gains.get("MAXWEIGHT(2)")!;
  const [first, last] = [weight[0], weight.at(-1)!];
  const said = `MAXWEIGHT(2) covers ${times(first)} RANDOM with one ${one}, ${times(last)} with ${most}.`;
  return { first, last, said };
}

function pagerankBelowOutdegree(gains: Gains): ClaimVerdict {
  return verdict(
    "PAGERANK performs much worse than the other heuristic, OUTDEGREE.",
    means(gains),
    meanOf(gains, "PAGERANK") < meanOf(gains, "OUTDEGREE"),
  );
}

/** Our own claim, not the paper's: by value greedy is the best at every point. */
function ours(runs: SeedRuns, what: What): ClaimVerdict[] {
  if (what === "pages") return [];
  const best = runs.byName.get("greedy")!.value;
  const worst = [...runs.byName].flatMap(([name, { value }]) =>
    name === "greedy" ? [] : value.map((share, at) => share - best[at]),
  );
  return [
    verdict(
      "Our own claim: greedy covers no less value than any method of the paper.",
      `The best other method is below it by ${(-Math.max(...worst)).toFixed(4)} of all value.`,
      Math.max(...worst) <= 1e-9,
    ),
  ];
}

function meanOf(gains: Gains, name: string): number {
  return mean(gains.get(name)!);
}

function most(gains: Gains, names: readonly string[]): number {
  return Math.max(...names.map((name) => meanOf(gains, name)));
}

function least(gains: Gains, names: readonly string[]): number {
  return Math.min(...names.map((name) => meanOf(gains, name)));
}

function means(gains: Gains): string {
  return `${[...gains.keys()].map((name) => `${name} ${times(meanOf(gains, name))}`).join(", ")} RANDOM.`;
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} times`;
}
