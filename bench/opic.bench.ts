/** OPIC: reads per second, and the error at 5 reads per page, by GREEDY and RANDOM, in memory. */
import { systemClock } from "../src/base/index.ts";
import { type Graph, successors } from "../src/graph/index.ts";
import { l1Distance, Opic, type OpicChoice, type OpicMemory, pagerank } from "../src/rank/index.ts";

export interface OpicFigures {
  readonly choice: OpicChoice;
  readonly memory: OpicMemory["kind"];
  readonly readsPerSecond: number;
  readonly arcsPerSecond: number;
  /** L1 distance to PageRank. */
  readonly error: number;
}

const CASES: readonly (readonly [OpicChoice, OpicMemory])[] = [
  ["greedy", { kind: "literal" }],
  ["greedy", { kind: "all" }],
  ["greedy", { kind: "bao", window: 8 }],
  ["greedy", { kind: "variable", reads: 4 }],
  ["random", { kind: "all" }],
  ["cycle", { kind: "all" }],
];

/** The graph must have no self links. */
export function benchOpic(graph: Graph, { readsPerPage = 5 }: { readonly readsPerPage?: number } = {}): OpicFigures[] {
  const truth = pagerank(graph).ranks;
  return CASES.map(([choice, memory]) => {
    const opic = new Opic({ pages: graph.pages, choice, memory });
    let arcs = 0;
    const startMs = systemClock.nowMs();
    while (opic.reads < readsPerPage * graph.pages) {
      const page = opic.next();
      const links = successors(graph, page);
      arcs += links.length;
      opic.read(page, links);
    }
    const seconds = (systemClock.nowMs() - startMs) / 1000;
    return {
      choice,
      memory: memory.kind,
      readsPerSecond: opic.reads / seconds,
      arcsPerSecond: arcs / seconds,
      error: l1Distance(opic.importance(), truth),
    };
  });
}
