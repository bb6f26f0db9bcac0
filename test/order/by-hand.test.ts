/** Small webs on which every order is worked by hand. */
import { describe, expect, it } from "vitest";
import { GrowingLinks } from "../../src/graph/index.ts";
import { createOrder } from "../../src/order/index.ts";
import { type PlainWeb, plainCrawl } from "../support/plain-crawl.ts";

/**
 * Pages 0, 1 and 4 are trusted with 30, 24 and 10 of 64; 0 links to 2 and 3, and 1 to 0; d = 1/2. All mass below is in
 * units of 1/64, and trust enters as (1-d) t: 15 on page 0, 12 on 1, 5 on 4.
 *
 * RankMass, Figure 5: download 0 (15): 2 and 3 get 3.75. Download 1 (12): 0 gets 6. Now 0 is the greatest of all: it is
 * pushed again, and 2 and 3 have 5.25. Download 2 (5.25), 3 (5.25, discovered later), 4 (5).
 */
const web: PlainWeb = {
  rows: [[2, 3], [0], [], [], []],
  trust: [
    [0, 30 / 64],
    [1, 24 / 64],
    [4, 10 / 64],
  ],
  damping: 0.5,
};
/** x_0 = 15 + 6, x_1 = 12, x_2 = x_3 = 21/4, x_4 = 5. */
const trueRanks = Float64Array.of(21, 12, 5.25, 5.25, 5);

describe.each([
  ["rankmass:literal", [0, 1, 2, 3, 4]],
  // The level of pages now being fetched is 15/16 of 15, a push of two links is worth 0.3 sqrt(2) of it, 5.97: 6 is
  // pushed.
  ["rankmass", [0, 1, 2, 3, 4]],
  // One page a round. What page 1 sends to 0 in the second round goes on in the third, after 4 (5) was preferred to 2
  // (3.75).
  ["windowed:1", [0, 1, 4, 2, 3]],
  // Three pages are waiting, of which 40% are two.
  ["windowed:40", [0, 1, 4, 2, 3]],
  ["lneighbor", [0, 1, 4, 2, 3]],
  // What 1 sends to 0 is dropped: 4 has 5, 2 and 3 have 3.75.
  ["fpr", [0, 1, 4, 2, 3]],
  // Undamped: 0 hands 15 to each of 2 and 3, before 4 with 10.
  ["opic", [0, 1, 2, 3, 4]],
  // Nobody links to 1 and 4.
  ["backlink", [0, 2, 3, 1, 4]],
  // Every known page has the same trust; 2 and 3 have their share of page 0 as well.
  ["pagerank", [0, 2, 3, 1, 4]],
  ["optimal", [0, 1, 2, 3, 4]],
])("on the web of RankMass, Figure 5, %s", (name, expected) => {
  it(`fetches ${expected.join(", ")}`, () => {
    expect(plainCrawl(name, web, { trueRanks }).pages).toEqual(expected);
  });
});

describe("running guarantees, by hand", () => {
  const closeTo = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 10));

  it("of rankmass:literal count what has been pushed when the next page is requested", () => {
    // Pages 2, 3 and 4 have no links, so each 1/64 on them takes 1/64 off the whole (d/(1-d) = 1).
    expect(plainCrawl("rankmass:literal", web).guaranteed).toEqual(
      closeTo([15 / 64, 33 / 64, 38.25 / 58.75, 43.5 / 53.5, 1]),
    );
  });

  it("of windowed stand from the end of one round to the end of the next", () => {
    expect(plainCrawl("windowed:1", web).guaranteed).toEqual(closeTo([15 / 64, 27 / 64, 38 / 59, 43.25 / 53.75, 1]));
    // Rounds: 0 and 1; then of 4, 2, 3 two pages, 4 and 2; then 3.
    expect(plainCrawl("windowed:40", web).guaranteed).toEqual(closeTo([0, 27 / 64, 27 / 64, 43.25 / 53.75, 1]));
  });

  it("of lneighbor are 1 - d^(L+1) after level L", () => {
    expect(plainCrawl("lneighbor", web).guaranteed).toEqual(closeTo([0, 0, 0.5, 0.5, 0.75]));
  });
});

describe("lneighbor", () => {
  it("does not claim the theorem where trust was seeded after the first level had begun", () => {
    // d = 1/2, and half of the trust on page 0, which has no links: x_0 = 1/4. Of page 1, which has the other half,
    // nothing is known: 1/4 of 1 - 1/4. The theorem would say 1/2.
    const links = new GrowingLinks();
    const order = createOrder("lneighbor", { links, pages: 2, damping: 0.5 });
    order.trusted(0, 0.5);
    expect(order.next()).toBe(0);
    order.trusted(1, 0.5);
    links.set(0, []);
    order.downloaded(0);
    expect(order.next()).toBe(1);
    expect(order.guaranteed()).toBeCloseTo(1 / 3, 10);
  });
});

