/** FINDGLOBALPR as an order of crawling: on webs with dead, forbidden and moved pages, and in several runs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CommunityOrder,
  type CommunityOrderOptions,
  type CommunityRound,
  findGlobalPagerank,
  SELECTIONS,
  type SelectionMethod,
} from "../../src/community/index.ts";
import { type Graph, generateGraph, GrowingLinks, successors } from "../../src/graph/index.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";
import { adjacencyOf, denseShares, pagerankMatrix, stationary } from "./dense.ts";

/** What becomes of a page that is requested: it is had, dead, forbidden, or it redirects. */
type Fate = "page" | "dead" | "refused" | { readonly to: number };

interface World {
  readonly web: Graph;
  /** The pages 0 to `local - 1` are the community. */
  readonly local: number;
  /** Pages that belong to the community and were not had (default: none). */
  readonly inside?: readonly number[];
  readonly fateOf?: (page: number) => Fate;
  /** Whether what was requested first replies first (default: last). */
  readonly inTurn?: boolean;
}

/** A crawl as an order sees it; its log is what another run can begin with. */
class Crawl {
  readonly handedOut: number[] = [];
  rounds: readonly CommunityRound[] = [];
  readonly order: CommunityOrder;
  readonly #world: World;
  readonly #links = new GrowingLinks();
  readonly log: [page: number, fate: Fate][] = [];
  /** Pages that are in the log, or linked from one that is. */
  readonly #known = new Set<number>();

