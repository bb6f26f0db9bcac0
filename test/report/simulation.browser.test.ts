import { formatCount, formatCoverage } from "../../src/base/index.ts";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderChartSvg } from "../../src/report/index.ts";
import { startBrowser } from "../support/browser.ts";
import { namedChart, sampleReport } from "../support/sample-report.ts";
import { sampleSimulation } from "../support/sample-simulation.ts";

const simulation = sampleSimulation(4, 60);
const lastDownload = Math.max(...simulation.runs.map((run) => run.downloads));
const hostile = `</script><script>window.harmed=1</script><img src=x onerror="window.harmed=1">"'`;

let browser: Browser;
const directory = mkdtempSync(join(tmpdir(), "tidemark-report-"));

beforeAll(async () => {
  writeFileSync(join(directory, "plain.html"), sampleReport(simulation, "windowed:5"));
  writeFileSync(join(directory, "hostile.html"), sampleReport(simulation, hostile));
  const picture = renderChartSvg(namedChart(simulation, `${hostile}\u0000\u001B\uD800&nbsp;]]>`));
  writeFileSync(join(directory, "hostile.svg"), picture);
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

/** Opens a report, does something with it, and fails on any console message, exception, or request but for the file. */
async function reading(
  file: "plain.html" | "hostile.html" | "hostile.svg",
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  const url = pathToFileURL(join(directory, file)).href;
  await page.goto(url);
  await use(page);
  expect(complaints).toEqual([]);
  expect(requests.filter((request) => request !== url && !request.startsWith("data:"))).toEqual([]);
  await context.close();
}

/** Moves the mouse over the plot to where `downloads` stand on the logarithmic axis. */
async function pointAt(page: Page, downloads: number): Promise<void> {
  const box = (await page.locator(".plot:visible > svg .curves").boundingBox())!;
  const share = Math.log10(downloads) / Math.log10(lastDownload);
  await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
}

const row = (page: Page, order: string) => page.locator(".legend tbody tr").filter({ hasText: order }).first();
const caption = (page: Page) => page.locator(".legend caption").innerText();

describe("cursor", () => {
  test("reads the values of all curves under the mouse, and gives back the last ones when it leaves", async () => {
    await reading("plain.html", {}, async (page) => {
      const atEnd = await row(page, "fpr").locator("td").allInnerTexts();
      expect(atEnd.slice(0, 3)).toEqual([
        formatCoverage(simulation.runs[2].final.actual),
        "–",
        formatCoverage(simulation.runs[2].final.certified),
      ]);
      for (const index of [12, 30, 45]) {
        const downloads = simulation.runs[0].curve[index][0];
        await pointAt(page, downloads);
        expect(await caption(page)).toBe(`Downloads: ${formatCount(downloads)}`);
        for (const run of simulation.runs.slice(0, 3)) {
          const point = run.curve.find(([n]) => n === downloads)!;
          const shown = await row(page, run.order).locator("td").allInnerTexts();
          expect(shown.slice(0, 3)).toEqual(
            point.slice(1).map((value) => (value === null ? "–" : formatCoverage(value))),
          );
        }
      }
      await page.mouse.move(5, 5);
      expect(await caption(page)).toBe("At the end of each curve");
      expect(await row(page, "fpr").locator("td").allInnerTexts()).toEqual(atEnd);
    });
  });

  test("lies on the curve, on every pair of axes", async () => {
    const [downloads, actual] = simulation.runs[0].curve[40];
    const nines = -Math.log10(1 - actual) / 3;
    const shares = {
      linear: downloads / lastDownload,
      log: Math.log10(downloads) / Math.log10(lastDownload),
    };
    await reading("plain.html", {}, async (page) => {
      await page.locator(".reader").focus();
      await page.keyboard.press("Home");
      for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowRight");
      expect(await caption(page)).toBe(`Downloads: ${formatCount(downloads)}`);
      for (const [x, left] of Object.entries(shares)) {
        for (const [y, height] of Object.entries({ linear: actual, log: nines })) {
          await page.locator(`.x-${x}`).check({ force: true });
          await page.locator(`.y-${y}`).check({ force: true });
          await page.locator(".reader").press("ArrowLeft");
          await page.locator(".reader").press("ArrowRight");
          const dot = page.locator(".plot:visible .cursor circle").first();
          expect(Number.parseFloat((await dot.getAttribute("cx"))!)).toBeCloseTo(100 * left, 2);
          expect(Number.parseFloat((await dot.getAttribute("cy"))!)).toBeCloseTo(100 - 100 * height, 2);
        }
      }
    });
  });

  test("follows a finger and stays where it was lifted", async () => {
    await reading("plain.html", { hasTouch: true, viewport: { width: 390, height: 844 } }, async (page) => {
      const box = (await page.locator(".plot:visible > svg .curves").boundingBox())!;
      await page.touchscreen.tap(box.x + box.width / 2, box.y + 20);
      const middle = Math.sqrt(lastDownload);
      const read = Number((await caption(page)).replace("Downloads: ", "").replaceAll(",", ""));
      expect(read / middle).toBeGreaterThan(0.85);
      expect(read / middle).toBeLessThan(1.15);
    });
  });
});

describe("legend", () => {
  const visible = (page: Page) => page.locator(".plot:visible .curves path:visible").count();

  test("hides and shows the curves of an order or of a measure", async () => {
    await reading("plain.html", {}, async (page) => {
      const all = await visible(page);
      // Four orders, three of them with a guarantee of their own, and one curve that only this sample has.
      expect(all).toBe(4 * 2 + 3 + 1);
      const order = page.getByRole("button", { name: "fpr" });
      await order.click();
      expect(await order.getAttribute("aria-pressed")).toBe("false");
      expect(await visible(page)).toBe(all - 2);
      const measure = page.getByRole("button", { name: "guaranteed" });
      await measure.press("Enter");
      expect(await visible(page)).toBe(all - 2 - 3);
      await order.click();
      await measure.click();
      expect(await visible(page)).toBe(all);
    });
  });

  test("lifts out the curves of the entry that is pointed at", async () => {
    await reading("plain.html", {}, async (page) => {
      await page.getByRole("button", { name: "fpr" }).hover();
      expect(await page.locator(".plot:visible .curves path.lit").count()).toBe(2);
      await page.mouse.move(5, 5);
      expect(await page.locator(".lit").count()).toBe(0);
    });
  });
});

test("without a script the picture is there, axes can be changed, and all curves are named", async () => {
  await reading("plain.html", { javaScriptEnabled: false }, async (page) => {
    const ticks = page.locator(".plot:visible .labels text");
    expect(await page.locator(".plot:visible").count()).toBe(1);
    expect(await ticks.allTextContents()).not.toContain("0.99");
    await page.getByLabel("Tail").check();
    expect(await page.locator(".plot:visible").count()).toBe(1);
    expect(await ticks.allTextContents()).toContain("0.99");
    expect(await row(page, "rankmass").innerText()).toContain(formatCoverage(simulation.runs[0].final.certified));
  });
});

test.each([390, 768, 1280, 1920])("at %i pixels nothing sticks out of the page", async (width) => {
  for (const file of ["plain.html", "hostile.html"] as const) {
    await reading(file, { viewport: { width, height: 900 } }, async (page) => {
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    });
  }
});

test("hostile text is shown as text", async () => {
  await reading("hostile.html", {}, async (page) => {
    await pointAt(page, 100);
    await page.getByRole("button", { name: "window.harmed" }).first().click();
    expect(await page.evaluate("window.harmed")).toBeUndefined();
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("h1").innerText()).toBe(hostile);
    expect(await page.title()).toBe(`${hostile} · Tidemark`);
  });
});

test("a picture with hostile names is well-formed XML and harmless", async () => {
  await reading("hostile.svg", {}, async (page) => {
    expect(await page.evaluate("document.documentElement.nodeName")).toBe("svg");
    expect(await page.locator("parsererror, script, img").count()).toBe(0);
    expect(await page.locator("text.title").textContent()).toContain(hostile);
  });
});

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  test.each([390, 1280])("at %i pixels axe finds nothing serious", async (width) => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await reading("plain.html", { colorScheme, viewport: { width, height: 900 } }, async (page) => {
      await page.getByText("The numbers of this chart").click();
      await page.getByRole("button", { name: "fpr" }).click();
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
