import fc from "fast-check";
import { type Graph, GraphBuilder, successors } from "../../src/graph/index.ts";

export type Arc = readonly [source: number, target: number];

export const arcsBelow = (pages: number) => {
  const page = fc.nat({ max: pages - 1 });
  return fc.array(fc.tuple(page, page), { maxLength: 60 });
};

/** The distinct arcs in order, by sets and sorting: the slow way round. */
export function distinctArcs(arcs: Iterable<Arc>): Arc[] {
  const byKey = new Map([...arcs].map((arc) => [arc.join(" "), arc]));
  return [...byKey.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

export function graphOf(arcs: Iterable<Arc>, pages?: number): Graph {
  const builder = new GraphBuilder();
  for (const [source, target] of arcs) builder.add(source, target);
  return pages === undefined ? builder.finish() : builder.finish({ pages });
}

export function arcsOf(graph: Graph): Arc[] {
  return Array.from({ length: graph.pages }, (_, page) =>
    Array.from(successors(graph, page), (target): Arc => [page, target]),
  ).flat();
}