  constructor(world: World, options: Partial<CommunityOrderOptions>, log: Iterable<readonly [number, Fate]> = []) {
    this.#world = world;
    const { local, inside = [] } = world;
    this.order = new CommunityOrder({
      select: "leak",
      rounds: 3,
      pagesPerRound: 2,
      links: this.#links,
      urlOf: (page) => `u${page}`,
      pageOf: (url) => (this.#known.has(Number(url.slice(1))) ? Number(url.slice(1)) : -1),
      isOutside: (url) => Number(url.slice(1)) >= local && !inside.includes(Number(url.slice(1))),
      onRound: (rounds) => {
        this.rounds = structuredClone(rounds);
      },
      ...options,
    });
    for (let page = 0; page < local; page++) this.order.trusted(page);
    for (const [page, fate] of log) this.tell(page, fate);
  }

  tell(page: number, fate: Fate): void {
    const { order } = this;
    this.log.push([page, fate]);
    this.#known.add(page);
    if (fate === "page") {
      const row = successors(this.#world.web, page);
      for (const target of row) this.#known.add(target);
      this.#links.set(page, row);
      order.downloaded(page);
    } else if (fate === "dead") order.dead(page);
    else if (fate === "refused") order.refused(page, "robots");
    else {
      this.#known.add(fate.to);
      order.redirected(page, fate.to);
    }
  }

  /** Until nothing is handed out, or so many facts are known. All pages that are handed out at a time are under way. */
  run(factsMax = Number.POSITIVE_INFINITY): this {
    const { fateOf = () => "page", inTurn = false } = this.#world;
    for (;;) {
      const underWay: number[] = [];
      for (let page: number; (page = this.order.next()) >= 0; ) underWay.push(page);
      this.handedOut.push(...underWay);
      for (const page of inTurn ? underWay : underWay.toReversed()) {
        if (this.log.length === factsMax) return this;
        this.tell(page, fateOf(page));
      }
      if (underWay.length === 0) return this;
    }
  }
}

function crawl(world: World, options: Partial<CommunityOrderOptions> = {}): Crawl {
  const local = Array.from({ length: world.local }, (_, page) => [page, "page"] as const);
  return new Crawl(world, options, local).run();
}

/** Where a page leads by the redirects that are known; -1 if nowhere. */
function endOf(page: number, fates: ReadonlyMap<number, Fate>): number {
  for (let end = page, hops = 0; hops < 100; hops++) {
    const fate = fates.get(end);
    if (typeof fate !== "object") return end;
    end = fate.to;
  }
  return -1;
}

/** By another method: the stationary distribution of a dense matrix, with redirects resolved beforehand. */
function expectedRanks({ web, local }: World, { log, order }: Crawl): number[] {
  const fates = new Map(log);
  const members = [...Array.from({ length: local }, (_, page) => page), ...order.result()!.crawled];
  const arcs = members.flatMap((page) =>
    [...successors(web, page)].map((target) => [page, endOf(target, fates)] as const),
  );
  const resolved = graphOf(
    arcs.filter(([from, to]) => to >= 0 && from !== to),
    web.pages,
  );
  return denseShares(stationary(pagerankMatrix(adjacencyOf(resolved, members), 0.85)).slice(0, local));
}

describe("the order of a community", () => {
  it("crawls and estimates what FINDGLOBALPR does where all pages can be had", () => {
    const web = generateGraph({ pages: 300, seed: 4 }).graph;
    for (const select of SELECTIONS) {
      const local = Uint32Array.from({ length: 20 }, (_, page) => page);
      const expected = [...findGlobalPagerank({ web, local, select, rounds: 4, pagesPerRound: 5 })].at(-1)!;
      const { order, rounds } = crawl({ web, local: 20, inTurn: true }, { select, rounds: 4, pagesPerRound: 5 });
      const found = order.result()!;
      expect(found.crawled).toEqual(expected.crawled);
      expect(rounds.flatMap(({ chosen }) => chosen)).toEqual(Array.from(expected.crawled, (page) => `u${page}`));
      for (const [i, rank] of found.ranks.entries()) expect(rank).toBeCloseTo(expected.ranks[i], 8);
    }
  });

  it("replaces pages that cannot be had, and gives up after two tries per page", () => {
    // The community, page 0, links to ten pages.
    const web = graphOf(Array.from({ length: 10 }, (_, k) => [0, k + 1] as const));
    const some = crawl({ web, local: 1, fateOf: (page) => (page % 2 === 0 ? "page" : "dead") });
    expect(some.order.crawled).toBe(5);
    expect([some.order.tried, some.order.isOutOfTries]).toEqual([10, false]);
    const none = crawl({ web, local: 1, fateOf: () => "refused" }, { rounds: 2, pagesPerRound: 2 });
    expect([none.order.crawled, none.order.tried, none.order.isOutOfTries]).toEqual([0, 8, true]);
    // All of its links lead to pages that do not count, so it is as if it had none.
    expect([...none.order.result()!.ranks]).toEqual([1]);
    const few = crawl({ web, local: 1, fateOf: (page) => (page === 1 ? "dead" : "page") }, { rounds: 1 });
    expect([few.order.crawled, few.order.tried, few.order.isOutOfTries]).toEqual([2, 3, false]);
    const last = crawl({ web, local: 1, fateOf: (page) => (page <= 2 ? "dead" : "page") }, { rounds: 1 });
    expect([last.order.crawled, last.order.tried, last.order.isOutOfTries]).toEqual([2, 4, false]);
  });

  it("fetches where a chosen page leads, but no page of the community, and fetches nothing twice", () => {
    // 0 and 1 are the community, 2 belongs to it and was not had; 3 moves to 6, 4 to 2, 5 to 1, 7 to itself by 8.
    const web = graphOf([...[1, 2, 3, 4, 5, 7].map((to) => [0, to] as const), [1, 6], [6, 0], [8, 7]]);
    const moves = new Map([
      [3, 6],
      [4, 2],
      [5, 1],
      [7, 8],
      [8, 7],
    ]);
    const fateOf = (page: number): Fate => (moves.has(page) ? { to: moves.get(page)! } : "page");
    const world = { web, local: 2, inside: [2], fateOf };
    const whole = crawl(world, { rounds: 9, pagesPerRound: 9 });
    expect(whole.handedOut.toSorted()).toEqual([3, 4, 5, 6, 7, 8]);
    const { crawled, ranks } = whole.order.result()!;
    expect([...crawled]).toEqual([6]);
    for (const [i, rank] of expectedRanks(world, whole).entries()) expect(ranks[i]).toBeCloseTo(rank, 9);
  });

  it("fetches the pages of the community first where they are not known, and goes where they have moved", () => {
    const web = graphOf([
      [0, 4],
      [3, 5],
      [4, 0],
    ]);
    const fates: Fate[] = ["page", { to: 3 }, "dead", "page", "page", "page"];
    const open = new Crawl({ web, local: 3, fateOf: (page) => fates[page] }, { rounds: 1 });
    expect(open.order.result()).toBeUndefined();
    open.run();
    expect(open.handedOut.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(open.handedOut.slice(4).toSorted()).toEqual([4, 5]);
    expect([...open.order.result()!.local]).toEqual([0, 3]);
    const lost = new Crawl({ web, local: 1, fateOf: () => "dead" }, {}).run();
    expect(lost.order.result()).toBeUndefined();
    expect(lost.handedOut).toEqual([0]);
  });

  it("says what it has chosen before it hands it out, and how much each round has changed", () => {
    const web = generateGraph({ pages: 200, seed: 2 }).graph;
    const { rounds, handedOut } = crawl({ web, local: 10 }, { select: "auto", rounds: 3, pagesPerRound: 8 });
    expect(rounds.flatMap(({ chosen }) => chosen)).toEqual(handedOut.map((page) => `u${page}`));
    expect(rounds.map(({ crawled }) => crawled)).toEqual([8, 16, 24]);
    expect(rounds.map(({ drawn }) => drawn.length)).toEqual([4, 4, 4]);
    for (const { change } of rounds) expect(change?.l1).toBeGreaterThan(0);
  });

  it("draws every second page by default, also where pages have moved, and no more than are wanted", () => {
    // The community, page 0, links to a hundred pages, which have moved, one of them to a page that is dead.
    const web = graphOf(
      Array.from({ length: 100 }, (_, k) => [0, k + 1] as const),
      201,
    );
    const options = { select: "auto", pagesPerRound: 6 } as const;
    const [, moved] = crawl({ web, local: 1 }, options).rounds[0].drawn.map((url) => Number(url.slice(1)));
    const fateOf = (page: number): Fate => (page <= 100 ? { to: page + 100 } : page === moved + 100 ? "dead" : "page");
    for (const rounds of [1, 2]) {
      const around = crawl({ web, local: 1, fateOf }, { ...options, rounds });
      expect(around.rounds.map(({ chosen, drawn }) => [chosen.length, drawn.length])).toEqual([
        ...Array.from({ length: rounds }, () => [6, 3]),
        [1, 0],
      ]);
      expect(around.order.crawled).toBe(6 * rounds);
    }
  });

  it("draws every second page by default, also in two runs, and when the second no longer knows all that was drawn", () => {
    // Page 0 leads to three pages, each of which leads to thirty others.
    const web = graphOf(
      [0, 1, 2, 3].flatMap((from) =>
        Array.from({ length: from === 0 ? 3 : 30 }, (_, k) => [from, 30 * from + k + (from === 0 ? 1 : 0)] as const),
      ),
    );
    const options = { select: "auto", rounds: 4, pagesPerRound: 3 } as const;
    for (let facts = 0; facts < 12; facts++) {
      for (let lost = 0; lost <= facts; lost++) {
        const first = new Crawl({ web, local: 1 }, options, [[0, "page"]]).run(1 + facts);
        const kept = first.log.slice(0, 1 + facts - lost);
        const second = new Crawl({ web, local: 1 }, { ...options, earlier: first.rounds }, kept).run();
        expect(second.rounds.map(({ drawn }) => drawn.length)).toEqual([1, 2, 1, 2]);
      }
    }
  });

  it("crawls the same pages in two runs as in one", () => {
    // A large web: on small ones scores are often equal but for rounding, which depends on where a run begins.
    const web = generateGraph({ pages: 300, seed: 4 }).graph;
    const fateOf = (page: number): Fate =>
      page % 7 === 0 ? "dead" : page % 11 === 0 ? { to: (page * 13) % 300 } : "page";
    const world = { web, local: 20, fateOf: (page: number) => (page < 20 ? "page" : fateOf(page)) };
    const local = Array.from({ length: world.local }, (_, page) => [page, "page"] as const);
    for (const select of SELECTIONS.filter((each) => each !== "random")) {
      const options = { select, rounds: 3, pagesPerRound: 5 };
      const whole = crawl(world, options);
      for (let facts = 0; facts < whole.log.length - world.local; facts++) {
        const first = new Crawl(world, options, local).run(world.local + facts);
        const second = new Crawl(world, { ...options, earlier: first.rounds }, first.log).run();
        expect(second.order.result()!.crawled.toSorted()).toEqual(whole.order.result()!.crawled.toSorted());
      }
    }
  });
});

/** The estimate of `auto` is a mixture of two: it only has to be one of shares. */
function expectSameRanks(ranks: Float64Array, expected: readonly number[], select: SelectionMethod): void {
  if (select === "auto") expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 7);
  else for (const [i, rank] of expected.entries()) expect(ranks[i]).toBeCloseTo(rank, 7);
}

/** Webs of up to 14 pages, up to 4 of them local, with fates for the others. */
const worlds = fc
  .record({
    arcs: fc.array(fc.tuple(fc.nat(13), fc.nat(13)), { maxLength: 50 }),
    local: fc.integer({ min: 1, max: 4 }),
    fates: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constant<Fate>("page") },
        fc.constantFrom<Fate>("dead", "refused"),
        fc.record({ to: fc.nat(13) }),
      ),
      { minLength: 14, maxLength: 14 },
    ),
  })
  .map(({ arcs, local, fates }): World & { readonly fateOf: (page: number) => Fate } => ({
    web: graphOf(
      arcs.filter(([from, to]) => from !== to),
      14,
    ),
    local,
    fateOf: (page) => (page < local ? "page" : fates[page]),
  }));