describe("fpr", () => {
  it("fetches the web of FPR, Figure 2, in the figure's order", () => {
    // A links to B and C, B to D and E, C to B and E. C is fetched before D and E, and lifts E above D.
    const [A, B, C, D, E] = [0, 1, 2, 3, 4];
    const rows = [[B, C], [D, E], [B, E], [], []];
    expect(plainCrawl("fpr", { rows, trust: [[A, 1]], damping: 0.85 }).pages).toEqual([A, B, C, E, D]);
  });

  it("at M lets a link to another host weigh M", () => {
    // Pages 0 and 1 are of one host, page 2 of another.
    const web: PlainWeb = { rows: [[1, 2], [], []], trust: [[0, 1]], damping: 0.85 };
    const hostOf = (page: number) => Number(page === 2);
    expect(plainCrawl("fpr", web, { hostOf }).pages).toEqual([0, 1, 2]);
    expect(plainCrawl("fpr@1", web, { hostOf }).pages).toEqual([0, 1, 2]);
    expect(plainCrawl("fpr@2", web, { hostOf }).pages).toEqual([0, 2, 1]);
    expect(plainCrawl("fpr@0.5", web, { hostOf }).pages).toEqual([0, 1, 2]);
  });

  it("at M divides by the weight of all links, those to downloaded pages too", () => {
    // In units of (1-d), d = 1/2, M = 3: page 0 (0.6) hands 0.075 to 1 and 0.225 to 2, page 3 (0.4) hands 0.05 to 4 and
    // 0.15 to 0, which is downloaded. Were only the link to 4 counted, it would get 0.2 and be fetched before 1.
    const web: PlainWeb = {
      rows: [[1, 2], [], [], [0, 4], []],
      trust: [
        [0, 0.6],
        [3, 0.4],
      ],
      damping: 0.5,
    };
    const hosts = [0, 0, 1, 1, 1];
    expect(plainCrawl("fpr@3", web, { hostOf: (page) => hosts[page] }).pages).toEqual([0, 3, 2, 1, 4]);
  });
});

describe("mass that arrives through a redirect known before", () => {
  it.each(["rankmass", "rankmass:literal", "windowed:1", "fpr", "opic"])("lifts the target of %s", (name) => {
    // URL 1 redirects to page 2. In units of (1-d), d = 1/2: page 0 (0.4) hands 0.1 to 2 and 5, page 4 (0.35) hands
    // 0.175 to 2, which then has 0.275, before 3 with 0.25 and 5 with 0.1. Undamped: 0.55, 0.25 and 0.2.
    const web: PlainWeb = {
      rows: [[1, 5], [], [], [], [1], []],
      trust: [
        [0, 0.4],
        [3, 0.25],
        [4, 0.35],
      ],
      damping: 0.5,
      redirects: [[1, 2]],
    };
    expect(plainCrawl(name, web).pages).toEqual([0, 4, 2, 3, 5]);
  });
});

describe("a page that gains while it is in flight", () => {
  // Pages 0, 1 and 2 are trusted with 0.4, 0.32 and 0.28 and handed out. Page 0 is fetched and links to 2; then 1 and 2
  // are put back. FPR, d = 1/2, in units of (1-d): 2 has 0.28 + 0.2, before 1 with 0.32. OPIC: 0.68. Backlink: 1,
  // before 0.
  it.each(["fpr", "fpr@2", "opic", "backlink", "rankmass", "rankmass:literal"])(
    "comes back to %s with all that it has gained, and hands it on",
    (name) => {
      const links = new GrowingLinks();
      const order = createOrder(name, { links, pages: 5, damping: 0.5, hostOf: () => 0 });
      for (const [page, weight] of [0.4, 0.32, 0.28].entries()) order.trusted(page, weight);
      expect([order.next(), order.next(), order.next()]).toEqual([0, 1, 2]);
      links.set(0, [2]);
      order.downloaded(0);
      order.putBack(1);
      order.putBack(2);
      expect(order.next()).toBe(2);
      // It hands on what it came back with: 0.24 to page 3 by FPR, 0.68 by OPIC, as page 1 would hand on 0.16 and 0.32
      // to 4.
      expect(order.next()).toBe(1);
      links.set(1, [4]);
      order.downloaded(1);
      links.set(2, [3]);
      order.downloaded(2);
      expect(order.next()).toBe(name === "backlink" ? 4 : 3);
    },
  );
});

