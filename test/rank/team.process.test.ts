import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FailureError, Random, UsageError } from "../../src/base/index.ts";
import { type StartedTeam, startRankTeam } from "../../src/lab/threads.ts";
import { breakUp, createBarrier, meet } from "../../src/rank/barrier.ts";
import { createSystem, DANGLING_RULES, l1Distance, pagerank, solo, workTogether } from "../../src/rank/index.ts";
import { condense } from "../../src/rank/condense.ts";
import { type Arc, graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";
import { arbitraryWeb } from "./arbitrary-web.ts";

const random = new Random(7);
const graph = graphOf(
  Array.from({ length: 400_000 }, () => [random.below(4000), random.below(3000)] as const),
  4000,
);
const trust = Float64Array.from({ length: graph.pages }, (_, page) => (page % 3 === 0 ? 2.5 / graph.pages : 0));

describe.each([2, 3])("a team of %i threads", (threads) => {
  let team: StartedTeam;
  beforeAll(async () => {
    team = await startRankTeam(threads);
  });
  afterAll(() => team.close());

  it.each(DANGLING_RULES)("finds the ranks that one thread finds, under %s", (dangling) => {
    const stopping = { tolerance: 1e-13 };
    const alone = pagerank(graph, { trust, dangling, stopping });
    const together = pagerank(graph, { trust, dangling, stopping, team });
    expect(together.residual).toBeLessThanOrEqual(1e-13);
    expect(l1Distance(together.ranks, alone.ranks)).toBeLessThan(2e-12);
  });

  it("gives the very same numbers every time", () => {
    const first = pagerank(graph, { trust, team });
    for (let run = 0; run < 5; run++) expect(pagerank(graph, { trust, team })).toEqual(first);
  });

  it("condenses any web to the very same graph as one thread", () => {
    const options = { damping: 0.85, arcsMax: Infinity };
    fc.assert(
      fc.property(arbitraryWeb, (web) => {
        expect(condense(web, { ...options, team })).toEqual(condense(web, options));
      }),
      { numRuns: cases(500) },
    );
    expect(condense(graph, { ...options, team })).toEqual(condense(graph, options));
  });

  it("is as one where large components and small ones follow each other", () => {
    // Each component leads to the next: 4 random ones of 500 pages and 138,000 links, between them rings of 3 pages.
    const arcs: Arc[] = [];
    const chance = new Random(3);
    for (let k = 0; k < 4; k++) {
      const first = 503 * k;
      const own = () => first + chance.below(500);
      for (let page = 0; page < 500; page++) arcs.push([first + page, first + ((page + 1) % 500)]);
      for (let link = 0; link < 200_000; link++) arcs.push([own(), own()]);
      for (let page = 0; page < 3; page++) arcs.push([first + 500 + page, first + 500 + ((page + 1) % 3)]);
      arcs.push([own(), first + 500], [first + 501, Math.min(first + 503, 503 * 3)]);
    }
    const web = graphOf(arcs.filter(([from, to]) => from !== to));
    const alone = pagerank(web, { stopping: { tolerance: 1e-13 } });
    for (let run = 0; run < 20; run++) {
      const together = pagerank(web, { stopping: { tolerance: 1e-13 }, team });
      expect(l1Distance(together.ranks, alone.ranks)).toBeLessThan(2e-12);
    }
  });

  it("is as one where many small components do not wait for each other, and some do", () => {
    // 600 random components of 12 pages; every third links to the one before it, all link to the last.
    const arcs: Arc[] = [];
    const chance = new Random(5);
    for (let k = 0; k < 600; k++) {
      const own = () => 12 * k + chance.below(12);
      for (let page = 0; page < 12; page++) arcs.push([12 * k + page, 12 * k + ((page + 1) % 12)]);
      for (let link = 0; link < 30; link++) arcs.push([own(), own()]);
      if (k % 3 === 2) arcs.push([own(), own() - 12]);
      arcs.push([own(), 7200]);
    }
    const web = graphOf(arcs.filter(([from, to]) => from !== to));
    const alone = pagerank(web);
    // Every component is solved by one thread, just as if there were no other.
    for (let run = 0; run < 20; run++) {
      const together = pagerank(web, { team });
      expect(together.iterations).toBe(alone.iterations);
      expect(l1Distance(together.ranks, alone.ranks)).toBeLessThan(1e-15);
    }
  });

  it("is as one where a page that leads to no way back has very many links", () => {
    // A ring of 140,000 pages that all link to one more, which leads to a pair of pages that link to each other.
    const ring = 140_000;
    const arcs: Arc[] = [];
    for (let page = 0; page < ring; page++) arcs.push([page, (page + 1) % ring], [page, ring]);
    arcs.push([ring, ring + 1], [ring, ring + 2], [ring + 1, ring + 2], [ring + 2, ring + 1]);
    const web = graphOf(arcs);
    const alone = pagerank(web);
    const together = pagerank(web, { team });
    expect(l1Distance(together.ranks, alone.ranks)).toBeLessThan(1e-8);
    expect(together.iterations).toBeLessThanOrEqual(2 * alone.iterations);
  });

  it("takes at most half as many sweeps more than one thread, in every norm", () => {
    for (const norm of ["l1", "linf"] as const) {
      const alone = pagerank(graph, { stopping: { norm } });
      const together = pagerank(graph, { stopping: { norm }, team });
      expect(together.residual).toBeLessThanOrEqual(together.tolerance);
      expect(together.iterations).toBeLessThanOrEqual(1.5 * alone.iterations);
    }
  });

  it("ranks a graph with fewer pages than threads", () => {
    expect(pagerank(graphOf([[0, 0]]), { team }).ranks[0]).toBeCloseTo(1, 9);
  });
});

describe("a system", () => {
  const advance = { kind: "advance", norm: "l1", target: 1e-8 } as const;

  it("rises towards its solution and never passes it, so that every state is a lower bound", () => {
    const { ranks } = pagerank(graph, { dangling: "none", stopping: { tolerance: 1e-15 } });
    const system = createSystem(graph, { damping: 0.85, threads: 1 });
    workTogether(solo, system, { kind: "restate", norm: "l1", trustWeight: 0.15, uniformWeight: 0 });
    let before = system.x.slice();
    for (let sweep = 0; sweep < 20; sweep++) {
      workTogether(solo, system, { ...advance, maxIterations: 1 });
      expect(system.x.every((value, page) => value >= before[page] && value <= ranks[page] + 1e-17)).toBe(true);
      before = system.x.slice();
    }
  });

  it("continues from any x after it has been restated", () => {
    const { ranks } = pagerank(graph, { dangling: "none" });
    const system = createSystem(graph, { damping: 0.85, threads: 1 });
    system.x.fill(3 / graph.pages);
    workTogether(solo, system, { kind: "restate", norm: "l1", trustWeight: 0.15, uniformWeight: 0 });
    const { residual } = workTogether(solo, system, { ...advance, maxIterations: 1000 });
    expect(residual).toBeLessThanOrEqual(1e-8);
    expect(l1Distance(system.x, ranks)).toBeLessThan(1e-7);
  });
});

describe("a team that fails", () => {
  it("lets nobody wait at a barrier that another thread has broken", () => {
    const barrier = createBarrier();
    breakUp(barrier);
    expect(() => meet(barrier, 2)).toThrow(FailureError);
  });
  it.each([0, 1.5, 65, Number.NaN])("is not started with %s threads", async (threads) => {
    await expect(startRankTeam(threads)).rejects.toThrow(UsageError);
  });
});
