/**
 * Estimates in which all links of a crawled page count, also those to pages of the frontier. (The paper truncates: o[k]
 * counts the links inside F only, so a page hands its whole rank to pages of F.) The surfer then reaches pages whose
 * links are unknown, and it must be assumed where they lead:
 *
 *     everywhere   full out-degrees: to any page of F and its frontier, like a page without links
 *     sampled      where pages of the frontier led that were drawn at random and crawled: the mean of their rows. Each
 *                  of them stands for many that were not crawled, as in any survey of a population.
 *
 * Ranks x of the n pages of F and its frontier, with W their links, q the rank of crawled pages without links, r that
 * of the frontier, s what its pages are assumed to link to:
 *
 *     x = (1-d)/n + d W x + d q/n + d r s
 *
 * If u solves `u = (1-d)/n + d W u` and v solves `v = (1-d) s + d W v`, then `x = a u + b v` with `(1-d) b = d r`.
 * Since `r = a r_u + b r_v`, where r_u and r_v are what u and v have on the frontier, `b = a d r_u / (1-d - d r_v)`.
 * The factor a falls out when ranks are normalised. So does the part of s that is the same for all pages (what leads
 * everywhere), as that part of v is a multiple of u: s may be given without it.
 *
 * Cost: two PageRanks of the graph of F and its frontier (one for `everywhere`). Memory: 32 bytes per page, 8 per link.
 */
import { type Graph, sharedFloat64 } from "../graph/index.ts";
import { pagerank } from "../rank/index.ts";
import { type KnownWeb, withFrontier } from "./known-web.ts";

export interface FrontierRankOptions {
  readonly damping: number;
  readonly tolerance: number;
  /** The numbers in F of the pages that were drawn at random (default: unknown pages lead everywhere). */
  readonly sample?: Uint32Array | undefined;
}

/** So many pages that lead everywhere are added to a sample, so that one or two drawn pages do not decide alone. */
const PRIOR_PAGES = 3;

/** The estimated ranks of the pages of L, 1 in sum. */
export function frontierRank(known: KnownWeb, { damping, tolerance, sample }: FrontierRankOptions): Float64Array {
  const { localPages } = known;
  const graph = withFrontier(known);
  const solve = { damping, stopping: { tolerance } };
  const trust = sample && meanRow(graph, sample);
  if (trust === undefined) return shares(pagerank(graph, { ...solve, dangling: "uniform" }).ranks, localPages);
  const u = pagerank(graph, { ...solve, dangling: "none" }).ranks;
  const v = pagerank(graph, { ...solve, dangling: "none", trust }).ranks;
  const onFrontier = (ranks: Float64Array): number => sumOf(ranks.subarray(known.graph.pages));
  const ratio = (damping * onFrontier(u)) / (1 - damping - damping * onFrontier(v));
  const ranks = new Float64Array(localPages);
  for (let i = 0; i < localPages; i++) ranks[i] = u[i] + ratio * v[i];
  return shares(ranks, localPages);
}

/** The first `count` ranks, divided by their sum. */
export function shares(ranks: Float64Array, count: number): Float64Array {
  const part = ranks.slice(0, count);
  const sum = sumOf(part);
  for (let i = 0; i < count; i++) part[i] /= sum;
  return part;
}

/** Where a page of the sample leads on average, without what leads everywhere; undefined if all of it does. */
function meanRow({ pages, offsets, targets }: Graph, sample: Uint32Array): Float64Array | undefined {
  const mean = sharedFloat64(pages);
  const weight = 1 / (sample.length + PRIOR_PAGES);
  let isEmpty = true;
  for (const page of sample) {
    const links = offsets[page + 1] - offsets[page];
    for (let arc = offsets[page]; arc < offsets[page + 1]; arc++) mean[targets[arc]] += weight / links;
    isEmpty &&= links === 0;
  }
  return isEmpty ? undefined : mean;
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}
