/**
 * FINDGLOBALPR (Communities, Algorithm 2): the global PageRank of a local domain L, estimated by crawling some pages of
 * the rest of the web. F starts as L; in each round k pages of its frontier are selected and crawled, and the PageRank
 * of F is computed again. The estimate is the restriction of that PageRank to L, divided by its sum.
 *
 * The random surfer vector is uniform, and pages without links lead everywhere in F (section 6.1). PageRank starts from
 * the ranks of the round before: old pages keep theirs in proportion, new ones have 1/l. Links to pages outside F do
 * not count, unless full out-degrees are asked for (frontier-rank.ts).
 *
 * Beyond the paper, `auto`: half of the pages are selected by leaks (select.ts) and half are drawn at random, so that
 * there is a sample of the frontier; the estimate is chosen by a trial on what is known (estimate-choice.ts).
 *
 * `GlobalRankEstimator` makes one step at a time, so that a crawl can drive it: choose pages, learn their links, ask
 * for the estimate. `findGlobalPagerank` drives it with a graph. Cost of a round: linear in the links of F, times the
 * sweeps of PageRank.
 */
import { assert, Random, sampleOf, UsageError } from "../base/index.ts";
import { type Graph, sharedFloat64, successors } from "../graph/index.ts";
import { pagerank } from "../rank/index.ts";
import { chooseEstimate, type EstimateChoice, mixedEstimate } from "./estimate-choice.ts";
import { frontierRank, shares } from "./frontier-rank.ts";
import { KnownPages, type KnownWeb } from "./known-web.ts";
import { bestPages, type SelectionMethod } from "./select.ts";

/** Options of `GlobalRankEstimator`. */
export interface EstimatorOptions {
  /** How pages are selected. */
  readonly select: SelectionMethod;
  /** Default: 0.85. */
  readonly damping?: number;
  /** L1 residual of each PageRank (default: 1e-10; the paper: 1e-6). */
  readonly tolerance?: number;
  /** Use the paper's discretised SC scores, with this many values (default: exact scores). */
  readonly levels?: number | undefined;
  /** Seed of what is drawn at random (default: 1). */
  readonly seed?: number;
  /** Whether all links of a page count, not only those among crawled pages (default: no, as in the paper). */
  readonly fullDegrees?: boolean;
}

/** Input of `findGlobalPagerank`. */
export interface GlobalPagerankInput extends EstimatorOptions {
  /** Only the rows of pages that are local or crawled are read. */
  readonly web: Graph;
  /** The pages of the local domain, ascending, each once: neither none nor the whole web. */
  readonly local: Uint32Array;
  /** How many rounds: T of the paper. */
  readonly rounds: number;
  /** How many pages to crawl per round: k of the paper. */
  readonly pagesPerRound: number;
}

/** The estimated global ranks of a community. */
export interface CommunityEstimate {
  /** The pages of F beyond L, in the order in which they were crawled. */
  readonly crawled: Uint32Array;
  /** The estimated ranks of the pages of L, in their order, 1 in sum. */
  readonly ranks: Float64Array;
  /** With `auto`: how the estimate was chosen. */
  readonly choice?: EstimateChoice;
}

/** The estimate after a round of `findGlobalPagerank`. */
export interface GlobalEstimate extends CommunityEstimate {
  /** 0 for the local PageRank, before any page was crawled. */
  readonly round: number;
}

/** What an earlier run has chosen. */
export interface EarlierChoice {
  /** How many pages. */
  readonly chosen: number;
  /** How many of them were drawn at random. */
  readonly draws: number;
  /** Those of the drawn pages that are known. */
  readonly drawn: Iterable<number>;
}

/** With `auto`, of so many pages one is drawn at random; the others are selected by leaks. */
const AUTO_PAGES_PER_DRAW = 2;

/**
 * Estimates the global PageRank of a community, step by step. Ids of pages are those of any numbering, which may grow.
 * Before pages are chosen again, each page that was chosen must be learnt or dismissed.
 */
export class GlobalRankEstimator {
  readonly #options: Required<Omit<EstimatorOptions, "levels">> & Pick<EstimatorOptions, "levels">;
  readonly #pages = new KnownPages();
  readonly #localPages: number;
  readonly #random: Random;
  /** With `auto`: how many pages were chosen, and how many of them were drawn. */
  #chosen = 0;
  #draws = 0;
  /** Those that were drawn and where they lead, and the numbers in F of those learnt since. */
  readonly #drawn = new Set<number>();
  readonly #sample: number[] = [];
  #known: KnownWeb | undefined;
  #ranks: Float64Array | undefined;

  /** `local` are the pages of the community, `linksOf` gives the links of each. */
  constructor(local: Uint32Array, linksOf: (page: number) => Uint32Array, options: EstimatorOptions) {
    const { select, damping = 0.85, tolerance = 1e-10, levels, seed = 1, fullDegrees = false } = options;
    if (local.length === 0) throw new UsageError("the local domain is empty, expected at least one page");
    if (levels !== undefined) checkCount("values to round flows to", levels);
    if (fullDegrees && select === "auto") {
      throw new UsageError("auto chooses how links count by itself: leave out full out-degrees, or select otherwise");
    }
    this.#options = { select, damping, tolerance, levels, seed, fullDegrees };
    this.#random = new Random(seed);
    for (const page of local) this.#pages.add(page, linksOf(page));
    this.#localPages = local.length;
  }

