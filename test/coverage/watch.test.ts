/** A watch that is checked after every download, on webs large enough for it to choose when to check. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { CoverageWatch, certify, ledgerOf } from "../../src/coverage/index.ts";
import { GrowingLinks, linksOf } from "../../src/graph/index.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";

const PAGES = 400;

/** A web in which early pages are linked to more often, and a crawl of it that takes pages nearly in that order. */
function webOf(seed: number) {
  const random = new Random(seed);
  const early = () => Math.floor(PAGES * random.float() ** 3);
  const arcs = Array.from({ length: 5 * PAGES }, () => [random.below(PAGES), early()] as const);
  const graph = graphOf(
    arcs.filter(([from, to]) => from !== to),
    PAGES,
  );
  const place = Float64Array.from({ length: PAGES }, (_, page) => page + random.below(50));
  const path = Array.from(place.keys()).toSorted((a, b) => place[a] - place[b]);
  return { graph, path, trust: [0, 1, 2, 3].map((page) => [page, 0.25] as const) };
}

describe("a coverage watch checked after every download", () => {
  it("stops no earlier than the certificate allows, and before the crawl has grown by another half", () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0.3, max: 0.999, noNaN: true }), (seed, goal) => {
        const { graph, path, trust } = webOf(seed);
        const watch = new CoverageWatch({ links: linksOf(graph), pages: PAGES, damping: 0.85, goal });
        for (const [page, weight] of trust) watch.trusted(page, weight);
        const coverageAfter = (downloads: number) =>
          certify(ledgerOf({ graph, trust, downloaded: path.slice(0, downloads), damping: 0.85 })).coverage;
        let stop = 0;
        while (stop < PAGES) {
          const before = watch.certified;
          watch.downloaded(path[stop++]);
          const isReached = watch.reached();
          expect(watch.certified).toBeGreaterThanOrEqual(before);
          if (isReached) break;
        }
        if (watch.reached()) expect(coverageAfter(stop)).toBeGreaterThanOrEqual(goal);
        const late = Math.ceil(stop / 1.5);
        if (stop > late) expect(coverageAfter(late - 1)).toBeLessThan(goal);
        expect(watch.checks).toBeLessThan(40);
      }),
      { numRuns: cases(60) },
    );
  });
});

describe("a coverage watch that others check too", () => {
  it("is hardly later for it, though two checks in a row tell nothing about how fast the rest falls", () => {
    let [alone, watched] = [0, 0];
    for (let seed = 1; seed <= 20; seed++) {
      const { graph, path, trust } = webOf(seed);
      const stopWith = (checked: number): number => {
        const watch = new CoverageWatch({ links: linksOf(graph), pages: PAGES, damping: 0.85, goal: 0.6 });
        for (const [page, weight] of trust) watch.trusted(page, weight);
        for (let stop = 1; stop <= PAGES; stop++) {
          watch.downloaded(path[stop - 1]);
          if (stop === checked) for (let time = 0; time < 2; time++) watch.check();
          if (watch.reached()) return stop;
        }
        return PAGES;
      };
      const stop = stopWith(0);
      alone += stop;
      watched += stopWith(Math.floor(0.9 * stop));
    }
    expect(watched).toBeLessThan(1.05 * alone);
  });
});

/** A watch over links written as rows. */
function watchOver(rows: readonly (readonly number[])[], goal: number, damping = 0.5): CoverageWatch {
  const links = new GrowingLinks();
  for (const [page, row] of rows.entries()) links.set(page, row);
  return new CoverageWatch({ links, pages: rows.length, damping, goal });
}

/** Each page hands on to the next: with d = 1/2, n pages of it hold 1 - 1/2^n. */
const chain = (pages: number) => Array.from({ length: pages }, (_, page) => [page + 1].slice(0, pages - 1 - page));

describe("what a watch has certified", () => {
  it("never falls, also where a page comes later of which less is known", () => {
    // A ring of two pages is everything. Page 2, which nobody links to, is cut off: it could lead anywhere.
    const watch = watchOver([[1], [0], []], 1);
    watch.trusted(0, 1);
    watch.downloaded(0);
    watch.downloaded(1);
    expect(watch.check()).toBe(1);
    watch.linksUnknown(2);
    expect(watch.check()).toBe(1);
    expect(watch.certified).toBe(1);
    expect(watch.reached()).toBe(true);
  });

  it("is not 1 while a page is missing to which next to nothing flows", () => {
    // Each page of a chain hands on a tenth: the last of 15 holds 9e-15 of the whole.
    const watch = watchOver(chain(15), 1, 0.1);
    watch.trusted(0, 1);
    for (let page = 0; page < 14; page++) watch.downloaded(page);
    expect(watch.check()).toBeLessThan(1);
    expect(watch.certified).toBeGreaterThan(1 - 1e-9);
    expect(watch.reached()).toBe(false);
    watch.downloaded(14);
    expect(watch.check()).toBe(1);
  });
});

describe("a new goal", () => {
  it("is checked at the next call of the watch, and once", () => {
    const watch = watchOver(chain(40), 0.9999);
    watch.trusted(0, 1);
    for (let page = 0; page < 7; page++) {
      watch.downloaded(page);
      watch.reached();
    }
    // Checked after 1, 2, 3 and 5 downloads; the next check would be after 8. Seven pages hold 127/128.
    expect(watch.checks).toBe(4);
    expect(watch.certified).toBeCloseTo(31 / 32, 9);
    watch.aim(0.99);
    expect(watch.reached()).toBe(true);
    expect(watch.checks).toBe(5);
    expect(watch.certified).toBeCloseTo(127 / 128, 9);
    watch.aim(0.995);
    expect(watch.reached()).toBe(false);
    expect(watch.reached()).toBe(false);
    expect(watch.checks).toBe(6);
  });
});

describe("a fact of any kind", () => {
  // d = 1/2. Page 0 has all trust and one link, to 1: x_0 = 1/2, and 1/4 flows to 1. Alone, page 0 is sure of 1/2.
  it.each([
    // Page 1 is no page but leads back: 0 is all there is.
    ["a redirect", 1, (watch: CoverageWatch) => watch.redirected(1, 0)],
    // One visit to 1, and no more: 1/2 of 3/4.
    ["a dead page", 0.66, (watch: CoverageWatch) => watch.dead(1)],
    // Page 1 is had, and what follows it is not known: 3/4 of 1.
    ["a page that was cut off", 0.74, (watch: CoverageWatch) => watch.linksUnknown(1)],
    ["a page", 1, (watch: CoverageWatch) => watch.downloaded(1)],
  ])("makes the next check come sooner: %s", (_, goal, tell) => {
    const watch = watchOver([[1], []], goal);
    watch.trusted(0, 1);
    watch.downloaded(0);
    expect(watch.reached()).toBe(false);
    tell(watch);
    expect(watch.reached()).toBe(true);
  });
});

describe("a forecast that was wrong", () => {
  it("delays the next check until the crawl has grown by a half, and no longer", () => {
    // Ten pages of a thousandth of the trust each come first: by them the goal is out of sight. Then comes a page of
    // 0.99.
    const worthless = 40;
    const watch = watchOver(
      Array.from({ length: worthless }, () => []),
      0.9,
    );
    for (let page = 0; page < 10; page++) watch.trusted(page, 0.001);
    watch.trusted(10, 0.99);
    let downloads = 0;
    while (downloads < worthless && !watch.reached()) watch.downloaded(downloads++);
    expect(downloads).toBeGreaterThanOrEqual(11);
    expect(downloads).toBeLessThanOrEqual(17);
  });
});
