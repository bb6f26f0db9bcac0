/**
 * Communities, Figure 1 (does influence predict what a page is worth?) and Figure 2 (distance by pages crawled).
 *
 * Figure 1 takes the first round, F = L. For a page j of the frontier, f_j is the rank of L once j is crawled, with the
 * links that j really has; `GlobalDiff(f_j)` is its distance to the global rank, and influence(j) its distance to f,
 * the rank without j (equations 3 and 7).
 */
import { formatCount, noProgress, Random, sampleOf } from "../../base/index.ts";
import { knownPart, restrictedTo, scoresOf } from "../../community/index.ts";
import { l1Distance, pagerank, spearman } from "../../rank/index.ts";
import type { Chart, ClaimVerdict, Table } from "../exhibits.ts";
import { type Domain, sitesToMeasure, siteWords, topicsOf } from "./communities-domains.ts";
import {
  distanceOf,
  type DomainRun,
  globalRanks,
  isBest,
  listed,
  METHOD_NAMES,
  METHODS,
  PAPER_METHODS,
  runDomain,
} from "./communities-run.ts";
import { type Experiment, type ExperimentInput, mean, standardDeviation, verdict } from "./experiment.ts";

const CRITERIA = {
  influence: "influence",
  sc: "SC-SELECT score",
  pf: "PF-SELECT score",
  outlinks: "outlink count",
  leak: "leak score",
} as const;
type Criterion = keyof typeof CRITERIA;
const CRITERION_NAMES = Object.keys(CRITERIA) as Criterion[];

/** Of larger frontiers, so many random pages are measured. */
const CANDIDATES_MAX = 200;
/** With fewer pages a correlation says nothing. */
const CANDIDATES_MIN = 10;
const FIGURE_TOPICS = 4;

interface Predictions {
  readonly domain: Domain;
  /** The distance of the local rank to the global one. */
  readonly before: number;
  /** By candidate: what each criterion says, and GlobalDiff once the page is crawled. */
  readonly said: Readonly<Record<Criterion, Float64Array>>;
  readonly after: Float64Array;
}

export const communitiesFigure1: Experiment = {
  name: "communities-figure1",
  title: "Communities, Figure 1: what a page is said to be worth, and what it is worth",
  ownTrust: true,
  run(input) {
    const truth = globalRanks(input);
    const domains = [...topicsOf(input, FIGURE_TOPICS), ...sitesToMeasure(input)];
    const all = domains
      .map((domain) => predictionsOf(input, truth, domain))
      .filter(({ after }) => after.length >= CANDIDATES_MIN);
    const shown = all.slice(0, 1);
    return {
      paragraphs: [
        "The paper takes a topic and plots, for each page that it links to, the distance to the global PageRank " +
          "once the page is crawled (GlobalDiff), by the influence of the page on the ranks of the topic, and by " +
          "its number of links. Here: what lies within two links of ten random pages; for the table four of these, " +
          `and ${siteWords(input)}. Of a frontier of more than ${CANDIDATES_MAX} pages, as many random ones are ` +
          `measured; domains with fewer than ${CANDIDATES_MIN} are left out.`,
        "Influence is measured with the links that the page really has. SC-SELECT estimates it without knowing them. " +
          "A correlation of 1 would mean that the page said to be worth most brings the estimate nearest to the truth.",
      ],
      charts: shown.flatMap((each) => (["influence", "sc", "outlinks"] as const).map((name) => scatter(each, name))),
      tables: [
        { heading: "Spearman's correlation with the gain, GlobalDiff before minus after", table: correlations(all) },
      ],
      verdicts: onPredictions(all),
    };
  },
};

