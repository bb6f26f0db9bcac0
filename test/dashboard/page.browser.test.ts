/**
 * The dashboard's page in a real browser, before a server that invents a crawl: the tide, where the rest is, controls,
 * the shell.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startBrowser } from "../support/browser.ts";
import type { Scenario } from "./mock/crawl.ts";
import { type Mock, startMock } from "./page-mock.ts";

let browser: Browser;
const mocks: Mock[] = [];
const KNOWN = 100_000;

beforeAll(async () => {
  browser = await startBrowser();
});

afterEach(async () => {
  await Promise.all(mocks.splice(0).map((mock) => mock.close()));
});

afterAll(async () => {
  await browser?.close();
});

/** A crawl that stands still until `tick` is called. */
async function standing(scenario: Scenario): Promise<Mock> {
  const mock = await startMock({ scenario, known: KNOWN, tickMs: 0 });
  mocks.push(mock);
  return mock;
}

interface Visit {
  readonly options?: BrowserContextOptions;
  /** What the console may say because the test makes it so. */
  readonly allowed?: RegExp;
}

/** Opens a view, does something with it, and fails on any complaint or on a request that leaves the server. */
async function visiting(
  mock: Mock,
  route: string,
  use: (page: Page) => Promise<void>,
  { options = {}, allowed }: Visit = {},
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${mock.url}/`)) foreign.push(request.url());
  });
  await page.goto(`${mock.url}/${route}`);
  await page.locator("h1").waitFor();
  await use(page);
  expect(complaints.filter((complaint) => allowed?.test(complaint) !== true)).toEqual([]);
  expect(foreign).toEqual([]);
  await context.close();
}

const focused = (page: Page) => page.evaluate("document.activeElement.textContent");
const heading = (page: Page) => page.locator("h1").innerText();
const reading = async (page: Page) => (await page.locator(".reading dd").allInnerTexts()).slice(0, 2);
const fixed = (mock: Mock, coverage: number) =>
  Object.defineProperty(mock.crawl, "coverage", { get: () => coverage, configurable: true });

describe("the tide", () => {
  test("says in a sentence what is covered, and never rounds it up", async () => {
    const mock = await standing("running");
    fixed(mock, 0.959_999);
    mock.crawl.pages = 12_430;
    await visiting(mock, "", async (page) => {
      await expect.poll(() => heading(page)).toBe("At least 95.99% of all importance is covered, by 12,430 pages");
      expect(await page.locator(".coverage-now").innerText()).toContain("95.99%");
      expect(await page.title()).toBe("95.99% · Tide · example-org · Tidemark");
    });
  });

  test("rises as the crawl goes on", async () => {
    const mock = await standing("running");
    await visiting(mock, "", async (page) => {
      const before = mock.crawl.pages;
      expect((await reading(page))[0]).toBe(before.toLocaleString("en-US"));
      mock.tick();
      const after = (before + 38).toLocaleString("en-US");
      await expect.poll(async () => (await reading(page))[0]).toBe(after);
      await expect.poll(() => heading(page)).toContain(`by ${after} pages`);
    });
  });

  test("is requested again once more points came than are kept", async () => {
    const mock = await standing("ended");
    await visiting(mock, "", async (page) => {
      const { points } = mock.crawl.tide();
      const [pages, atMs, certified] = points.at(-1)!;
      const more = (count: number) =>
        Array.from({ length: count }, (_, index) => [pages + 1 + index, atMs + index, certified, null, null]);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      mock.send("tide", more(8000 - points.length));
      const kept = (pages + 8000 - points.length).toLocaleString("en-US");
      await expect.poll(async () => (await reading(page))[0]).toBe(kept);
      expect(asked).not.toContain("/api/tide");
      mock.send("tide", more(8001 - points.length));
      await expect.poll(() => asked).toContain("/api/tide");
      await expect.poll(async () => (await reading(page))[0]).toBe(pages.toLocaleString("en-US"));
    });
  });

  test("reads the bound that holds under the mouse, and the last one when it leaves", async () => {
    const mock = await standing("ended");
    const { points } = mock.crawl.tide();
    const last = points.at(-1)!;
    await visiting(mock, "", async (page) => {
      const box = (await page.locator(".u-over").boundingBox())!;
      const at = 0.4 * last[0];
      await page.mouse.move(box.x + 10, box.y + 40);
      await page.mouse.move(box.x + (box.width * at) / last[0], box.y + 40, { steps: 4 });
      const before = points.findLast(([pages]) => pages <= at + last[0] / box.width)!;
      await expect.poll(() => reading(page)).toEqual([before[0].toLocaleString("en-US"), cut(before[2])]);
      await page.mouse.move(5, 5, { steps: 3 });
      await expect.poll(() => reading(page)).toEqual([last[0].toLocaleString("en-US"), cut(last[2])]);
    });
  });

  test("is read point by point with the keyboard, and has its numbers as a table", async () => {
    const mock = await standing("ended");
    const { points } = mock.crawl.tide();
    await visiting(mock, "", async (page) => {
      const reader = page.getByRole("slider", { name: "Read the chart" });
      await reader.focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      expect(await reading(page)).toEqual([String(points[1][0]), cut(points[1][2])]);
      expect(await reader.getAttribute("aria-valuetext")).toContain(`at least ${cut(points[1][2])} certified`);
      await page.getByText("The numbers of this chart").click();
      const rows = page.locator(".numbers tbody tr");
      expect(await rows.count()).toBe(20);
      expect(await rows.last().locator("td").nth(2).innerText()).toBe(cut(points.at(-1)![2]));
    });
  });

  test("shows what sampling shows beside the proof, in its own colour, by keyboard and in the table", async () => {
    const mock = await standing("sampled");
    await visiting(mock, "", async (page) => {
      const key = page.locator(".key-sampled");
      await expect.poll(() => key.innerText()).toBe("Sampled coverage, confidence 99.9%");
      expect(await page.locator(".tide-panel").innerText()).not.toMatch(/sampl[^.]*(proven|certain)/i);
      const shown = page.locator(".reading .sampled");
      expect(await shown.innerText()).toBe("94.00%");
      const colour = (selector: string) =>
        page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).color`);
      expect(await colour(".reading .sampled")).not.toBe(await colour(".reading .certified"));
      expect(await colour(".reading .sampled")).toBe(await colour(".tile.sampled dd"));
      const reader = page.getByLabel("Read the chart point by point");
      await reader.focus();
      expect(await reader.getAttribute("aria-valuetext")).toContain("sampled 94.00%");
      await page.keyboard.press("Home");
      // Nothing was shown by then.
      await expect.poll(() => reader.getAttribute("aria-valuetext")).not.toContain("sampled");
      await page.locator(".numbers summary").click();
      const last = async (row: string) => (await page.locator(`.numbers ${row} > *`).allInnerTexts()).at(-1);
      expect(await last("thead tr")).toBe("Sampled");
      expect(await last("tbody tr:first-child")).toBe("–");
      expect(await last("tbody tr:last-child")).toBe("94.00%");
      // The last point may change without another page.
      const { points } = mock.crawl.tide();
      const [pages, atMs, certified, guaranteed] = points.at(-1)!;
      mock.send("tide", [[pages, atMs, certified, guaranteed, 0.95]]);
      await expect.poll(() => last("tbody tr:last-child")).toBe("95.00%");
    });
    await visiting(await standing("running"), "", async (page) => {
      await page.locator(".reading").waitFor();
      expect(await page.locator(".tide-panel").innerText()).not.toContain("Sampled");
    });
  });

  test("has tiles for the coverage of value and of samples where there are any, and no block without a tile", async () => {
    await visiting(await standing("sampled"), "", async (page) => {
      const tiles = page.locator(".tiles");
      expect(await tiles.innerText()).toContain("By value\n81.59%");
      expect(await tiles.innerText()).toContain("Sampled\n94.00%");
      const [place, tile] = await Promise.all(
        [".tiles", ".panel"].map((selector) =>
          page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`),
        ),
      );
      expect(place).toBe(tile);
    });
    await visiting(await standing("running"), "", async (page) => {
      await page.locator(".tiles").waitFor();
      expect(await page.locator(".tiles").innerText()).not.toMatch(/By value|Sampled/);
    });
  });

  test("stands where its axes say, in full and in the tail", async () => {
    const mock = await standing("ended");
    await visiting(mock, "", async (page) => {
      const share = async (): Promise<number> => {
        const box = (await page.locator(".u-over").boundingBox())!;
        const dot = (await page.locator(".now").boundingBox())!;
        return 1 - (dot.y + dot.height / 2 - box.y) / box.height;
      };
      const covered = mock.crawl.tide().points.at(-1)![2];
      await expect.poll(share).toBeCloseTo(covered, 1);
      expect(Math.abs((await share()) - covered)).toBeLessThan(0.01);
      await page.getByLabel("Tail").check();
      // The target of 95% puts 99% at the top: two nines.
      const inTail = -Math.log10(1 - covered) / 2;
      await expect.poll(async () => Math.abs((await share()) - inTail) < 0.01).toBe(true);
      await page.getByLabel("Time").check();
      await expect.poll(async () => Math.abs((await share()) - inTail) < 0.01).toBe(true);
    });
  });

  test("is drawn anew when light turns into dark, and when its place changes", async () => {
    const mock = await standing("ended");
    await visiting(mock, "", async (page) => {
      await page.locator(".tide canvas").first().waitFor();
      const picture = () => page.evaluate("document.querySelector('.tide canvas').toDataURL()");
      const light = await picture();
      await page.emulateMedia({ colorScheme: "dark" });
      await expect.poll(picture).not.toBe(light);
      await page.setViewportSize({ width: 700, height: 900 });
      await expect
        .poll(() => page.evaluate("document.querySelector('.tide canvas').getBoundingClientRect().width"))
        .toBeLessThan(700);
    });
  });

  test("says when the target will be reached, and nothing of it once the crawl is paused", async () => {
    const mock = await standing("running");
    await visiting(mock, "", async (page) => {
      expect(await page.locator(".lead").innerText()).toMatch(
        /^At the current rate, the crawl reaches its target of 95% in about \d+ (s|min), at \d\d:\d\d, with about [\d,]+ pages\./,
      );
      expect(await page.locator(".key-projected").count()).toBe(1);
      mock.crawl.control({ action: "pause" });
      mock.tick();
      await page.locator(".lead", { hasText: "The crawl is paused" }).waitFor();
      expect(await page.locator(".key-projected").count()).toBe(0);
    });
  });

  test("says that the target is out of reach, why, and what to do; it draws the ceiling and forecasts nothing", async () => {
    await visiting(await standing("capped"), "", async (page) => {
      await expect.poll(() => heading(page)).toContain("At least 75.00% of what may be fetched is covered");
      expect(await page.locator(".beside").innerText()).toBe("60.00% if forbidden and dead pages count as the worst");
      await expect
        .poll(() => page.locator(".warning").innerText())
        .toBe(
          "The target of 95% is out of reach: at most 85.30% can be reached; 14.7% could not be fetched. Look at the " +
            "pages to see what happened. A refresh tries them again after an hour. If they are not wanted, start a " +
            "crawl with --exclude. What is missing",
        );
      expect(await page.locator(".key li").allInnerTexts()).toEqual([
        "Certified coverage",
        "Bound while crawling",
        "Target",
        "Ceiling",
      ]);
      const tile = (name: string) => page.locator(".tile", { hasText: name }).locator("dd").innerText();
      expect(await tile("Strict")).toBe("60.00%\nif everything counts");
      expect(await tile("Ceiling")).toBe("85.30%\nat most reachable");
      expect(await tile("ETA")).toBe("–\ntarget out of reach");
    });
  });

  test("of a crawl that has ended says what its report says, and what to do next", async () => {
    const mock = await standing("ended");
    fixed(mock, 0.95);
    await visiting(mock, "", async (page) => {
      await expect
        .poll(() => page.locator(".lead").allInnerTexts())
        .toEqual([
          expect.stringMatching(
            / were downloaded, from 2,500 hosts, .* The crawl stopped because it reached its target/,
          ),
          "Most of what is missing (at most 2.90%) is waiting to be fetched. Resume the crawl with a higher target. " +
            "The most important pages come first.",
          "Coverage is measured over all pages of the domain example.org, forbidden and dead ones included " +
            "(--universe scope), as seen from 1 seed.",
        ]);
      expect(await page.locator(".next-steps code").allInnerTexts()).toEqual([
        "tidemark crawl --dir example-org --coverage 0.975",
        "tidemark coverage example-org",
        "tidemark export example-org --format csv --out pages.csv",
      ]);
    });
  });

  test("of a crawl in which nothing may be fetched says why", async () => {
    const why =
      "Coverage is 0%, because nothing may be fetched: all that the seeds lead to is forbidden by robots.txt. " +
      "Tidemark obeys. Only the site owner can change this.";
    await visiting(await standing("forbidden"), "", async (page) => {
      await expect.poll(() => heading(page)).toBe("No page could be fetched");
      await page.locator(".lead", { hasText: why }).waitFor();
      await page.locator(".empty", { hasText: why }).waitFor();
      await page.goto(`${new URL("#/missing", page.url())}`);
      await page.locator(".empty", { hasText: why }).waitFor();
      expect(await page.locator(".outside .shares li").innerText()).toContain("at most 100.00%");
    });
  });

  test("claims nothing of an old crawl that is not counted yet", async () => {
    const mock = await standing("unsurveyed");
    const overview = mock.crawl.overview();
    const status = { ...overview.status, pages: 0, coverage: 0 };
    mock.crawl.overview = () => ({ ...overview, state: "ended", controllable: false, status });
    await visiting(mock, "", async (page) => {
      await expect.poll(() => heading(page)).toBe("Coverage is being computed");
      expect(await page.getByText("0.00%").count()).toBe(0);
      expect(await page.title()).toBe("Tide · example-org · Tidemark");
    });
  });

  test("before the first page says what is awaited", async () => {
    await visiting(await standing("empty"), "", async (page) => {
      await expect.poll(() => heading(page)).toBe("No page has been fetched yet");
      await page.getByText("The tide has not risen yet").waitFor();
    });
  });

  test("of a crawl that ended without a page says so, and where to look", async () => {
    await visiting(await standing("lost"), "", async (page) => {
      await expect.poll(() => heading(page)).toBe("No page could be fetched");
      await page.getByText("The tide never rose").waitFor();
      await page.locator(".empty").getByRole("link", { name: "what is missing" }).click();
      await page.getByRole("heading", { name: "At most 100.00%" }).waitFor();
      const dead = await page.locator(".shares li").innerText();
      expect(dead).toContain("Dead seed");
      expect(dead).toContain("Check the address of the seed");
      expect(dead).not.toContain("linking pages");
    });
  });

  test("says of what moment the missing shares are, while the crawl continues", async () => {
    const mock = await standing("running");
    fixed(mock, 0.92);
    await visiting(mock, "", async (page) => {
      const note = page.locator(".as-of");
      await expect.poll(() => note.innerText()).toMatch(/^As of .*, with at least 92\.00% covered$/);
      const before = await note.innerText();
      fixed(mock, 0.93);
      mock.tick();
      await expect.poll(() => heading(page)).toContain("93.00%");
      expect(await note.innerText()).toBe(before);
      mock.resurvey();
      await expect.poll(() => note.innerText()).toContain("at least 93.00%");
    });
    await visiting(await standing("ended"), "", async (page) => {
      await page.locator(".bar-row").first().waitFor();
      expect(await page.locator(".as-of").count()).toBe(0);
    });
  });
});

describe("where the missing importance is", () => {
  test("is looked into from reasons to hosts to pages, and back", async () => {
    const mock = await standing("ended");
    fixed(mock, 0.95);
    await visiting(mock, "#/missing", async (page) => {
      await expect.poll(() => heading(page)).toBe("At most 5.00% of all importance is missing");
      await page.locator(".cell-parent .cell-name", { hasText: "Forbidden by robots.txt" }).click();
      // 17% of the missing 5%.
      await expect.poll(() => heading(page)).toBe("Forbidden by robots.txt: at most 0.850% of all importance");
      expect(new URL(page.url()).hash).toBe("#/missing?reason=robots");
      await page.locator(".shares a", { hasText: "www.example.org" }).first().click();
      await expect.poll(() => heading(page)).toBe("Forbidden by robots.txt on www.example.org");
      await page.locator(".shares li").first().waitFor();
      await page.getByRole("navigation", { name: "Path" }).getByText("All reasons").click();
      await expect.poll(() => heading(page)).toBe("At most 5.00% of all importance is missing");
      await page.goBack();
      await expect.poll(() => heading(page)).toBe("Forbidden by robots.txt on www.example.org");
    });
  });

  test("leads to the pages of a reason, and to those of a host", async () => {
    const mock = await standing("ended");
    await visiting(mock, "#/missing", async (page) => {
      const reason = page.locator(".shares li", { hasText: "Dead links" });
      expect(await reason.getByRole("link", { name: "pages" }).getAttribute("href")).toBe("#/pages?reason=dead");
      await reason.getByRole("link", { name: "Dead links" }).click();
      const host = page.locator(".shares-tight li").first();
      expect(await host.getByRole("link", { name: "pages" }).getAttribute("href")).toBe(
        "#/pages?reason=dead&host=www.example.org",
      );
    });
  });

  test("draws areas in proportion to what is missing", async () => {
    const mock = await standing("ended");
    await visiting(mock, "#/missing?reason=robots", async (page) => {
      const [first, second] = mock.crawl.missing().reasons.find(({ reason }) => reason === "robots")!.hosts;
      const area = async (name: string): Promise<number> => {
        const box = (await page.locator(`.cell[title^="${name}"]`).boundingBox())!;
        return box.width * box.height;
      };
      const ratio = (await area(first.host)) / (await area(second.host));
      expect(ratio / (first.mass / second.mass)).toBeGreaterThan(0.9);
      expect(ratio / (first.mass / second.mass)).toBeLessThan(1.1);
    });
  });

  test("lists the first hosts, and all on request", async () => {
    await visiting(await standing("ended"), "#/missing?reason=not-fetched", async (page) => {
      const rows = page.locator(".shares li");
      await expect.poll(() => rows.count()).toBe(25);
      // 58% of 400 hosts.
      await page.getByRole("button", { name: "Show all 232 hosts" }).click();
      await expect.poll(() => rows.count()).toBe(232);
    });
  });

  test("shows hostile addresses as text", async () => {
    const mock = await standing("ended");
    await visiting(mock, "#/missing?reason=not-fetched&host=www.example.org", async (page) => {
      await page.locator(".share-name", { hasText: "onerror" }).first().waitFor();
      expect(await page.locator("main img, main script").count()).toBe(0);
      expect(await page.evaluate("window.harmed")).toBeUndefined();
    });
  });

  test("is not requested before the survey, whose progress is shown, and appears by itself", async () => {
    const mock = await standing("unsurveyed");
    await visiting(mock, "#/missing", async (page) => {
      await page.getByText("0 of 1,240,000 visits").waitFor();
      mock.tick();
      await page.getByText("60,000 of 1,240,000 visits").waitFor();
      Object.defineProperty(mock.crawl, "surveying", { get: () => null });
      mock.tick();
      await page.getByRole("heading", { name: "of all importance is missing" }).waitFor();
    });
  });

  test("follows the newest survey", async () => {
    const mock = await standing("ended");
    fixed(mock, 0.9);
    await visiting(mock, "#/missing", async (page) => {
      await page.getByText("At most 10.00%").waitFor();
      fixed(mock, 0.92);
      mock.resurvey();
      await page.getByText("At most 8.00%").waitFor();
    });
  });

  test("is of one moment, heading and list, whatever the crawl did since", async () => {
    const mock = await standing("running");
    fixed(mock, 0.9);
    await visiting(mock, "#/missing", async (page) => {
      await page.getByText("At most 10.00%").waitFor();
      fixed(mock, 0.93);
      mock.tick();
      await page.locator(".coverage-now", { hasText: "93.00%" }).waitFor();
      expect(await heading(page)).toContain("At most 10.00%");
      // 58% of the missing 10%.
      expect(await page.locator(".shares li").first().innerText()).toContain("5.80%");
      expect(await page.locator(".as-of").innerText()).toContain("with at least 90.00% covered");
    });
  });

  test("fits into a low window, and cuts no name down to a few letters", async () => {
    const options = { viewport: { width: 1280, height: 800 } };
    await visiting(
      await standing("running"),
      "#/missing",
      async (page) => {
        const box = (await page.locator(".treemap").boundingBox())!;
        expect(box.y + box.height).toBeLessThan(800);
        const seen = await page.locator(".cell-name").evaluateAll((names) =>
          names.map(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => ({
            isCut: scrollWidth > clientWidth || scrollHeight > clientHeight + 4,
            clientWidth,
          })),
        );
        expect(seen.length).toBeGreaterThan(5);
        for (const { isCut, clientWidth } of seen) if (isCut) expect(clientWidth).toBeGreaterThan(70);
      },
      { options },
    );
  });

  test("lists what is left out apart, with the most that it could hold, and leads to its hosts and pages", async () => {
    await visiting(await standing("capped"), "#/missing", async (page) => {
      await expect.poll(() => heading(page)).toBe("At most 25.00% of what may be fetched is missing");
      expect(await page.locator(".missing .share-head .number").allInnerTexts()).toEqual([
        "at most 14.70%",
        "at most 10.30%",
      ]);
      await page.getByRole("heading", { name: "Left out: not part of what may be fetched" }).waitFor();
      expect(await page.locator(".outside .share-head").allInnerTexts()).toEqual([
        "Forbidden by robots.txt\nat most 20.00%",
        "Forbidden by the server\nat most 5.00%",
        "Dead links\nat most 1.00%",
      ]);
      const first = page.locator(".outside .shares li").first();
      expect(await first.getByRole("link", { name: "3 pages" }).getAttribute("href")).toBe("#/pages?reason=robots");
      await first.getByRole("link", { name: "Forbidden by robots.txt" }).click();
      await expect.poll(() => heading(page)).toBe("Forbidden by robots.txt: at most 20.00% of everything");
    });
  });

  test("says so where nothing is missing", async () => {
    await visiting(await standing("complete"), "#/missing", async (page) => {
      await expect.poll(() => heading(page)).toBe("Nothing is missing");
    });
  });
});

describe("controls", () => {
  test("pause, and resume, by the same key in the same place", async () => {
    const mock = await standing("running");
    await visiting(mock, "", async (page) => {
      await page.getByRole("button", { name: "Pause" }).press("Enter");
      await page.locator(".state", { hasText: "Paused" }).waitFor();
      expect(await focused(page)).toBe("Resume");
      await page.keyboard.press("Enter");
      await page.locator(".state", { hasText: "Running" }).waitFor();
      expect(await focused(page)).toBe("Pause");
      expect(mock.controls).toEqual([{ action: "pause" }, { action: "resume" }]);
    });
  });

  test("stop only after a second thought", async () => {
    const mock = await standing("running");
    await visiting(mock, "", async (page) => {
      const stop = page.getByRole("button", { name: "Stop…" });
      await stop.click();
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Keep crawling");
      await page.keyboard.press("Enter");
      await stop.click();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(mock.controls).toEqual([]);
      await stop.click();
      await page.getByRole("button", { name: "Stop the crawl" }).click();
      await page.locator(".state", { hasText: "Stopping" }).waitFor();
      mock.tick();
      await page.getByText("The user interrupted the crawl").first().waitFor();
      expect(await page.getByRole("button", { name: "Stop…" }).count()).toBe(0);
      expect(mock.controls).toEqual([{ action: "stop" }]);
    });
  });

  test("change what differs, take away what is emptied, and refuse what is no limit", async () => {
    const mock = await standing("running");
    await visiting(mock, "", async (page) => {
      await page.getByRole("button", { name: "Limits…" }).click();
      const target = page.getByRole("textbox", { name: "Target" });
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("limit-coverage");
      expect(await target.inputValue()).toBe("95");
      await target.fill("105");
      await target.press("Enter");
      await page.getByText('"105" is not a number above 0 and at most 100.').waitFor();
      expect(await target.getAttribute("aria-invalid")).toBe("true");
      expect(mock.controls).toEqual([]);
      await target.fill("97.5 %");
      await page.getByRole("textbox", { name: "Depth" }).fill("");
      await page.getByRole("textbox", { name: "Time" }).fill("90");
      await page.getByRole("button", { name: "Change limits" }).click();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(mock.controls).toEqual([
        { action: "limits", limits: { coverage: 0.975, depth: null, timeMs: 5_400_000 } },
      ]);
      await page.getByText("its target of 97.5%").waitFor();
    });
  });

  test("ask whether a target of one or less is a share, and change nothing until then", async () => {
    const mock = await standing("running");
    await visiting(mock, "", async (page) => {
      await page.getByRole("button", { name: "Limits…" }).click();
      const target = page.getByRole("textbox", { name: "Target" });
      await target.fill("0.96");
      await target.press("Enter");
      await page.getByRole("alert").filter({ hasText: "Did you mean 96%?" }).waitFor();
      expect(await page.getByRole("alert").innerText()).toContain("For 0.96%, type 0.96%");
      expect(mock.controls).toEqual([]);
    });
  });

  test("that would end the crawl at once are sent only after a second thought", async () => {
    const mock = await standing("running");
    fixed(mock, 0.92);
    await visiting(mock, "", async (page) => {
      await page.getByRole("button", { name: "Limits…" }).click();
      const target = page.getByRole("textbox", { name: "Target" });
      await target.fill("90");
      await target.press("Enter");
      const question = page.getByRole("alert");
      await question.filter({ hasText: "The crawl has reached this already. It would end at once." }).waitFor();
      expect(await question.innerText()).toContain("A target of 90%: at least 92.00% is covered.");
      // A key pressed twice leads back, to what was written.
      await page.keyboard.press("Enter");
      await expect.poll(() => target.inputValue()).toBe("90");
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("limit-coverage");
      expect(mock.controls).toEqual([]);
      await page.getByRole("button", { name: "Change limits" }).click();
      await page.getByRole("button", { name: "End the crawl" }).click();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(mock.controls).toEqual([{ action: "limits", limits: { coverage: 0.9 } }]);
    });
  });

  test("show what the crawl has against a change", async () => {
    const mock = await standing("running");
    await visiting(
      mock,
      "",
      async (page) => {
        await page.getByRole("button", { name: "Limits…" }).click();
        await page.getByRole("textbox", { name: "Pages over all runs" }).fill("10");
        await page.getByRole("button", { name: "Change limits" }).click();
        await page.getByRole("button", { name: "End the crawl" }).click();
        await page.getByRole("alert").filter({ hasText: "The page limit 10 is below" }).waitFor();
        expect(await page.getByRole("dialog").isVisible()).toBe(true);
      },
      { allowed: /status of 409/ },
    );
  });

  test("are not there for a crawl that is not run here", async () => {
    for (const scenario of ["ended", "elsewhere"] as const) {
      await visiting(await standing(scenario), "", async (page) => {
        expect(await page.getByRole("group", { name: "Controls of the crawl" }).count()).toBe(0);
      });
    }
  });
});

describe("the shell", () => {
  test("says that the server is lost, finds it again, and shows what is new", async () => {
    const mock = await standing("running");
    await visiting(
      mock,
      "",
      async (page) => {
        mocks.splice(0);
        await mock.close();
        await page.getByText("Connection lost. Reconnecting").waitFor();
        const again = await startMock({ scenario: "ended", known: KNOWN, tickMs: 0, port: mock.port });
        mocks.push(again);
        await page.locator(".state", { hasText: "Ended" }).waitFor();
        expect(await page.getByText("Connection lost").count()).toBe(0);
        await expect.poll(async () => (await reading(page))[0]).toBe(again.crawl.pages.toLocaleString("en-US"));
      },
      { allowed: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/ },
    );
  });

  test("leads the keyboard past itself, and to the top of a new view", async () => {
    await visiting(await standing("ended"), "", async (page) => {
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
      await page.getByRole("link", { name: "Missing" }).press("Enter");
      await page.getByRole("heading", { name: "is missing" }).waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
      expect(await page.locator("nav [aria-current=page]").first().innerText()).toBe("Missing");
    });
  });

  test("says of addresses that cannot be understood that there is no such view, and leads on", async () => {
    await visiting(await standing("ended"), "#/nonsense", async (page) => {
      for (const hash of ["#/page/-1", "#/missing", "#/page/1e9x", "#/", "#/nonsense?reason=robots"]) {
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
        const expected = { "#/missing": /^At most/, "#/": /^At least/ }[hash] ?? /^No such view$/;
        await expect.poll(() => heading(page)).toMatch(expected);
      }
      expect(await page.locator("main").innerText()).toContain("#/nonsense?reason=robots");
      expect(await page.title()).toMatch(/ · No such view · /);
      await page.getByRole("link", { name: "the tide", exact: true }).click();
      await expect.poll(() => heading(page)).toMatch(/^At least/);
    });
  });

  test("loads less than 150 KB of script", () => {
    const folder = "dist/dashboard/page/assets";
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
    const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
    expect(scripts.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(150_000);
  });
});

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test.each([
  ["running", "", "light", 1920],
  ["running", "", "dark", 390],
  ["running", "#/missing", "light", 390],
  ["running", "#/missing", "dark", 1920],
  ["ended", "#/missing?reason=robots", "light", 1280],
  ["empty", "", "dark", 1280],
  ["capped", "", "light", 390],
  ["capped", "#/missing", "dark", 390],
  ["ended", "", "dark", 1280],
  ["unsurveyed", "#/missing", "light", 390],
] as const)(
  "axe finds nothing serious in %s %s, %s, and at %i pixels nothing sticks out",
  async (scenario, route, colorScheme, width) => {
    const options = { colorScheme, viewport: { width, height: 900 } };
    await visiting(
      await standing(scenario),
      route,
      async (page) => {
        await page.locator("main .panel").first().waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        await page.evaluate(`${axe};0`);
        const { violations, passes } = (await page.evaluate("axe.run()")) as AxeResult;
        expect(passes.length).toBeGreaterThan(15);
        const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
      },
      { options },
    );
  },
);

interface AxeResult {
  readonly passes: readonly unknown[];
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** A share as people read it, by another way than the page's: whole hundredths of a percent. */
function cut(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`;
}
