/** OPIC, sections 2 and 4: how fast it converges, and on which pages first. */
import { withoutSelfLinks } from "../../graph/index.ts";
import { pagerank } from "../../rank/index.ts";
import type { ClaimVerdict, Table } from "../exhibits.ts";
import { type Experiment, type ExperimentInput, isBetween, solidCurves, verdict } from "./experiment.ts";
import { type ErrorCurve, errorCurve, offlineCurve, type OpicError, readsFor } from "./opic-run.ts";

const READS_PER_PAGE = [0.25, 0.5, 1, 2, 3, 4, 5, 7, 10];
/** RANDOM is followed until it has the errors that GREEDY has after five reads, or up to here. */
const MORE_READS = [...READS_PER_PAGE, 14, 20, 28, 40];
const SWEEPS = 10;
/** "Roughly twice", as the paper says. */
const ABOUT_TWICE = [1.5, 2.7] as const;

const NAMES = {
  paperGreedy: "GREEDY, as in the paper",
  paperRandom: "RANDOM, as in the paper",
  greedy: "GREEDY",
  random: "RANDOM",
  cycle: "CYCLE",
  offline: "off-line",
} as const;
type Curves = Readonly<Record<keyof typeof NAMES, ErrorCurve>>;
const METHODS = Object.keys(NAMES) as (keyof typeof NAMES)[];

export const opicConvergence: Experiment = {
  name: "opic-convergence",
  title: "OPIC: error by page reads",
  ownTrust: true,
  run(input) {
    const curves = curvesOf(input);
    return {
      paragraphs: [
        "The paper reports an error below one percent after GREEDY has read each page five times on average, without " +
          "saying how it is measured. Here it is the L1 distance to PageRank, both 1 in sum, with uniform trust. A " +
          "sweep of the off-line method (the power method from equal ranks) counts as one read of every page. The " +
          "paper's estimate (H + C) / (G + 1) is compared with ours, which leaves out the initial cash of the pages.",
        "How much slower a method is, is said by the reads that it needs for the same error, found between two " +
          "points of its curve on logarithmic scales.",
      ],
      charts: [
        {
          title: "Error by page reads",
          description: `L1 distance to PageRank by reads per page; at 5 reads ${METHODS.map(
            (method) => `${NAMES[method]} ${errorAt(curves[method], 5).toPrecision(3)}`,
          ).join(", ")}.`,
          groupLabel: "Method",
          x: { label: "Reads per page", kind: "number", scale: "linear" },
          y: { label: "L1 distance", kind: "number", scale: "log" },
          series: solidCurves(
            "L1",
            METHODS.map((method) => [NAMES[method], curves[method].map(({ reads, all }) => [reads, all] as const)]),
          ),
        },
      ],
      tables: [
        { heading: "Reads per page for the same error", table: equalErrors(curves) },
        { heading: "Error on important pages, relative to their importance", table: onImportant(curves) },
      ],
      verdicts: [...onErrors(curves), onRandom(curves), ...onOffline(curves), onTop(curves)],
    };
  },
};

function curvesOf(input: ExperimentInput): Curves {
  const truth = pagerank(withoutSelfLinks(input.graph), { damping: input.damping }).ranks;
  const literal = { kind: "literal" } as const;
  const all = { kind: "all" } as const;
  return {
    paperGreedy: errorCurve(input, truth, { choice: "greedy", memory: literal }, READS_PER_PAGE),
    paperRandom: errorCurve(input, truth, { choice: "random", memory: literal }, MORE_READS),
    greedy: errorCurve(input, truth, { choice: "greedy", memory: all }, READS_PER_PAGE),
    random: errorCurve(input, truth, { choice: "random", memory: all }, MORE_READS),
    cycle: errorCurve(input, truth, { choice: "cycle", memory: all }, READS_PER_PAGE),
    offline: offlineCurve(input, truth, SWEEPS),
  };
}

/** The errors of the paper's GREEDY after these reads, and after how many reads the others have them. */
const LEVELS_AT = [1, 2, 3, 5, 10];

function equalErrors(curves: Curves): Table {
  return {
    columns: [
      { title: "error", kind: "number" },
      ...METHODS.map((method) => ({ title: NAMES[method], kind: "number" }) as const),
    ],
    rows: LEVELS_AT.map((reads) => {
      const error = errorAt(curves.paperGreedy, reads);
      return [error, ...METHODS.map((method) => readsFor(curves[method], error) ?? null)];
    }),
  };
}

