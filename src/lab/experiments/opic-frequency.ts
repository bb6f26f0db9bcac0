/** OPIC, section 2: how often GREEDY reads a page, by its importance. */
import { withoutSelfLinks } from "../../graph/index.ts";
import { l1Distance, pagerank, topPages } from "../../rank/index.ts";
import type { Series } from "../exhibits.ts";
import { columnsByTitle, type Experiment, isBetween, mean, solidCurves, verdict } from "./experiment.ts";
import { greedyFrequencies } from "./opic-run.ts";

const FREQUENCY_READS = 20;
/** Pages of the chart, evenly spread over the ranking. */
const SHOWN_PAGES = 400;

export const opicFrequency: Experiment = {
  name: "opic-frequency",
  title: "OPIC: how often GREEDY reads a page, by its importance",
  ownTrust: true,
  run(input) {
    const truth = pagerank(withoutSelfLinks(input.graph), { damping: input.damping }).ranks;
    const frequencies = greedyFrequencies(input, FREQUENCY_READS);
    const groups = groupsByImportance(truth, frequencies);
    const slope = slopeOf(groups);
    const distance = l1Distance(frequencies, truth);
    return {
      paragraphs: [
        "The paper says that if GREEDY is used, the importance of a page coincides with the frequency with which it " +
          `is read: a page twice as important is read twice as often. Here each page is read ${FREQUENCY_READS} ` +
          "times on average. Frequency is the share of all reads; importance is PageRank. Groups have pages of " +
          "which the most important has at most twice the importance of the least.",
      ],
      charts: [
        {
          title: "Read frequency by importance",
          description:
            "The share of all reads by importance, for groups of pages and for single ones. On logarithmic scales " +
            `the slope of the groups is ${slope.toFixed(2)}.`,
          groupLabel: "Pages",
          x: { label: "Importance", kind: "number", scale: "log" },
          y: { label: "Share of reads", kind: "number", scale: "log" },
          series: [
            ...solidCurves("frequency", [
              ["groups", groups.map(({ importance, frequency }) => [importance, frequency] as const)],
            ]),
            singlePages(truth, frequencies),
          ],
        },
      ],
      tables: [
        {
          heading: "Groups of pages",
          table: {
            columns: columnsByTitle({
              pages: "count",
              "mean importance": "number",
              "mean frequency": "number",
              "frequency / importance": "number",
            }),
            rows: groups.map(({ pages, importance, frequency }) => {
              return [pages, importance, frequency, frequency / importance];
            }),
          },
        },
      ],
      verdicts: [
        verdict(
          "The importance of a page coincides with the frequency with which it is read.",
          `The L1 distance between frequency and importance is ${distance.toPrecision(3)}. Below 0.01 counts as ` +
            "the same.",
          distance < 0.01,
        ),
        verdict(
          "A page twice as important is read twice as often.",
          `On logarithmic scales, frequency rises with slope ${slope.toFixed(3)}; 1 would be twice as often.`,
          isBetween(slope, 0.95, 1.05),
        ),
      ],
    };
  },
};

interface PageGroup {
  readonly pages: number;
  readonly importance: number;
  readonly frequency: number;
}

/** Pages by powers of two of their importance, the most important first. */
function groupsByImportance(truth: Float64Array, frequencies: Float64Array): PageGroup[] {
  const byPower = new Map<number, number[]>();
  for (const page of topPages(truth, truth.length)) {
    const power = Math.floor(Math.log2(truth[page]));
    const group = byPower.get(power);
    if (group === undefined) byPower.set(power, [page]);
    else group.push(page);
  }
  return Array.from(byPower.values(), (pages) => ({
    pages: pages.length,
    importance: mean(pages.map((page) => truth[page])),
    frequency: mean(pages.map((page) => frequencies[page])),
  })).sort((a, b) => a.importance - b.importance);
}

/** Of the logarithms, by least squares, each group weighted by its pages. */
function slopeOf(groups: readonly PageGroup[]): number {
  const read = groups.filter(({ frequency }) => frequency > 0);
  const weight = read.reduce((sum, { pages }) => sum + pages, 0);
  const middle = (of: (group: PageGroup) => number): number =>
    read.reduce((sum, group) => sum + (group.pages / weight) * Math.log(of(group)), 0);
  const [x, y] = [middle(({ importance }) => importance), middle(({ frequency }) => frequency)];
  let both = 0;
  let square = 0;
  for (const { pages, importance, frequency } of read) {
    both += pages * (Math.log(importance) - x) * (Math.log(frequency) - y);
    square += pages * (Math.log(importance) - x) ** 2;
  }
  return both / square;
}

function singlePages(truth: Float64Array, frequencies: Float64Array): Series {
  const order = topPages(truth, truth.length);
  const stride = Math.max(1, Math.floor(order.length / SHOWN_PAGES));
  const points = Array.from(order)
    .filter((_, i) => i % stride === 0)
    .map((page) => [truth[page], frequencies[page]] as const)
    .toSorted(([a], [b]) => a - b);
  return { group: "single pages", measure: "frequency", line: "points", points };
}
