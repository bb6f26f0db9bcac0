/** Communities, Figure 2: how the estimate of the global PageRank approaches the truth as pages are crawled. */
import { formatCount } from "../../base/index.ts";
import { SELECTIONS } from "../../community/index.ts";
import type { Chart, Verdict } from "../exhibits.ts";
import {
  type DomainRun,
  globalRanks,
  isNoWorse,
  METHOD_NAMES,
  runDomain,
  sitesOf,
  topicsOf,
} from "./communities-run.ts";
import { type Experiment, verdict } from "./experiment.ts";

const SITES = 5;

export const communitiesFigure2: Experiment = {
  name: "communities-figure2",
  title: "Communities, Figure 2: L1 distance to the global PageRank by pages crawled",
  needsHosts: true,
  ownTrust: true,
  run(input) {
    const truth = globalRanks(input);
    const sites = sitesOf(input, { pagesMin: 2, sitesMax: SITES }).map((site) =>
      runDomain(input, truth, site, { rounds: 50, times: 2 }),
    );
    const topics = topicsOf(input, 1).map((topic) => runDomain(input, truth, topic, { rounds: 25, times: 1 }));
    const [largest, ...others] = sites;
    const farthest = others.toSorted((a, b) => b.initial.l1 - a.initial.l1).slice(0, 1);
    const runs = [...(largest === undefined ? [] : [largest]), ...farthest, ...topics];
    return {
      paragraphs: [
        "The paper shows the site of a computer science department, a site whose local PageRank is far from the " +
          "global one, and a topic. Here: the largest host that leaves 2n pages outside; the one of the next four " +
          "largest whose local PageRank is farthest off; and the pages within two links of ten random pages.",
      ],
      charts: runs.map(chartOf),
      tables: [],
      verdicts: [...runs.map(onRun), onGain(runs)],
      runs: [],
      trust: { pages: input.graph.pages, total: 1 },
    };
  },
};

function chartOf({ domain, curves }: DomainRun): Chart {
  const finals = SELECTIONS.map((select) => `${METHOD_NAMES[select]} ${curves[select].at(-1)!.l1.toPrecision(3)}`);
  return {
    title: `${domain.name}, ${formatCount(domain.pages.length)} pages`,
    description: `L1 distance to the global PageRank by pages crawled; at the end ${finals.join(", ")}.`,
    groupLabel: "Selection",
    x: { label: "Pages crawled", kind: "count", scale: "linear" },
    y: { label: "L1 distance", kind: "number", scale: "log" },
    series: SELECTIONS.map((select) => ({
      group: METHOD_NAMES[select],
      measure: "L1",
      line: "solid",
      points: curves[select].map(({ crawled, l1 }) => [crawled, l1] as const),
    })),
  };
}

function onRun(run: DomainRun): Verdict {
  const finals = SELECTIONS.map((select) => `${METHOD_NAMES[select]} ${run.final[select].l1.toPrecision(4)}`);
  return verdict(
    `SC-SELECT outperforms all other methods: on ${run.domain.name}.`,
    `Final L1: ${finals.join(", ")}.`,
    isNoWorse(run),
  );
}

function onGain(runs: readonly DomainRun[]): Verdict {
  const gains = runs.map(({ domain, initial, final }) => ({
    name: domain.name,
    times: initial.l1 / final.sc.l1,
  }));
  const finite = gains.filter(({ times }) => Number.isFinite(times));
  return verdict(
    "With n or 2n pages the estimate is up to ten times better than the local PageRank.",
    finite.length === 0
      ? "The local PageRank was exact from the start."
      : `Here, by SC-SELECT: ${finite.map(({ name, times }) => `${name} ${times.toPrecision(3)} times`).join(", ")}.`,
    finite.length === 0 ? undefined : finite.some(({ times }) => times >= 10),
  );
}
