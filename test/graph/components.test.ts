import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { components, GraphBuilder } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { type Arc, arcsBelow, arcsOf, graphOf } from "./arbitrary.ts";

const PAGES = 14;

/** reaches[i][j] by Warshall's closure: another method than a depth-first search. */
function closure(arcs: readonly Arc[]): boolean[][] {
  const reaches = Array.from({ length: PAGES }, (_, i) => Array.from({ length: PAGES }, (_, j) => i === j));
  for (const [source, target] of arcs) reaches[source][target] = true;
  for (let via = 0; via < PAGES; via++) {
    for (let i = 0; i < PAGES; i++) {
      for (let j = 0; j < PAGES; j++) reaches[i][j] ||= reaches[i][via] && reaches[via][j];
    }
  }
  return reaches;
}

describe("components", () => {
  it("puts two pages together exactly when each reaches the other", () => {
    fc.assert(
      fc.property(arcsBelow(PAGES), (arcs) => {
        const reaches = closure(arcs);
        const { componentOf } = components(graphOf(arcs, PAGES));
        for (let i = 0; i < PAGES; i++) {
          for (let j = 0; j < PAGES; j++) {
            expect(componentOf[i] === componentOf[j]).toBe(reaches[i][j] && reaches[j][i]);
          }
        }
      }),
      { numRuns: cases(500) },
    );
  });

  it("numbers components so that links between them lead to smaller ids", () => {
    fc.assert(
      fc.property(arcsBelow(PAGES), (arcs) => {
        const graph = graphOf(arcs, PAGES);
        const { componentOf } = components(graph);
        for (const [source, target] of arcsOf(graph)) {
          expect(componentOf[target]).toBeLessThanOrEqual(componentOf[source]);
        }
      }),
    );
  });

  it("counts components and their pages", () => {
    fc.assert(
      fc.property(arcsBelow(PAGES), (arcs) => {
        const { count, componentOf, sizes } = components(graphOf(arcs, PAGES));
        const seen = Array.from({ length: count }, () => 0);
        for (const component of componentOf) seen[component]++;
        expect([...sizes]).toEqual(seen);
        expect(Math.min(...seen)).toBeGreaterThan(0);
      }),
    );
  });

  it("walks a path and a cycle of a million pages", () => {
    const pages = 1_000_000;
    const builder = new GraphBuilder();
    for (let page = 0; page + 1 < pages; page++) builder.add(page, page + 1);
    const path = components(builder.finish());
    expect([path.count, path.componentOf[0], path.componentOf[pages - 1]]).toEqual([pages, pages - 1, 0]);

    for (let page = 0; page < pages; page++) builder.add(page, (page + 1) % pages);
    const cycle = components(builder.finish());
    expect([cycle.count, cycle.sizes[0]]).toEqual([1, pages]);
  });

  it("finds none in the empty graph", () => {
    expect(components(graphOf([]))).toMatchObject({ count: 0 });
  });
});
