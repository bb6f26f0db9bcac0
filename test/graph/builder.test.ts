import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { type Graph, GraphBuilder, PAGE_ID_MAX, successors } from "../../src/graph/index.ts";
import { type Arc, arcsBelow, arcsOf, distinctArcs, graphOf } from "./arbitrary.ts";

describe("GraphBuilder", () => {
  it("keeps rows ascending and distinct, whatever the order of the arcs", () => {
    fc.assert(
      fc.property(arcsBelow(12), (arcs) => {
        const graph = graphOf(arcs);
        expect(arcsOf(graph)).toEqual(distinctArcs(arcs));
        expect(graph.arcs).toBe(graph.targets.length);
        expect(graph.pages).toBe(arcs.length === 0 ? 0 : Math.max(...arcs.flat()) + 1);
      }),
    );
  });

  it("gives the same graph for ascending and for shuffled sources, past the size of a chunk", () => {
    const arcs: Arc[] = Array.from({ length: 30_000 }, (_, i) => [i >> 3, (i * 7919) % 5003]);
    const shuffled = arcs.map((_, i) => arcs[(i * 12_347) % arcs.length]);
    expect(graphOf(shuffled)).toEqual(graphOf(arcs));
    expect(arcsOf(graphOf(arcs))).toEqual(distinctArcs(arcs));
  });

  it("sorts long rows and counts parallel arcs once", () => {
    const descending = Array.from({ length: 100 }, (_, i): Arc => [0, 99 - i]);
    const graph = graphOf([...descending, ...descending, [1, 5]]);
    expect([...successors(graph, 0)]).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(graph.arcs).toBe(101);
  });

  it("puts its arrays in shared memory of exact size", () => {
    const graph = graphOf([
      [0, 2],
      [0, 2],
      [0, 1],
    ]);
    expect(graph.targets.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(graph.targets.buffer.byteLength).toBe(8);
    expect(graph.offsets.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect([...graph.offsets]).toEqual([0, 2, 2, 2]);
  });

  it("adds pages without links when more are wanted than ids were seen", () => {
    const builder = new GraphBuilder();
    builder.add(0, 1);
    const graph: Graph = builder.finish({ pages: 5 });
    expect([graph.pages, graph.arcs, [...graph.offsets]]).toEqual([5, 1, [0, 1, 1, 1, 1, 1]]);
  });

  it("starts empty again after finishing", () => {
    const builder = new GraphBuilder();
    builder.add(3, 4);
    builder.finish();
    builder.add(1, 0);
    const graph = builder.finish();
    expect(arcsOf(graph)).toEqual([[1, 0]]);
    expect(graph.pages).toBe(2);
  });

  it("builds the empty graph from nothing", () => {
    expect(new GraphBuilder().finish()).toMatchObject({ pages: 0, arcs: 0 });
  });

  it("refuses ids that do not fit the given number of pages", () => {
    const builder = new GraphBuilder();
    builder.add(0, 7);
    expect(() => builder.finish({ pages: 7 })).toThrow(UsageError);
    expect(() => builder.finish({ pages: 7 })).toThrow(/page id 7 does not fit a graph of 7 pages/);
    expect(builder.finish({ pages: 8 }).pages).toBe(8);
  });

  it.each([-1, 0.5, Number.NaN, PAGE_ID_MAX + 1, 2 ** 32, 1e20])("refuses %d as a page id", (id) => {
    expect(() => new GraphBuilder().add(id, 0)).toThrow(UsageError);
    expect(() => new GraphBuilder().add(0, id)).toThrow(UsageError);
  });

  it("takes the greatest id without allocating by it", () => {
    const builder = new GraphBuilder();
    builder.add(PAGE_ID_MAX, PAGE_ID_MAX);
    expect(builder.pages).toBe(PAGE_ID_MAX + 1);
  });
});
