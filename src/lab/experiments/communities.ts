/** Communities, section 6.2: distance to the global PageRank, at the end (Tables 1 and 2) and over time (Figure 2). */
import { formatCount } from "../../base/index.ts";
import { type Distances, SELECTIONS } from "../../community/index.ts";
import type { Table, ClaimVerdict, Chart } from "../exhibits.ts";
import {
  byMethod,
  type DomainRun,
  globalRanks,
  isNoWorse,
  listed,
  METHOD_NAMES,
  runDomain,
  largeSites,
  topicsOf,
} from "./communities-run.ts";
import { type Experiment, mean, solidCurves, verdict } from "./experiment.ts";

const AVERAGED_SITES = 5;
/** On smaller hosts one or two pages decide. */
const SITE_PAGES_MIN = 10;
const SITES_MAX = 60;
const TOPICS = 4;
const MEASURES = ["l1", "linf", "kendall"] as const;

export const communitiesTable1: Experiment = {
  name: "communities-table1",
  title: "Communities, Table 1: site-specific domains",
  needsHosts: true,
  ownTrust: true,
  run(input) {
    const truth = globalRanks(input);
    const sites = largeSites(input, { pagesMin: SITE_PAGES_MIN, sitesMax: SITES_MAX });
    const runs = sites.map((site) => runDomain(input, truth, site, { rounds: 50, times: 2 }));
    const largest = runs.slice(0, AVERAGED_SITES);
    return {
      paragraphs: [
        "The paper takes the sites of five computer science departments, crawls 2n pages besides the n of each site " +
          "in 50 rounds, and averages how far the final estimate of the global PageRank is off. Here the sites are " +
          `the ${formatCount(largest.length)} largest hosts that leave at least 2n pages outside; the second table ` +
          `has every host of at least ${SITE_PAGES_MIN} pages (at most ${SITES_MAX}). If the frontier is empty, ` +
          "fewer pages are crawled.",
      ],
      tables: [
        { heading: `Average over the ${formatCount(largest.length)} largest sites`, table: averages(largest) },
        { heading: "Final L1 by site", table: finalL1(runs) },
      ],
      verdicts: [...onAverages(largest), onSites(runs)],
    };
  },
};

export const communitiesTable2: Experiment = {
  name: "communities-table2",
  title: "Communities, Table 2: topic-specific domains",
  ownTrust: true,
  run(input) {
    const truth = globalRanks(input);
    const runs = topicsOf(input, TOPICS).map((topic) => runDomain(input, truth, topic, { rounds: 25, times: 1 }));
    return {
      paragraphs: [
        "The paper takes all pages within two or three links of the pages of a topic and crawls n pages besides " +
          "these n in 25 rounds. A graph has no content, so here a topic is what lies within two links of ten " +
          "random pages, at most a sixth of the web.",
      ],
      tables: runs.map((run) => ({
        heading: `${run.domain.name}: ${formatCount(run.domain.pages.length)} pages`,
        table: averages([run]),
      })),
      verdicts: [
        verdict(
          "SC-SELECT has the smallest L1 on three of four topics and the greatest Kendall on all of them.",
          runs
            .map(
              (run) =>
                `${run.domain.name}: smallest L1 by ${best(run, "l1")}, greatest Kendall by ${best(run, "kendall")}`,
            )
            .join("; ") + ".",
          runs.length < TOPICS
            ? undefined
            : runs.filter((run) => best(run, "l1") === METHOD_NAMES.sc).length >= 3 &&
                runs.every((run) => best(run, "kendall") === METHOD_NAMES.sc),
        ),
      ],
    };
  },
};

function averages(runs: readonly DomainRun[]): Table {
  const means = (of: (run: DomainRun) => Distances): number[] =>
    MEASURES.map((measure) => mean(runs.map((run) => of(run)[measure])));
  return {
    columns: [
      { title: "algorithm", kind: "text" },
      { title: "L1", kind: "number", importance: 3 },
      { title: "L-infinity", kind: "number", importance: 1 },
      { title: "Kendall", kind: "number", importance: 2 },
    ],
    rows:
      runs.length === 0
        ? []
        : [
            ["local PageRank", ...means((run) => run.initial)],
            ...SELECTIONS.map((select) => [METHOD_NAMES[select], ...means((run) => run.final[select])]),
          ],
  };
}

