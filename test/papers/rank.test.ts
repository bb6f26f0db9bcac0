/** Importance on a real web, by other methods. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ArcsDecoder, type Graph, successors, transpose, withoutSelfLinks } from "../../src/graph/index.ts";
import { l1Distance, Opic, type OpicMemory, pagerank } from "../../src/rank/index.ts";
import { uniformTrust } from "../rank/reference.ts";
import { sharedPath } from "../support/shared.ts";

const arcs = sharedPath("data/uci-ics.arcs.gz");
const d = 0.85;

describe.skipIf(arcs === undefined)("uci-ics", () => {
  const read = (): Graph => {
    const decoder = new ArcsDecoder();
    decoder.push(gunzipSync(readFileSync(arcs!)));
    return withoutSelfLinks(decoder.finish());
  };

  it("has the PageRank of power iteration over the transpose", () => {
    const graph = read();
    const { ranks } = pagerank(graph, { stopping: { tolerance: 1e-12 } });
    expect(l1Distance(ranks, powerIteration(graph, 200))).toBeLessThan(1e-11);
  });

  it("is known to 10% after 5 reads a page by GREEDY, which the paper's estimate misses", () => {
    const graph = read();
    const { ranks } = pagerank(graph);
    const errorOf = (memory: OpicMemory): number => {
      const opic = new Opic({ pages: graph.pages, memory });
      for (let k = 0; k < 5 * graph.pages; k++) {
        const page = opic.next();
        opic.read(page, successors(graph, page));
      }
      return l1Distance(opic.importance(), ranks);
    };
    expect(errorOf({ kind: "all" })).toBeLessThan(0.06);
    expect(errorOf({ kind: "literal" })).toBeGreaterThan(0.1);
  });
});

/** Uniform trust, restart; the error is below d^rounds. */
function powerIteration(graph: Graph, rounds: number): Float64Array {
  const { pages, offsets } = graph;
  const sources = transpose(graph);
  let x = uniformTrust(pages);
  for (let round = 0; round < rounds; round++) {
    const dangling = x.reduce((mass, value, i) => (offsets[i] === offsets[i + 1] ? mass + value : mass), 0);
    const share = x.map((value, i) => value / (offsets[i + 1] - offsets[i]));
    x = x.map((_, j) => {
      let inflow = 0;
      for (let arc = sources.offsets[j]; arc < sources.offsets[j + 1]; arc++) inflow += share[sources.targets[arc]];
      return (1 - d + d * dangling) / pages + d * inflow;
    });
  }
  return x;
}
