/**
 * SELECTNODES of Algorithm 2: which pages of the frontier to crawl next.
 *
 *     sc        SC-SELECT: the greatest influence on L (stochastic-complement.ts)
 *     pf        PF-SELECT (section 5.2.2): the most PageRank flow, `sum over k to j of f[k] / (o[k]+1)`
 *     outlinks  OUTLINKCOUNT: the most links from F
 *     random    RANDOM: any with equal chance
 *
 * Equal scores: the page discovered earlier.
 */
import { didYouMean, quoted, type Random, UsageError } from "../base/index.ts";
import { topPages } from "../rank/index.ts";
import type { KnownWeb } from "./known-web.ts";
import { type ScOptions, scScores } from "./stochastic-complement.ts";

export const SELECTIONS = ["sc", "pf", "outlinks", "random"] as const;
/** How pages of the frontier are selected: by influence on the community, PageRank flow, links, or at random. */
export type SelectionMethod = (typeof SELECTIONS)[number];

/** Throws a `UsageError` for an unknown name. */
export function checkSelection(name: string): SelectionMethod {
  const found = SELECTIONS.find((each) => each === name);
  if (found !== undefined) return found;
  throw new UsageError(
    `Unknown selection method ${quoted(name)}.${didYouMean(name, SELECTIONS)} Methods are: ${SELECTIONS.join(", ")}.`,
  );
}

export function pfScores({ graph, candidates, sourceOffsets, sources }: KnownWeb, ranks: Float64Array): Float64Array {
  const { offsets } = graph;
  const scores = new Float64Array(candidates.length);
  for (let c = 0; c < scores.length; c++) {
    let flow = 0;
    for (let at = sourceOffsets[c]; at < sourceOffsets[c + 1]; at++) {
      const k = sources[at];
      flow += ranks[k] / (offsets[k + 1] - offsets[k] + 1);
    }
    scores[c] = flow;
  }
  return scores;
}

export function outlinkScores({ candidates, sourceOffsets }: KnownWeb): Float64Array {
  return Float64Array.from(candidates, (_, c) => sourceOffsets[c + 1] - sourceOffsets[c]);
}

/** The candidates to crawl next, best first, as pages of the whole web; all of them if there are fewer. */
export function selectPages(
  known: KnownWeb,
  ranks: Float64Array,
  options: ScOptions & { select: SelectionMethod; count: number; random: Random },
): Uint32Array {
  const { select, count } = options;
  const { candidates } = known;
  if (candidates.length === 0) return new Uint32Array(0);
  if (select === "random") return drawn(candidates, count, options.random);
  const scores =
    select === "sc" ? scScores(known, ranks, options) : select === "pf" ? pfScores(known, ranks) : outlinkScores(known);
  return topPages(scores, count).map((c) => candidates[c]);
}

/** The first steps of a Fisher-Yates shuffle. */
function drawn(candidates: Uint32Array, count: number, random: Random): Uint32Array {
  const pages = candidates.slice();
  const size = Math.min(count, pages.length);
  for (let i = 0; i < size; i++) {
    const other = i + random.below(pages.length - i);
    [pages[i], pages[other]] = [pages[other], pages[i]];
  }
  return pages.slice(0, size);
}
