/** Communities, Tables 1 and 2: distance to the global PageRank at the end, for sites and for topics. */
import { formatCount } from "../../base/index.ts";
import { type Distances, type SelectionMethod, TRIAL_WEIGHTS } from "../../community/index.ts";
import type { Cell, ClaimVerdict, Table } from "../exhibits.ts";
import { sitesToMeasure, siteWords, topicsOf } from "./communities-domains.ts";
import {
  bestOf,
  distanceOf,
  type DomainRun,
  DRAWS,
  globalRanks,
  isBest,
  listed,
  measuredAt,
  meansByDraw,
  METHOD_NAMES,
  METHODS,
  PAPER_METHODS,
  runDomain,
  SINGLE_METHODS,
  spread,
} from "./communities-run.ts";
import { columnsByTitle, type Experiment, mean, standardDeviation, verdict } from "./experiment.ts";

const AVERAGED_SITES = 5;
const TOPICS = 16;
/** From here on a site depends on the outside. */
const INFLOW_MIN = 0.1;

const OUR_METHODS =
  "Ours are leak (the pages to which the community loses most rank) and auto, which selects half of the pages by " +
  "leak, draws half at random, and chooses the estimate by hiding what was crawled last. RANDOM and auto are run " +
  `with ${DRAWS} seeds: their figures are means over these, with the standard deviation (SD) of the mean.`;

export const communitiesTable1: Experiment = {
  name: "communities-table1",
  title: "Communities, Table 1: site-specific domains",
  ownTrust: true,
  run(input) {
    const truth = globalRanks(input);
    const runs = sitesToMeasure(input).map((site) => runDomain(input, truth, site));
    const largest = runs.slice(0, AVERAGED_SITES);
    const fed = runs.filter(({ inflow }) => inflow >= INFLOW_MIN);
    const heading = (these: readonly DomainRun[], what: string): string =>
      `Average over the ${formatCount(these.length)} ${what}`;
    return {
      paragraphs: [
        "The paper takes the sites of five computer science departments, crawls 2n pages besides the n of each site " +
          "in 50 rounds, and averages how far the final estimate of the global PageRank is off. Here the sites are " +
          `${siteWords(input)} that leave at least 2n pages outside. If the frontier is empty, fewer pages are ` +
          "crawled.",
        OUR_METHODS,
        "In-flow is the probability of following a link into the site, relative to the rank of the site. A site " +
          "without it has nothing to learn from the outside.",
      ],
      tables: [
        { heading: heading(largest, "largest sites"), table: averages(largest) },
        { heading: heading(runs, "sites"), table: averages(runs) },
        { heading: heading(fed, `sites with an in-flow of at least ${INFLOW_MIN}`), table: averages(fed) },
        { heading: WEIGHTS_HEADING, table: byWeight(runs) },
        { heading: "Final L1 by site", table: byDomain(runs, "site", "2n") },
      ],
      verdicts: [...onAverages(largest), onSites(runs), onChooser(runs, "2n"), onBudget(runs)],
    };
  },
};

export const communitiesTable2: Experiment = {
  name: "communities-table2",
  title: "Communities, Table 2: topic-specific domains",
  ownTrust: true,
  run(input) {
    const truth = globalRanks(input);
    const runs = topicsOf(input, TOPICS).map((topic) => runDomain(input, truth, topic));
    return {
      paragraphs: [
        "The paper takes all pages within two or three links of the pages of a topic and crawls n pages besides " +
          "these n in 25 rounds. A graph has no content, so here a topic is what lies within two links of ten " +
          "random pages, at most a sixth of the web. The crawl goes on to 2n pages, to compare.",
        OUR_METHODS,
      ],
      tables: [
        { heading: `Average over the ${formatCount(runs.length)} topics`, table: averages(runs) },
        { heading: WEIGHTS_HEADING, table: byWeight(runs) },
        { heading: "L1 after n pages by topic", table: byDomain(runs, "topic", "n") },
      ],
      verdicts: [onTopics(runs), onChooser(runs, "n"), onBudget(runs)],
    };
  },
};

const MEASURES = ["l1", "linf", "kendall"] as const;

/** One row for each method: distances after n and after 2n pages, on how many domains no other is better, its time. */
function averages(runs: readonly DomainRun[]): Table {
  const columns: Table["columns"] = [
    { title: "algorithm", kind: "text" },
    { title: "L1", kind: "number", group: "after n pages", importance: 4 },
    { title: "L1", kind: "number", group: "after 2n pages", importance: 5 },
    { title: "SD", kind: "number", group: "after 2n pages", importance: 3 },
    { title: "L-infinity", kind: "number", group: "after 2n pages", importance: 1 },
    { title: "Kendall", kind: "number", group: "after 2n pages", importance: 2 },
    { title: "best or equal on", kind: "count", group: "after 2n pages", importance: 2 },
    { title: "time", kind: "seconds", importance: 3 },
  ];
  if (runs.length === 0) return { columns, rows: [] };
  const row = (select: SelectionMethod): Cell[] => {
    const draws = meansByDraw(runs, select);
    const [l1, ...others] = MEASURES.map((measure) => mean(meansByDraw(runs, select, measure)));
    const best = runs.filter((run) => isBest(run, select, METHODS)).length;
    const seconds = runs.map((run) => mean(run.methods[select].map((each) => each.seconds)));
    return [
      METHOD_NAMES[select],
      mean(meansByDraw(runs, select, "l1", "n")),
      l1,
      draws.length === 1 ? null : standardDeviation(draws),
      ...others,
      best,
      seconds.reduce((sum, each) => sum + each, 0),
    ];
  };
  const [l1, linf, kendall] = MEASURES.map((measure) => mean(runs.map(({ initial }) => initial[measure])));
  return { columns, rows: [["local PageRank", l1, l1, null, linf, kendall, null, null], ...METHODS.map(row)] };
}

