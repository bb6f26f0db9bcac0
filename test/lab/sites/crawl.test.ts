import { describe, expect, it } from "vitest";
import { companySite } from "../../../src/lab/sites/company.ts";
import { forecastAt } from "../../../src/lab/sites/measure.ts";
import { type Site, SiteBuilder } from "../../../src/lab/sites/site.ts";
import { SiteCrawl } from "../../../src/lab/sites/site-crawl.ts";
import { trueShares } from "../../../src/lab/sites/site-truth.ts";
import { universitySite } from "../../../src/lab/sites/university.ts";
import { truthAllowed, type WorldUrl } from "../../support/truth.ts";

const damping = 0.85;

/** Everything that a URL can answer. */
function oddSite(): Site {
  const site = new SiteBuilder();
  site.page("/", ["/a", "/moved", "/login", "/gone"], ["/reply"]);
  site.page("/a", ["/", "/b", "/empty", "/broken"]);
  site.page("/b", ["/a", "/gone", "/moved"], ["/reply", "/report"]);
  site.page("/empty", []);
  site.redirect("/moved", "/moved-on");
  site.redirect("/moved-on", "/b");
  site.all("dead", ["/gone"]);
  site.all("forbidden", ["/login"]);
  site.all("failed", ["/broken"]);
  return site.finish();
}

/** The shares by Gaussian elimination; links that are not followed lead to a forbidden URL of their own. */
function sharesByElimination({ urls }: Site): number[] {
  const world = urls.map(({ kind, links, nofollow }, id): WorldUrl => {
    const all = [...links, ...Array.from({ length: nofollow }, () => urls.length)];
    return { kind: kind === "failed" ? "page" : kind, links: all, seenLinks: [], trust: id === 0 ? 1 : 0 };
  });
  world.push({ kind: "forbidden", links: [], seenLinks: [], trust: 0 });
  const { ranks, sum } = truthAllowed({ damping, known: world.length, urls: world });
  return ranks.slice(0, -1).map((rank) => rank / sum);
}

describe("true shares", () => {
  it.each([
    ["a site of everything that can happen", oddSite()],
    ["the company", companySite(1)],
  ])("of %s are those of Gaussian elimination", (_, site) => {
    const exact = sharesByElimination(site);
    for (const [id, share] of trueShares(site, damping).entries()) expect(share).toBeCloseTo(exact[id], 11);
  });
});

describe.each(["rankmass", "lneighbor"])("a crawl of a site in the order %s", (order) => {
  it.each([
    ["the odd site", oddSite()],
    ["the company", companySite(1)],
    ["the university", universitySite(1)],
  ])("downloads every page of %s and never proves more than is true", (_, site) => {
    const crawl = new SiteCrawl(site, { order, damping });
    const downloaded = crawl.downloaded();
    const pages = site.urls.flatMap(({ kind }, id) => (kind === "page" ? [id] : []));
    expect(downloaded.toSorted((a, b) => a - b)).toEqual(pages);
    const shares = trueShares(site, damping);
    const moments = [1, 2, 3, 30, 300, crawl.pages].filter((count) => count <= crawl.pages);
    for (const { pages: count, coverage, ceiling } of crawl.points(moments, 0.95)) {
      const actual = downloaded.slice(0, count).reduce((sum, page) => sum + shares[page], 0);
      expect(coverage).toBeLessThanOrEqual(actual);
      expect(crawl.provenAtEnd("allowed")).toBeLessThanOrEqual(ceiling + 1e-9);
    }
  });
});

describe("the number of downloads that prove a level", () => {
  const crawl = new SiteCrawl(companySite(1), { order: "rankmass", damping });

  it("is the first that does", () => {
    const proven = crawl.provenAt(0.9, "allowed") ?? 0;
    const [before, at] = crawl.points([proven - 1, proven], 0.9);
    expect(before.coverage).toBeLessThan(0.9);
    // Points are below the exact value by a thousandth of what is missing at most.
    expect(at.coverage).toBeGreaterThan(0.8999);
  });

  it("is larger, or none, if what is forbidden counts", () => {
    expect(crawl.provenAt(0.6, "everything")).toBeGreaterThan(crawl.provenAt(0.6, "allowed") ?? 0);
    expect(crawl.provenAt(0.8, "everything")).toBeUndefined();
  });
});

it("a crawl forecasts nothing for a target above its ceiling", () => {
  const crawl = new SiteCrawl(universitySite(1), { order: "rankmass", damping });
  const [{ ceiling, coverage }] = crawl.points([4000], 0.98);
  expect(coverage).toBeLessThan(0.98);
  expect(ceiling).toBeGreaterThan(0.98);
  expect(ceiling).toBeLessThan(0.995);
  expect(forecastAt(crawl, 4000, 0.98)).toBeGreaterThan(4000);
  expect(forecastAt(crawl, 4000, 0.995)).toBeUndefined();
});
