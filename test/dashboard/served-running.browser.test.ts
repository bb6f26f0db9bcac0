/** A crawl that runs with `--serve`, watched and steered from a real browser. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type DemoServer, startDemoServer } from "../../src/demo/index.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { SEED } from "../cli/demo-web.ts";
import { eventually, go, graveProblems, isWithinWindow, settled, Visitor } from "./support/visitor.ts";
import { type Running, Workshop } from "./support/workshop.ts";

let visitor: Visitor;
let web: DemoServer;
let workshop: Workshop;

beforeAll(async () => {
  [visitor, web] = await Promise.all([Visitor.arrive(), startDemoServer()]);
});
beforeEach(() => {
  workshop = new Workshop();
});
afterEach(() => workshop.close());
afterAll(async () => {
  await Promise.all([visitor?.leave(), web?.close()]);
});

/** Four requests a second on each of eight hosts: all of it would take minutes. */
const SLOWLY = ["--delay", "250", "--per-address", "64", "--allow-private", "--scope", "domain"];
/** What the browser says about a page whose server has gone with its crawl. */
const GONE = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;

async function crawl(...more: string[]): Promise<{ readonly running: Running; readonly url: string }> {
  const resolving = web.resolve.flatMap((rule) => ["--resolve", rule]);
  const args = ["crawl", SEED, "--dir", "c", "--serve", "--listen", "0", "--json"];
  const running = workshop.start([...args, ...SLOWLY, ...resolving, ...more]);
  const { url } = await running.line(({ type }) => type === "serving");
  return { running, url: String(url) };
}

const pagesShown = async (page: Page): Promise<number> =>
  Number((await page.locator(".tile", { hasText: "Pages" }).locator("a").innerText()).replaceAll(",", ""));
const coverageShown = async (page: Page): Promise<number> =>
  Number.parseFloat((await page.locator(".coverage-now").innerText()).replace(/^\D*/, ""));
/** By the file itself. */
const visitsStored = (): unknown => {
  const database = openDatabase(workshop.at("c/crawl.sqlite"), { access: "read" });
  try {
    return database.prepare("SELECT max(number) FROM visits").all()[0]?.[0];
  } finally {
    database.close();
  }
};
const state = (page: Page) => page.locator(".state").innerText();
const end = async (running: Running) => {
  const { code, stdout, stderr } = await running.ended();
  const done = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
  return { code, done, stderr };
};

test("the tide rises while one looks, rests while the crawl is paused, and ends with a lower target", async () => {
  const { running, url } = await crawl("--coverage", "0.99");
  const seen: number[] = [];
  await visitor.visit(
    url,
    "",
    async (page) => {
      await eventually(() => coverageShown(page)).toBeGreaterThan(20);
      expect(await state(page)).toBe("Running");
      seen.push(await coverageShown(page));
      await eventually(() => coverageShown(page)).toBeGreaterThan(seen[0]);
      seen.push(await coverageShown(page));
      expect(await page.locator("h1").innerText()).toMatch(/^At least \d+\.\d\d% of what may be fetched is covered/);

      await page.getByRole("button", { name: "Pause" }).click();
      await eventually(() => state(page)).toBe("Paused");
      // What is under way is finished, be the host ever so slow, and stored; then nothing comes for as long as eight
      // hosts that may be requested four times a second would give dozens.
      const isStillFor = async (milliseconds: number): Promise<boolean> => {
        const before = visitsStored();
        await page.waitForTimeout(milliseconds);
        return visitsStored() === before;
      };
      await expect.poll(() => isStillFor(3000)).toBe(true);
      const paused = await pagesShown(page);
      await page.getByRole("button", { name: "Resume" }).click();
      await eventually(() => state(page)).toBe("Running");
      await eventually(() => pagesShown(page)).toBeGreaterThan(paused);
      await eventually(() => page.locator(".events").innerText()).toMatch(/downloaded/i);

      await page.getByRole("button", { name: "Limits…" }).click();
      const target = page.getByRole("textbox", { name: "Target" });
      expect(await target.inputValue()).toBe("99");
      for (const wrong of ["0", "200"]) {
        await target.fill(wrong);
        await page.getByRole("button", { name: "Change limits" }).click();
        await page.getByText(`"${wrong}" is not a number above 0 and at most 100`).waitFor();
      }
      await target.fill("15");
      await page.getByRole("button", { name: "Change limits" }).click();
      await page.getByText("The crawl has reached this already. It would end at once.").waitFor();
      await page.getByRole("button", { name: "End the crawl" }).click();
      expect(await running.ended()).toMatchObject({ code: 0 });
    },
    { allowed: GONE },
  );
  const { done } = await end(running);
  expect(done).toMatchObject({ type: "done", reason: "coverage-reached" });
  const progress = running.lines.filter(({ type }) => type === "progress");
  const certified = 100 * Math.max(...progress.map((line) => Number(line["coverage"])));
  for (const share of seen) expect(share).toBeLessThanOrEqual(certified);
  expect(done["coverage"]).toBeGreaterThanOrEqual(certified / 100 - 1e-12);
});

