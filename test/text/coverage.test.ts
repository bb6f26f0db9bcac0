/** What is proved, in words: one headline, the stricter number, the ceiling, and what the universe leaves out. */
import { describe, expect, it } from "vitest";
import {
  atMostInWords,
  besideHeadline,
  ceilingInWords,
  closingInWords,
  emptyInWords,
  headline,
  measureInWords,
  outlook,
  outOfReach,
  outsideInWords,
  type OverviewWords,
  sampleInWords,
  strictInWords,
  unreachableInWords,
} from "../../src/text/index.ts";

const OVERVIEW: OverviewWords = {
  state: "running",
  reason: null,
  limits: { coverage: 0.95 },
  status: { coverage: 0.986, strict: 0.774, ceiling: 1, pages: 600, frontier: 3 },
  pagesPerSecond: 10,
  secondsLeft: null,
  nextLimit: null,
  universe: "allowed",
  scope: "the host a.example",
  seeds: [{}],
};

describe("the headline", () => {
  it("names the share of what may be fetched, and the stricter number beside it", () => {
    expect(headline(OVERVIEW)).toBe("At least 98.60% of what may be fetched is covered, by 600 pages");
    expect(besideHeadline(OVERVIEW)).toBe("77.40% if forbidden and dead pages count as the worst");
  });

  it("is alone where both are one number, and where nothing is covered", () => {
    expect(besideHeadline({ ...OVERVIEW, universe: "scope" })).toBeUndefined();
    expect(besideHeadline({ ...OVERVIEW, status: { ...OVERVIEW.status, strict: 0.9859 } })).toBeUndefined();
    expect(besideHeadline({ ...OVERVIEW, status: { ...OVERVIEW.status, pages: 0 } })).toBeUndefined();
  });

  it("is followed by what coverage is measured over", () => {
    expect(measureInWords(OVERVIEW)).toBe(
      "Coverage is measured over all pages of the host a.example that exist and may be fetched, as seen from 1 seed.",
    );
    expect(measureInWords({ ...OVERVIEW, universe: "scope" })).toBe(
      "Coverage is measured over all pages of the host a.example, forbidden and dead ones included " +
        "(--universe scope), as seen from 1 seed.",
    );
    expect(measureInWords({ ...OVERVIEW, universe: "web" })).toContain("over the whole web (--universe web)");
    expect(outlook(OVERVIEW, 0)).toBe(`The crawl is running. ${measureInWords(OVERVIEW)}`);
    expect(outlook({ ...OVERVIEW, state: "earlier" }, 0)).toBe(measureInWords(OVERVIEW));
  });
});

describe("the stricter number and the ceiling", () => {
  it("are never rounded in the crawl's favour", () => {
    const words = strictInWords({ coverage: 0.9, strict: 0.77399, universe: "allowed" });
    expect(words).toBe("77.39% if forbidden and dead pages count as the worst");
    expect(ceilingInWords(0.85301)).toBe("at most 85.31% can be reached");
    expect(ceilingInWords(0.9999)).toBeUndefined();
  });
});

describe("a target that is out of reach", () => {
  const status = { ...OVERVIEW.status, coverage: 0.8, ceiling: 0.853 };
  const missing = [
    { reason: "failed", mass: 0.147 },
    { reason: "not-fetched", mass: 0.053 },
  ] as const;

  it("is said with the ceiling, what is lost, and what to do", () => {
    expect(outOfReach({ ...OVERVIEW, status }, missing)).toBe(
      "The target of 95% is out of reach: at most 85.30% can be reached; 14.7% could not be fetched. " +
        "Look at the pages to see what happened. A refresh tries them again after an hour. If they are not wanted, " +
        "start a crawl with --exclude.",
    );
    expect(outOfReach({ ...OVERVIEW, status }, [])).toBe(
      "The target of 95% is out of reach: at most 85.30% can be reached.",
    );
  });

  it("is not said where it can be reached, or where there is none", () => {
    expect(outOfReach(OVERVIEW, missing)).toBeUndefined();
    expect(outOfReach({ status, limits: {} }, missing)).toBeUndefined();
  });

  it("names a page in the event", () => {
    const losses = [{ reason: "blocked", mass: 0.2, url: "http://b.example/" }] as const;
    expect(unreachableInWords({ target: 0.9, ceiling: 0.8, losses })).toBe(
      "the target of 90% is out of reach: at most 80.00% can be reached; 20% is on hosts that block this crawler " +
        "(such as http://b.example/). If the host wants a login, give --auth-file (401) or --cookie-file (a login " +
        "page). Else ask the site owner for permission, give --contact, and crawl more slowly with --delay",
    );
  });

  it("is said at the end of a crawl that could still go on", () => {
    const found = { reason: "page-limit", pages: 9, limits: { coverage: 0.95, pages: 9 }, strict: 0.8 } as const;
    const words = closingInWords({ ...found, coverage: 0.8, ceiling: 0.853, universe: "allowed" });
    expect(words).toMatch(/ The target of 95% cannot be reached: at most 85\.30% can be reached\.$/);
  });
});

