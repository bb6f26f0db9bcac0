/**
 * Surveys against what the crawl's own modules say of the same log: the certificate, the intervals, the missing shares;
 * and against plain counting. The small crawl of test/support/small-crawl.ts is worked out by hand.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { certify, PageState, RankIntervals } from "../../src/coverage/index.ts";
import { certifyLog, ledgerOfLog, parseSettings } from "../../src/crawl/index.ts";
import { type CrawlLog, BLANK_VISIT, type Visit } from "../../src/log/index.ts";
import { earlierKey, surveyKey } from "../../src/survey/stored-survey.ts";
import { writeSurvey } from "../../src/survey/survey-file.ts";
import { Surveyor } from "../../src/survey/surveyor.ts";
import { createCrawl, openCrawl, openCrawlReadOnly } from "../../src/store/index.ts";
import { makeLargeCrawl } from "../support/large-crawl.ts";
import { surveyed } from "../support/survey-now.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { settings, smallCrawl } from "./small-survey.ts";

it("agrees with the certificate, the intervals and the missing shares of the same log", () => {
  const dir = join(temporaryDirectory(), "crawl");
  makeLargeCrawl(dir, 800);
  const survey = surveyed(dir);
  const store = openCrawlReadOnly(dir);
  const { certificate, missing } = certifyLog(store);
  const { ledger } = ledgerOfLog(store);
  const intervals = new RankIntervals(ledger, certify(ledger));

  expect(survey.facts.certificate.coverage).toBeCloseTo(certificate.coverage, 11);
  expect(survey.facts.missing.map(({ reason }) => reason)).toEqual(missing.map(({ reason }) => reason));
  for (const [k, share] of missing.entries()) expect(survey.facts.missing[k].mass).toBeCloseTo(share.mass, 11);
  for (let url = 0; url < survey.facts.urls; url += 97) {
    const { low, high } = intervals.of(url);
    expect(survey.interval(url).low).toBeCloseTo(low, 10);
    // Stored in 4 bytes, rounded up.
    expect(survey.interval(url).high).toBeGreaterThanOrEqual(high - 1e-10);
    expect(survey.interval(url).high).toBeLessThanOrEqual(high * (1 + 1e-6) + 1e-10);
  }
  const ranking = [...survey.byImportance].filter((url) => survey.place(url) > 0);
  expect(ranking).toEqual(Array.from(intervals.ranking()));
  expect(ranking.map((url) => survey.place(url))).toEqual(ranking.map((_, k) => k + 1));
  expect(survey.facts.certainPlaces).toBe(intervals.certainPrefix());
  store.close();
});

it("says of each URL what the universe leaves out there: together its shares, as if everything counted", () => {
  const web = { ...settings().web, universe: "allowed" as const };
  const survey = surveyed(smallCrawl({ web }));
  const strict = surveyed(smallCrawl());
  expect(survey.facts.outside.map(({ reason }) => reason)).toEqual(["dead", "out-of-scope"]);
  let left = 0;
  let missing = 0;
  for (let url = 0; url < survey.facts.urls; url++) {
    const outside = survey.outside(url);
    // The same log with everything in the universe says how much is missing there at most.
    if (outside !== undefined) expect(outside.mass).toBeCloseTo(strict.missing(url)?.mass ?? 0, 12);
    expect(strict.outside(url)).toBeUndefined();
    left += outside?.mass ?? 0;
    missing += survey.missing(url)?.mass ?? 0;
  }
  expect(left).toBeCloseTo(
    survey.facts.outside.reduce((sum, { mass }) => sum + mass, 0),
    12,
  );
  expect(missing).toBeCloseTo(1 - survey.facts.certificate.coverage, 12);
  expect(survey.facts.certificate.strict).toBeCloseTo(strict.facts.certificate.coverage, 12);
});

it("says of each URL what is missing there: together 1 less coverage", () => {
  const survey = surveyed(smallCrawl());
  let sum = 0;
  for (let url = 0; url < survey.facts.urls; url++) sum += survey.missing(url)?.mass ?? 0;
  expect(sum).toBeCloseTo(1 - survey.facts.certificate.coverage, 12);
  expect(survey.missing(0)).toBeUndefined();
  expect(survey.missing(2)?.reason).toBe("dead");
  // 6 and 7 redirect to each other: such a loop is dead.
  expect(survey.missing(7)?.reason).toBe("dead");
  expect(survey.missing(8)?.reason).toBe("out-of-scope");
  // Nobody links to 4, so nothing is missing there.
  expect(survey.missing(4)).toBeUndefined();
});

it("counts what became of URLs, in all and by host", () => {
  const survey = surveyed(smallCrawl());
  const { facts } = survey;
  // Lists count the states of pages.
  const listed = (state: number): number => survey.byImportance.filter((url) => survey.state[url] === state).length;
  expect([facts.status.dead, facts.status.redirects]).toEqual([PageState.Dead, PageState.Redirected].map(listed));
  expect(facts.status).toMatchObject({
    pages: 2,
    // A page that is gone, and the redirect that closes a loop.
    dead: 2,
    redirects: 2,
    refused: 1,
    failed: 2,
    retries: 1,
    bytes: 70,
    known: 9,
    frontier: 1,
    hosts: 2,
  });
  const [first, second] = facts.hosts;
  expect(first).toMatchObject({
    host: "a.example",
    known: 7,
    downloaded: 1,
    waiting: 1,
    dead: 2,
    refused: 1,
    redirected: 2,
    errors: 1,
    bytes: 60,
    answerMs: 1,
  });
  expect(second).toMatchObject({ host: "b.example:8080", known: 1, downloaded: 1, waiting: 0, bytes: 10 });
  const held = facts.hosts.reduce((sum, { mass }) => sum + mass, 0);
  expect(held).toBeLessThanOrEqual(facts.certificate.coverage + 1e-12);
  const lost = facts.hosts.reduce((sum, { missing }) => sum + missing, 0);
  expect(lost).toBeCloseTo(1 - facts.certificate.coverage, 12);
});

it("knows who links to a URL, how many links a page has, attempts, statuses and the order of visits", () => {
  const survey = surveyed(smallCrawl());
  // Page 0 links to 1 twice; its link to itself does not count.
  expect([...survey.linksTo(1)]).toEqual([0, 0]);
  expect([...survey.linksTo(0)]).toEqual([3]);
  expect([...survey.linksTo(5)]).toEqual([]);
  expect([0, 3, 2].map((url) => survey.linkCount(url))).toEqual([6, 1, 0]);
  expect([...survey.attempts(5)]).toEqual([2]);
  expect([...survey.attempts(0)]).toEqual([]);
  expect([...survey.statusOf]).toEqual([200, 301, 404, 200, 0, 0, 302, 302, 0]);
  expect([...survey.byVisit]).toEqual([0, 1, 2, 3, 4, 6, 7]);
  // All URLs but the sink.
  expect([...survey.byImportance].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect([2, 4, 5].map((url) => survey.place(url))).toEqual([0, 0, 0]);
});

it("draws a tide that never falls, ends at the certificate and never promises more than is certain", () => {
  const dir = join(temporaryDirectory(), "crawl");
  makeLargeCrawl(dir, 1000);
  const { tide, certificate, guaranteed } = surveyed(dir).facts;
  expect(tide.at(-1)!.slice(0, 1)).toEqual([1000]);
  // What was certain before stays so; for rounding, a certificate of more pages gives away a little more.
  expect(tide.at(-1)![2]).toBeCloseTo(certificate.coverage, 10);
  expect(tide.at(-1)![3]).toBe(guaranteed);
  for (const [k, point] of tide.entries()) {
    if (k > 0) {
      expect(point[0]).toBeGreaterThan(tide[k - 1][0]);
      expect(point[2]).toBeGreaterThanOrEqual(tide[k - 1][2]);
    }
    const exact = certificateAfter(dir, point[0]);
    expect(point[2]).toBeLessThanOrEqual(exact + 1e-12);
    expect(point[3]!).toBeLessThanOrEqual(point[2]);
    expect(1 - point[2]).toBeLessThanOrEqual((1 - exact) * 1.02);
    if (k > 40) break;
  }
});

/** The certificate of the first visits of a crawl whose visits are all downloads. */
function certificateAfter(dir: string, visits: number): number {
  const store = openCrawlReadOnly(dir);
  const early: CrawlLog = {
    settings: () => store.settings(),
    origins: () => store.origins(),
    urls: () => store.urls(),
    trust: () => store.trust(),
    received: () => store.received(),
    looks: () => store.looks(),
    rounds: () => store.rounds(),
    cuts: () => store.cuts(),
    listedUrls: () => store.listedUrls(),
    urlCount: store.urlCount,
    generation: 0,
    visits: () => firstOf(store.visits(), visits),
  };
  const { coverage } = certifyLog(early).certificate;
  store.close();
  return coverage;
}

