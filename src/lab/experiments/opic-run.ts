/** Runs OPIC on a fixed or changing graph and compares it with PageRank, for the experiments of the OPIC paper. */
import { noProgress, Random } from "../../base/index.ts";
import { type Graph, GraphBuilder, successors, withoutSelfLinks } from "../../graph/index.ts";
import { l1Distance, Opic, type OpicChoice, type OpicMemory, pagerank } from "../../rank/index.ts";
import type { ExperimentInput } from "./experiment.ts";

export type ErrorCurve = readonly (readonly [readsPerPage: number, error: number])[];

export function nameOf(memory: OpicMemory): string {
  switch (memory.kind) {
    case "all":
      return "static";
    case "literal":
      return "static, as in the paper";
    case "fixed":
      return `FIXED ${memory.window}`;
    case "variable":
      return `VARIABLE ${memory.reads}`;
    case "bao":
      return `BAO ${memory.window}`;
  }
}

/** L1 distance to PageRank after each of these average numbers of reads per page. */
export function errorCurve(
  { graph: given, damping, progress = noProgress }: ExperimentInput,
  truth: Float64Array,
  options: { readonly choice: OpicChoice; readonly memory: OpicMemory },
  readsPerPage: readonly number[],
): ErrorCurve {
  const graph = withoutSelfLinks(given);
  const opic = new Opic({ pages: graph.pages, damping, ...options });
  return readsPerPage.map((reads) => {
    progress({ task: `${options.choice}, ${nameOf(options.memory)}`, done: opic.reads, unit: "reads" });
    readUntil(opic, reads * graph.pages, (page) => successors(graph, page));
    return [reads, l1Distance(opic.importance(), truth)] as const;
  });
}

/** The off-line method, the power method from equal ranks: each sweep counts as one read of every page. */
export function offlineCurve(
  { graph: given, damping }: ExperimentInput,
  truth: Float64Array,
  sweeps: number,
): ErrorCurve {
  const graph = withoutSelfLinks(given);
  let ranks = new Float64Array(graph.pages).fill(1 / graph.pages);
  return Array.from({ length: sweeps }, (_, sweep) => {
    ranks = powerStep(graph, ranks, damping);
    return [sweep + 1, l1Distance(ranks, truth)] as const;
  });
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

const WARM_READS = 5;
const MEASURED_READS = 5;
/** Steps of change and measurement per read of each page. */
const STEPS = 2;

/** The mean error while a `share` of the pages gets the links of random other pages per read of each page. */
export function errorUnderChange(
  { graph: given, damping, progress = noProgress }: ExperimentInput,
  { share, seed }: { readonly share: number; readonly seed: number },
  memories: readonly OpicMemory[],
): number[] {
  const graph = withoutSelfLinks(given);
  const { pages } = graph;
  const random = new Random(seed);
  /** The page whose links each page has now. */
  const rowOf = Uint32Array.from({ length: pages }, (_, page) => page);
  const runs = memories.map((memory) => new Opic({ pages, damping, memory }));
  const sums = memories.map(() => 0);
  const steps = STEPS * (WARM_READS + MEASURED_READS);
  let truth = pagerank(graph, { damping, stopping: { tolerance: 1e-6 } }).ranks;
  for (let step = 1; step <= steps; step++) {
    progress({ task: `changing ${100 * share}% of the pages`, done: step, total: steps, unit: "steps" });
    for (let k = 0; k < (share * pages) / STEPS; k++) rowOf[random.below(pages)] = random.below(pages);
    for (const opic of runs) readUntil(opic, (step / STEPS) * pages, (page) => successors(graph, rowOf[page]));
    if (step <= STEPS * WARM_READS) continue;
    const now = graphNow(graph, rowOf);
    truth = pagerank(now, { damping, start: truth, stopping: { tolerance: 1e-6 } }).ranks;
    for (const [k, opic] of runs.entries()) sums[k] += l1Distance(opic.importance(), truth);
  }
  return sums.map((sum) => sum / (STEPS * MEASURED_READS));
}

function graphNow(graph: Graph, rowOf: Uint32Array): Graph {
  const builder = new GraphBuilder();
  for (let page = 0; page < graph.pages; page++) {
    for (const target of successors(graph, rowOf[page])) if (target !== page) builder.add(page, target);
  }
  return builder.finish({ pages: graph.pages });
}

function readUntil(opic: Opic, reads: number, linksOf: (page: number) => Uint32Array): void {
  while (opic.reads < reads) {
    const page = opic.next();
    opic.read(page, linksOf(page));
  }
}