function predictionsOf(input: ExperimentInput, truth: Float64Array, domain: Domain): Predictions {
  const { graph: web, damping, progress = noProgress } = input;
  const local = domain.pages;
  const expected = restrictedTo(local, truth);
  const solve = { damping, dangling: "uniform", stopping: { tolerance: 1e-12 } } as const;
  const known = knownPart(web, local, local.length);
  const f = pagerank(known.graph, solve).ranks;
  const chosen = sampleOf(Uint32Array.from(known.candidates.keys()), CANDIDATES_MAX, new Random(1)).sort();
  const after = new Float64Array(chosen.length);
  const influence = new Float64Array(chosen.length);
  const members = new Uint32Array(local.length + 1);
  members.set(local);
  for (const [i, c] of chosen.entries()) {
    progress({ task: domain.name, done: i, total: chosen.length, unit: "pages" });
    members[local.length] = known.candidates[c];
    const grown = pagerank(knownPart(web, members, local.length).graph, solve).ranks;
    const ranks = restrictedTo(Uint32Array.from(local.keys()), grown);
    after[i] = l1Distance(ranks, expected);
    influence[i] = l1Distance(ranks, f);
  }
  const said = (score: Exclude<Criterion, "influence">): Float64Array => {
    const scores = scoresOf(known, f, { score, damping });
    return Float64Array.from(chosen, (c) => scores[c]);
  };
  return {
    domain,
    before: l1Distance(f, expected),
    said: { influence, sc: said("sc"), pf: said("pf"), outlinks: said("outlinks"), leak: said("leak") },
    after,
  };
}

/** How well a criterion foretells the gain; NaN if all pages are worth the same. */
function correlation({ said, after }: Predictions, criterion: Criterion): number {
  return spearman(
    said[criterion],
    after.map((distance) => -distance),
  );
}

function scatter(each: Predictions, criterion: Criterion): Chart {
  const points = Array.from(each.after, (distance, i) => [each.said[criterion][i], distance] as const);
  return {
    title: `GlobalDiff by ${CRITERIA[criterion]}: ${each.domain.name}, ${formatCount(each.domain.pages.length)} pages`,
    description:
      `The distance to the global PageRank once a page is crawled, for ${points.length} pages of the frontier, by ` +
      `${CRITERIA[criterion]}. Before, it is ${each.before.toPrecision(4)}. Spearman's correlation with the gain is ` +
      `${correlation(each, criterion).toFixed(2)}.`,
    groupLabel: "Pages",
    x: { label: CRITERIA[criterion], kind: "number", scale: "log" },
    y: { label: "GlobalDiff", kind: "number", scale: "linear" },
    series: [
      { group: "frontier", measure: "GlobalDiff", line: "points", points: points.toSorted(([a], [b]) => a - b) },
    ],
  };
}

