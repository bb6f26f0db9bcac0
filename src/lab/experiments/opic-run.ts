/** Runs OPIC on a fixed or changing graph and compares it with PageRank, for the experiments of the OPIC paper. */
import { noProgress, Random } from "../../base/index.ts";
import { type Graph, GraphBuilder, successors, withoutSelfLinks } from "../../graph/index.ts";
import { isLiteral, l1Distance, Opic, type OpicChoice, type OpicMemory, pagerank, topPages } from "../../rank/index.ts";
import type { ExperimentInput } from "./experiment.ts";

/** How far an estimate is off. */
export interface OpicError {
  /** Average number of reads per page. */
  readonly reads: number;
  /** L1 distance to PageRank, both 1 in sum. */
  readonly all: number;
  /** The same on the most important hundredth and tenth of the pages, relative to their importance. */
  readonly top1: number;
  readonly top10: number;
}

export type ErrorCurve = readonly OpicError[];

export function nameOf(memory: OpicMemory): string {
  const suffix = isLiteral(memory) ? ", as in the paper" : "";
  switch (memory.kind) {
    case "all":
    case "literal":
      return `static${suffix}`;
    case "fixed":
      return `FIXED ${memory.window}${suffix}`;
    case "variable":
      return `VARIABLE ${memory.reads}${suffix}`;
    case "bao":
      return `BAO ${memory.window}`;
  }
}

/** The error after each of these average numbers of reads per page. */
export function errorCurve(
  { graph: given, damping, progress = noProgress }: ExperimentInput,
  truth: Float64Array,
  options: { readonly choice: OpicChoice; readonly memory: OpicMemory },
  readsPerPage: readonly number[],
): ErrorCurve {
  const graph = withoutSelfLinks(given);
  const opic = new Opic({ pages: graph.pages, damping, ...options });
  const errorOf = errorsTo(truth);
  return readsPerPage.map((reads) => {
    progress({ task: `${options.choice}, ${nameOf(options.memory)}`, done: opic.reads, unit: "reads" });
    readUntil(opic, reads * graph.pages, (page) => successors(graph, page));
    return { reads, ...errorOf(opic.importance()) };
  });
}

/** The off-line method, the power method from equal ranks: each sweep counts as one read of every page. */
export function offlineCurve(
  { graph: given, damping }: ExperimentInput,
  truth: Float64Array,
  sweeps: number,
): ErrorCurve {
  const graph = withoutSelfLinks(given);
  const errorOf = errorsTo(truth);
  let ranks = new Float64Array(graph.pages).fill(1 / graph.pages);
  return Array.from({ length: sweeps }, (_, sweep) => {
    ranks = powerStep(graph, ranks, damping);
    return { reads: sweep + 1, ...errorOf(ranks) };
  });
}

/**
 * The reads per page after which an error was reached, between two points of the curve by the logarithms of reads and
 * error; undefined if it never was.
 */
export function readsFor(curve: ErrorCurve, error: number): number | undefined {
  const at = curve.findIndex(({ all }) => all <= error);
  if (at < 0) return undefined;
  const after = curve[at];
  if (at === 0) return after.reads;
  const before = curve[at - 1];
  const share = Math.log(before.all / error) / Math.log(before.all / after.all);
  return before.reads * (after.reads / before.reads) ** share;
}

/** How often GREEDY has read each page, as a share of all reads. */
export function greedyFrequencies(
  { graph: given, damping, progress = noProgress }: ExperimentInput,
  readsPerPage: number,
): Float64Array {
  const graph = withoutSelfLinks(given);
  const opic = new Opic({ pages: graph.pages, damping });
  const counts = new Float64Array(graph.pages);
  progress({ task: "greedy", done: 0, unit: "reads" });
  readUntil(opic, readsPerPage * graph.pages, (page) => {
    counts[page]++;
    return successors(graph, page);
  });
  return counts.map((count) => count / opic.reads);
}

function errorsTo(truth: Float64Array): (estimate: Float64Array) => Omit<OpicError, "reads"> {
  const tops = [0.01, 0.1].map((share) => topPages(truth, Math.max(1, Math.round(share * truth.length))));
  return (estimate) => {
    const [top1, top10] = tops.map((pages) => {
      let off = 0;
      let sum = 0;
      for (const page of pages) {
        off += Math.abs(estimate[page] - truth[page]);
        sum += truth[page];
      }
      return off / sum;
    });
    return { all: l1Distance(estimate, truth), top1, top10 };
  };
}