function finalL1(runs: readonly DomainRun[]): Table {
  return {
    columns: [
      { title: "site", kind: "text" },
      { title: "pages", kind: "count", importance: 1 },
      { title: "crawled", kind: "count" },
      { title: "local", kind: "number", importance: 2 },
      ...SELECTIONS.map((select) => {
        return { title: METHOD_NAMES[select], kind: "number", group: "final L1", importance: 3 } as const;
      }),
      { title: "SC-SELECT", kind: "text", importance: 2 },
    ],
    rows: runs.map((run) => [
      run.domain.name,
      run.domain.pages.length,
      run.curves.sc.at(-1)!.crawled,
      run.initial.l1,
      ...SELECTIONS.map((select) => run.final[select].l1),
      isNoWorse(run) ? "no worse" : "worse",
    ]),
  };
}

function onAverages(runs: readonly DomainRun[]): ClaimVerdict[] {
  const claim = (measure: keyof Distances, words: string, paper: string): ClaimVerdict => {
    const means = byMethod((select) => mean(runs.map((run) => run.final[select][measure])));
    const sign = measure === "kendall" ? -1 : 1;
    return verdict(
      `On average SC-SELECT has the best ${words} (${paper}).`,
      `Here: ${listed((select) => means[select], 4)}.`,
      SELECTIONS.every((select) => sign * means.sc <= sign * means[select]),
    );
  };
  if (runs.length === 0) {
    return [
      verdict("On average SC-SELECT is best.", "No host of this graph leaves room for 2n pages outside.", undefined),
    ];
  }
  return [
    claim("l1", "L1", ".0384 against .0407 to .0470"),
    claim("linf", "L-infinity", ".00154 against .00196 to .00272"),
    claim("kendall", "Kendall", ".9257 against .8946 to .9086"),
  ];
}

function onSites(runs: readonly DomainRun[]): ClaimVerdict {
  const worse = runs.filter((run) => !isNoWorse(run)).map((run) => run.domain.name);
  const exceptions = worse.length === 0 ? "" : `; worse on ${worse.join(", ")}`;
  return verdict(
    "In all tests SC-SELECT outperformed the others or was competitive: here, on most sites its final L1 is no worse " +
      "than the best of the other three.",
    `No worse on ${runs.length - worse.length} of ${runs.length} sites${exceptions}.`,
    runs.length === 0 ? undefined : worse.length < runs.length / 2,
  );
}

function best({ final }: DomainRun, measure: "l1" | "kendall"): string {
  const sign = measure === "kendall" ? -1 : 1;
  return METHOD_NAMES[SELECTIONS.reduce((a, b) => (sign * final[b][measure] < sign * final[a][measure] ? b : a))];
}

const SITES = 5;

export const communitiesFigure2: Experiment = {
  name: "communities-figure2",
  title: "Communities, Figure 2: L1 distance to the global PageRank by pages crawled",
  needsHosts: true,
  ownTrust: true,
  run(input) {
    const truth = globalRanks(input);
    const sites = largeSites(input, { pagesMin: 2, sitesMax: SITES }).map((site) =>
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
      verdicts: [...runs.map(onRun), onGain(runs)],
    };
  },
};

function chartOf({ domain, curves, final }: DomainRun): Chart {
  const finals = listed((select) => final[select].l1, 3);
  return {
    title: `${domain.name}, ${formatCount(domain.pages.length)} pages`,
    description: `L1 distance to the global PageRank by pages crawled; at the end ${finals}.`,
    groupLabel: "Selection",
    x: { label: "Pages crawled", kind: "count", scale: "linear" },
    y: { label: "L1 distance", kind: "number", scale: "log" },
    series: solidCurves(
      "L1",
      SELECTIONS.map((select) => [
        METHOD_NAMES[select],
        curves[select].map(({ crawled, l1 }) => [crawled, l1] as const),
      ]),
    ),
  };
}

function onRun(run: DomainRun): ClaimVerdict {
  return verdict(
    `SC-SELECT outperforms all other methods: on ${run.domain.name}.`,
    `Final L1: ${listed((select) => run.final[select].l1, 4)}.`,
    isNoWorse(run),
  );
}

function onGain(runs: readonly DomainRun[]): ClaimVerdict {
  const gains = runs.map(({ domain, initial, final }) => ({ name: domain.name, times: initial.l1 / final.sc.l1 }));
  const finite = gains.filter(({ times }) => Number.isFinite(times));
  return verdict(
    "With n or 2n pages the estimate is up to ten times better than the local PageRank.",
    finite.length === 0
      ? "The local PageRank was exact from the start."
      : `Here, by SC-SELECT: ${finite.map(({ name, times }) => `${name} ${times.toPrecision(3)} times`).join(", ")}.`,
    finite.length === 0 ? undefined : finite.some(({ times }) => times >= 10),
  );
}
