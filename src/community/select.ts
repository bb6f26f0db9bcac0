/**
 * SELECTNODES of Algorithm 2: which pages of the frontier to crawl next.
 *
 *     sc        SC-SELECT: the greatest influence on L (stochastic-complement.ts)
 *     pf        PF-SELECT (section 5.2.2): the most PageRank flow, `sum over k to j of f[k] / (o[k]+1)`
 *     outlinks  OUTLINKCOUNT: the most links from F
 *     leak      the most rank that L loses to it: the leaks x of SC-SELECT without the flows,
 *               `sum over k to j of f[k] o_L[k] / (o[k] (o[k]+1))`, o_L[k] the links of page k into L
 *     random    RANDOM: any with equal chance
 *
 * Equal scores: the page discovered earlier. Each is linear in the links of F, except `sc`.
 */
import { didYouMean, quoted, UsageError } from "../base/index.ts";
import { topPages } from "../rank/index.ts";
import type { KnownWeb } from "./known-web.ts";
import { type ScOptions, scScores } from "./stochastic-complement.ts";

/** The selections that give every page of the frontier a score. */
export const SCORES = ["sc", "pf", "outlinks", "leak"] as const;
/** A score of the pages of the frontier. */
export type FrontierScore = (typeof SCORES)[number];

/**
 * The selections that take all pages of a round in one way: by influence, PageRank flow, links, leaks, or at random.
 */
export const SELECTIONS = [...SCORES, "random"] as const;

const METHODS = [...SELECTIONS, "auto"] as const;
/** A selection; or `auto`: half by leaks, half at random, with an estimate that is chosen on what is known. */
export type SelectionMethod = (typeof METHODS)[number];

/** Throws a `UsageError` for an unknown name. */
export function checkSelection(name: string): SelectionMethod {
  const found = METHODS.find((each) => each === name);
  if (found !== undefined) return found;
  throw new UsageError(
    `unknown selection method ${quoted(name)}.${didYouMean(name, METHODS)} Methods are: ${METHODS.join(", ")}.`,
  );
}

/** The score of every candidate. */
export function scoresOf(
  known: KnownWeb,
  ranks: Float64Array,
  { score, ...options }: ScOptions & { readonly score: FrontierScore },
): Float64Array {
  switch (score) {
    case "sc":
      return scScores(known, ranks, options);
    case "pf":
      return sumOverSources(known, pfShares(known, ranks));
    case "outlinks":
      return Float64Array.from(known.candidates, (_, c) => known.sourceOffsets[c + 1] - known.sourceOffsets[c]);
    case "leak":
      return sumOverSources(known, leakShares(known, ranks));
  }
}

/** What each page would send to a page that it turns out to link to. */
function pfShares({ graph: { pages, offsets } }: KnownWeb, ranks: Float64Array): Float64Array {
  const shares = new Float64Array(pages);
  for (let k = 0; k < pages; k++) shares[k] = ranks[k] / (offsets[k + 1] - offsets[k] + 1);
  return shares;
}

/** What the local pages that each page links to would lose by one link more. */
function leakShares({ graph, localPages }: KnownWeb, ranks: Float64Array): Float64Array {
  const { pages, offsets, targets } = graph;
  const shares = new Float64Array(pages);
  for (let k = 0; k < pages; k++) {
    const links = offsets[k + 1] - offsets[k];
    let arc = offsets[k];
    while (arc < offsets[k + 1] && targets[arc] < localPages) arc++;
    const local = arc - offsets[k];
    if (local > 0) shares[k] = (ranks[k] * local) / (links * (links + 1));
  }
  return shares;
}

function sumOverSources({ candidates, sourceOffsets, sources }: KnownWeb, shares: Float64Array): Float64Array {
  const sums = new Float64Array(candidates.length);
  for (let c = 0; c < sums.length; c++) {
    let sum = 0;
    for (let at = sourceOffsets[c]; at < sourceOffsets[c + 1]; at++) sum += shares[sources[at]];
    sums[c] = sum;
  }
  return sums;
}

/** The candidates of highest score, best first, as pages of the whole web; all of them if there are fewer. */
export function bestPages(
  known: KnownWeb,
  ranks: Float64Array,
  { count, ...options }: ScOptions & { readonly score: FrontierScore; readonly count: number },
): Uint32Array {
  const { candidates } = known;
  if (candidates.length === 0 || count === 0) return new Uint32Array(0);
  return topPages(scoresOf(known, ranks, options), count).map((c) => candidates[c]);
}
