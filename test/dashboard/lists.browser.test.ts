/** The dashboard's lists in a real browser, over a made-up crawl of a million URLs of which some do their worst. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageList } from "../../src/dashboard/protocol/http.ts";
import { startBrowser } from "../support/browser.ts";
import { type Mock, startMock } from "./page-mock.ts";

let browser: Browser;
let ended: Mock;
let running: Mock;

beforeAll(async () => {
  [browser, ended, running] = await Promise.all([
    startBrowser(),
    startMock({ scenario: "ended", tickMs: 0 }),
    startMock({ scenario: "running", tickMs: 0, known: 100_000 }),
  ]);
});

afterAll(async () => {
  await Promise.all([browser?.close(), ended?.close(), running?.close()]);
});

/** Opens a view, does something with it, and fails on any complaint of the browser and on any harm done. */
async function looking(
  view: string,
  use: (page: Page) => Promise<void>,
  options: BrowserContextOptions & { readonly mock?: Mock } = {},
): Promise<void> {
  const { mock = ended, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...rest });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${mock.url}/#/${view}`);
  await use(page);
  expect(await page.evaluate("window.harmed")).toBeUndefined();
  expect(complaints).toEqual([]);
  await context.close();
}

const status = (page: Page) => page.locator(".list-status [role=status]").first();
/** The index of the first row in view that is there, and how many rows exist at all. */
const FIRST_ROW = `(() => {
  const list = document.querySelector(".rows");
  const top = list.getBoundingClientRect().top + list.querySelector(".rows-head").offsetHeight;
  const rows = [...list.querySelectorAll(".row[data-index]")];
  return Number(rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.dataset.index);
})()`;

