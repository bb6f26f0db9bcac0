/**
 * FINDGLOBALPR (Communities, Algorithm 2): the global PageRank of a local domain L, estimated by crawling some pages of
 * the rest of the web. F starts as L; in each round k pages of its frontier are selected and crawled, and the PageRank
 * of F is computed again. The estimate is the restriction of that PageRank to L, divided by its sum.
 *
 * The random surfer vector is uniform, and pages without links lead everywhere in F (section 6.1). PageRank starts from
 * the ranks of the round before: old pages keep theirs in proportion, new ones have 1/l. Links to pages outside F do
 * not count.
 *
 * It is a generator, so that the caller may measure, fetch or stop between two rounds. Cost of a round: linear in the
 * links of F, times the sweeps of PageRank.
 */
import { assert, Random, UsageError } from "../base/index.ts";
import { type Graph, sharedFloat64 } from "../graph/index.ts";
import { kendallTau, l1Distance, lInfinityDistance, pagerank } from "../rank/index.ts";
import { KnownWebReader } from "./known-web.ts";
import { type SelectionMethod, selectPages } from "./select.ts";

/** Input of `findGlobalPagerank`. */
export interface GlobalPagerankInput {
  /** Only the rows of pages that are local or crawled are read. */
  readonly web: Graph;
  /** The pages of the local domain, ascending, each once: neither none nor the whole web. */
  readonly local: Uint32Array;
  readonly select: SelectionMethod;
  /** How many rounds: T of the paper. */
  readonly rounds: number;
  /** How many pages to crawl per round: k of the paper. */
  readonly pagesPerRound: number;
  /** Default: 0.85. */
  readonly damping?: number;
  /** L1 residual of each PageRank (default: 1e-10; the paper: 1e-6). */
  readonly tolerance?: number;
  /** Use the paper's discretised SC scores, with this many values (default: exact scores). */
  readonly levels?: number | undefined;
  /** Seed of the selection `random` (default: 1). */
  readonly seed?: number;
}

/** The estimate after a round of `findGlobalPagerank`. */
export interface GlobalEstimate {
  /** 0 for the local PageRank, before any page was crawled. */
  readonly round: number;
  /** The pages of F beyond L, in the order in which they were crawled. */
  readonly crawled: Uint32Array;
  /** The estimated ranks of the pages of L, in their order, 1 in sum. */
  readonly ranks: Float64Array;
}

/** Yields the estimate before the first round and after each; ends early if nothing is left to crawl. */
export function* findGlobalPagerank(input: GlobalPagerankInput): Generator<GlobalEstimate, void, undefined> {
  const { web, local, rounds, pagesPerRound, damping = 0.85, tolerance = 1e-10, seed = 1 } = input;
  checkLocal(local, web.pages);
  checkCount("rounds", rounds);
  checkCount("pages per round", pagesPerRound);
  if (input.levels !== undefined) checkCount("values to round flows to", input.levels);
  const random = new Random(seed);
  const reader = new KnownWebReader(web);
  const options = { select: input.select, count: pagesPerRound, damping, levels: input.levels, random };
  let members = local;
  let ranks: Float64Array | undefined;
  for (let round = 0; ; round++) {
    const known = reader.read(members, local.length);
    const start = ranks === undefined ? undefined : grown(ranks, members.length);
    ranks = pagerank(known.graph, { damping, dangling: "uniform", start, stopping: { tolerance } }).ranks;
    yield { round, crawled: members.subarray(local.length), ranks: restricted(ranks, local.length) };
    if (round === rounds) return;
    const chosen = selectPages(known, ranks, options);
    if (chosen.length === 0) return;
    members = joined(members, chosen);
  }
}

/** Throws a `UsageError` if the local domain is empty, the whole web or out of range. */
export function checkLocal(local: Uint32Array, pages: number): void {
  if (local.length === 0) throw new UsageError("the local domain is empty, expected at least one page");
  for (let i = 1; i < local.length; i++) assert(local[i - 1] < local[i], "local pages ascend");
  if (local[local.length - 1] >= pages) {
    throw new UsageError(
      `local page ${local[local.length - 1]} is out of range, the web has the pages 0 to ${pages - 1}`,
    );
  }
  if (local.length === pages) {
    throw new UsageError(
      `the local domain is the whole web (${pages} pages): its PageRank is the global one; expected a part of it`,
    );
  }
}

/** The ranks of some pages, divided by their sum: E_L g / |E_L g|. */
export function restrictedTo(pages: Uint32Array, ranks: Float64Array): Float64Array {
  const part = Float64Array.from(pages, (page) => ranks[page]);
  return restricted(part, pages.length);
}

/** How far two rankings are apart, by three measures. */
export interface Distances {
  readonly l1: number;
  readonly linf: number;
  /** NaN for a single page. */
  readonly kendall: number;
}

/**
 * Compares an estimated ranking of a community with the true one (Communities, section 6.1). Both sum to 1 over the
 * same local pages.
 *
 * Pages with the same in-links have the same rank, but a solver leaves them about 1e-12 of it apart, and tau would
 * count the order of that noise. So tau compares ranks as 32-bit floats (six parts in 1e8): closer ones are ties, which
 * tau-a counts as neither agreement nor disagreement.
 */
export function distancesBetween(estimate: Float64Array, truth: Float64Array): Distances {
  return {
    l1: l1Distance(estimate, truth),
    linf: lInfinityDistance(estimate, truth),
    kendall: kendallTau(estimate.map(Math.fround), truth.map(Math.fround)),
  };
}

function restricted(ranks: Float64Array, count: number): Float64Array {
  const part = ranks.slice(0, count);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += part[i];
  for (let i = 0; i < count; i++) part[i] /= sum;
  return part;
}

/** Ranks to start from in a graph that has grown: 1 in sum. */
function grown(ranks: Float64Array, pages: number): Float64Array {
  const start = sharedFloat64(pages).fill(1 / pages);
  for (let i = 0; i < ranks.length; i++) start[i] = (ranks[i] * ranks.length) / pages;
  return start;
}

/** The pages of F, with those chosen after them. */
export function joined(members: Uint32Array, chosen: Uint32Array): Uint32Array {
  const all = new Uint32Array(members.length + chosen.length);
  all.set(members);
  all.set(chosen, members.length);
  return all;
}

function checkCount(what: string, count: number): void {
  if (!Number.isInteger(count) || count < 1) {
    throw new UsageError(`got ${count} ${what}, expected a whole number above 0`);
  }
}
