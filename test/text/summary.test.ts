/** What a crawl has found, in sentences. */
import { expect, it } from "vitest";
import { closingInWords, type CrawlSummary, summaryInWords } from "../../src/text/index.ts";

const SUMMARY: CrawlSummary = {
  status: { pages: 600, known: 620, hosts: 1, frontier: 0, coverage: 0.853, ceiling: 0.853 },
  end: "frontier-empty",
  limits: { coverage: 0.95 },
  seeds: 1,
  firstVisitMs: null,
  lastVisitMs: null,
  missing: [{ reason: "failed", mass: 0.147 }],
  outside: [{ reason: "robots", mass: 0.2 }],
};

const said = (changes: Partial<CrawlSummary>): string[] => [...summaryInWords({ ...SUMMARY, ...changes })];

it("says what was fetched, whether the target was reached, what is missing with advice, and what is left out", () => {
  expect(said({})).toEqual([
    "600 of 620 known URLs were downloaded, from 1 host. The crawl ended because nothing was left to fetch.",
    "The target of 95% cannot be reached.",
    "What is missing (at most 14.70%) could not be fetched. Look at the pages to see what happened. A refresh tries " +
      "them again after an hour. If they are not wanted, start a crawl with --exclude.",
    "Left out: at most 20.00% of everything is forbidden by robots.txt.",
  ]);
});

it("says no word of a target while the crawl runs, or when it is reached", () => {
  expect(said({ end: "running" }).join(" ")).not.toContain("target");
  expect(said({ limits: { coverage: 0.85 } }).join(" ")).not.toContain("target");
});

it("says the ceiling where pages wait but the target cannot be reached", () => {
  const status = { ...SUMMARY.status, coverage: 0.7, frontier: 20 };
  const missing = [
    { reason: "not-fetched", mass: 0.153 },
    { reason: "failed", mass: 0.147 },
  ] as const;
  expect(said({ status, missing, end: "page-limit", limits: { coverage: 0.95, pages: 600 } })).toEqual([
    "600 of 620 known URLs were downloaded, from 1 host. The crawl stopped at its limit of 600 pages.",
    "The target of 95% cannot be reached: at most 85.30% can be reached.",
    "Most of what is missing (at most 15.30%) is waiting to be fetched. Resume the crawl with a higher limit. The " +
      "most important pages come first.",
    "Left out: at most 20.00% of everything is forbidden by robots.txt.",
  ]);
});

it("says what sampling shows, by which the target may have been reached", () => {
  const sampled = { coverage: 0.95, confidence: 0.999, walks: 40, fetched: 90 };
  const status = { ...SUMMARY.status, coverage: 0.9, ceiling: 1, frontier: 20, sampled };
  const words = said({ status, end: "coverage-reached", missing: [{ reason: "not-fetched", mass: 0.1 }] });
  expect(words.slice(0, 2)).toEqual([
    "600 of 620 known URLs were downloaded, from 1 host. The crawl stopped because it reached its target of 95% by sampling.",
    "Sampling shows at least 95.00%, with confidence 99.9% (40 walks, 90 pages fetched for them).",
  ]);
  expect(words.join(" ")).not.toContain("was not reached");
});

it("says that a login page answers instead of the pages, in the report as at the end of the crawl", () => {
  const loginWall = { page: "https://a.example/login", urls: 12, seeds: 1, last: 0 };
  const advice =
    "to https://a.example/login: the site may want a login, and nothing behind it was seen. Log in with a browser and " +
    "give its cookies with --cookie-file, or credentials with --auth-file.";
  const status = { ...SUMMARY.status, pages: 1, coverage: 1, ceiling: 1 };
  const words = (wall: typeof loginWall): string | undefined => said({ status: { ...status, loginWall: wall } })[1];
  expect(words(loginWall)).toBe(`The seed leads ${advice}`);
  expect(words({ ...loginWall, seeds: 2 })).toBe(`All 2 seeds lead ${advice}`);
  const late = { ...loginWall, seeds: 0 };
  expect(words({ ...late, last: 12 })).toContain(
    "The last 12 URLs redirect, one after the other, to https://a.example/",
  );
  expect(words({ ...late, last: 1 })).toContain("The last URL redirects to https://a.example/login: the session may");
  expect(words({ ...loginWall, seeds: 0 })).toBe(`12 URLs, nearly all that answered, redirect ${advice}`);
  const proved = { coverage: 1, strict: 1, universe: "allowed", ceiling: 1, pages: 1, limits: {} } as const;
  const closing = closingInWords({ ...proved, reason: "frontier-empty", loginWall, missing: [] });
  expect(closing).toContain(`The seed leads ${advice}`);
  expect(closing).not.toContain("Nothing is missing");
});

it("says how much of the value of pages is covered where they have values", () => {
  const words = said({ status: { ...SUMMARY.status, valued: 0.815_99 } });
  expect(words[1]).toBe("Counting pages by their value, at least 81.59% is certainly covered.");
  expect(said({}).join(" ")).not.toContain("value");
});

it("says that hosts block the crawler, not that nothing was left", () => {
  const [first] = said({ missing: [{ reason: "blocked", mass: 0.147 }] });
  expect(first).toContain("The crawl ended because hosts block this crawler and nothing else was left to fetch.");
});

it("says why where nothing may be fetched", () => {
  const status = { ...SUMMARY.status, pages: 0, known: 1, coverage: 0, ceiling: 1 };
  expect(said({ status, missing: [], outside: [{ reason: "robots", mass: 1 }] })).toEqual([
    "No page could be fetched; 1 URL is known. The crawl ended because nothing was left to fetch.",
    "Coverage is 0%, because nothing may be fetched: all that the seeds lead to is forbidden by robots.txt. Tidemark " +
      "obeys. Only the site owner can change this.",
  ]);
  expect(said({ status: { ...status, known: 0 } })).toEqual(["The crawl has not started: no URL is known yet."]);
});