function powerStep({ pages, offsets, targets }: Graph, ranks: Float64Array, damping: number) {
  const next = new Float64Array(pages);
  let kept = 1;
  for (let page = 0; page < pages; page++) {
    const links = offsets[page + 1] - offsets[page];
    if (links === 0) continue;
    const share = (damping * ranks[page]) / links;
    for (let arc = offsets[page]; arc < offsets[page + 1]; arc++) next[targets[arc]] += share;
    kept -= share * links;
  }
  return next.map((rank) => rank + kept / pages);
}

/**
 * A web that changes without becoming another kind of web: pages exchange their links. At the start the rows of the
 * graph are distributed at random over its pages, and every change is an exchange between two random pages. So at any
 * moment, at any rate of change, it is one of the arrangements of the same rows, all equally likely, and every page has
 * as many in-links as before (but for a link to the page itself, which does not count). Errors at different rates
 * differ by the rate alone.
 */
export class ChangingWeb {
  readonly #graph: Graph;
  readonly #random: Random;
  /** The page of the graph whose links each page has now. */
  readonly #rowOf: Uint32Array;

  constructor(graph: Graph, seed: number) {
    this.#graph = graph;
    this.#random = new Random(seed);
    this.#rowOf = Uint32Array.from({ length: graph.pages }, (_, page) => page);
    for (let page = graph.pages - 1; page > 0; page--) this.#exchange(page, this.#random.below(page + 1));
  }

  /** So many pages exchange their links with another page. */
  change(pages: number): void {
    for (let k = 0; 2 * k < pages; k++) {
      this.#exchange(this.#random.below(this.#graph.pages), this.#random.below(this.#graph.pages));
    }
  }

  linksOf(page: number): Uint32Array {
    return successors(this.#graph, this.#rowOf[page]);
  }

  /** The web as it is now. */
  now(): Graph {
    const builder = new GraphBuilder();
    const { pages } = this.#graph;
    for (let page = 0; page < pages; page++) {
      for (const target of this.linksOf(page)) if (target !== page) builder.add(page, target);
    }
    return builder.finish({ pages });
  }

  #exchange(a: number, b: number): void {
    [this.#rowOf[a], this.#rowOf[b]] = [this.#rowOf[b], this.#rowOf[a]];
  }
}

const WARM_READS = 5;
const MEASURED_READS = 5;
/** Steps of change and measurement per read of each page. */
const STEPS = 2;

/** The mean error while a `share` of the pages changes its links per read of each page. */
export function errorUnderChange(
  { graph: given, damping, progress = noProgress }: ExperimentInput,
  { share, seed }: { readonly share: number; readonly seed: number },
  memories: readonly OpicMemory[],
): number[] {
  const graph = withoutSelfLinks(given);
  const { pages } = graph;
  const web = new ChangingWeb(graph, seed);
  const runs = memories.map((memory) => new Opic({ pages, damping, memory }));
  const sums = memories.map(() => 0);
  const steps = STEPS * (WARM_READS + MEASURED_READS);
  let truth = pagerank(web.now(), { damping, stopping: { tolerance: 1e-6 } }).ranks;
  for (let step = 1; step <= steps; step++) {
    progress({ task: `changing ${100 * share}% of the pages`, done: step, total: steps, unit: "steps" });
    web.change((share * pages) / STEPS);
    for (const opic of runs) readUntil(opic, (step / STEPS) * pages, (page) => web.linksOf(page));
    if (step <= STEPS * WARM_READS) continue;
    truth = pagerank(web.now(), { damping, start: truth, stopping: { tolerance: 1e-6 } }).ranks;
    for (const [k, opic] of runs.entries()) sums[k] += l1Distance(opic.importance(), truth);
  }
  return sums.map((sum) => sum / (STEPS * MEASURED_READS));
}

function readUntil(opic: Opic, reads: number, linksOf: (page: number) => Uint32Array): void {
  while (opic.reads < reads) {
    const page = opic.next();
    opic.read(page, linksOf(page));
  }
}