function correlations(all: readonly Predictions[]): Table {
  return {
    columns: [
      { title: "domain", kind: "text" },
      { title: "pages", kind: "count", importance: 1 },
      { title: "frontier", kind: "count", importance: 1 },
      ...CRITERION_NAMES.map((name) => ({ title: CRITERIA[name], kind: "number", importance: 2 }) as const),
    ],
    rows: [
      ...all.map((each) => [
        each.domain.name,
        each.domain.pages.length,
        each.after.length,
        ...CRITERION_NAMES.map((name) => finite(correlation(each, name))),
      ]),
      ["mean", null, null, ...CRITERION_NAMES.map((name) => finite(meanCorrelation(all, name)))],
    ],
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function meanCorrelation(all: readonly Predictions[], criterion: Criterion): number {
  return mean(all.map((each) => correlation(each, criterion)).filter(Number.isFinite));
}

/** What is usually called a strong correlation. */
const STRONG = 0.6;

function onPredictions(all: readonly Predictions[]): ClaimVerdict[] {
  const of = (name: Criterion): number => meanCorrelation(all, name);
  const said = `Mean correlation over ${all.length} domains: ${CRITERION_NAMES.map(
    (name) => `${CRITERIA[name]} ${of(name).toFixed(2)}`,
  ).join(", ")}.`;
  const decided = all.length > 0;
  return [
    verdict(
      "The correlation between influence and the actual objective is quite strong.",
      said,
      decided ? of("influence") >= STRONG : undefined,
    ),
    verdict(
      "Other criteria, such as outlink count, exhibit a much weaker correlation.",
      said,
      decided ? of("outlinks") < of("influence") / 2 : undefined,
    ),
  ];
}

export const communitiesFigure2: Experiment = {
  name: "communities-figure2",
  title: "Communities, Figure 2: L1 distance to the global PageRank by pages crawled",
  ownTrust: true,
  run(input) {
    const truth = globalRanks(input);
    const [largest, ...others] = sitesToMeasure(input)
      .slice(0, 5)
      .map((domain) => ({ domain, before: predictedBefore(input, truth, domain) }));
    const farthest = others.toSorted((a, b) => b.before - a.before).slice(0, 1);
    const chosen = [...(largest === undefined ? [] : [largest]), ...farthest].map(({ domain }) => domain);
    const runs = [...chosen, ...topicsOf(input, 1)].map((domain) => runDomain(input, truth, domain, true));
    return {
      paragraphs: [
        "The paper shows the site of a computer science department, a site whose local PageRank is far from the " +
          `global one, and a topic. Here: of the five largest of ${siteWords(input)}, the largest and that of the ` +
          "others whose local PageRank is farthest off; and the pages within two links of ten random pages. RANDOM " +
          "and auto are means over several seeds, with their standard deviation.",
      ],
      charts: runs.map(chartOf),
      verdicts: [...runs.map(onRun), onGain(runs)],
    };
  },
};

function predictedBefore({ graph, damping }: ExperimentInput, truth: Float64Array, { pages }: Domain): number {
  const { ranks } = pagerank(knownPart(graph, pages, pages.length).graph, { damping, dangling: "uniform" });
  return l1Distance(ranks, restrictedTo(pages, truth));
}

function chartOf(run: DomainRun): Chart {
  const { domain, methods } = run;
  const finals = listed(METHODS, (select) => distanceOf(run, select), 3);
  return {
    title: `${domain.name}, ${formatCount(domain.pages.length)} pages`,
    description: `L1 distance to the global PageRank by pages crawled; at the end ${finals}.`,
    groupLabel: "Selection",
    x: { label: "Pages crawled", kind: "count", scale: "linear" },
    y: { label: "L1 distance", kind: "number", scale: "log" },
    series: METHODS.map((select) => {
      const draws = methods[select];
      // A draw that ran out of pages stays where it ended.
      const steps = Math.max(...draws.map(({ curve }) => curve.length));
      const at = (step: number) => draws.map(({ curve }) => curve[Math.min(step, curve.length - 1)]);
      const all = Array.from({ length: steps }, (_, step) => at(step));
      return {
        group: METHOD_NAMES[select],
        measure: "L1",
        line: "solid",
        points: all.map((each) => [Math.max(...each.map(({ crawled }) => crawled)), mean(each.map(({ l1 }) => l1))]),
        ...(draws.length === 1 ? {} : { errors: all.map((each) => standardDeviation(each.map(({ l1 }) => l1))) }),
      };
    }),
  };
}

function onRun(run: DomainRun): ClaimVerdict {
  return verdict(
    `SC-SELECT outperforms all other methods: on ${run.domain.name}.`,
    `Final L1: ${listed(METHODS, (select) => distanceOf(run, select), 4)}.`,
    isBest(run, "sc", PAPER_METHODS),
  );
}

function onGain(runs: readonly DomainRun[]): ClaimVerdict {
  const gains = runs.map((run) => ({ name: run.domain.name, times: run.initial.l1 / distanceOf(run, "sc") }));
  const finiteGains = gains.filter(({ times }) => Number.isFinite(times));
  return verdict(
    "With n or 2n pages the estimate is up to ten times better than the local PageRank.",
    finiteGains.length === 0
      ? "The local PageRank was exact from the start."
      : "Here, by SC-SELECT: " +
          `${finiteGains.map(({ name, times }) => `${name} ${times.toPrecision(3)} times`).join(", ")}.`,
    finiteGains.length === 0 ? undefined : finiteGains.some(({ times }) => times >= 10),
  );
}