describe("a universe without a page", () => {
  it("says why nothing may be fetched", () => {
    expect(emptyInWords([], [{ reason: "robots", mass: 1 }])).toBe(
      "Coverage is 0%, because nothing may be fetched: all that the seeds lead to is forbidden by robots.txt. " +
        "Tidemark obeys. Only the site owner can change this.",
    );
    const mixed = [
      { reason: "dead", mass: 0.75 },
      { reason: "forbidden", mass: 0.25 },
    ] as const;
    expect(emptyInWords([], mixed)).toBe(
      "Coverage is 0%, because nothing may be fetched: 75.00% is dead; 25.00% is forbidden by the server. " +
        "Check the addresses of the seeds.",
    );
  });

  it("is none where something is missing, or nothing is known", () => {
    expect(emptyInWords([{ reason: "failed", mass: 0.5 }], [{ reason: "robots", mass: 0.5 }])).toBeUndefined();
    expect(emptyInWords([], [])).toBeUndefined();
  });

  it("ends a crawl with the reason", () => {
    const found = { reason: "frontier-empty", pages: 0, limits: { coverage: 0.9 }, coverage: 0, strict: 0 } as const;
    const outside = [{ reason: "robots", mass: 1 }] as const;
    const words = closingInWords({ ...found, ceiling: 1, universe: "allowed", missing: [], outside });
    expect(words).toContain("no page was fetched, so nothing is covered. Coverage is 0%, because nothing may be");
    expect(words).not.toContain("target");
  });
});

describe("what the universe leaves out", () => {
  it("is named with the most that it could hold of everything", () => {
    expect(
      outsideInWords([
        { reason: "robots", mass: 0.2257 },
        { reason: "dead", mass: 0.0123 },
        { reason: "nofollow", mass: 0.00001 },
      ]),
    ).toBe("Left out: at most 22.57% of everything is forbidden by robots.txt; at most 1.23% leads to dead links.");
    expect(outsideInWords([])).toBeUndefined();
  });
});

it.each([
  [0.147, "at most 14.70%"],
  [0.00123, "at most 0.123%"],
  [1e-9, "less than 0.0001%"],
])("a share of %f that is an upper bound says so: %s", (share, words) => {
  expect(atMostInWords(share)).toBe(words);
});

describe("the forecast of a crawl that samples", () => {
  it("says that sampling may be earlier than the proof", () => {
    const rated = { ...OVERVIEW, limits: { coverage: 0.99 }, secondsLeft: 60, nextLimit: "coverage" } as const;
    expect(outlook(rated, 0)).toContain("with about 1,200 pages. ");
    const sampled = { coverage: 0.97, confidence: 0.999, walks: 9, fetched: 4 };
    expect(outlook({ ...rated, status: { ...rated.status, sampled } }, 0)).toContain(
      "with about 1,200 pages, or earlier by sampling. ",
    );
  });
});

describe("a sample that was taken", () => {
  it("says what it fetched and why it stopped", () => {
    expect(sampleInWords({ stopped: "budget-spent", fetched: 20, budget: 20 })).toBe(
      "The sample fetched 20 pages of at most 20 and stopped: the budget is spent. A larger --budget may show more.",
    );
    expect(sampleInWords({ stopped: "nothing-open", fetched: 0, budget: 1000 })).toBe(
      "The sample fetched 0 pages of at most 1,000 and stopped: nothing is left to walk to.",
    );
    expect(sampleInWords({ stopped: undefined, fetched: 1, budget: 5 })).toBe(
      "The sample fetched 1 page of at most 5 and was interrupted: what was sampled so far counts.",
    );
  });
});
