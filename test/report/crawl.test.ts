import { describe, expect, test } from "vitest";
import { crawlSettings } from "../../src/crawl/index.ts";
import { PageState, refusalReasons } from "../../src/coverage/index.ts";
import { FINDINGS_MAX, type FindingsSummary, urlsOfFindings } from "../../src/findings/index.ts";
import {
  choosePages,
  type CrawlContents,
  DEAD_MAX,
  EXAMPLES_MAX,
  LINKING_MAX,
  LOST_MAX,
  type PageText,
  summariseRereads,
  TOP_MAX,
  urlsOf,
} from "../../src/report/crawl/contents.ts";
import { SEEDS_MAX } from "../../src/report/crawl/crawl-report.ts";
import { HOST_ROWS_MAX, largestHosts } from "../../src/report/crawl/lists.ts";
import { HOSTS_MAX } from "../../src/report/crawl/missing.ts";

import { POINTS_MAX, thinned, tideChart } from "../../src/report/crawl/tide.ts";
import { crawlReport } from "../../src/report/index.ts";
import type { Chart } from "../../src/lab/index.ts";
import { type Reread, rereadOutcomes } from "../../src/log/index.ts";
import type { Survey, TidePoint } from "../../src/survey/index.ts";
import { endInWords, hundredthsAtMost, shareInWords, spanInWords, targetInWords } from "../../src/text/index.ts";
import { fakeHost, fakeSurvey, type FakeUrl } from "../survey/fake-survey.ts";
import { reportSettings } from "./report-crawl.ts";

const { Downloaded, Dead, Open, Redirected, Refused } = PageState;
const OPTIONS = {
  title: "A crawl",
  subtitle: "now",
  commands: [{ purpose: "Again:", command: "tidemark report c" }],
};

function contentsOf(survey: Survey, change: Partial<CrawlContents> = {}): CrawlContents {
  const chosen = choosePages(survey);
  const texts = new Map(
    Array.from([...urlsOf(chosen), ...urlsOfFindings(survey.facts.findings)], (url): [number, PageText] => [
      url,
      { url: `http://site.test/${url}`, title: `Page ${url}`, reason: null, detail: null, status: null },
    ]),
  );
  return { survey, settings: reportSettings(), end: "frontier-empty", chosen, texts, linkTexts: [], ...change };
}

/** What a reader sees of a section. */
function textOf(html: string, heading: string): string {
  const sections = html.split("<section").filter((section) => section.includes(`>${heading}</h2>`));
  expect(sections).toHaveLength(1);
  return plain(sections[0]);
}

