import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countSelfLinks, transpose, withoutSelfLinks } from "../../src/graph/index.ts";
import { type Arc, arcsBelow, arcsOf, distinctArcs, graphOf } from "./arbitrary.ts";

describe("transpose", () => {
  it("turns every arc round and keeps rows ascending", () => {
    fc.assert(
      fc.property(arcsBelow(12), (arcs) => {
        const turned = arcs.map(([source, target]): Arc => [target, source]);
        expect(arcsOf(transpose(graphOf(arcs, 12)))).toEqual(distinctArcs(turned));
      }),
    );
  });

  it("is its own inverse", () => {
    fc.assert(
      fc.property(arcsBelow(12), (arcs) => {
        const graph = graphOf(arcs, 12);
        expect(transpose(transpose(graph))).toEqual(graph);
      }),
    );
  });
});

describe("self links", () => {
  it("are dropped and nothing else is", () => {
    fc.assert(
      fc.property(arcsBelow(8), (arcs) => {
        const graph = graphOf(arcs, 8);
        const kept = distinctArcs(arcs).filter(([source, target]) => source !== target);
        expect(arcsOf(withoutSelfLinks(graph))).toEqual(kept);
        expect(countSelfLinks(graph)).toBe(graph.arcs - kept.length);
      }),
    );
  });

  it("leave the graph the same object where there are none", () => {
    const graph = graphOf([
      [0, 1],
      [1, 0],
    ]);
    expect(withoutSelfLinks(graph)).toBe(graph);
  });
});