function onImportant(curves: Curves): Table {
  const at = [1, 2, 5];
  const parts = { top1: "most important 1%", top10: "most important 10%", all: "all pages" } as const;
  return {
    columns: [
      { title: "method", kind: "text" },
      ...Object.values(parts).flatMap((group) =>
        at.map((reads) => ({ title: `${reads} read${reads === 1 ? "" : "s"}`, kind: "number", group }) as const),
      ),
    ],
    rows: METHODS.map((method) => [
      NAMES[method],
      ...(Object.keys(parts) as (keyof typeof parts)[]).flatMap((part) =>
        at.map((reads) => pointAt(curves[method], reads)[part]),
      ),
    ]),
  };
}

function onErrors({ paperGreedy, greedy }: Curves): ClaimVerdict[] {
  return [
    verdict(
      "GREEDY falls below one percent at 5 reads per page.",
      `Here the paper's estimate is off by ${off(paperGreedy, 5)}, ours by ${off(greedy, 5)}.`,
      errorAt(paperGreedy, 5) < 0.01,
    ),
    verdict(
      "Our own claim: at most 10% at 5 reads per page by GREEDY, without the initial cash.",
      `Here ${off(greedy, 5)}.`,
      errorAt(greedy, 5) <= 0.1,
    ),
  ];
}

function onRandom({ paperGreedy, paperRandom, greedy, random }: Curves): ClaimVerdict {
  const ratio = (slow: ErrorCurve, fast: ErrorCurve, reads: number): number | undefined => {
    const needed = readsFor(slow, errorAt(fast, reads));
    return needed === undefined ? undefined : needed / reads;
  };
  const at = [2, 3, 5];
  const ratios = at.map((reads) => ratio(paperRandom, paperGreedy, reads));
  const ours = ratio(random, greedy, 5);
  return verdict(
    "RANDOM is roughly twice as slow as GREEDY.",
    `For the errors that GREEDY has after 2, 3 and 5 reads, RANDOM needs ${ratios.map(times).join(", ")} as many ` +
      `reads (our estimate, after 5: ${times(ours)}).`,
    ratios.every((each) => each !== undefined && isBetween(each, ...ABOUT_TWICE)),
  );
}

function onOffline({ offline, paperGreedy }: Curves): ClaimVerdict[] {
  // Where both are, at the end of the shorter curve.
  const last = errorAt(paperGreedy, 10);
  const sweeps = readsFor(offline, last);
  return [
    verdict(
      "The off-line method is worse after one or two reads per page.",
      `Off-line ${off(offline, 1)} and ${off(offline, 2)} after 1 and 2 reads, GREEDY ${off(paperGreedy, 1)} and ` +
        `${off(paperGreedy, 2)}.`,
      errorAt(offline, 1) > errorAt(paperGreedy, 1) && errorAt(offline, 2) > errorAt(paperGreedy, 2),
    ),
    verdict(
      "The off-line method eventually converges roughly twice as fast.",
      sweeps === undefined
        ? `It does not reach the error that GREEDY has after 10 reads, ${last.toPrecision(3)}, in ${SWEEPS} sweeps.`
        : `It has the error that GREEDY has after 10 reads after ${sweeps.toFixed(1)}: ${times(10 / sweeps)} as fast.`,
      sweeps !== undefined && isBetween(10 / sweeps, ...ABOUT_TWICE),
    ),
  ];
}

function onTop({ paperGreedy, offline }: Curves): ClaimVerdict {
  const at = [1, 2];
  const list = (curve: ErrorCurve): string => at.map((reads) => percent(pointAt(curve, reads).top1)).join(" and ");
  return verdict(
    "OPIC with GREEDY provides good estimates for important pages: after one and two reads per page, better ones on " +
      "the most important 1% than on all pages, and than the off-line method.",
    `On the most important 1%: GREEDY ${list(paperGreedy)}, off-line ${list(offline)}; on all pages GREEDY ` +
      `${at.map((reads) => off(paperGreedy, reads)).join(" and ")}.`,
    at.every((reads) => {
      const { top1, all } = pointAt(paperGreedy, reads);
      return top1 < all && top1 < pointAt(offline, reads).top1;
    }),
  );
}

function pointAt(curve: ErrorCurve, reads: number): OpicError {
  return curve.find((point) => point.reads === reads)!;
}

function errorAt(curve: ErrorCurve, reads: number): number {
  return pointAt(curve, reads).all;
}

function off(curve: ErrorCurve, reads: number): string {
  return percent(errorAt(curve, reads));
}

function percent(share: number): string {
  return `${(100 * share).toPrecision(3)}%`;
}

function times(ratio: number | undefined): string {
  return ratio === undefined ? "more than was tried" : `${ratio.toFixed(1)} times`;
}