function plain(html: string): string {
  return html
    .replace(/^[^>]*>/, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replace(/\s+/g, " ");
}

const summaryOf = (html: string): string => plain(html.split('class="hero"')[1].split("</section>")[0]);

const OUTSIDE = { reason: "robots", mass: 0.226, pages: 1, hosts: [{ host: 0, mass: 0.226, pages: 1 }] } as const;

/** The same survey with another certificate. */
function measured(survey: Survey, certificate: Partial<Survey["facts"]["certificate"]>): Survey {
  const { facts } = survey;
  return { ...survey, facts: { ...facts, certificate: { ...facts.certificate, ...certificate } } };
}

describe("chosen pages", () => {
  test("are the most important ones of each kind, and no more than a report can hold", () => {
    const states = [Downloaded, Dead, Open, Refused, Refused + 5];
    const urls = Array.from(
      { length: 400 },
      (_, k): FakeUrl => ({ state: states[k % 5], low: 1 / (k + 10), linksTo: [0] }),
    );
    const chosen = choosePages(fakeSurvey(urls, { coverage: 0.5 }));
    expect(chosen.top).toEqual(Array.from({ length: TOP_MAX }, (_, k) => 5 * k));
    expect(chosen.dead.map(({ url }) => url)).toEqual(Array.from({ length: DEAD_MAX }, (_, k) => 5 * k + 1));
    expect(chosen.deadCount).toBe(80);
    expect(chosen.refused.map(({ reason, count, examples }) => [reason, count, examples.length])).toEqual([
      ["robots", 80, EXAMPLES_MAX],
      ["failed", 80, EXAMPLES_MAX],
    ]);
    expect(chosen.refused[0].examples.map(({ url }) => url)).toEqual([3, 8, 13, 18, 23]);
  });

  test("name the pages that lose most by a dead link, each once", () => {
    const urls: FakeUrl[] = [
      { state: Downloaded, low: 0.4, linkCount: 100 },
      { state: Downloaded, low: 0.3, linkCount: 2 },
      { state: Dead, low: 0.2, linksTo: [0, 0, 1, 3, 4] },
      { state: Downloaded, low: 0.1, linkCount: 1 },
      { state: Downloaded, low: 0.05, linkCount: 50 },
    ];
    const [dead] = choosePages(fakeSurvey(urls, { coverage: 0.5 })).dead;
    // 0.3/2, 0.1/1, 0.4/100 and 0.05/50 go along one link of each.
    expect(dead).toEqual({ url: 2, mass: 0.2, from: [1, 3, 0], fromCount: 4 });
    expect(dead.from).toHaveLength(LINKING_MAX);
  });
});

describe("summary", () => {
  const pages = (count: number): FakeUrl[] => Array.from({ length: count }, () => ({ state: Downloaded, low: 0.01 }));

  test.each<[string, number, number | undefined, number, string]>([
    ["a target that is reached", 0.9502, 0.95, 3, "Target reached"],
    ["a target that is not reached", 0.9499, 0.95, 3, "Target not reached yet"],
    ["a target that cannot be reached", 0.9, 0.95, 0, "Target out of reach"],
    ["no target, and nothing left", 0.9, undefined, 0, "Everything reachable is fetched"],
    ["no target, and much covered", 0.9, undefined, 3, "Nearly everything"],
    ["no target, and half covered", 0.5, undefined, 3, "More than half"],
    ["no target, and little covered", 0.4999, undefined, 3, "Less than half"],
  ])("judges %s in words", (_what, coverage, target, frontier, word) => {
    const survey = fakeSurvey(pages(2), { coverage, status: { frontier } });
    const settings = reportSettings(target === undefined ? {} : { coverage: target });
    expect(summaryOf(crawlReport(contentsOf(survey, { settings }), OPTIONS))).toContain(` ${word} At least `);
  });

  test("says what is covered, cut, by how many pages, when, why it stopped and what is missing", () => {
    const survey = fakeSurvey([...pages(3), { state: Open, low: 0 }], {
      coverage: 0.950299,
      status: { frontier: 1, hosts: 2 },
      firstVisitMs: Date.UTC(2023, 10, 14, 22, 13),
      lastVisitMs: Date.UTC(2023, 10, 14, 22, 15, 5),
      missing: [
        { reason: "not-fetched", mass: 0.03, pages: 1, hosts: [] },
        { reason: "robots", mass: 0.0197, pages: 1, hosts: [] },
      ],
    });
    const settings = reportSettings({ coverage: 0.95 });
    const text = summaryOf(crawlReport(contentsOf(survey, { settings, end: "coverage-reached" }), OPTIONS));
    expect(text).toContain("At least 95.02% of all importance is covered");
    expect(text).toContain(
      "3 of 4 known URLs were downloaded, from 2 hosts, within 2 min 05 s, until 14 Nov 2023, 22:15 UTC. " +
        "The crawl stopped because it reached its target of 95%.",
    );
    expect(text).toContain(
      "Most of what is missing (at most 3.00%) is waiting to be fetched. Resume the crawl with a higher target.",
    );
  });

  test("does not say that a target was reached which was raised since", () => {
    const survey = fakeSurvey(pages(1), { coverage: 0.6, status: { frontier: 1 } });
    const settings = reportSettings({ coverage: 0.9 });
    const text = summaryOf(crawlReport(contentsOf(survey, { settings, end: "coverage-reached" }), OPTIONS));
    expect(text).toContain("Target not reached yet");
    expect(text).toContain("The crawl stopped at the target that it had at the time.");
  });

  test("of a crawl that has not begun, and of one where every page is dead, says so", () => {
    const none = crawlReport(contentsOf(fakeSurvey([], { coverage: 0 })), OPTIONS);
    expect(summaryOf(none)).toContain(
      "No page yet At least 0.00% of all importance is covered The crawl has not started",
    );
    const dead: FakeUrl[] = [{ state: Dead, low: 1, status: 404 }];
    const survey = fakeSurvey(dead, {
      coverage: 0,
      visits: 1,
      missing: [{ reason: "dead", mass: 1, pages: 1, hosts: [] }],
    });
    const html = crawlReport(contentsOf(survey), OPTIONS);
    expect(summaryOf(html)).toContain("No page could be fetched");
    expect(summaryOf(html)).toContain("What is missing (at most 100.00%) is at a dead seed.");
    expect(textOf(html, "Dead links")).toContain("100.00% http://site.test/0 404");
  });

  test("lists what its owner would fix: broken links with their pages, redirects, duplicates", () => {
    const urls: FakeUrl[] = [
      { state: Downloaded, low: 0.5, status: 200 },
      { state: Dead, low: 0, status: 404 },
      { state: Redirected, low: 0, status: 301 },
      { state: Downloaded, low: 0.2, status: 200 },
    ];
    const findings: FindingsSummary = {
      brokenLinks: { links: 1200, pages: 700, first: [{ source: 0, place: 4, way: [2, 1] }] },
      redirects: { urls: 3, chains: 1, loops: 0, first: [{ way: [2, 1], linkedFrom: 7 }] },
      duplicates: { pages: 9, groups: 1, first: [{ pages: [0, 3], copies: 9 }] },
      nearDuplicates: { pages: 4, groups: 1, first: [{ pages: [3, 0], copies: 4 }] },
      orphans: { urls: 1, first: [3] },
    };
    const html = crawlReport(contentsOf(fakeSurvey(urls, { coverage: 0.7, findings })), OPTIONS);
    const contents = contentsOf(fakeSurvey(urls, { coverage: 0.7, findings }));
    const named = textOf(
      crawlReport({ ...contents, linkTexts: ["Click \u202ehere"] }, OPTIONS),
      "Pages with broken links",
    );
    expect(named).toContain("Link text");
    expect(named).toContain("Click \ufffdhere");
    expect(named).not.toContain("\u202e");
    const broken = textOf(html, "Pages with broken links");
    expect(broken).not.toContain("Link text");
    expect(broken).toContain("1,200 links on 700 pages lead to nothing.");
    expect(broken).toContain("http://site.test/0 /2: 404 http://site.test/2 → http://site.test/1 404");
    expect(broken).toContain(
      "and 1,199 more broken links: tidemark export DIR --format broken-links lists all of them",
    );
    expect(textOf(html, "Redirects")).toContain("3 URLs redirect, 1 of them more than once.");
    expect(textOf(html, "Redirects")).toContain("7 http://site.test/2 /1: 404 http://site.test/1 404");
    expect(textOf(html, "Duplicate pages")).toContain("9 http://site.test/0 http://site.test/3 and 7 more pages");
    expect(textOf(html, "Near-duplicate pages")).toContain("4 pages in 1 group.");
    expect(textOf(html, "Near-duplicate pages")).toContain("4 http://site.test/3 http://site.test/0 and 2 more pages");
    expect(textOf(html, "Orphans")).toContain("1 URL is listed in a sitemap");
    const none = crawlReport(contentsOf(fakeSurvey(urls, { coverage: 0.7 })), OPTIONS);
    expect(textOf(none, "Pages with broken links")).toContain("No broken link was found.");
    expect(none).not.toContain("Near-duplicate pages");
    const alone = { ...findings, nearDuplicates: { pages: 0, groups: 0, first: [] } };
    const without = crawlReport(contentsOf(fakeSurvey(urls, { coverage: 0.7, findings: alone })), OPTIONS);
    expect(textOf(without, "Near-duplicate pages")).toContain("No two pages have nearly the same words.");
  });

  test("names the share of what may be fetched, the stricter number, and why nothing may be", () => {
    const allowed = { coverage: 0.986, universe: "allowed", strict: 0.774 } as const;
    const survey = measured(fakeSurvey(pages(3), { coverage: 0.986, outside: [OUTSIDE] }), allowed);
    const settings = { ...reportSettings(), web: { ...reportSettings().web, universe: "allowed" as const } };
    const html = crawlReport(contentsOf(survey, { settings }), OPTIONS);
    expect(summaryOf(html)).toContain(
      "At least 98.60% of what may be fetched is covered 77.40% if forbidden and dead pages count as the worst",
    );
    expect(summaryOf(html)).toContain("of the host site.test that exist and may be fetched");
    expect(textOf(html, "Left out: not part of what may be fetched")).toContain(
      "Forbidden by robots.txt at most 22.60% 1 URL on 1 host",
    );
    const none = fakeSurvey([{ state: Refused, low: 1 }], {
      coverage: 0,
      visits: 1,
      outside: [{ ...OUTSIDE, mass: 1 }],
    });
    const empty = crawlReport(
      contentsOf(measured(none, { ...allowed, coverage: 0, strict: 0 }), { settings }),
      OPTIONS,
    );
    const why =
      "Coverage is 0%, because nothing may be fetched: all that the seeds lead to is forbidden by robots.txt.";
    expect(summaryOf(empty)).toContain(why);
    expect(textOf(empty, "What is missing")).toContain(why);
    expect(textOf(empty, "The tide")).toContain("It starts to rise with the first page.");
  });

  test("names every end of a crawl", () => {
    expect(endInWords("page-limit", { pages: 1 }, { coverage: 0.5 })).toBe("The crawl stopped at its limit of 1 page.");
    expect(endInWords("depth-limit", { depth: 3 }, { coverage: 0.5 })).toBe(
      "The crawl stopped at its limit of 3 links from a seed.",
    );
    expect(endInWords("time-limit", { timeMs: 90_000 }, { coverage: 0.5 })).toBe(
      "The crawl stopped at its limit of 1 min 30 s.",
    );
    expect(endInWords("byte-limit", { bytes: 5e6 }, { coverage: 0.5 })).toBe(
      "The crawl stopped at its limit of 5.0 MB.",
    );
    expect(endInWords("coverage-reached", {}, { coverage: 0.5 })).toBe(
      "The crawl stopped at the target that it had at the time.",
    );
    expect(endInWords("coverage-reached", { coverage: 0.95 }, { coverage: 0.9499 })).toBe(
      "The crawl stopped at the target that it had at the time.",
    );
    expect(endInWords("coverage-reached", { coverage: 0.95 }, { coverage: 0.95 })).toBe(
      "The crawl stopped because it reached its target of 95%.",
    );
    expect(endInWords("running", {}, { coverage: 0.5 })).toContain("still running");
    expect(endInWords("cut-off", {}, { coverage: 0.5 })).toContain("ended unexpectedly");
  });
});

describe("numbers", () => {
  test("a target is as short as it was typed", () => {
    expect([0.5, 0.95, 0.99995, 1].map(targetInWords)).toEqual(["50%", "95%", "99.995%", "100%"]);
  });

  test("a tiny share is distinguished from none", () => {
    expect([shareInWords(0), shareInWords(1e-9), shareInWords(0.0269)]).toEqual(["0%", "< 0.0001%", "2.69%"]);
  });

  test("a missing share is rounded up, but not by the rounding of its sum", () => {
    expect([0.170401, 1 - 0.98, 1 / 1500].map(shareInWords)).toEqual(["17.05%", "2.00%", "0.0667%"]);
    expect([0.170401, 0.3 - 0.1, 1e-7].map(hundredthsAtMost)).toEqual(["17.05%", "20.00%", "0.01%"]);
  });

  test("what took no time has a moment", () => {
    expect(spanInWords(0, 400)).toBe("on 1 Jan 1970, 00:00 UTC");
  });
});

describe("tide", () => {
  test("keeps the first and the last point and never shows more than was proved at a place", () => {
    const points = Array.from({ length: 10_000 }, (_, k): TidePoint => [k, k, k / 10_000, null, null]);
    const kept = thinned(points);
    expect(kept.length).toBeLessThanOrEqual(POINTS_MAX);
    expect(kept.length).toBeGreaterThan(POINTS_MAX / 2);
    expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
    for (const [pages, , certified] of kept) expect(certified).toBe(pages / 10_000);
  });

  test("keeps all of few points, and the last of those at one place", () => {
    const few: TidePoint[] = [
      [1, 0, 0.1, null, null],
      [2, 1, 0.2, null, null],
      [3, 2, 0.3, null, null],
      [3, 3, 0.35, null, null],
    ];
    expect(thinned(few)).toEqual([few[0], few[1], few[3]]);
    expect(thinned([])).toEqual([]);
  });

  test("shows the target and the bound while crawling where there are any", () => {
    const tide: TidePoint[] = [
      [1, 0, 0.5, 0.4, null],
      [2, 1, 0.75, 0.6, null],
    ];
    const survey = fakeSurvey([{ state: Downloaded, low: 0.5 }], { coverage: 0.75, tide });
    const html = crawlReport(contentsOf(survey, { settings: reportSettings({ coverage: 0.8 }) }), OPTIONS);
    expect(textOf(html, "The tide")).toContain("target 80%");
    expect(textOf(html, "The tide")).toContain("rankmass 75.00% 60.00%");
    const bare = fakeSurvey([{ state: Downloaded, low: 0.5 }], {
      coverage: 0.75,
      tide: [[1, 0, 0.75, null, null]],
    });
    expect(textOf(crawlReport(contentsOf(bare), OPTIONS), "The tide")).not.toMatch(
      /target|can be reached|while crawling [0-9]/,
    );
    const capped = fakeSurvey([{ state: Downloaded, low: 0.5 }], { coverage: 0.75, tide, status: { ceiling: 0.853 } });
    expect(textOf(crawlReport(contentsOf(capped), OPTIONS), "The tide")).toContain("at most 85.30% can be reached");
  });
});

describe("sampled coverage in the tide", () => {
  const sampled = { coverage: 0.9, confidence: 0.999, walks: 40, fetched: 90 };
  const report = (tide: readonly TidePoint[]) => {
    const survey = fakeSurvey([{ state: Downloaded, low: 0.5 }], { coverage: 0.75, tide, status: { sampled } });
    return { html: crawlReport(contentsOf(survey), OPTIONS), chart: tideChart(contentsOf(survey)) };
  };
  const points = (chart: Chart) => chart.series.find(({ measure }) => measure === "sampled")?.points;

  test("is a line of its own, said to be no proof, and in the table of numbers", () => {
    const { html, chart } = report([
      [1, 0, 0.5, 0.4, null],
      [2, 1, 0.6, 0.5, 0.8],
      [3, 2, 0.75, 0.6, 0.9],
    ]);
    expect(points(chart)).toEqual([
      [2, 0.8],
      [3, 0.9],
    ]);
    expect(html).toContain('<path class="c0 sampled"');
    expect(html).toContain('<g class="c0 sampled"');
    expect(textOf(html, "The tide")).toContain("with confidence 99.9%: it is not a proof");
    expect(textOf(html, "The tide")).toContain("rankmass 75.00% 60.00% 90.00%");
    expect(textOf(html, "The tide")).toContain("certified bound while crawling sampled");
  });

  test("is not drawn where it became void, nor where nobody sampled", () => {
    const { chart } = report([
      [1, 0, 0.5, null, 0.8],
      [2, 1, 0, null, null],
      [3, 2, 0.75, null, 0.9],
    ]);
    expect(points(chart)).toEqual([[3, 0.9]]);
    expect(points(report([[1, 0, 0.5, null, null]]).chart)).toBeUndefined();
  });
});

describe("the tide of a crawl whose pages were read again", () => {
  test("says that it is of the newest facts, and how to learn what was proven at a time", () => {
    const tide: TidePoint[] = [
      [1, 0, 0.5, null, null],
      [2, 1, 0.75, null, null],
    ];
    const said = (facts: { isTideOfNow?: true }) => {
      const survey = fakeSurvey([{ state: Downloaded, low: 0.5 }], { coverage: 0.75, tide, ...facts });
      return textOf(crawlReport(contentsOf(survey), OPTIONS), "The tide");
    };
    expect(said({ isTideOfNow: true })).toContain("not what was proven at the time: tidemark coverage DIR --at TIME");
    expect(said({})).not.toContain("--at TIME");
  });
});

describe("hosts", () => {
  test("are those that hold most, then those that miss most, then by name", () => {
    const hosts = [
      fakeHost("b", { mass: 0.1 }),
      fakeHost("z", { mass: 0.3 }),
      fakeHost("a", { mass: 0.1 }),
      fakeHost("c", { mass: 0.1, missing: 0.2 }),
    ];
    expect(largestHosts(hosts, 3).map(({ host }) => host)).toEqual(["z", "c", "a"]);
    expect(largestHosts(hosts, 9).map(({ host }) => host)).toEqual(["z", "c", "a", "b"]);
  });

  test("beyond the bound are counted", () => {
    const hosts = Array.from({ length: HOST_ROWS_MAX + 1 }, (_, k) => fakeHost(`h${k}.test`, { mass: 1 / (k + 2) }));
    const text = textOf(crawlReport(contentsOf(fakeSurvey([], { coverage: 0, hosts })), OPTIONS), "Hosts");
    expect(text).toContain(`h${HOST_ROWS_MAX - 1}.test`);
    expect(text).not.toContain(`h${HOST_ROWS_MAX}.test`);
    expect(text).toContain("and 1 more host");
  });
});

describe("where the missing importance is", () => {
  const hosts = Array.from({ length: HOSTS_MAX + 1 }, (_, k) => fakeHost(`h${k}.test`));
  const survey = fakeSurvey([{ state: Downloaded, low: 0.5 }], {
    coverage: 0.9,
    hosts,
    missing: [
      {
        reason: "robots",
        mass: 0.08,
        pages: 22,
        hosts: hosts.map((_, host) => ({ host, mass: 0.08 / 11, pages: 2 })),
      },
      { reason: "trust-unseeded", mass: 0.02, pages: 0, hosts: [] },
      { reason: "failed", mass: 0, pages: 0, hosts: [] },
    ],
  });
  const text = textOf(crawlReport(contentsOf(survey), OPTIONS), "What is missing");

  test("names each reason that has a share, what it means, and where it is", () => {
    expect(text).toContain(
      "Covered at least 90.00% Forbidden by robots.txt at most 8.00% Trust without a seed at most 2.00%",
    );
    expect(text).toContain("22 URLs on 11 hosts The site's robots.txt forbids");
    expect(text).toContain("h0.test at most 0.728% 2 URLs");
    expect(text).not.toContain("Could not be fetched");
  });

  test("counts hosts beyond the bound", () => {
    expect(text).toContain(`h${HOSTS_MAX - 1}.test`);
    expect(text).not.toContain(`h${HOSTS_MAX}.test`);
    expect(text).toContain("and 1 more host");
  });

  test("is nowhere where nothing is missing", () => {
    const whole = fakeSurvey([{ state: Downloaded, low: 1 }], { coverage: 1 });
    const html = crawlReport(contentsOf(whole), OPTIONS);
    expect(textOf(html, "What is missing")).toContain("Nothing is missing");
    expect(summaryOf(html)).toContain("At least 100.00% of all importance is covered");
  });
});

test("settings name some seeds and count the others", () => {
  const seeds = Array.from({ length: SEEDS_MAX + 1 }, (_, k) => ({
    url: `http://site.test/${k}`,
    weight: 0.01,
  }));
  const settings = { ...reportSettings({ pages: 5, pagesPerHost: 2 }), seeds };
  const text = textOf(crawlReport(contentsOf(fakeSurvey([], { coverage: 0 }), { settings }), OPTIONS), "Settings");
  expect(text).toContain(`http://site.test/${SEEDS_MAX - 1} and 1 more seed`);
  expect(text).toContain("Page limit 5 Pages per host 2");
});

test("settings name the purpose, the sitemaps of the user, and what was given of a session", () => {
  const textFor = (settings: CrawlContents["settings"]) =>
    textOf(crawlReport(contentsOf(fakeSurvey([], { coverage: 0 }), { settings }), OPTIONS), "Settings");
  const settings = crawlSettings(
    { urls: ["http://site.test/"], purpose: "search", sitemap: ["http://site.test/all.xml"] },
    { session: ["headers", "cookies"] },
  );
  expect(textFor(settings)).toMatch(
    /Purpose search Sitemaps read Sitemaps of yours http:\/\/site\.test\/all\.xml Session with given headers, cookies/,
  );
  expect(textFor(crawlSettings({ urls: ["http://site.test/"] }))).not.toMatch(/Purpose|of yours|Session/);
});

test("a page whose place is certain says so", () => {
  const urls: FakeUrl[] = [
    { state: Downloaded, low: 0.6 },
    { state: Downloaded, low: 0.3 },
  ];
  const html = crawlReport(contentsOf(fakeSurvey(urls, { coverage: 0.9, certainPlaces: 1 })), OPTIONS);
  const text = textOf(html, "Most important pages");
  expect(text).toContain("The first rank is certain");
  expect(text).toMatch(/1 Page 0 http:\S+ 60\.0% to 61\.0%, rank certain 60\.0% 61\.0% ✓ certain/);
  expect(text).toMatch(/2 Page 1 http:\S+ 30\.0% to 31\.0% 30\.0% 31\.0%(?! ✓)/);
});

describe("rereads", () => {
  const reread = (number: number, url: number, outcome: Reread["outcome"]): Reread => ({
    number,
    url,
    outcome,
    atMs: number,
    reason: null,
    target: outcome === "moved" ? "https://a.example/new-place" : null,
    status: null,
    digest: null,
    etag: null,
    lastModified: null,
    milliseconds: 1,
    wireBytes: 0,
    visit: null,
  });
  const survey = fakeSurvey(
    Array.from({ length: LOST_MAX + 5 }, (_, k) => ({ state: Downloaded, low: 1 / (k + 2) })),
    { coverage: 0.9 },
  );

  test("are counted, and what was seen last of a page decides whether it is lost", () => {
    const rereads = [
      reread(1, 3, "gone"),
      reread(2, 2, "gone"),
      reread(3, 1, "moved"),
      reread(4, 3, "changed"),
      reread(5, 2, "failed"),
    ];
    const summary = summariseRereads(rereads, survey)!;
    expect(summary.counts).toEqual({ unchanged: 0, changed: 1, gone: 2, moved: 1, failed: 1 });
    expect(summary.lost.map(({ url, outcome }) => [url, outcome])).toEqual([
      [1, "moved"],
      [2, "gone"],
    ]);
    const text = textOf(crawlReport(contentsOf(survey, { rereads: summary }), OPTIONS), "Pages read again");
    expect(text).toContain("1 changed, 2 gone, 1 moved, 1 failed");
    expect(text).toContain("moved https://a.example/new-place");
  });

  test("are bounded, and left out where there are none", () => {
    const rereads = Array.from({ length: LOST_MAX + 1 }, (_, k) => reread(k + 1, k, "gone"));
    const summary = summariseRereads(rereads, survey)!;
    expect([summary.lost.length, summary.lostCount]).toEqual([LOST_MAX, LOST_MAX + 1]);
    expect(summariseRereads([], survey)).toBeUndefined();
    expect(crawlReport(contentsOf(survey), OPTIONS)).not.toContain("Pages read again");
    expect(rereadOutcomes).toHaveLength(5);
  });
});

describe("a crawl of a million URLs", () => {
  const size = 1_000_000;
  const hosts = Array.from({ length: 20_000 }, (_, k) =>
    fakeHost(`${"&".repeat(200)}${k}.test`, { mass: 1 / (k + 2), missing: 1 / (k + 2) }),
  );
  const states = [Downloaded, Dead, Open, ...refusalReasons.map((_, k) => Refused + k)];
  const state = Uint8Array.from({ length: size }, (_, k) => states[k % states.length]);
  const reasons = ["not-fetched", "dead", ...refusalReasons, "links-unknown", "trust-unseeded"] as const;
  const linking = Uint32Array.from({ length: 50_000 }, (_, k) => k);
  const hundred = Array.from({ length: FINDINGS_MAX }, (_, k) => k);
  const survey: Survey = {
    ...fakeSurvey([], {
      coverage: 0.5,
      findings: {
        brokenLinks: {
          links: 1e6,
          pages: 1e6,
          first: hundred.map((source) => ({ source, place: 0, way: [1, 2, 3, 4, 5, 6] })),
        },
        redirects: {
          urls: 1e6,
          chains: 1e6,
          loops: 0,
          first: hundred.map(() => ({ way: [1, 2, 3, 4], linkedFrom: 9 })),
        },
        duplicates: { pages: 1e6, groups: 1e5, first: hundred.map(() => ({ pages: [1, 2, 3, 4, 5], copies: 9 })) },
        nearDuplicates: { pages: 1e6, groups: 1e5, first: hundred.map(() => ({ pages: [5, 6, 7], copies: 9 })) },
        orphans: { urls: 1e6, first: hundred },
      },
      hosts,
      status: { pages: size / 9, known: size, hosts: hosts.length },
      tide: Array.from({ length: 5000 }, (_, k): TidePoint => [200 * k, k, k / 10_000, k / 20_000, null]),
      missing: reasons.map((reason) => ({
        reason,
        mass: 0.05,
        pages: 100_000,
        hosts: hosts.map((_, host) => ({ host, mass: 0.05 / hosts.length, pages: 5 })),
      })),
    }),
    byImportance: Uint32Array.from({ length: size }, (_, k) => k),
    state,
    statusOf: new Uint16Array(size),
    interval: (url) => ({ low: 1 / (url + 2), high: 2 / (url + 2) }),
    missing: (url) => ({ reason: "dead", mass: 1 / (url + 2) }),
    place: (url) => url + 1,
    linksTo: () => linking,
    linkCount: () => 10,
  };

  test("with the worst of names has reports of less than a megabyte, each made within 3 s of a processor", () => {
    const worst: PageText = {
      url: `http://site.test/${"&'".repeat(110)}`,
      title: `"'<&>`.repeat(500),
      reason: "failed" as const,
      detail: "&".repeat(40),
      status: null,
    };
    const longest: PageText = { ...worst, url: `http://site.test/${"&'".repeat(4000)}` };
    const linked: PageText = { ...worst, url: `http://site.test/${"&'".repeat(31)}` };
    for (const text of [worst, longest, linked]) {
      // Of a processor, which other work may keep busy and slow. What goes wrong here is a step for each URL that looks
      // at all others.
      const before = process.cpuUsage();
      const chosen = choosePages(survey);
      const texts = new Map(
        Array.from([...urlsOf(chosen), ...urlsOfFindings(survey.facts.findings)], (url): [number, PageText] => [
          url,
          text,
        ]),
      );
      const seeds = Array.from({ length: 1000 }, () => ({ url: longest.url, weight: 0.001 }));
      const settings = { ...reportSettings(), seeds };
      const linkTexts = hundred.map(() => "&".repeat(100));
      const html = crawlReport({ survey, settings, end: "running", chosen, texts, linkTexts }, OPTIONS);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(3000);
      expect(html.length).toBeGreaterThan(100_000);
      expect(Buffer.byteLength(html)).toBeLessThan(1_000_000);
    }
  });
});