describe("pages", () => {
  test("are searched while one types, the search stands in the address, and can be taken back", async () => {
    await looking("pages", async (page) => {
      await expect.poll(() => status(page).innerText()).toBe("1,000,000 pages");
      await page.getByLabel("Search").fill("-777.html");
      await expect.poll(() => status(page).innerText()).toBe("1 page");
      expect(await page.locator(".row[data-index]").count()).toBe(1);
      expect(page.url()).toContain("#/pages?q=-777.html");
      await page.reload();
      await expect.poll(() => status(page).innerText()).toBe("1 page");
      expect(await page.getByLabel("Search").inputValue()).toBe("-777.html");
      await page.getByRole("button", { name: "Remove: contains" }).click();
      await expect.poll(() => status(page).innerText()).toBe("1,000,000 pages");
      expect(await page.getByLabel("Search").inputValue()).toBe("");
    });
  });

  test("show how far a search is, and go on asking until it is done", async () => {
    await looking("pages", async (page) => {
      let asked = 0;
      await page.route("**/api/pages?*", async (route) => {
        if (!route.request().url().includes("q=")) return route.fallback();
        asked++;
        const searched = { done: Math.min(1_000_000, asked * 400_000), total: 1_000_000 };
        const list: PageList = { survey: 1, total: asked, rows: [] };
        await route.fulfill({ json: asked < 3 ? { ...list, searched } : list });
      });
      await page.getByLabel("Search").fill("tide");
      await expect.poll(() => status(page).innerText()).toBe("1 page so far; 400,000 of 1,000,000 URLs searched");
      await expect.poll(() => status(page).innerText()).toBe("3 pages");
      expect(asked).toBe(3);
    });
  });

  test("are filtered by state, reason, status and host, and going back takes a filter away", async () => {
    await looking("pages", async (page) => {
      await page.getByLabel("State").selectOption({ label: "Dead" });
      await expect.poll(() => page.url()).toContain("state=dead");
      await expect.poll(() => page.locator('.row[data-index="0"] .badge').innerText()).toContain("Dead");
      const dead = await status(page).innerText();
      await page.getByRole("combobox", { name: "Host", exact: true }).fill("www.example.org");
      await page.getByRole("combobox", { name: "Host", exact: true }).press("Enter");
      await expect.poll(() => page.url()).toContain("host=www.example.org");
      await expect.poll(() => status(page).innerText()).not.toBe(dead);
      expect(await page.locator('.row[data-index="0"] .page-title').innerText()).toMatch(
        /^https:\/\/www\.example\.org\//,
      );
      await page.goBack();
      await expect.poll(() => status(page).innerText()).toBe(dead);
      await page.getByLabel("Status").selectOption("2xx");
      await expect.poll(() => page.locator(".empty-title").innerText()).toBe("No page matches");
      expect(await page.locator(".empty").innerText()).toContain("state “Dead”, status “2xx”");
      await page.getByRole("button", { name: "Clear the filters" }).click();
      await expect.poll(() => status(page).innerText()).toBe("1,000,000 pages");
    });
  });

  test("are sorted by a click on a column, which says so to a screen reader", async () => {
    await looking("pages", async (page) => {
      const fetched = page.getByRole("columnheader", { name: "Fetched" });
      expect(await page.getByRole("columnheader", { name: "Importance" }).getAttribute("aria-sort")).toBe("descending");
      await fetched.getByRole("button").click();
      await expect.poll(() => fetched.getAttribute("aria-sort")).toBe("descending");
      await fetched.getByRole("button").click();
      await expect.poll(() => fetched.getAttribute("aria-sort")).toBe("ascending");
      expect(page.url()).toContain("sort=oldest");
      expect(await page.getByLabel("Sort").inputValue()).toBe("oldest");
    });
  });

  test("are reached deep in a million rows by the scrollbar, and few of them exist", async () => {
    await looking("pages", async (page) => {
      await page.locator('.row[data-index="0"] a').waitFor();
      await page.evaluate(
        `(() => { const list = document.querySelector(".rows"); list.scrollTop = (list.scrollHeight - list.clientHeight) / 2; })()`,
      );
      await expect.poll(() => page.evaluate(FIRST_ROW)).toBeGreaterThan(499_900);
      expect(await page.evaluate(FIRST_ROW)).toBeLessThan(500_100);
      const index = (await page.evaluate(FIRST_ROW)) as number;
      const row = page.locator(`.row[data-index="${index}"]`);
      await expect.poll(() => row.getAttribute("aria-busy")).toBe("false");
      // The invented pages are numbered by their importance.
      expect(await row.locator("a").first().getAttribute("href")).toContain(String(index));
      expect(await page.locator(".row[data-index]").count()).toBeLessThan(60);
      // A wheel moves by rows, not by a part of the whole.
      await row.hover();
      await page.mouse.wheel(0, 540);
      await expect.poll(() => page.evaluate(FIRST_ROW)).toBe(index + 10);
      // The last row is the last.
      await page.evaluate(`document.querySelector(".rows").scrollTop = 1e9`);
      await expect.poll(() => page.locator('.row[data-index="999999"]').count()).toBe(1);
    });
  });

  test("are walked through by keyboard; focus is never lost, and going back leads to the same row", async () => {
    await looking("pages", async (page) => {
      const grid = page.getByRole("grid", { name: "Pages" });
      await page.locator('.row[data-index="0"] a').waitFor();
      expect(await grid.getAttribute("aria-rowcount")).toBe("1000001");
      await page.locator('.row[data-index="0"]').focus();
      const focused = (): Promise<unknown> => page.evaluate("document.activeElement.dataset.index");
      await page.keyboard.press("ArrowDown");
      await expect.poll(focused).toBe("1");
      await page.keyboard.press("End");
      await expect.poll(focused).toBe("999999");
      await page.keyboard.press("PageUp");
      await expect.poll(async () => Number(await focused())).toBeLessThan(999_999);
      const index = String(await focused());
      expect(await page.locator(`.row[data-index="${index}"]`).getAttribute("aria-rowindex")).toBe(
        String(Number(index) + 2),
      );
      await page.evaluate(`document.querySelector(".rows").scrollTop = 0`);
      await expect.poll(() => page.evaluate(FIRST_ROW)).toBe(Number(index) > 0 ? 0 : -1);
      expect(await focused()).toBe(index);
      await page.keyboard.press("Home");
      await expect.poll(focused).toBe("0");
      for (let press = 0; press < 30; press++) await page.keyboard.press("ArrowDown");
      await expect.poll(focused).toBe("30");
      const url = await page.locator('.row[data-index="30"] .page-title').getAttribute("href");
      // The place is written into the history once the list has come to rest.
      await expect.poll(() => page.evaluate("history.state?.place?.active")).toBe(30);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.url()).toContain(url);
      await page.locator(".page-name").waitFor();
      await page.goBack();
      await expect.poll(() => page.locator('.row[data-index="30"]').getAttribute("tabindex")).toBe("0");
      expect(await page.evaluate(FIRST_ROW)).toBeGreaterThan(5);
    });
  });

  test("that are hostile are shown as text in rows of the usual height", async () => {
    await looking("pages", async (page) => {
      const row = page.locator('.row[data-index="5"]');
      await expect
        .poll(() => row.locator(".page-title").innerText())
        .toBe(`<img src=x onerror="window.harmed=1">"'</script><script>window.harmed=1</script>`);
      for (const index of [5, 11]) {
        const box = await page.locator(`.row[data-index="${index}"]`).boundingBox();
        expect(box?.height).toBe(54);
      }
      expect(await page.locator("main img, main script").count()).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    });
  });
});

