/** The view Freshness in a real browser, before a server whose refresh is made up. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import type { RefreshStatus, UpcomingRead } from "../../src/crawl/index.ts";
import { type Mock, startMock } from "./page-mock.ts";
import { eventually, graveProblems, Visitor } from "./support/visitor.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse("2026-11-18T12:00:00Z");

const READ: UpcomingRead = {
  url: "https://www.example.org/news",
  isNew: false,
  importance: 0.0123,
  lastReadMs: NOW_MS - 20 * HOUR_MS,
  staleChance: 0.75,
  signals: 0,
  changesPerDay: 2.4,
  value: 1.0349,
};

const STATUS: RefreshStatus = {
  reads: 1234,
  unchanged: 1000,
  changed: 150,
  gone: 7,
  moved: 3,
  doubted: 5,
  failed: 4,
  new: 70,
  left: 12,
  budget: 5000,
  readsToday: 2345,
  pages: 98_765,
  coverage: 0.91,
  freshness: { current: 0.8456, hour: 0.019_99, day: 0.4, week: 0.899_999, month: 1 },
  nextMs: NOW_MS + 1000,
  isQuiet: false,
  upcoming: [
    READ,
    { ...READ, url: "https://www.example.org/slow", changesPerDay: 0.02, signals: 2, staleChance: 0.031, value: 0.98 },
    { ...READ, url: "https://www.example.org/weekly", changesPerDay: 1 / 7.04 },
    { ...READ, url: "https://www.example.org/one", changesPerDay: 0.999 },
    { ...READ, url: "https://www.example.org/clock", changesPerDay: 288 },
    { ...READ, url: `https://www.example.org/${"a-long-way/".repeat(30)}`, isNew: true, lastReadMs: null, value: 152 },
  ],
  elapsedMs: HOUR_MS,
};

let visitor: Visitor;
const mocks: Mock[] = [];

beforeAll(async () => {
  visitor = await Visitor.arrive();
});

afterEach(async () => {
  await Promise.all(mocks.splice(0).map((mock) => mock.close()));
});

afterAll(async () => {
  await visitor?.leave();
});

async function refreshing(refresh: RefreshStatus | null | undefined): Promise<Mock> {
  const mock = await startMock({ scenario: "ended", known: 100_000, tickMs: 0 });
  mock.crawl.refresh = refresh;
  mocks.push(mock);
  return mock;
}

const CURRENT_ENDS_AT = 'document.querySelector("nav [aria-current]").getBoundingClientRect().right';

const HIDDEN_OF_TABLE = '((table) => table.scrollWidth - table.clientWidth)(document.querySelector(".table-scroll"))';

/** Names and values of the tiles of a panel. */
async function tiles(page: Page, title: string): Promise<string[]> {
  const found = page.locator("section", { has: page.getByRole("heading", { name: title }) }).locator(".tiles > div");
  return (await found.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
}

const rows = async (page: Page): Promise<string[][]> => {
  const found = await page.locator("tbody tr").all();
  return Promise.all(found.map((row) => row.locator("td").allInnerTexts()));
};

describe("freshness", () => {
  test("says how old copies are at most, never rounded up, and what was read", async () => {
    const { url } = await refreshing(STATUS);
    await visitor.visit(`${url}/`, "#/freshness", async (page) => {
      await eventually(() => tiles(page, "Age of the copies, by importance")).toEqual([
        "At most an hour 1.99% certainly",
        "At most a day 40.00% certainly",
        "At most a week 89.99% certainly",
        "At most a month 100.00% certainly",
        "Current 84.6% expected",
      ]);
      expect(await tiles(page, "Reads")).toEqual([
        "Last 24 hours 2,345 of at most 5,000",
        "This run 1,234 of 98,765 pages",
        "Changed 150 1,000 unchanged",
        "New 70 first reads",
        "Gone 7 3 moved",
        "In doubt 5 kept for now",
        "Failed 4 12 put off",
      ]);
      expect(await page.title()).toBe("94.95% · Freshness · example-org · Tidemark");
      expect(await page.getByRole("navigation").getByRole("link", { name: "Freshness" }).count()).toBe(1);
    });
  });

  test("lists what is read next, and why", async () => {
    const { url } = await refreshing(STATUS);
    await visitor.visit(`${url}/`, "#/freshness", async (page) => {
      await eventually(() => rows(page)).toHaveLength(6);
      const why = (await rows(page)).map(([, each]) => each);
      expect(why).toEqual([
        "75% likely to have changed (2.4 changes a day)",
        "3.1% likely to have changed (a change every 50 days, a sitemap says so)",
        "75% likely to have changed (a change every 7 days)",
        "75% likely to have changed (a change every day)",
        "75% likely to have changed (290 changes a day)",
        "new",
      ]);
      const [first, ...others] = await rows(page);
      const last = others[4];
      expect([first[2], first[4], last[3], last[4]]).toEqual(["1.23%", "1", "never", "150"]);
    });
  });

  test("follows the refresh while it is open", async () => {
    const mock = await refreshing(null);
    await visitor.visit(`${mock.url}/`, "#/freshness", async (page) => {
      await eventually(() => page.locator("main").innerText()).toContain("No refresh has reported yet");
      mock.crawl.refresh = { ...STATUS, isQuiet: true };
      await eventually(() => page.locator("main").innerText()).toContain("These are quiet hours.");
      mock.crawl.refresh = { ...STATUS, nextMs: null, upcoming: [] };
      await eventually(() => page.locator("main").innerText()).toContain("Nothing is left to read.");
      expect(await page.locator("tbody tr").count()).toBe(0);
    });
  });

  test("goes with a tide that says it is of the newest facts", async () => {
    const { url } = await refreshing(STATUS);
    await visitor.visit(`${url}/`, "", async (page) => {
      await eventually(() => page.locator("figure.tide").innerText()).toContain("this is not what was proven");
    });
  });

  test("is no part of the dashboard of a crawl that nobody refreshes", async () => {
    const { url } = await refreshing(undefined);
    await visitor.visit(`${url}/`, "", async (page) => {
      await eventually(() => page.getByRole("navigation").innerText()).toContain("Hosts");
      await eventually(() => page.locator("figure.tide").innerText()).toContain("Certified");
      expect(await page.locator("figure.tide").innerText()).not.toContain("this is not what was proven");
      expect(await page.getByRole("navigation").innerText()).not.toContain("Freshness");
    });
  });

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const)(
    "has nothing that axe finds serious, %s, and at %i pixels nothing sticks out",
    async (colorScheme, width) => {
      const { url } = await refreshing(STATUS);
      const options = { colorScheme, viewport: { width, height: 900 } };
      await visitor.visit(
        `${url}/`,
        "#/freshness",
        async (page) => {
          await page.locator("tbody tr").first().waitFor();
          await eventually(() => page.evaluate(CURRENT_ENDS_AT)).toBeLessThanOrEqual(width);
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
          // However long an address is, what stands beside it, or on a phone below it, is seen too.
          expect(await page.evaluate(HIDDEN_OF_TABLE)).toBe(0);
          expect(await graveProblems(page)).toEqual([]);
        },
        { options },
      );
    },
  );
});
