/**
 * Certificates of small webs, read from the log of a whole crawl. What is expected is solved by hand next to each web: x
 * is what surfers who stay among the downloaded pages bring, with d = 0.85; coverage = R / (R + F_open / (1 - d) +
 * F_dead) (C1).
 */
import { describe, expect, it } from "vitest";
import { certifyLog } from "../../src/crawl/index.ts";
import { crawlInline, InlineWeb, type Served, type SettingsChanges } from "../support/inline-web.ts";

const SITE = "http://site.example/";
const D = 0.85;
const START = 1 - D;
const links = (...urls: string[]) => urls.map((url) => `<a href="${url}">x</a>`).join("");
const robots = { body: "User-agent: *\nDisallow: /private", headers: {} };

async function certified(pages: Record<string, Served>, changes: SettingsChanges = {}, seeds = [SITE]) {
  const { store, end } = await crawlInline(new InlineWeb(({ href }) => pages[href]), seeds, {
    ...changes,
    web: { universe: "scope", ...changes.web },
  });
  const { certificate, missing } = certifyLog(store);
  expect(end.status.coverage).toBeLessThanOrEqual(certificate.coverage + 1e-12);
  // The missing shares are all that is missing.
  const total = missing.reduce((sum, { mass }) => sum + mass, 0);
  expect(total).toBeCloseTo(1 - certificate.coverage, 10);
  return { certificate, shares: Object.fromEntries(missing.map(({ reason, mass }) => [reason, mass])) };
}

