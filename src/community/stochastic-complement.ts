/**
 * SC-SELECT (J. V. Davis and I. S. Dhillon, Estimating the Global PageRank of Web Communities, KDD 2006, section 5.2.1
 * and Algorithm 3): how much the PageRank of the local domain L would change if page j of the frontier were known. The
 * score is exactly `|E_L (S f - f)|_1`, where S is the stochastic complement, with respect to F, of the PageRank matrix
 * of F and j.
 *
 * l is the number of pages of F, f their PageRank (which must be exact: errors in `f = P f` are errors in the scores),
 * alpha the damping factor, o[k] the links of page k inside F. What j would link to is estimated by the in-links inside
 * F (equation 5 as it is meant: `s = F e / |F e|_1`; uniform if F has no links). Pages without links lead everywhere:
 * in `P_F` to the l pages, in `P_Fj` to the l + 1. A page whose only known links leave F has the link to j and leads
 * only there. With q the rank on dangling pages and q_j that on those among them that link to j, equations (15) to (19)
 * become
 *
 *     g_j   = (1-alpha)/(l+1) + alpha (q - q_j)/(l+1) + alpha sum over k to j of f[k]/(o[k]+1)    what j has to hand on
 *     y_j   = -(1-alpha+alpha q)/(l(l+1)) - alpha q_j/(l+1)
 *     z     = (alpha s + (1-alpha)/(l+1)) / (1 - (1-alpha)/(l+1))                                  how j hands it on
 *     x[k'] = -alpha sum over k to j and to k', o[k] > 0, of f[k]/(o[k](o[k]+1))                   what siblings lose
 *     score = sum over k in L of |x[k] + y_j + g_j z[k]|
 *
 * The sum without x takes constant time (flow-norms.ts) and is corrected where x is not 0. Candidates that the same
 * pages link to have the same score, which is computed once.
 *
 * With `levels` the scores are those of Algorithm 3 as printed: the sum without x is looked up in a table of so many
 * values of g, and y is that of equation (17) for all candidates, q_j = 0 (the paper derives it without dangling
 * pages).
 *
 * Cost: linear in the links of F, plus for every distinct set of linking pages their links into L. Memory: 40 bytes per
 * page of F, 32 per candidate.
 */
import { mix32 } from "../base/index.ts";
import { type Allocation, FlowNorms, RoundedFlowNorms } from "./flow-norms.ts";
import type { KnownWeb } from "./known-web.ts";

export interface ScOptions {
  readonly damping: number;
  /** Use the paper's discretised form, with this many values: c of the paper (default: exact). */
  readonly levels?: number | undefined;
}

/** The score of every candidate. `ranks` is the PageRank of F with uniform trust; dangling pages lead everywhere. */
export function scScores(known: KnownWeb, ranks: Float64Array, { damping, levels }: ScOptions): Float64Array {
  const { graph, candidates } = known;
  const grown = graph.pages + 1;
  const dangling = danglingRank(known, ranks);
  const { flows, lost } = flowsOf(known, ranks, damping, dangling);
  const y0 = -(1 - damping + damping * dangling) / (graph.pages * grown);
  const leaks =
    levels === undefined
      ? lost.map((danglingToIt) => y0 - (damping * danglingToIt) / grown)
      : new Float64Array(lost.length).fill(y0);
  const allocation = allocationOf(known, damping);
  const exact = new FlowNorms(known.inDegrees, known.localPages, allocation);
  const table = levels === undefined ? undefined : new RoundedFlowNorms(exact, y0, { ...rangeOf(flows), levels });
  const scores = new Float64Array(candidates.length);
  const work = siblingsWork(known, ranks, damping, allocation);
  const firstOf = sameSources(known);
  for (let c = 0; c < scores.length; c++) {
    const first = firstOf[c];
    if (first < c) scores[c] = scores[first];
    else {
      const norm = table === undefined ? exact.at(leaks[c], flows[c]) : table.at(flows[c]);
      scores[c] = norm + addSiblings(known, work, c, leaks[c], flows[c]);
    }
  }
  return scores;
}

function danglingRank({ graph: { pages, offsets } }: KnownWeb, ranks: Float64Array): number {
  let total = 0;
  for (let k = 0; k < pages; k++) if (offsets[k] === offsets[k + 1]) total += ranks[k];
  return total;
}