describe("a page that was fetched without being asked for", () => {
  it.each(["fpr", "fpr@2", "opic", "rankmass", "rankmass:literal"])("hands on its mass to %s", (name) => {
    // d = 1/2, in units of (1-d): page 0 hands 0.45 to 2, undamped 0.9, before 1 with 0.1.
    const links = new GrowingLinks();
    const order = createOrder(name, { links, pages: 3, damping: 0.5, hostOf: () => 0 });
    order.trusted(0, 0.9);
    order.trusted(1, 0.1);
    links.set(0, [2]);
    order.downloaded(0);
    expect([order.next(), order.next(), order.next()]).toEqual([2, 1, -1]);
  });
});

describe("rankmass", () => {
  it("pushes what was not worth it once the pages now being fetched hold less", () => {
    // In units of what waits on page 0 at first, d = 1/2. Page 0 hands 1/32 to each of 16 pages. Page 1 (0.4) hands 0.2
    // to 0: to push 16 links is worth it from 0.3 * 4 of the level on, which is near 1 by then. 40 pages of 0.05 come
    // next, and the level falls by a sixteenth with each: after 32 of them it is below 1/8, and 0.2 is worth a push.
    // The 16 pages get 1/160 more: they have 0.0375 and go before the last page with 0.035, which 1/32 would not.
    const fillers = Array.from({ length: 40 }, (_, k) => 2 + k);
    const leaves = Array.from({ length: 16 }, (_, k) => 42 + k);
    const last = 58;
    const weights: [number, number][] = [
      [0, 1],
      [1, 0.4],
      ...fillers.map((page): [number, number] => [page, 0.05]),
      [last, 0.035],
    ];
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
    const web: PlainWeb = {
      rows: Array.from({ length: 59 }, (_, page) => (page === 0 ? leaves : page === 1 ? [0] : [])),
      trust: weights.map(([page, weight]) => [page, weight / total]),
      damping: 0.5,
    };
    expect(plainCrawl("rankmass", web).pages).toEqual([0, 1, ...fillers, ...leaves, last]);
  });
});

describe("ties", () => {
  it.each([
    "rankmass",
    "rankmass:literal",
    "windowed:1",
    "windowed:100",
    "lneighbor",
    "fpr",
    "opic",
    "backlink",
    "pagerank",
  ])("of %s go to the page that was discovered earlier", (name) => {
    const rows = [[4, 1, 3], [], [], [], []];
    const { pages } = plainCrawl(name, { rows, trust: [[0, 1]], damping: 0.5 });
    expect(pages).toEqual([0, 4, 1, 3]);
  });

  it("of seeds go to the one added first", () => {
    const trust: PlainWeb["trust"] = [
      [2, 0.25],
      [0, 0.25],
      [1, 0.5],
    ];
    const web: PlainWeb = { rows: [[], [], []], trust, damping: 0.5 };
    for (const name of ["rankmass", "rankmass:literal", "windowed:1", "fpr", "opic"]) {
      expect(plainCrawl(name, web).pages).toEqual([1, 2, 0]);
    }
    for (const name of ["lneighbor", "backlink", "pagerank"]) {
      expect(plainCrawl(name, web).pages).toEqual([2, 0, 1]);
    }
  });
});

describe("windowed", () => {
  it.each([
    [7, 100, 7],
    [5, 140, 7],
    [10, 101, 11],
    [0.5, 10, 1],
    [100, 3, 3],
  ])("takes %d%% of %i pages as %i", (percent, waiting, batch) => {
    // A guarantee rises only at the end of a round: the first round is as long as it stays 0.
    const rows = Array.from({ length: waiting }, () => []);
    const trust = rows.map((_, page) => [page, 1 / waiting] as const);
    const { guaranteed } = plainCrawl(`windowed:${percent}`, { rows, trust, damping: 0.5 });
    expect(guaranteed.findIndex((value) => value! > 0) + 1).toBe(batch);
  });
});

describe("optimal", () => {
  it("fetches by true rank, then by id, and no page that nobody can reach", () => {
    const web: PlainWeb = { rows: [[], [], [], [], []], trust: [], damping: 0.5 };
    const trueRanks = Float64Array.of(0.1, 0.3, 0, 0.3, 0.3);
    expect(plainCrawl("optimal", web, { trueRanks }).pages).toEqual([1, 3, 4, 0]);
  });
});

describe("random", () => {
  it("fetches any waiting page with equal chance, by its seed", () => {
    const web: PlainWeb = {
      rows: [[], [], []],
      trust: [0, 1, 2].map((page) => [page, 1 / 3] as const),
      damping: 0.5,
    };
    const first = [0, 0, 0];
    for (let seed = 0; seed < 3000; seed++) first[plainCrawl(`random:${seed}`, web).pages[0]]++;
    // Standard deviation sqrt(3000 * 1/3 * 2/3) = 26.
    for (const count of first) expect(Math.abs(count - 1000)).toBeLessThan(4 * 26);
  });
});
