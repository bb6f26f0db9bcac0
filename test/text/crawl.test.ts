/** How a crawl ended, what it covers then, and what a lost seed costs. */
import { describe, expect, it } from "vitest";
import { missingReasons } from "../../src/coverage/index.ts";
import type { Limits, StopReason } from "../../src/crawl/index.ts";
import {
  closingInWords,
  type EndState,
  endInWords,
  limitsInWords,
  missingInWords,
  reasonFor,
  REASONS,
  eventInWords,
  seedLossInWords,
  unreachableShare,
  withoutShareInWords,
} from "../../src/text/index.ts";

const LIMITS: Limits = {
  coverage: 0.95,
  pages: 1000,
  depth: 3,
  timeMs: 7_200_000,
  bytes: 1e9,
  pagesPerHost: 1,
};

/** Coverage of everything, all of which can be reached. */
const SURE = { strict: 0, ceiling: 1, universe: "scope" } as const;

describe("what waits", () => {
  it("is fetched by a crawl that is resumed, with a higher target or limit only where that ended it", () => {
    const advice = (end: EndState): string => reasonFor("not-fetched", { pages: 5, seeds: 1, end }).advice;
    const ends = ["coverage-reached", "page-limit", "interrupted", "cut-off", "running", "earlier"] as const;
    expect(ends.map((end) => advice(end).replace(" The most important pages come first.", ""))).toEqual([
      "Resume the crawl with a higher target.",
      "Resume the crawl with a higher limit.",
      "Resume the crawl.",
      "Resume the crawl.",
      "The crawl is still fetching.",
      "The crawl may have fetched them since.",
    ]);
  });

  it("without a share is counted apart", () => {
    expect(withoutShareInWords({ waiting: 1073, pages: 326 })).toBe(
      "747 more are known only through sitemaps and hold no proven share",
    );
    expect(withoutShareInWords({ waiting: 3, pages: 2 })).toContain("1 more is known");
    expect(withoutShareInWords({ waiting: 2, pages: 2 })).toBe("");
  });
});

describe("limits", () => {
  it("are named one after the other", () => {
    expect(limitsInWords(LIMITS)).toBe(
      "95% coverage, 1,000 pages, 3 links from a seed, 2 h 00 min, 1.0 GB, 1 page per host",
    );
    expect(limitsInWords({})).toBe("none");
  });
});

describe("the end of a crawl", () => {
  it.each<[StopReason, string]>([
    ["coverage-reached", "stopped because it reached its target of 95%"],
    ["frontier-empty", "ended because nothing was left to fetch"],
    ["order-empty", "ended because its own order gave no more pages, though URLs wait"],
    ["page-limit", "stopped at its limit of 1,000 pages"],
    ["depth-limit", "stopped at its limit of 3 links from a seed"],
    ["time-limit", "stopped at its limit of 2 h 00 min"],
    ["byte-limit", "stopped at its limit of 1.0 GB"],
    ["disk-full", "stopped because the disk was full"],
    ["failed", "stopped because the disk, the proxy or the browser failed"],
  ])("%s reads the same in reports and on the terminal", (reason, words) => {
    expect(endInWords(reason, LIMITS, { coverage: 0.95 })).toBe(`The crawl ${words}.`);
    expect(closingInWords({ ...SURE, reason, coverage: 0.95, pages: 7, limits: LIMITS })).toBe(
      `${words[0].toUpperCase()}${words.slice(1)}: 95.00% of all importance is certainly covered, by 7 pages.`,
    );
  });

  it("is not called done where hosts block the crawler", () => {
    const missing = [{ reason: "blocked", mass: 0.4, hosts: [{ host: "a.example", mass: 0.4, pages: 30 }] }] as const;
    const found = { ...SURE, reason: "frontier-empty", coverage: 0.6, pages: 7, limits: {} } as const;
    expect(closingInWords({ ...found, missing })).toMatch(
      /^Ended because hosts block this crawler and nothing else was left to fetch: 60\.00% of all importance is /,
    );
    expect(endInWords("frontier-empty", {}, { coverage: 0.6 }, missing)).toBe(
      "The crawl ended because hosts block this crawler and nothing else was left to fetch.",
    );
    // Another reason to stop came first, or what they hold is nothing.
    expect(endInWords("page-limit", { pages: 7 }, { coverage: 0.6 }, missing)).toContain("stopped at its limit");
    const nothing = [{ reason: "blocked", mass: 0 }] as const;
    expect(endInWords("frontier-empty", {}, { coverage: 0.6 }, nothing)).toContain("nothing was left to fetch");
  });

  it("may be an interruption, which is not the end", () => {
    expect(endInWords("interrupted", {}, { coverage: 0.5 })).toBe(
      "The user interrupted the crawl. The same command resumes it.",
    );
    expect(closingInWords({ ...SURE, reason: "interrupted", coverage: 0.5, pages: 1, limits: {} })).toMatch(
      /^Interrupted: /,
    );
  });

  it("names the limit per host where there is no other limit of pages", () => {
    expect(endInWords("page-limit", { pagesPerHost: 20 }, { coverage: 0.5 })).toBe(
      "The crawl stopped at its limit of 20 pages per host.",
    );
  });

  it("does not take a target that was set later for the one that was reached", () => {
    expect(endInWords("coverage-reached", { coverage: 0.99 }, { coverage: 0.95 })).toBe(
      "The crawl stopped at the target that it had at the time.",
    );
  });

  it("says that a target was not reached, and whether it can be", () => {
    const found = { ...SURE, coverage: 0.97, pages: 9, limits: { coverage: 1 } };
    expect(closingInWords({ ...found, reason: "frontier-empty" })).toMatch(/ The target of 100% cannot be reached\.$/);
    expect(closingInWords({ ...found, reason: "time-limit" })).toMatch(/ The target of 100% was not reached\.$/);
    expect(closingInWords({ ...found, reason: "time-limit", limits: { coverage: 0.97 } })).not.toContain("target");
  });

  it("never rounds coverage up", () => {
    expect(closingInWords({ ...SURE, reason: "interrupted", coverage: 0.949999, pages: 1, limits: {} })).toBe(
      "Interrupted: 94.99% of all importance is certainly covered, by 1 page.",
    );
  });

  it("says so where no page was fetched", () => {
    expect(closingInWords({ ...SURE, reason: "frontier-empty", coverage: 0, pages: 0, limits: {}, missing: [] })).toBe(
      "Ended because nothing was left to fetch: no page was fetched, so nothing is covered.",
    );
  });
});