/** g of every candidate, and its q_j. */
function flowsOf(
  { graph, candidates, sourceOffsets, sources }: KnownWeb,
  ranks: Float64Array,
  damping: number,
  dangling: number,
): { flows: Float64Array; lost: Float64Array } {
  const { pages, offsets } = graph;
  const flows = new Float64Array(candidates.length);
  const lost = new Float64Array(candidates.length);
  for (let c = 0; c < flows.length; c++) {
    let flow = 0;
    let fromDangling = 0;
    for (let at = sourceOffsets[c]; at < sourceOffsets[c + 1]; at++) {
      const k = sources[at];
      const links = offsets[k + 1] - offsets[k];
      flow += ranks[k] / (links + 1);
      if (links === 0) fromDangling += ranks[k];
    }
    lost[c] = fromDangling;
    flows[c] = (1 - damping + damping * (dangling - fromDangling)) / (pages + 1) + damping * flow;
  }
  return { flows, lost };
}

function allocationOf({ graph: { pages, arcs } }: KnownWeb, damping: number): Allocation {
  const jump = (1 - damping) / (pages + 1);
  if (arcs === 0) return { slope: 0, level: (damping / pages + jump) / (1 - jump) };
  return { slope: damping / arcs / (1 - jump), level: jump / (1 - jump) };
}

/** The range of the paper's table. */
function rangeOf(flows: Float64Array): { least: number; greatest: number } {
  let least = Infinity;
  let greatest = 0;
  for (let c = 0; c < flows.length; c++) {
    least = Math.min(least, flows[c]);
    greatest = Math.max(greatest, flows[c]);
  }
  return { least: Math.min(least, greatest), greatest };
}

/**
 * The arrays of `addSiblings`. `losses` is `alpha f[k] / (o[k] (o[k]+1))`: what each link of k loses when k has one
 * link more. x is 0 everywhere between two candidates.
 */
function siblingsWork(known: KnownWeb, ranks: Float64Array, damping: number, allocation: Allocation) {
  const { graph, localPages, inDegrees } = known;
  const { offsets } = graph;
  const losses = new Float64Array(graph.pages);
  for (let k = 0; k < losses.length; k++) {
    const links = offsets[k + 1] - offsets[k];
    if (links > 0) losses[k] = (damping * ranks[k]) / (links * (links + 1));
  }
  const z = new Float64Array(localPages);
  for (let k = 0; k < localPages; k++) z[k] = allocation.slope * inDegrees[k] + allocation.level;
  return { losses, z, x: new Float64Array(localPages), touched: new Uint32Array(localPages) };
}

/** What x changes in the sum: only terms of siblings of the candidate that are in L. */
function addSiblings(known: KnownWeb, work: ReturnType<typeof siblingsWork>, c: number, y: number, g: number): number {
  const { graph, localPages, sourceOffsets, sources } = known;
  const { offsets, targets } = graph;
  const { losses, z, x, touched } = work;
  let count = 0;
  const lastSource = sourceOffsets[c + 1];
  for (let at = sourceOffsets[c]; at < lastSource; at++) {
    const k = sources[at];
    const loss = losses[k];
    const end = offsets[k + 1];
    for (let arc = offsets[k]; arc < end; arc++) {
      const sibling = targets[arc];
      if (sibling >= localPages) break;
      if (x[sibling] === 0) touched[count++] = sibling;
      x[sibling] -= loss;
    }
  }
  let change = 0;
  for (let i = 0; i < count; i++) {
    const sibling = touched[i];
    const flow = y + g * z[sibling];
    change += Math.abs(x[sibling] + flow) - Math.abs(flow);
    x[sibling] = 0;
  }
  return change;
}

/** For each candidate the first one that the same pages link to; rarely, after a collision of hashes, a later one. */
function sameSources({ candidates, sourceOffsets, sources }: KnownWeb): Uint32Array {
  const firstOf = new Uint32Array(candidates.length);
  const seen = new Map<number, number>();
  for (let c = 0; c < firstOf.length; c++) {
    let hash = 0;
    for (let at = sourceOffsets[c]; at < sourceOffsets[c + 1]; at++) hash = mix32(hash ^ sources[at]);
    const first = seen.get(hash);
    const isSame = first !== undefined && haveSameSources(sourceOffsets, sources, first, c);
    firstOf[c] = isSame ? first : c;
    if (!isSame) seen.set(hash, c);
  }
  return firstOf;
}

function haveSameSources(offsets: Uint32Array, sources: Uint32Array, a: number, b: number): boolean {
  const length = offsets[a + 1] - offsets[a];
  if (offsets[b + 1] - offsets[b] !== length) return false;
  for (let i = 0; i < length; i++) if (sources[offsets[a] + i] !== sources[offsets[b] + i]) return false;
  return true;
}