test("stop, after a confirmation, ends the crawl in order, and it can be resumed", async () => {
  const { running, url } = await crawl();
  await visitor.visit(
    url,
    "",
    async (page) => {
      await eventually(() => pagesShown(page)).toBeGreaterThan(5);
      await page.getByRole("button", { name: "Stop…" }).click();
      await page.getByRole("button", { name: "Keep crawling" }).click();
      expect(await state(page)).toBe("Running");
      await page.getByRole("button", { name: "Stop…" }).click();
      await page.getByRole("button", { name: "Stop the crawl" }).click();
      await running.ended();
      await page.getByText("Connection lost").waitFor();
    },
    { allowed: GONE },
  );
  const { code, done, stderr } = await end(running);
  expect([code, done["reason"]]).toEqual([0, "interrupted"]);
  expect(stderr).not.toMatch(/\bat .*\.js:\d/);
  const pages = Number(done["pages"]);
  const resolving = web.resolve.flatMap((rule) => ["--resolve", rule]);
  const args = ["crawl", "--dir", "c", "--max-pages", String(pages + 10), ...resolving];
  const on = await workshop.json<Record<string, unknown>>(args);
  expect(on).toMatchObject({ reason: "page-limit", resumed: true, pages: pages + 10 });
});

test("hosts and frontier say how hosts are treated, lists follow the crawl, and axe has nothing against it", async () => {
  // Hosts rest nearly all of the time, however slow the machine is.
  const { url } = await crawl("--delay", "2s");
  await visitor.visit(
    url,
    "#/hosts",
    async (page) => {
      const resting = page.locator(".host-status.is-resting", { hasText: /^resting 2 s$/ });
      await eventually(() => resting.count()).toBeGreaterThan(0);
      const downloaded = async (): Promise<number> => {
        const texts = await page.locator(".row[data-index] .cell-downloaded").allInnerTexts();
        return texts.reduce((sum, text) => sum + Number.parseInt(text.replaceAll(",", ""), 10), 0);
      };
      const before = await downloaded();
      await eventually(downloaded).toBeGreaterThan(before);
      for (const view of ["#/", "#/missing", "#/hosts", "#/frontier", "#/log"]) {
        await go(page, view);
        expect([view, await isWithinWindow(page)]).toEqual([view, true]);
        expect([view, await graveProblems(page)]).toEqual([view, []]);
      }
      await go(page, "#/frontier");
      expect(await page.locator(".lead").innerText()).toContain(
        "A page is skipped while its host is resting or paused",
      );
      expect(await page.locator(".row .host-status").first().innerText()).toMatch(
        /resting|fetching|ready|busy|paused|robots/,
      );
      // A frontier moves on: what stood first is fetched soon.
      const title = page.locator('.row[data-index="0"] .page-title');
      const next = await title.innerText();
      await eventually(() => title.innerText()).not.toBe(next);
    },
    { options: { viewport: { width: 390, height: 844 }, colorScheme: "dark" } },
  );
});

test("one that another process runs is watched by tidemark serve, and cannot be steered from there", async () => {
  await crawl();
  const { url } = await workshop.serve("c");
  await visitor.visit(url, "", async (page) => {
    await settled(page);
    await eventually(() => state(page)).toBe("Running elsewhere");
    expect(await page.getByRole("group", { name: "Controls of the crawl" }).count()).toBe(0);
    await eventually(() => pagesShown(page)).toBeGreaterThan(0);
    const before = await pagesShown(page);
    await eventually(() => pagesShown(page)).toBeGreaterThan(before);
    expect(await page.locator("h1").innerText()).toMatch(/^At least \d+\.\d\d%/);
  });
});