  /** At most so many pages of the frontier to crawl next, best first; none if the frontier is empty. */
  choose(count: number): Uint32Array {
    const { known, ranks } = this.#solved();
    const { select, damping, levels } = this.#options;
    if (select === "random") return sampleOf(known.candidates, count, this.#random);
    if (select !== "auto") return bestPages(known, ranks, { score: select, count, damping, levels });
    const chosen = new Set(sampleOf(known.candidates, this.#drawsAmong(count), this.#random));
    for (const page of chosen) this.#drawn.add(page);
    this.#draws += chosen.size;
    for (const page of bestPages(known, ranks, { score: "leak", count, damping })) {
      if (chosen.size < count) chosen.add(page);
    }
    this.#chosen += chosen.size;
    return Uint32Array.from(chosen);
  }

  /** A page was crawled: it has these links. */
  learn(page: number, links: Uint32Array): void {
    if (this.#drawn.has(page)) this.#sample.push(this.#pages.count);
    this.#pages.add(page, links);
    this.#known = undefined;
  }

  /** A page cannot be had: it is not chosen again, and links to it do not count. */
  dismiss(page: number): void {
    this.#pages.dismiss(page);
    this.#known = undefined;
  }

  /** A URL is no page but leads to another: to a page that was learnt, that can be chosen, or that was dismissed. */
  redirect(from: number, to: number): void {
    this.#pages.redirect(from, to);
    if (this.#drawn.has(from)) this.#drawn.add(this.#pages.endOf(to));
    this.#known = undefined;
  }

  /** What an earlier run has chosen, before any of it is learnt or dismissed. */
  recall({ chosen, draws, drawn }: EarlierChoice): void {
    this.#chosen += chosen;
    this.#draws += draws;
    for (const page of drawn) this.#drawn.add(page);
  }

  /** With `auto`: whether a page was drawn at random. */
  isDrawn(page: number): boolean {
    return this.#drawn.has(page);
  }

  /** What is estimated from all that was learnt so far. */
  estimate(): CommunityEstimate {
    const { known, ranks } = this.#solved();
    const { select, fullDegrees, damping, tolerance } = this.#options;
    const crawled = this.#pages.pages.slice(this.#localPages);
    if (fullDegrees) return { crawled, ranks: frontierRank(known, { damping, tolerance }) };
    if (select !== "auto") return { crawled, ranks: shares(ranks, this.#localPages) };
    return { crawled, ...chooseEstimate(known, ranks, { damping, tolerance, sample: Uint32Array.from(this.#sample) }) };
  }

  /** With `auto`: the ranks of L if the weight of what the sample says is not chosen but given. */
  ranksWith(weight: number): Float64Array {
    const { known, ranks } = this.#solved();
    const { damping, tolerance } = this.#options;
    return mixedEstimate(known, ranks, { damping, tolerance, weight, sample: Uint32Array.from(this.#sample) });
  }

  /** How many of the next pages to draw at random, so that of all that were chosen every second is. */
  #drawsAmong(count: number): number {
    // A frontier that was too small for a round may have given more draws than pages by leaks.
    return Math.max(0, Math.floor((this.#chosen + count) / AUTO_PAGES_PER_DRAW) - this.#draws);
  }

  #solved(): { readonly known: KnownWeb; readonly ranks: Float64Array } {
    if (this.#known === undefined || this.#ranks === undefined) {
      const { damping, tolerance } = this.#options;
      this.#known = this.#pages.view(this.#localPages);
      const start = this.#ranks && grown(this.#ranks, this.#pages.count);
      this.#ranks = pagerank(this.#known.graph, { damping, dangling: "uniform", start, stopping: { tolerance } }).ranks;
    }
    return { known: this.#known, ranks: this.#ranks };
  }
}

/** Yields the estimate before the first round and after each; ends early if nothing is left to crawl. */
export function* findGlobalPagerank(input: GlobalPagerankInput): Generator<GlobalEstimate, void, undefined> {
  const { web, local, rounds, pagesPerRound } = input;
  checkLocal(local, web.pages);
  checkCount("rounds", rounds);
  checkCount("pages per round", pagesPerRound);
  const linksOf = (page: number): Uint32Array => successors(web, page);
  const estimator = new GlobalRankEstimator(local, linksOf, input);
  for (let round = 0; ; round++) {
    yield { round, ...estimator.estimate() };
    if (round === rounds) return;
    const chosen = estimator.choose(pagesPerRound);
    if (chosen.length === 0) return;
    for (const page of chosen) estimator.learn(page, linksOf(page));
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

/** Ranks to start from in a graph that has grown: 1 in sum. */
function grown(ranks: Float64Array, pages: number): Float64Array {
  const start = sharedFloat64(pages).fill(1 / pages);
  for (let i = 0; i < ranks.length; i++) start[i] = (ranks[i] * ranks.length) / pages;
  return start;
}

function checkCount(what: string, count: number): void {
  if (!Number.isInteger(count) || count < 1) {
    throw new UsageError(`got ${count} ${what}, expected a whole number above 0`);
  }
}
