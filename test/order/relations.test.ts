/** How orders relate to each other and to the certificate, on random webs where every page can be had. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certify, ledgerOf } from "../../src/coverage/index.ts";
import { successors } from "../../src/graph/index.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";
import { type PlainWeb, plainCrawl } from "../support/plain-crawl.ts";

const PAGES = 12;

const page = fc.nat(PAGES - 1);
const webs = fc
  .record({
    arcs: fc.array(fc.tuple(page, page), { maxLength: 40 }),
    seeds: fc.uniqueArray(page, { minLength: 1, maxLength: 4 }),
    damping: fc.constantFrom(0.25, 0.5, 0.85, 0.95),
  })
  .map(({ arcs, seeds, damping }) => {
    const graph = graphOf(
      arcs.filter(([from, to]) => from !== to),
      PAGES,
    );
    const rows = Array.from({ length: PAGES }, (_, page) => Array.from(successors(graph, page)));
    const trust = seeds.map((seed) => [seed, 1 / seeds.length] as const);
    return { graph, web: { rows, trust, damping } satisfies PlainWeb };
  });

/** Pages by their distance from the trusted ones. */
function levelsOf({ rows, trust }: PlainWeb): number[][] {
  const seen = new Set(trust.map(([page]) => page));
  const levels: number[][] = [];
  for (let level = [...seen]; level.length > 0; ) {
    levels.push(level);
    level = [...new Set(level.flatMap((page) => rows[page]))].filter((page) => !seen.has(page));
    for (const page of level) seen.add(page);
  }
  return levels;
}

const ascending = (pages: readonly number[]) => pages.toSorted((a, b) => a - b);

describe("lneighbor and windowed:100", () => {
  it.each(["lneighbor", "windowed:100"])("%s fetches level after level", (name) => {
    fc.assert(
      fc.property(webs, ({ web }) => {
        const { pages } = plainCrawl(name, web);
        let fetched = 0;
        for (const level of levelsOf(web)) {
          expect(ascending(pages.slice(fetched, fetched + level.length))).toEqual(ascending(level));
          fetched += level.length;
        }
        expect(pages.length).toBe(fetched);
      }),
      { numRuns: cases(300) },
    );
  });

  it("guarantee 1 - d^(L+1) as soon as level L is complete, and not before", () => {
    fc.assert(
      fc.property(webs, ({ web }) => {
        const expected = levelsOf(web).flatMap((level, L) => [
          ...level.slice(1).map(() => 1 - web.damping ** L),
          1 - web.damping ** (L + 1),
        ]);
        const { guaranteed } = plainCrawl("lneighbor", web);
        expect(guaranteed.length).toBe(expected.length);
        for (const [k, value] of guaranteed.entries()) expect(value).toBeCloseTo(expected[k], 9);
      }),
      { numRuns: cases(300) },
    );
  });
});

describe("fpr@1", () => {
  it("takes the path of fpr", () => {
    fc.assert(
      fc.property(webs, ({ web }) => {
        const hostOf = (page: number) => page % 3;
        expect(plainCrawl("fpr@1", web, { hostOf }).pages).toEqual(plainCrawl("fpr", web).pages);
      }),
      { numRuns: cases(300) },
    );
  });
});

describe("an order's own guarantee", () => {
  it.each(["rankmass", "rankmass:literal", "windowed:10"])("of %s is never above the certificate", (name) => {
    fc.assert(
      fc.property(webs, ({ graph, web }) => {
        const { pages, guaranteed } = plainCrawl(name, web);
        for (const [k, value] of guaranteed.entries()) {
          const downloaded = pages.slice(0, k + 1);
          const { coverage } = certify(ledgerOf({ graph, trust: web.trust, downloaded, damping: web.damping }));
          expect(value).toBeLessThanOrEqual(coverage + 1e-11);
        }
      }),
      { numRuns: cases(100) },
    );
  });

  it("of rankmass:literal is the certificate when no page is left", () => {
    fc.assert(
      fc.property(webs, ({ web }) => {
        expect(plainCrawl("rankmass:literal", web).guaranteed.at(-1)).toBeCloseTo(1, 9);
      }),
      { numRuns: cases(100) },
    );
  });
});
