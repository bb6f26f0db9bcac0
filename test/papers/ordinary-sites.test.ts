/** What docs/benchmarks.md and README say about ordinary sites, with a margin. */
import { describe, expect, it } from "vitest";
import { measureSite, type SiteMeasures, siteShapes } from "../../src/lab/index.ts";

const measured = siteShapes.map((shape) =>
  measureSite(shape, { coverage: 0.95, seed: 1, damping: 0.85, confidence: 0.999, dice: 1 }),
);

function pagesOf(site: SiteMeasures, measure: "proven" | "actual" | "breadthFirst"): number {
  const pages = site[measure];
  if (pages === undefined) throw new Error(`${site.name} never reaches the coverage`);
  return pages;
}

describe("ten ordinary sites crawled to 0.95", () => {
  it("all get there, and the strict number on one of them only", () => {
    expect(measured.map(({ name, proven }) => [name, proven !== undefined])).toEqual(
      siteShapes.map(({ name }) => [name, true]),
    );
    expect(measured.filter(({ strict }) => strict !== undefined).map(({ name }) => name)).toEqual(["navigation"]);
  });

  it("need no more pages than breadth first, and have the coverage before it is proven", () => {
    for (const site of measured) {
      expect(pagesOf(site, "proven")).toBeLessThanOrEqual(1.01 * pagesOf(site, "breadthFirst"));
      expect(pagesOf(site, "actual")).toBeLessThanOrEqual(pagesOf(site, "proven"));
    }
  });

  it("prove it for the company of 600 pages with a twentieth fewer pages than breadth first", () => {
    const [company] = measured;
    expect(company.pages).toBe(600);
    expect(company.strictAtEnd).toBeLessThan(0.8);
    expect(pagesOf(company, "proven")).toBeLessThan(0.95 * pagesOf(company, "breadthFirst"));
  });

  it("pay off most where importance is uneven, and hardly where every page has the same links", () => {
    const share = new Map(measured.map((site) => [site.name, pagesOf(site, "proven") / site.pages]));
    for (const name of ["blog", "forum", "news", "university"]) expect(share.get(name)).toBeLessThan(0.45);
    expect(share.get("docs")).toBeGreaterThan(0.85);
  });

  it("forecast half of the way the pages left within a factor of 1.5, on nine of ten", () => {
    const isNear = (site: SiteMeasures): boolean => {
      const half = Math.floor(pagesOf(site, "proven") / 2);
      const ratio = ((site.forecast ?? 0) - half) / (pagesOf(site, "proven") - half);
      return ratio > 1 / 1.5 && ratio < 1.5;
    };
    expect(measured.filter(isNear).length).toBeGreaterThanOrEqual(9);
  });
});