describe("the certificate of", () => {
  it("a circle of two pages is 1", async () => {
    const { certificate } = await certified({ [SITE]: links("/a"), [`${SITE}a`]: links("/") });
    expect(certificate).toMatchObject({ coverage: 1, downloaded: 2, flowDead: 0 });
  });

  it("a page with a nofollow link among two counts the link, and what it carries is open", async () => {
    const { certificate, shares } = await certified({
      [SITE]: `${links("/a")}<a rel=nofollow href="/b">b</a>`,
      [`${SITE}a`]: links("/"),
    });
    // x0 = 0.15 + d x1, x1 = d x0 / 2, so x0 = 0.15 / (1 - d^2 / 2); d x0 / 2 is open.
    const x0 = START / (1 - (D * D) / 2);
    const x1 = (D * x0) / 2;
    expect(certificate.rankInside).toBeCloseTo(x0 + x1, 10);
    expect(certificate.flowOpen).toBeCloseTo(x1, 10);
    expect(certificate.coverage).toBeCloseTo((x0 + x1) / (x0 + x1 + x1 / START), 10);
    expect(Object.keys(shares)).toEqual(["nofollow"]);
  });

  it("the same page, nofollow being followed, is that of ordinary links", async () => {
    const { certificate } = await certified(
      {
        [SITE]: `${links("/a")}<a rel=nofollow href="/b">b</a>`,
        [`${SITE}a`]: links("/"),
        [`${SITE}b`]: links("/"),
      },
      { web: { followNofollow: true } },
    );
    expect(certificate).toMatchObject({ coverage: 1, downloaded: 3 });
  });

  it("links out of the scope is as if they were not there, unless the whole web is measured", async () => {
    const pages = {
      [SITE]: links("/a", "http://one.example/", "http://one.example/2", "http://two.example/"),
      [`${SITE}a`]: links("/"),
    };
    expect((await certified(pages)).certificate.coverage).toBe(1);
    const { certificate, shares } = await certified(pages, { web: { universe: "web" } });
    // Four links: x0 = 0.15 + d x1, x1 = d x0 / 4; three quarters of d x0 leave.
    const x0 = START / (1 - (D * D) / 4);
    const out = (3 * D * x0) / 4;
    expect(certificate.flowOpen).toBeCloseTo(out, 10);
    const inside = x0 + (D * x0) / 4;
    expect(certificate.coverage).toBeCloseTo(inside / (inside + out / START), 10);
    expect(Object.keys(shares)).toEqual(["out-of-scope"]);
  });

  it("a redirect out of the scope is none of what may be fetched; strictly, the worst is assumed of it", async () => {
    const pages = {
      [SITE]: links("/a", "/go"),
      [`${SITE}a`]: links("/"),
      [`${SITE}go`]: { redirect: "http://elsewhere.example/" },
    };
    const allowed = await certified(pages, { web: { universe: "allowed" } });
    expect(allowed.certificate).toMatchObject({ coverage: 1, downloaded: 2 });
    const { certificate, shares } = await certified(pages);
    // x0 = 0.15 + d x1, x1 = d x0 / 2; the other half of d x0 leaves.
    const x0 = START / (1 - (D * D) / 2);
    const out = (D * x0) / 2;
    const inside = x0 + out;
    expect(certificate.coverage).toBeCloseTo(inside / (inside + out / START), 10);
    expect(Object.keys(shares)).toEqual(["out-of-scope"]);
  });

  it("a truncated page leaves all that it hands on open, links that are known or not", async () => {
    const html = { "content-type": "text/html" };
    const { certificate, shares } = await certified({
      [SITE]: { body: links("/a"), headers: html, truncated: true },
      [`${SITE}a`]: "the end",
    });
    // x0 = 0.15 counts, d x0 is open; /a is had, but nothing is known to reach it.
    expect(certificate).toMatchObject({ downloaded: 2 });
    expect(certificate.rankInside).toBeCloseTo(START, 12);
    expect(certificate.flowOpen).toBeCloseTo(D * START, 12);
    expect(certificate.coverage).toBeCloseTo(START, 10);
    expect(Object.keys(shares)).toEqual(["links-unknown"]);
  });

  it("a truncated file that is no HTML is whole: it has no links", async () => {
    const png = { "content-type": "image/png" };
    const { certificate } = await certified({ [SITE]: { body: "png", headers: png, truncated: true } });
    expect(certificate.coverage).toBe(1);
  });

  it("forbidden, dead and failing pages: each by its reason", async () => {
    const { certificate, shares } = await certified({
      [`${SITE}robots.txt`]: robots,
      [SITE]: links("/private", "/gone", "/broken", "/a"),
      [`${SITE}a`]: "the end",
      [`${SITE}broken`]: { status: 405 },
    });
    // x0 = 0.15, and a quarter of d x0 for each link: two open, one dead, one inside.
    const quarter = (D * START) / 4;
    const whole = START + quarter + (2 * quarter) / START + quarter;
    expect(certificate.coverage).toBeCloseTo((START + quarter) / whole, 10);
    expect(shares["robots"]).toBeCloseTo(quarter / START / whole, 10);
    expect(shares["failed"]).toBeCloseTo(quarter / START / whole, 10);
    expect(shares["dead"]).toBeCloseTo(quarter / whole, 10);
  });

  it("two seeds of which one is dead counts what was trusted to it as dead", async () => {
    const { certificate, shares } = await certified({ [SITE]: links("/a"), [`${SITE}a`]: links("/") }, {}, [
      SITE,
      `${SITE}gone`,
    ]);
    // Half of the trust: x0 + x1 = 0.075 / 0.15 = 0.5; the other half, 0.075, is dead.
    expect(certificate.rankInside).toBeCloseTo(0.5, 10);
    expect(certificate.coverage).toBeCloseTo(0.5 / 0.575, 10);
    expect(shares["dead"]).toBeCloseTo(0.075 / 0.575, 10);
  });

  it("seeds that hold less than all trust: what is left is unseeded; a seed of weight 0 is still fetched", async () => {
    const seeds = [
      { url: SITE, weight: 0.6 },
      { url: `${SITE}alone`, weight: 0 },
    ];
    const { certificate, shares } = await certified(
      { [SITE]: links("/a"), [`${SITE}a`]: links("/"), [`${SITE}alone`]: "alone" },
      { seeds },
    );
    expect(certificate).toMatchObject({ downloaded: 3 });
    expect(certificate.delta).toBeCloseTo(0.4, 12);
    expect(certificate.flowOpen).toBeCloseTo(0.4 * START, 10);
    expect(certificate.coverage).toBeCloseTo(0.6, 10);
    expect(shares["trust-unseeded"]).toBeCloseTo(0.4, 10);
  });

  it("a crawl cut by a limit of depth, or of pages a host, says that the limit did it", async () => {
    const pages = { [SITE]: links("/a"), [`${SITE}a`]: links("/b"), [`${SITE}b`]: links("/") };
    // x0 = 0.15, x1 = d x0, and d x1 is open.
    const inside = START + D * START;
    const expected = inside / (inside + (D * D * START) / START);
    for (const limits of [{ depth: 1 }, { pagesPerHost: 2 }]) {
      const { certificate, shares } = await certified(pages, { limits });
      expect(certificate.coverage).toBeCloseTo(expected, 10);
      expect(Object.keys(shares)).toEqual(["limit"]);
    }
  });

  it("a crawl to whose deepest page a short way was found last does not blame the limit of depth", async () => {
    // /x is discovered at depth 3, and at depth 1 by the seed that is fetched last.
    const pages = {
      [SITE]: links("/a"),
      [`${SITE}a`]: links("/b"),
      [`${SITE}b`]: links("/x"),
      [`${SITE}last`]: links("/x"),
    };
    const seeds = [
      { url: SITE, weight: 0.9 },
      { url: `${SITE}last`, weight: 0.1 },
    ];
    const { certificate, shares } = await certified(pages, { seeds, limits: { depth: 2, pages: 4 } });
    expect(certificate.downloaded).toBe(4);
    expect(Object.keys(shares)).toEqual(["not-fetched"]);
  });
});
