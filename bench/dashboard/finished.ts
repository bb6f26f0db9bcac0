/**
 * The dashboard of a large finished crawl, in a real browser: how long until it is visible, and how long each page of a
 * table takes. The first start computes the survey; the second finds it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

export interface FinishedFigures {
  readonly first: StartFigures & { readonly surveySeconds: number };
  readonly second: StartFigures;
  /** Milliseconds of each request, the slowest of three. */
  readonly questions: Readonly<Record<string, number>>;
  readonly slowestQuestionMs: number;
}

interface StartFigures {
  /** From starting the program to its address. */
  readonly listeningMs: number;
  /** In the browser, from the start of the navigation. */
  readonly firstPaintMs: number;
  readonly coverageShownMs: number;
}

const PROGRAM = fileURLToPath(new URL("../../../../dist/cli/main.js", import.meta.url));
const SURVEY_MS_MAX = 600_000;

export async function benchFinished(dir: string, known: number): Promise<FinishedFigures> {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const startedMs = performance.now();
    const first = await served(dir, async (url) => {
      const seen = await open(browser, url, { waitsForSurvey: false });
      await surveyed(url);
      return { ...seen, surveySeconds: (performance.now() - startedMs) / 1000 };
    });
    const second = await served(dir, async (url) => ({
      ...(await open(browser, url, { waitsForSurvey: true })),
      questions: await ask(url, known),
    }));
    const { questions, ...start } = second;
    return { first, second: start, questions, slowestQuestionMs: Math.max(...Object.values(questions)) };
  } finally {
    await browser.close();
  }
}

async function served<T>(dir: string, work: (url: string) => Promise<T>): Promise<T & { listeningMs: number }> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, "serve", dir, "--listen", "0", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await addressOf(child);
    const listeningMs = performance.now() - startedMs;
    return { ...(await work(url)), listeningMs };
  } finally {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("close", resolve));
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout!.setEncoding("utf8").once("data", (text: string) => {
      resolve((JSON.parse(text) as { url: string }).url);
    });
    child.once("close", () => reject(new Error("the dashboard did not start: is dist built?")));
  });
}

async function open(
  browser: Browser,
  url: string,
  { waitsForSurvey }: { readonly waitsForSurvey: boolean },
): Promise<Omit<StartFigures, "listeningMs">> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    await page.goto(url);
    const headline = page.getByRole("heading", { level: 1 });
    if (waitsForSurvey) await headline.filter({ hasText: "%" }).waitFor();
    else await headline.waitFor();
    const coverageShownMs = await page.evaluate("performance.now()");
    const firstPaintMs = await page.evaluate('performance.getEntriesByName("first-contentful-paint")[0].startTime');
    return { firstPaintMs: Number(firstPaintMs), coverageShownMs: Number(coverageShownMs) };
  } finally {
    await page.close();
  }
}

async function surveyed(url: string): Promise<void> {
  const untilMs = performance.now() + SURVEY_MS_MAX;
  while (performance.now() < untilMs) {
    if ((await fetch(new URL("/api/missing", url))).ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the survey is not there after ten minutes");
}

async function ask(url: string, known: number): Promise<Record<string, number>> {
  const middle = Math.floor(known / 2);
  const hosts = (await (await fetch(new URL("/api/hosts?count=200", url))).json()) as {
    rows: { host: string }[];
  };
  const host = hosts.rows.at(-1)!.host;
  const questions: Readonly<Record<string, string>> = {
    overview: "/api/overview",
    tide: "/api/tide",
    missing: "/api/missing",
    "pages, first": "/api/pages?count=100",
    "pages, in the middle": `/api/pages?count=100&from=${middle}`,
    "pages, newest": "/api/pages?count=100&sort=newest",
    "pages of a host": `/api/pages?count=100&host=${host}`,
    "pages that are dead": "/api/pages?count=100&state=dead",
    "pages not fetched": `/api/pages?count=100&reason=not-fetched&from=${Math.floor(middle / 4)}`,
    "pages with status 404": "/api/pages?count=100&status=404",
    "a search, its first piece": "/api/pages?count=100&q=no-page-has-this",
    "a page": "/api/pages/0",
    "who links to it": "/api/pages/0/in?count=100",
    hosts: "/api/hosts?count=100",
    "hosts in the middle": "/api/hosts?count=100&sort=missing&from=1000",
    frontier: "/api/frontier?count=100",
    log: "/api/log?count=100",
    "log, trouble only": "/api/log?count=100&only=trouble",
  };
  const slowest: Record<string, number> = {};
  for (const [name, path] of Object.entries(questions)) {
    for (let time = 0; time < 3; time++) {
      const startedMs = performance.now();
      await (await fetch(new URL(path, url))).text();
      slowest[name] = Math.max(slowest[name] ?? 0, performance.now() - startedMs);
    }
  }
  return slowest;
}
