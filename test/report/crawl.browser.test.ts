/** The report of a crawl as a reader sees it: of a crawl whose pages do their worst. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { crawlReport, gatherContents } from "../../src/report/index.ts";
import { surveyOf } from "../../src/survey/index.ts";
import { startBrowser } from "../support/browser.ts";
import { makeCrawl, type ToldPage } from "./report-crawl.ts";

const HOSTILE = `</bdi></td><script>window.harmed=1</script><img src=x onerror="window.harmed=1">"'`;
const PAGES: readonly ToldPage[] = [
  { path: "/", title: HOSTILE, outcome: "downloaded", status: 200, links: [1, 2, 3, 4, 5, 6] },
  {
    path: "/'onmouseover='window.harmed=1",
    title: "\u202Edesrever",
    outcome: "downloaded",
    status: 200,
    links: [0, 2],
  },
  { path: `/${"deep/".repeat(100)}`, title: "t".repeat(3000), outcome: "dead", status: 404 },
  { path: "/a%22%3E%3Cscript%3E", outcome: "dead", reason: `dead:${HOSTILE}` },
  { path: "/private", outcome: "refused", reason: "robots" },
  { path: "/broken", outcome: "refused", reason: `failed:${HOSTILE}`, status: 503 },
  { path: "/later" },
];

let browser: Browser;
const directory = mkdtempSync(join(tmpdir(), "tidemark-report-"));

beforeAll(async () => {
  await writeReport("hostile", PAGES);
  await writeReport("empty", []);
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

async function writeReport(name: string, pages: readonly ToldPage[]): Promise<void> {
  const dir = join(directory, name);
  makeCrawl(dir, pages, {
    limits: { coverage: 0.9 },
    rereads: pages.length === 0 ? [] : [{ url: 1, outcome: "gone" }],
  });
  const survey = await surveyOf(dir);
  const options = { title: HOSTILE, subtitle: HOSTILE, commands: [{ purpose: HOSTILE, command: HOSTILE }] };
  writeFileSync(join(directory, `${name}.html`), crawlReport(gatherContents(dir, survey), options));
  survey.close();
}

/** Opens a report, does something with it, and fails on any console message, exception, or request but for the file. */
async function reading(
  name: "hostile" | "empty",
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const url = pathToFileURL(join(directory, `${name}.html`)).href;
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) complaints.push(request.url());
  });
  await page.goto(url);
  await use(page);
  expect(complaints).toEqual([]);
  await context.close();
}

test("hostile titles and URLs are shown as text and do nothing", async () => {
  await reading("hostile", {}, async (page) => {
    expect(await page.locator("h1").innerText()).toBe(HOSTILE);
    expect(await page.locator(".records .title").first().innerText()).toBe(HOSTILE);
    await page.locator(".records .url").nth(1).hover();
    expect(await page.evaluate("window.harmed")).toBeUndefined();
    expect(await page.locator("img, main script").count()).toBe(0);
    const links = (await page.evaluate("Array.from(document.links, (link) => link.href)")) as string[];
    expect(links.filter((link) => !/^(http:\/\/site\.test\/|file:.*#section-\d+$)/.test(link))).toEqual([]);
  });
});

test("the summary, every list and the numbers of a crawl are there", async () => {
  await reading("hostile", {}, async (page) => {
    expect(await page.locator(".hero h2").innerText()).toMatch(
      /^At least\s+\d+\.\d\d%\s+of all importance is covered$/,
    );
    const headings = await page.locator("main h2").allInnerTexts();
    expect(headings.slice(1)).toEqual([
      "The tide",
      "What is missing",
      "Most important pages",
      "Hosts",
      "Dead links",
      "Pages with broken links",
      "Redirects",
      "Duplicate pages",
      "What was not fetched, and why",
      "Pages read again",
      "Settings",
      "How to reproduce this",
    ]);
    expect(await page.locator("nav a").count()).toBe(headings.length);
    await page.getByRole("link", { name: "Dead links" }).click();
    expect(await page.locator("h2:target").innerText()).toBe("Dead links");
  });
});

test("the cursor reads coverage in percent", async () => {
  await reading("hostile", {}, async (page) => {
    await page.locator(".reader").focus();
    await page.keyboard.press("Home");
    expect(await page.locator(".legend caption").innerText()).toBe("Pages downloaded: 1");
    expect(await page.locator(".legend td").first().innerText()).toMatch(/^\d+\.\d\d%$/);
  });
});

test("a crawl that has not begun says so wherever a list would stand", async () => {
  await reading("empty", {}, async (page) => {
    const text = await page.locator("main").innerText();
    for (const words of [
      "No page yet",
      "Nothing is known about this web yet",
      "No page has been downloaded yet",
      "No dead link was found",
      "Every known URL was fetched or is waiting",
    ])
      expect(text).toContain(words);
  });
});

test.each([390, 768, 1280, 1920])("at %i pixels nothing sticks out of the page", async (width) => {
  for (const name of ["hostile", "empty"] as const) {
    await reading(name, { viewport: { width, height: 900 } }, async (page) => {
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    });
  }
});

test("on paper no table is wider than the page and no control is left", async () => {
  // A4 with margins of 14 mm, at 96 pixels an inch.
  await reading("hostile", { viewport: { width: 688, height: 1017 } }, async (page) => {
    await page.emulateMedia({ media: "print" });
    const wide =
      "Array.from(document.querySelectorAll('table, pre, svg, dl')).filter((each) => each.getBoundingClientRect().right > 689).length";
    expect(await page.evaluate(wide)).toBe(0);
    expect(await page.locator("nav:visible, .controls:visible").count()).toBe(0);
    const pdf = await page.pdf({ format: "A4" });
    const pages = pdf.toString("latin1").match(/\/Type \/Page\b(?!s)/g) ?? [];
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.length).toBeLessThan(8);
  });
});

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  test.each([390, 1280])("at %i pixels axe finds nothing serious", async (width) => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await reading("hostile", { colorScheme, viewport: { width, height: 900 } }, async (page) => {
      await page.evaluate(`${axe};0`);
      const { violations, passes } = (await page.evaluate("axe.run()")) as AxeResult;
      expect(passes.length).toBeGreaterThan(20);
      const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
    });
  });
});

interface AxeResult {
  readonly passes: readonly unknown[];
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