const WEIGHTS_HEADING = "What the trial of auto decides: the weight of what the random sample says, after 2n pages";

/** Mean L1 of auto if the weight were the same for all domains, and with the weight that was chosen for each. */
function byWeight(runs: readonly DomainRun[]): Table {
  const drawn = runs.flatMap(({ methods }) => methods.auto.map(({ weights }) => weights!));
  const columns = columnsByTitle({ weight: "text", "mean L1": "number", chosen: "count" });
  if (drawn.length === 0) return { columns, rows: [] };
  return {
    columns,
    rows: [
      ...TRIAL_WEIGHTS.map((weight, i) => [
        weight === 0 ? "0: the crawled pages alone" : String(weight),
        mean(drawn.map(({ l1 }) => l1[i])),
        drawn.filter(({ chosen }) => chosen === weight).length,
      ]),
      ["chosen by the trial", mean(meansByDraw(runs, "auto")), drawn.length],
    ],
  };
}

function byDomain(runs: readonly DomainRun[], title: string, when: "n" | "2n"): Table {
  return {
    columns: [
      { title, kind: "text" },
      { title: "pages", kind: "count", importance: 1 },
      { title: "crawled", kind: "count" },
      { title: "in-flow", kind: "number", importance: 1 },
      { title: "local", kind: "number", importance: 2 },
      ...METHODS.map((select) => {
        return { title: METHOD_NAMES[select], kind: "number", group: "L1", importance: 3 } as const;
      }),
      { title: "SC-SELECT", kind: "text", importance: 2 },
    ],
    rows: runs.map((run) => [
      run.domain.name,
      run.domain.pages.length,
      measuredAt(run, run.methods.sc[0], when).crawled,
      run.inflow,
      run.initial.l1,
      ...METHODS.map((select) => distanceOf(run, select, "l1", when)),
      isBest(run, "sc", PAPER_METHODS, when) ? "no worse" : "worse",
    ]),
  };
}

function onAverages(runs: readonly DomainRun[]): ClaimVerdict[] {
  if (runs.length === 0) {
    return [
      verdict("On average SC-SELECT is best.", "No site of this graph leaves room for 2n pages outside.", undefined),
    ];
  }
  const claim = (measure: keyof Distances, words: string, paper: string): ClaimVerdict => {
    const valueOf = (select: SelectionMethod): number => mean(meansByDraw(runs, select, measure));
    return verdict(
      `On average SC-SELECT has the best ${words} (${paper}).`,
      `Here: ${listed(PAPER_METHODS, valueOf, 4)}.`,
      bestOf(PAPER_METHODS, valueOf, measure) === "sc",
    );
  };
  return [
    claim("l1", "L1", ".0384 against .0407 to .0470"),
    claim("linf", "L-infinity", ".00154 against .00196 to .00272"),
    claim("kendall", "Kendall", ".9257 against .8946 to .9086"),
  ];
}

function onSites(runs: readonly DomainRun[]): ClaimVerdict {
  const better = runs.filter((run) => isBest(run, "sc", PAPER_METHODS)).length;
  return verdict(
    "In all tests SC-SELECT outperformed the others or was competitive: here, on most sites its final L1 is no worse " +
      "than the best of the other three.",
    `No worse on ${better} of ${runs.length} sites.`,
    runs.length === 0 ? undefined : better > runs.length / 2,
  );
}

function onTopics(runs: readonly DomainRun[]): ClaimVerdict {
  const best = (measure: keyof Distances): number =>
    runs.filter((run) => bestOf(PAPER_METHODS, (each) => distanceOf(run, each, measure, "n"), measure) === "sc").length;
  const [byL1, byKendall] = [best("l1"), best("kendall")];
  return verdict(
    "SC-SELECT has the smallest L1 on three of four topics and the greatest Kendall on all of them.",
    `Of ${runs.length} topics, SC-SELECT has the smallest L1 on ${byL1}, the greatest Kendall on ${byKendall}.`,
    runs.length === 0 ? undefined : byL1 >= 0.75 * runs.length && byKendall === runs.length,
  );
}

/** By the mean over domains, in every draw: the chooser compared with the best of all that select in one way. */
function onChooser(runs: readonly DomainRun[], when: "n" | "2n"): ClaimVerdict {
  const valueOf = (select: SelectionMethod): number => mean(meansByDraw(runs, select, "l1", when));
  const claim = "Our own claim: auto has a smaller mean L1 than the best single selection, with every seed.";
  if (runs.length === 0) return verdict(claim, "Nothing was measured.", undefined);
  const draws = meansByDraw(runs, "auto", "l1", when);
  const best = bestOf(SINGLE_METHODS, valueOf);
  return verdict(
    claim,
    `auto ${spread(draws, 4)} (largest ${Math.max(...draws).toPrecision(4)}); the best single selection is ` +
      `${METHOD_NAMES[best]}, ${spread(meansByDraw(runs, best, "l1", when), 4)}.`,
    Math.max(...draws) < valueOf(best),
  );
}

function onBudget(runs: readonly DomainRun[]): ClaimVerdict {
  const claim = "As few as n or 2n additional pages give excellent estimates: 2n are better than n, with every method.";
  if (runs.length === 0) return verdict(claim, "Nothing was measured.", undefined);
  const ratio = (select: SelectionMethod): number =>
    mean(meansByDraw(runs, select)) / mean(meansByDraw(runs, select, "l1", "n"));
  return verdict(
    claim,
    `Mean L1 after 2n pages, relative to n: ${listed(METHODS, ratio, 3)}.`,
    METHODS.every((select) => ratio(select) < 1),
  );
}