describe("a page of its own", () => {
  test("says what it is worth, who links to it and where that goes", async () => {
    await looking("page/13", async (page) => {
      await expect
        .poll(() => page.locator("main").innerText())
        .toContain("It has rank 14 among the downloaded pages, and that is certain.");
      const text = await page.locator("main").innerText();
      expect(text).toMatch(/It has at least 0\.313% and at most 0\.408% of all importance/);
      expect(text).toContain(
        "85% of its importance is split equally among its 37 links. The other 15% goes back to the seeds.",
      );
      const links = page.getByRole("grid", { name: "Pages that link to this page" });
      await expect.poll(() => links.getAttribute("aria-rowcount")).toBe("5626");
      const address = page.locator(".page-address a");
      expect(await address.getAttribute("rel")).toBe("noopener noreferrer nofollow");
      expect(await address.getAttribute("href")).toMatch(/^https:\/\//);
      await links.locator('.row[data-index="0"] a').click();
      await expect.poll(() => page.url()).toContain("#/page/14");
    });
  });

  test("with a URL of 2,000 characters does not widen a phone", async () => {
    await looking(
      "page/23",
      async (page) => {
        await page.locator(".page-name").waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      },
      { viewport: { width: 390, height: 844 } },
    );
  });
});

describe("hosts", () => {
  test("lead to their pages, are searched and sorted, and say how they are treated", async () => {
    await looking(
      "hosts",
      async (page) => {
        await expect.poll(() => status(page).innerText()).toBe("2,500 hosts");
        const rows = page.getByRole("grid", { name: "Hosts" });
        await expect.poll(() => rows.innerText()).toContain("paused for 42 s");
        expect(await rows.innerText()).toContain("reading robots.txt");
        await page.getByLabel("Search").fill("no-such-host");
        await expect.poll(() => page.locator(".empty-title").innerText()).toBe("No host matches");
        await page.getByRole("button", { name: "Clear the search" }).click();
        await page.getByRole("columnheader", { name: "Errors" }).getByRole("button").click();
        await expect.poll(() => page.url()).toContain("sort=errors");
        await page.locator('.row[data-index="0"] [data-main]').click();
        await expect.poll(() => page.url()).toContain("#/pages?host=");
      },
      { mock: running },
    );
  });
});

test("hosts of a crawl that is paused say so, and on a phone show errors, response time and status", async () => {
  const paused = await startMock({ scenario: "paused", tickMs: 0, known: 100_000 });
  await looking(
    "hosts",
    async (page) => {
      await page.getByText("the status that each host will have when it resumes").waitFor();
      // The fifth host of the made-up crawl has 12 + 4 errors, and a response time of 80 + 4 * 21 milliseconds.
      const row = page.locator('.row[data-index="4"]');
      await row.scrollIntoViewIfNeeded();
      for (const piece of [/, \d+ dead$/, "16 errors", "response 164 ms", "reading robots.txt"]) {
        const box = (await row.getByText(piece).boundingBox())!;
        const whole = (await row.boundingBox())!;
        expect(box.y + box.height).toBeLessThanOrEqual(whole.y + whole.height);
      }
      // Shares of hosts are parts of a whole, so their bars are linear.
      expect(await page.locator(".scale-note").count()).toBe(0);
      const [bar, filled] = [".is-covered", ".is-covered .certain"].map((part) => row.locator(part));
      const share = Number.parseFloat(await row.locator(".cell-mass .figures").innerText()) / 100;
      const width = async (part: typeof bar) => (await part.boundingBox())?.width ?? 0;
      expect(Math.abs((await width(filled)) - Math.max(2, share * (await width(bar))))).toBeLessThan(1);
    },
    { mock: paused, viewport: { width: 390, height: 844 } },
  );
  await paused.close();
});

test("the frontier says what comes next and by which rule", async () => {
  await looking("frontier", async (page) => {
    await expect.poll(() => page.locator(".lead").innerText()).toContain("The page with the largest proven share");
    expect(await page.locator(".lead").innerText()).toContain("may be fetched in another order");
    await expect.poll(() => status(page).innerText()).toMatch(/^\d{3},\d{3} URLs waiting; the next 200 are listed$/);
    await page.locator('.row[data-index="0"]').focus();
    await page.keyboard.press("End");
    await expect.poll(() => page.locator('.row[data-index="199"]').getAttribute("aria-busy")).toBe("false");
  });
});

test("the log follows what happens, but not under the eyes of somebody who reads further down", async () => {
  await looking(
    "log",
    async (page) => {
      const newest = page.locator('.row[data-index="0"] .log-text');
      await newest.waitFor();
      const before = await newest.innerText();
      running.tick();
      await expect.poll(() => newest.innerText()).not.toBe(before);
      await page.evaluate(`document.querySelector(".rows").scrollTop = 2000`);
      await expect.poll(() => page.evaluate(FIRST_ROW)).toBe(38);
      const read = await page.locator('.row[data-index="38"] .log-text').innerText();
      running.tick();
      const news = page.getByRole("button", { name: /new events/ });
      await news.waitFor();
      expect(await page.locator('.row[data-index="38"] .log-text').innerText()).toBe(read);
      await news.click();
      await expect.poll(() => page.evaluate(FIRST_ROW)).toBe(0);
      // Older entries come when somebody scrolls to them.
      const scrollToOldest = () => page.evaluate(`document.querySelector(".rows").scrollTop = 1e9; ${FIRST_ROW}`);
      await expect.poll(scrollToOldest).toBeGreaterThan(150);
      await page.getByLabel("Show").selectOption("trouble");
      await expect.poll(() => page.locator('.row[data-index="0"] .badge').innerText()).not.toContain("Downloaded");
    },
    { mock: running },
  );
});

test.each([390, 1280])(
  "at %i pixels axe finds nothing serious, and nothing is wider than the window",
  async (width) => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await looking(
      "pages",
      async (page) => {
        await page.evaluate(`${axe};0`);
        for (const view of ["pages", "page/13", "hosts", "frontier", "log"]) {
          await page.evaluate(`location.hash = "#/${view}"`);
          const grid = view === "page/13" ? "links" : view;
          await page.locator(`.rows-${grid} .row[data-index="3"][aria-busy="false"]`).first().waitFor();
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
          const { violations } = (await page.evaluate("axe.run()")) as {
            violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
          };
          const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
          expect(serious.map(({ id, nodes }) => [view, id, nodes[0]?.html, nodes[0]?.failureSummary])).toEqual([]);
        }
      },
      { mock: running, viewport: { width, height: 844 }, colorScheme: width === 390 ? "dark" : "light" },
    );
  },
);
