/** Seeds, Figures 2 to 5: pages and value covered by the number of seeds and of hops, for each method, over RANDOM. */
import { formatCount } from "../../base/index.ts";
import { type ClaimVerdict } from "../exhibits.ts";
import { allHold, type Experiment, type Findings, mean, verdict } from "./experiment.ts";
import { beatsRandom, type Gain, gainOf, gainsMore, gainsMoreAt, saidGain } from "./seeds-gains.ts";
import {
  CLICKED_SHARE,
  CRAWLED_SHARE,
  runSeeds,
  type SeedRuns,
  SITE_PAGES_MIN,
  SPAM_SHARE,
  UNIQUENESS_MIN,
  VARIANTS,
} from "./seeds-run.ts";

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
    allMore(gains, GRAPH_BASED, HEURISTICS),
  ),
  verdict(
    "MAXOUT performs best in terms of the coverage of pages.",
    means(gains),
    allMore(gains, ["MAXOUT"], [...HEURISTICS, ...GRAPH_BASED.filter((name) => name !== "MAXOUT")]),
  ),
]);

export const seedsFigure3 = figure(3, "value", "seeds", (gains) => [
  overRandom(gains),
  pagerankBelowOutdegree(gains),
  verdict(
    "Depth-d approximation covers more value than methods that use strongly connected components.",
    means(gains),
    allMore(gains, ["MAXWEIGHT(2)", "MAXWEIGHT(3)"], ["MAXSCC", "ROOTSCC"]),
  ),
  verdict(
    "ROOTSCC covers less value than the heuristic OUTDEGREE.",
    means(gains),
    allMore(gains, ["OUTDEGREE"], ["ROOTSCC"]),
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
type Gains = ReadonlyMap<string, Gain>;

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
            `${formatCount(runs.sites)} ${sites} of this graph. Random pages are spam ` +
            `(${100 * SPAM_SHARE}%, value -10) or were clicked (${100 * CLICKED_SHARE}%, value 10); all others have ` +
            "value 1.",
          `Each site was crawled breadth first up to ${100 * CRAWLED_SHARE}% of its pages. A link to one of the ` +
            "others adds the probability that a new page of the site is unique, which is drawn for each site from " +
            `${UNIQUENESS_MIN} to 1.`,
          "Errors are standard errors over the sites, of a ratio of means. A claim is undecided (untested) if the " +
            "difference is within two of them.",
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
            series: Array.from(gains, ([name, { ratios, errors }]) => ({
              group: name,
              measure: what,
              line: "solid",
              points: ratios.map((ratio, at) => [along[at], Math.max(0, ratio)] as const),
              ...(errors === undefined ? {} : { errors }),
            })),
          },
        ],
        tables: [shareTable(runs, what, along, by), gainTable(gains, along, by)],
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
      rows: rows.map(([name, shares]) => [name, ...shares[what].map(mean)]),
    },
  };
}

function gainTable(gains: Gains, along: readonly number[], by: string): Findings["tables"][number] {
  const asNumber = (title: string, group: string) => ({ title, kind: "number" as const, group });
  return {
    heading: "Relative to RANDOM, and the standard errors",
    table: {
      columns: [
        { title: "method", kind: "text" },
        ...along.map((each) => asNumber(String(each), by)),
        ...along.map((each) => asNumber(String(each), `standard error, ${by}`)),
      ],
      rows: Array.from(gains, ([name, { ratios, errors }]) => [name, ...ratios, ...(errors ?? along.map(() => null))]),
    },
  };
}

function gainsOf({ random, byName }: SeedRuns, what: What): Gains {
  return new Map([...byName].map(([name, shares]) => [name, gainOf(shares[what], random[what])]));
}

function overRandom(gains: Gains): ClaimVerdict {
  const names = VARIANTS.map(({ name }) => name);
  const holds = allHold(names.flatMap((name) => beatsRandom(gains.get(name)!)));
  return verdict("All other strategies outperform RANDOM.", means(gains), holds);
}

function fallsWithSeeds(gains: Gains): ClaimVerdict {
  const { weight, said } = fromTo(gains, "seed", "ten");
  const holds = gainsMoreAt(weight, 0, weight.ratios.length - 1);
  return verdict("The improvement over RANDOM is larger when the number of seeds is small.", said, holds);
}

function growsWithHops(gains: Gains): ClaimVerdict {
  const { weight, said } = fromTo(gains, "hop", "five");
  const holds = gainsMoreAt(weight, weight.ratios.length - 1, 0);
  return verdict("The improvement over RANDOM grows slightly with the number of hops.", said, holds);
}

function fromTo(gains: Gains, one: string, most: string): { weight: Gain; said: string } {
  const weight = gains.get("MAXWEIGHT(2)")!;
  const at = (index: number): string => {
    const error = weight.errors?.at(index);
    return `${weight.ratios.at(index)!.toFixed(2)}${error === undefined ? "" : ` ± ${error.toFixed(2)}`} times`;
  };
  return { weight, said: `MAXWEIGHT(2) covers ${at(0)} RANDOM with one ${one}, ${at(-1)} with ${most}.` };
}

function pagerankBelowOutdegree(gains: Gains): ClaimVerdict {
  return verdict(
    "PAGERANK performs much worse than the other heuristic, OUTDEGREE.",
    means(gains),
    allMore(gains, ["OUTDEGREE"], ["PAGERANK"]),
  );
}

/** Our own claim, not the paper's: by value greedy is the best at every point. */
function ours(runs: SeedRuns, what: What): ClaimVerdict[] {
  if (what === "pages") return [];
  const best = runs.byName.get("greedy")!.value.map(mean);
  const worst = [...runs.byName].flatMap(([name, { value }]) =>
    name === "greedy" ? [] : value.map((shares, at) => mean(shares) - best[at]),
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
  return mean(gains.get(name)!.ratios);
}

/** Whether all of these gain more than all of those. */
function allMore(gains: Gains, these: readonly string[], those: readonly string[]): boolean | undefined {
  return allHold(these.flatMap((a) => those.map((b) => gainsMore(gains.get(a)!, gains.get(b)!))));
}

function means(gains: Gains): string {
  return `${Array.from(gains, ([name, gain]) => `${name} ${saidGain(gain)}`).join(", ")} RANDOM.`;
}