function* firstOf(visits: Iterable<Visit>, count: number): Iterable<Visit> {
  for (const visit of visits) {
    if (visit.number > count) return;
    yield visit;
  }
}

it("names what the order would fetch next: where most arrives", () => {
  const dir = join(temporaryDirectory(), "crawl");
  makeLargeCrawl(dir, 30);
  const survey = surveyed(dir);
  // The ten URLs beyond the last page wait: ten pages link to the first of them, one to the last.
  expect(survey.facts.frontier).toEqual([30, 31, 32, 33, 34, 35, 36, 37, 38, 39]);
  const lows = survey.facts.frontier.map((url) => survey.interval(url).low);
  expect(lows).toEqual([...lows].sort((a, b) => b - a));
});

it("counts URLs that wait beyond a limit as missing for it, and does not name them as next", () => {
  const dir = join(temporaryDirectory(), "crawl");
  makeLargeCrawl(dir, 30);
  const store = openCrawl(dir);
  store.replaceSettings(JSON.stringify({ ...parseSettings(store.settings()), limits: { depth: 3 } }));
  store.close();
  const { frontier, missing } = surveyed(dir).facts;
  // URL k has depth k / 10, rounded up.
  expect(frontier).toEqual([30]);
  expect(missing.map(({ reason, pages }) => [reason, pages])).toEqual([
    ["limit", 9],
    ["not-fetched", 1],
  ]);
});