describe("what is missing", () => {
  it("is named by reasons and hosts, largest first, and the very small together", () => {
    expect(
      missingInWords([
        {
          reason: "not-fetched",
          mass: 0.031,
          hosts: ["a", "b", "c", "d"].map((host) => ({ host, mass: 0.00775, pages: 1 })),
        },
        { reason: "robots", mass: 0.012, hosts: [{ host: "a", mass: 0.012, pages: 4 }] },
        { reason: "nofollow", mass: 0.00002, hosts: [{ host: "a", mass: 0.00002, pages: 1 }] },
      ]),
    ).toBe(
      "Missing at most: 3.10% is waiting to be fetched (a 0.78%, b 0.78%, c 0.78%, 1 more host); " +
        "1.20% is forbidden by robots.txt (a 1.20%); and less than 0.1% has other reasons.",
    );
    expect(missingInWords([])).toBe("Nothing is missing.");
  });

  it.each(missingReasons)("is named for %s as reports name it", (reason) => {
    expect(missingInWords([{ reason, mass: 0.25, hosts: [] }])).toBe(
      `Missing at most: 25.00% ${REASONS[reason].clause}.`,
    );
  });
});

describe("a lost seed", () => {
  const loss = { name: "seed-lost", atMs: 0, url: "https://a/", detail: null, weight: 0.5 } as const;

  it("takes all of its trust with it, a dead one only its own visits", () => {
    expect(unreachableShare({ ...loss, reason: "robots" }, 0.85)).toBe(0.5);
    // (1 - 0.85) * 0.5 = 0.075 of a whole of 0.5 + 0.075.
    expect(unreachableShare({ ...loss, reason: "dead" }, 0.85)).toBeCloseTo(0.075 / 0.575, 12);
    expect(unreachableShare({ ...loss, reason: "dead", weight: 1 }, 0.85)).toBe(1);
  });

  it("that leads out of the scope is reported with what to do", () => {
    expect(eventInWords({ ...loss, reason: "out-of-scope", detail: "redirect" })).toBe(
      "the seed https://a/ is out of scope: it redirects there (it came too late, or --include or --exclude keeps it " +
        "out: start a new crawl at where it leads)",
    );
  });

  it("is reported with what it costs", () => {
    expect(seedLossInWords({ ...loss, reason: "failed", detail: "tls-failed" }, 0.85)).toBe(
      "the seed https://a/ could not be fetched: it offers no secure connection (its certificate is not valid: " +
        "name one of your own with --ca; or it does not speak https: try http://); without it, at least 50% of all importance is unreachable",
    );
  });
});
