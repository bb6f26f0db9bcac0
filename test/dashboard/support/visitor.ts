/**
 * Somebody who looks at a dashboard in a real browser and minds everything: a word on the console, an error, a failed
 * or refused request, a request to anybody but the server, a dialog, harm done by what was crawled.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { type Fonts, startBrowser } from "../../support/browser.ts";

/** What is waited for comes late on a busy machine. */
const TIMEOUT_MS = 60_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Visit {
  readonly options?: BrowserContextOptions;
  /** Complaints that the test itself brings about. */
  readonly allowed?: RegExp;
}

export class Visitor {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async arrive(fonts?: Fonts): Promise<Visitor> {
    return new Visitor(await startBrowser(fonts));
  }

  async leave(): Promise<void> {
    await this.#browser.close();
  }

  async visit(
    url: string,
    hash: string,
    use: (page: Page) => Promise<void>,
    { options = {}, allowed }: Visit = {},
  ): Promise<void> {
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: "reduce",
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on("popup", (popup) => complaints.push(`popup: ${popup.url()}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(url)) complaints.push(`asked ${request.url()}`);
    });
    page.on("requestfailed", (request) => {
      const why = request.failure()?.errorText ?? "";
      // Questions whose answer nobody waits for any longer are given up by the page itself.
      if (why !== "net::ERR_ABORTED") complaints.push(`${request.url()}: ${why}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) complaints.push(`${response.url()} answered ${response.status()}`);
    });
    await page.goto(`${url}${hash}`);
    await page.locator("h1, .empty").first().waitFor();
    await use(page);
    expect(await page.evaluate("window.harmed")).toBeUndefined();
    expect(complaints.filter((complaint) => allowed?.test(complaint) !== true)).toEqual([]);
    await context.close();
  }
}

/** For what comes by itself, on a busy machine too. */
export function eventually<T>(look: () => T) {
  return expect.poll(look, { timeout: TIMEOUT_MS });
}

/** Goes to a view by its address, and waits until its content is there. */
export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await eventually(() => page.evaluate(IS_SETTLED)).toBe(true);
}

/** The view is that of the address, and nothing of it is on its way. */
const IS_SETTLED = `(() => {
  const view = /^#\\/([a-z]*)/.exec(location.hash)?.[1] ?? "";
  const link = document.querySelector('nav[aria-label="Views"] [aria-current=page]');
  const shown = /^#\\/([a-z]*)/.exec(link?.getAttribute("href") ?? "")?.[1];
  return shown === view.replace(/^page$/, "pages")
    && document.querySelector("h1, .empty") !== null
    && document.querySelector(".loading, progress, [aria-busy=true]") === null;
})()`;

export async function isWithinWindow(page: Page): Promise<boolean> {
  return (await page.evaluate("document.documentElement.scrollWidth <= innerWidth")) as boolean;
}

interface AxeResult {
  readonly passes: readonly unknown[];
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What axe holds for serious or critical, in its words. */
export async function graveProblems(page: Page): Promise<string[]> {
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(`${AXE};0`);
  const { passes, violations } = (await page.evaluate("axe.run()")) as AxeResult;
  if (passes.length < 10) throw new Error(`axe looked at hardly anything: ${passes.length} rules`);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** A share that must never look like more than it is, by another way than the page's: whole hundredths of a percent. */
export function cut(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`;
}