it("continues where it stopped: the same as all at once", () => {
  const dir = join(temporaryDirectory(), "crawl");
  const store = createCrawl(dir, JSON.stringify(settings()));
  const surveyor = new Surveyor(settings());
  store.addOrigin(0, "https://a.example");
  const url = (id: number, discoveredAt: number) =>
    store.addUrl({
      id,
      origin: 0,
      path: `/${id}`,
      depth: id,
      source: id === 0 ? "seed" : "link",
      discoveredAt,
      reason: null,
    });
  const visit = (number: number, links: number[]) =>
    store.addVisit({
      ...BLANK_VISIT,
      number,
      url: number - 1,
      atMs: 1000 * number,
      status: 200,
      wireBytes: 1,
      milliseconds: 1,
      links: Uint32Array.from(links),
    });
  url(0, 0);
  store.replaceTrust([{ url: 0, weight: 1 }]);
  for (let number = 1; number <= 30; number++) {
    url(2 * number - 1, number);
    url(2 * number, number);
    visit(number, [2 * number - 1, 2 * number, 0]);
    store.commit();
    if (number % 7 === 0) for (const step of surveyor.read(store)) void step;
  }
  for (const step of surveyor.read(store)) void step;
  const grown = surveyor.survey();
  const whole = new Surveyor(settings());
  for (const step of whole.read(store)) void step;
  const once = whole.survey();
  store.close();
  expect(grown.facts.certificate.coverage).toBeCloseTo(once.facts.certificate.coverage, 12);
  expect(grown.columns.byImportance).toEqual(once.columns.byImportance);
  expect(grown.columns.inSources).toEqual(once.columns.inSources);
  expect(grown.facts.hosts[0].downloaded).toBe(30);
  expect(grown.facts.frontier).toEqual(once.facts.frontier);
});

it("surveys a crawl that knows an origin and no URL there", () => {
  const dir = smallCrawl();
  const store = openCrawl(dir);
  store.addOrigin(2, "https://c.example");
  store.close();
  expect(surveyed(dir).facts.hosts[2]).toMatchObject({
    host: "c.example",
    known: 0,
    mass: 0,
    answerMs: null,
  });
});

it("surveys a crawl that has not begun", () => {
  const dir = join(temporaryDirectory(), "crawl");
  createCrawl(dir, JSON.stringify(settings())).close();
  const { facts } = surveyed(dir);
  expect(facts.findings.brokenLinks).toEqual({ links: 0, pages: 0, first: [] });
  expect(facts.status).toMatchObject({ pages: 0, known: 0, coverage: 0 });
  expect(facts.tide).toEqual([]);
});

it("is not written where it would leave the crawl no room", () => {
  const dir = smallCrawl();
  const store = openCrawlReadOnly(dir);
  const { settings, key } = surveyKey(store);
  const surveyor = new Surveyor(settings);
  for (const step of surveyor.read(store)) void step;
  store.close();
  const folder = temporaryDirectory();
  const path = join(folder, "survey.bin");
  const write = (spareBytes: number) => writeSurvey(path, key, surveyor.survey(), spareBytes);
  expect(() => write(2 ** 62)).toThrow(/free: expected .* for a survey/);
  expect(readdirSync(folder)).toEqual([]);
  write(1);
  expect(readdirSync(folder)).toEqual(["survey.bin"]);
});

it("has the findings of the small crawl: what its front page links to in vain, and its redirects", () => {
  const { brokenLinks, redirects, duplicates, nearDuplicates } = surveyed(smallCrawl()).facts.findings;
  // 2 is dead; 6 and 7 redirect to each other, and 7 closed the loop.
  const first = [
    { source: 0, place: 2, way: [2] },
    { source: 0, place: 5, way: [6, 7] },
  ];
  expect(brokenLinks).toEqual({ links: 2, pages: 1, first });
  expect(redirects).toEqual({
    urls: 3,
    chains: 0,
    loops: 2,
    first: [
      { way: [1, 3], linkedFrom: 1 },
      { way: [6, 7], linkedFrom: 1 },
      { way: [7], linkedFrom: 0 },
    ],
  });
  expect(duplicates).toEqual({ pages: 0, groups: 0, first: [] });
  expect(nearDuplicates).toBeNull();
});

it("of an earlier moment is of another key once a sitemap was read", () => {
  const store = openCrawl(smallCrawl());
  const before = earlierKey(store);
  expect(earlierKey(store)).toBe(before);
  store.putSitemap({ address: "https://a.example/s.xml", atMs: 1, entries: [{ url: 0, modifiedMs: 1 }] });
  expect(earlierKey(store)).not.toBe(before);
  store.close();
});