const choices = fc.record({
  select: fc.oneof(fc.constantFrom(...SELECTIONS), fc.constant("auto" as const)),
  rounds: fc.integer({ min: 1, max: 4 }),
  pagesPerRound: fc.integer({ min: 1, max: 4 }),
});

describe("on any web", () => {
  it("hands out each page once, keeps to its bounds, and estimates as a dense matrix does", () => {
    fc.assert(
      fc.property(worlds, choices, (world, options) => {
        const whole = crawl(world, options);
        const { handedOut, order } = whole;
        expect(new Set(handedOut).size).toBe(handedOut.length);
        expect(handedOut.every((page) => page >= world.local)).toBe(true);
        for (const { chosen } of whole.rounds) expect(chosen.length).toBeLessThanOrEqual(options.pagesPerRound);
        const wanted = options.rounds * options.pagesPerRound;
        expect(order.crawled).toBeLessThanOrEqual(wanted);
        expect(order.tried).toBeLessThanOrEqual(2 * wanted);
        const { crawled, ranks } = order.result()!;
        expect(crawled.length).toBe(order.crawled);
        expectSameRanks(ranks, expectedRanks(world, whole), options.select);
      }),
      { numRuns: cases(300) },
    );
  });

  it("goes on with what was chosen when it dies, whatever of the log is lost with it", () => {
    fc.assert(
      fc.property(worlds, choices, fc.nat(20), fc.nat(6), (world, options, facts, lost) => {
        const local = Array.from({ length: world.local }, (_, page) => [page, "page"] as const);
        const first = new Crawl(world, options, local).run(world.local + facts);
        const kept = first.log.slice(0, Math.max(world.local, first.log.length - lost));
        const second = new Crawl(world, { ...options, earlier: first.rounds }, kept).run();
        const had = new Set(kept.map(([page]) => page));
        expect(second.handedOut.filter((page) => had.has(page))).toEqual([]);
        expect(new Set(second.handedOut).size).toBe(second.handedOut.length);
        // The rounds that were begun stay, and what was chosen in them has an outcome, unless nothing leads to it.
        expect(second.rounds.slice(0, first.rounds.length).map(({ chosen }) => chosen)).toEqual(
          first.rounds.map(({ chosen }) => chosen),
        );
        const known = new Set(
          second.log.flatMap(([page, fate]) => (fate === "page" ? [...successors(world.web, page)] : [])),
        );
        const ended = new Set(second.log.map(([page]) => page));
        for (const url of first.rounds.flatMap(({ chosen }) => chosen)) {
          const page = Number(url.slice(1));
          expect(ended.has(page) || !known.has(page)).toBe(true);
        }
        for (const { chosen } of second.rounds) expect(chosen.length).toBeLessThanOrEqual(options.pagesPerRound);
        expect(second.order.tried).toBeLessThanOrEqual(2 * options.rounds * options.pagesPerRound);
        expectSameRanks(second.order.result()!.ranks, expectedRanks(world, second), options.select);
      }),
      { numRuns: cases(300) },
    );
  });
});
