/**
 * Which estimate of the global rank of L to believe, chosen by what is known. Two are at hand: the rank in F alone, as
 * in the paper, and the rank with a frontier that leads where a random sample of it led (frontier-rank.ts). The first
 * ignores all pages that were not crawled, the second takes them for a population of which the sample was drawn. Tried
 * are their mixtures `(1-w) alone + w sampled`.
 *
 * The trial: F is taken for a whole web, of which the rank of L is known exactly. The pages that were crawled last,
 * half of all, are hidden, as if they had not been crawled yet; each mixture is computed from what is left, and its L1
 * distance to the known rank is measured. The weight of least distance is used with all that is known; the smaller one
 * of equals.
 *
 * Hiding pages at random instead would flatter the second estimate, because what is left would be a sample of what is
 * hidden. Pages that come later differ from those that came earlier, as those that never come do.
 *
 * Cost: about that of the estimates themselves, on fewer pages.
 */
import { successors } from "../graph/index.ts";
import { l1Distance, pagerank } from "../rank/index.ts";
import { frontierRank, shares } from "./frontier-rank.ts";
import { KnownPages, type KnownWeb } from "./known-web.ts";

export const TRIAL_WEIGHTS = [0, 0.25, 0.5, 0.75, 1] as const;

/** How an estimate was chosen. */
export interface EstimateChoice {
  /** The weight of the sampled estimate: 0 is the rank in the crawled pages alone. */
  readonly weight: number;
  /** How many pages were hidden for the trial. */
  readonly hidden: number;
  /** The distance of each mixture to the known rank; none if too little was crawled for a trial. */
  readonly trials: readonly { readonly weight: number; readonly l1: number }[];
}

interface ChoiceOptions {
  readonly damping: number;
  readonly tolerance: number;
  /** The numbers in F of the pages that were drawn at random, ascending. */
  readonly sample: Uint32Array;
}

/** `ranks` is the PageRank of F. Returns the chosen estimate of the ranks of L, 1 in sum. */
export function chooseEstimate(
  known: KnownWeb,
  ranks: Float64Array,
  options: ChoiceOptions,
): { readonly ranks: Float64Array; readonly choice: EstimateChoice } {
  const choice = chooseWeight(known, shares(ranks, known.localPages), options);
  return { ranks: mixedEstimate(known, ranks, { ...options, weight: choice.weight }), choice };
}

/** The estimate with a given weight of what the sample says. */
export function mixedEstimate(
  known: KnownWeb,
  ranks: Float64Array,
  options: ChoiceOptions & { readonly weight: number },
): Float64Array {
  const alone = shares(ranks, known.localPages);
  return options.weight === 0 ? alone : mixed(alone, frontierRank(known, options), options.weight);
}

function chooseWeight(known: KnownWeb, truth: Float64Array, options: ChoiceOptions): EstimateChoice {
  const { graph, localPages } = known;
  const hidden = Math.floor((graph.pages - localPages) / 2);
  if (hidden === 0) return { weight: 0, hidden, trials: [] };
  const kept = graph.pages - hidden;
  const pages = new KnownPages();
  for (let page = 0; page < kept; page++) pages.add(page, successors(graph, page));
  const part = pages.view(localPages);
  const { damping, tolerance } = options;
  const { ranks } = pagerank(part.graph, { damping, dangling: "uniform", stopping: { tolerance } });
  const alone = shares(ranks, localPages);
  const sampled = frontierRank(part, { damping, tolerance, sample: options.sample.filter((page) => page < kept) });
  const trials = TRIAL_WEIGHTS.map((weight) => ({ weight, l1: l1Distance(mixed(alone, sampled, weight), truth) }));
  const best = trials.reduce((a, b) => (b.l1 < a.l1 ? b : a));
  return { weight: best.weight, hidden, trials };
}

function mixed(alone: Float64Array, sampled: Float64Array, weight: number): Float64Array {
  return alone.map((rank, i) => (1 - weight) * rank + weight * sampled[i]);
}
