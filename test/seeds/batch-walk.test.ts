import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateGraph } from "../../src/graph/index.ts";
import { BATCH, BatchWalk } from "../../src/seeds/walks.ts";
import { estimateReach } from "../../src/seeds/sketch.ts";
import { smallProblems, valueOf, within } from "./reference.ts";

describe("a walk of many pages at once", () => {
  it("finds for each page what a search of its own does, however far it goes, several times in a row", () => {
    fc.assert(
      fc.property(smallProblems(-9, 32), (problem) => {
        const { graph, values } = problem;
        const positive = values.map((value) => Math.max(0, value));
        const walk = new BatchWalk(graph, values, positive);
        const sources = Uint32Array.from({ length: graph.pages }, (_, i) => graph.pages - 1 - i);
        for (let hops = problem.hops; hops >= 0; hops--) {
          walk.walk(sources, sources.length, hops);
          for (const [i, source] of sources.entries()) {
            expect(walk.value[i]).toBe(valueOf({ ...problem, hops }, [source]));
            expect(walk.positiveValue[i]).toBe(valueOf({ ...problem, values: positive, hops }, [source]));
          }
        }
      }),
    );
  });

  it("adds up long levels as well as short ones", () => {
    const { graph } = generateGraph({ pages: 4000, seed: 2 });
    const values = Float64Array.from({ length: 4000 }, (_, page) => (page % 5) - 1);
    const walk = new BatchWalk(
      graph,
      values,
      values.map((value) => Math.max(0, value)),
    );
    const sources = Uint32Array.from({ length: BATCH }, (_, i) => 120 * i);
    walk.walk(sources, BATCH, 6);
    expect(within(graph, [0], 6).size).toBeGreaterThan(1000);
    for (const [i, source] of sources.entries()) {
      expect(walk.value[i]).toBe(valueOf({ graph, values, count: 1, hops: 6 }, [source]));
    }
  });
});

describe("reachability sketches", () => {
  it("estimate what each page reaches, right on average and seldom off by more than the half", () => {
    const { graph } = generateGraph({ pages: 2000, seed: 4 });
    const values = Float64Array.from({ length: 2000 }, (_, page) => page % 4);
    const estimates = estimateReach(graph, values, 3);
    let ratios = 0;
    let far = 0;
    let counted = 0;
    for (let page = 0; page < 2000; page += 7) {
      const truth = valueOf({ graph, values, count: 1, hops: 3 }, [page]);
      if (truth === 0) {
        expect(estimates[page]).toBe(0);
        continue;
      }
      counted++;
      ratios += estimates[page] / truth;
      if (Math.abs(estimates[page] / truth - 1) > 0.5) far++;
    }
    // Pages share samples, so the mean of all is itself uncertain.
    expect(ratios / counted).toBeGreaterThan(0.6);
    expect(ratios / counted).toBeLessThan(1.6);
    expect(far / counted).toBeLessThan(0.4);
  });
});
