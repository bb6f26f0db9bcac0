/**
 * A finished crawl before `tidemark serve`, in a real browser: every view says what other commands and the database
 * say.
 */
import { cpSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemoServer } from "../../src/demo/index.ts";
import { openDatabase } from "../../src/store/sqlite.ts";
import { cut, eventually, go, graveProblems, isWithinWindow, settled, Visitor } from "./support/visitor.ts";
import { Workshop } from "./support/workshop.ts";

const DIR = "crawl";
const TARGET = 0.9;

interface Coverage {
  readonly coverage: number;
  readonly strict: number;
  readonly downloaded: number;
  readonly missing: readonly Share[];
  readonly outside: readonly Share[];
}

interface Share {
  readonly reason: string;
  readonly mass: number;
  readonly hosts: readonly { readonly host: string; readonly mass: number; readonly pages: number }[];
}

let visitor: Visitor;
let workshop: Workshop;
let url: string;
let coverage: Coverage;

beforeAll(async () => {
  workshop = new Workshop();
  const made = workshop.run(["demo", "--coverage", String(TARGET), "--dir", DIR, "--no-serve", "--quiet"]);
  visitor = await Visitor.arrive();
  expect(await made).toMatchObject({ code: 0 });
  [{ url }, coverage] = await Promise.all([workshop.serve(DIR), workshop.json<Coverage>(["coverage", DIR])]);
});

afterAll(async () => {
  await Promise.all([visitor?.leave(), workshop?.close()]);
});

/** What the file itself says. */
function rows(sql: string, dir = DIR): readonly (readonly unknown[])[] {
  const database = openDatabase(workshop.at(`${dir}/crawl.sqlite`), { access: "read" });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

const first = (sql: string, dir = DIR): unknown => rows(sql, dir)[0]?.[0];
const visiting = (hash: string, use: (page: Page) => Promise<void>) =>
  visitor.visit(url, hash, async (page) => {
    await settled(page);
    await use(page);
  });
const heading = (page: Page) => page.locator("h1").innerText();
const summary = (page: Page) => page.locator(".list-status [role=status]").first().innerText();
const row = (page: Page, index: number) => page.locator(`.row[data-index="${index}"]`).first();
const field = (page: Page, label: string) =>
  page.locator(`.list-field:has(.field-name:text-is("${label}"))`).locator("select, input");
const hash = (page: Page) => new URL(page.url()).hash;
const counted = (count: number, noun: string) => `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
const numberIn = (text: string) => Number.parseFloat(text.replace("at most ", ""));
/** A share as shown, within what three digits can say. */
const isAbout = (text: string, share: number) => {
  if (/^(< |less than )0\.0001%/.test(text)) expect(share).toBeLessThan(1e-6);
  else if (share === 0) expect(text).toBe("0%");
  else expect(Math.abs(numberIn(text) / (100 * share) - 1), `${text} for ${share}`).toBeLessThan(0.01);
};
const tile = (page: Page, name: string) => page.locator(".tile", { hasText: name }).locator("dd");

test("the tide says what is certified and what the file counts, and its numbers lead on", async () => {
  await visiting("", async (page) => {
    expect(coverage.coverage).toBeGreaterThanOrEqual(TARGET);
    expect(await heading(page)).toBe(
      `At least ${cut(coverage.coverage)} of what may be fetched is covered, by ${coverage.downloaded} pages`,
    );
    const strict = `${cut(coverage.strict)} if forbidden and dead pages count as the worst`;
    expect(await page.locator(".beside").innerText()).toBe(strict);
    await eventually(() => page.locator(".next-steps code").first().innerText()).toMatch(
      /^tidemark crawl --dir crawl --coverage 0\.9\d+$/,
    );
    const findings = (await page.locator(".lead").allInnerTexts()).join(" ");
    expect(findings).toContain("it reached its target of 90%");
    expect(findings).toContain("Left out: at most ");
    expect(findings).toContain("Coverage is measured over all pages of the domain demo.test that exist and may be");
    expect(await page.locator(".reading dd").allInnerTexts()).toEqual([
      String(coverage.downloaded),
      cut(coverage.coverage),
      expect.stringMatching(/^\d\d\.\d\d%$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    ]);
    for (const [name, sql, view] of [
      ["Pages", "SELECT count(*) FROM pages WHERE state LIKE 'downloaded%'", "#/pages"],
      ["Frontier", "SELECT count(*) FROM pages WHERE state = 'waiting'", "#/frontier"],
      ["Hosts", "SELECT count(*) FROM hosts", "#/hosts"],
      ["Not fetched", "SELECT count(*) FROM pages WHERE state = 'refused'", "#/pages?state=refused"],
    ] as const) {
      const link = tile(page, name).locator("a");
      expect([name, await link.innerText()]).toEqual([name, Number(first(sql)).toLocaleString("en-US")]);
      await link.click();
      await eventually(() => hash(page)).toBe(view);
      await page.goBack();
      await page.locator(".tiles").waitFor();
    }
    // The loop of redirects counts as dead in the tile as in the list.
    const dead = Number(await tile(page, "Dead").locator("a").innerText());
    expect(dead).toBe(1 + Number(first("SELECT count(*) FROM pages WHERE state = 'dead'")));
    await tile(page, "Dead").locator("a").click();
    await eventually(() => summary(page)).toBe(counted(dead, "page"));
    await page.goBack();
    await page.locator(".tiles").waitFor();
    expect(await page.getByRole("group", { name: "Controls of the crawl" }).count()).toBe(0);
    const newest = page.locator(".events li a").first();
    await eventually(() => newest.innerText()).toBe(newestUrl());
    await page.locator(".bar-row").first().click();
    await eventually(() => hash(page)).toBe(`#/missing?reason=${coverage.missing[0].reason}`);
  });
});

const newestUrl = () => first("SELECT url FROM pages WHERE visit = (SELECT max(number) FROM visits)") as string;

test("missing shares agree with tidemark coverage, from reasons to a page, and the browser's back button works", async () => {
  await visiting("#/missing", async (page) => {
    const [reason, ...others] = coverage.missing;
    const shares = page.locator(".missing .shares > li");
    await eventually(() => shares.count()).toBe(1 + others.length);
    for (const [index, { mass }] of coverage.missing.entries()) {
      isAbout(await shares.nth(index).locator(".number").innerText(), mass);
    }
    const left = page.locator(".outside .shares > li");
    expect(await left.count()).toBe(coverage.outside.length);
    for (const [index, { mass }] of coverage.outside.entries()) {
      isAbout(await left.nth(index).locator(".number").innerText(), mass);
    }
    await page.locator(".cell-parent .cell-name").first().click();
    await eventually(() => heading(page)).toMatch(/^Waiting to be fetched: /);
    expect(await shares.locator(".share-name").allInnerTexts()).toEqual(reason.hosts.map(({ host }) => host));
    const { host, mass, pages } = reason.hosts[0];
    isAbout(await shares.first().locator(".number").innerText(), mass);
    expect(await shares.first().locator(".share-note a").innerText()).toBe(counted(pages, "page"));
    await shares.first().locator(".share-name").click();
    await eventually(() => heading(page)).toBe(`Waiting to be fetched on ${host}`);
    await eventually(() => shares.count()).toBe(Math.min(40, pages));
    const masses = await shares.locator(".number").allInnerTexts();
    isAbout(String(masses.reduce((sum, text) => sum + numberIn(text), 0)), mass);
    await shares.first().locator(".share-name").click();
    await page.locator(".page-name").waitFor();
    expect(await heading(page)).toBe("A URL that is waiting to be fetched");
    expect(await page.locator(".page-address").innerText()).toContain(`http://${host}/`);
    for (const expected of [`Waiting to be fetched on ${host}`, /^Waiting to be fetched: /, /^At most /]) {
      await page.goBack();
      await eventually(() => heading(page)).toMatch(expected);
    }
    await page.goForward();
    await eventually(() => heading(page)).toMatch(/^Waiting to be fetched: /);
  });
});

const missingPages = (reason: string) =>
  [...coverage.missing, ...coverage.outside]
    .find((each) => each.reason === reason)!
    .hosts.reduce((sum, { pages }) => sum + pages, 0);

describe("pages", () => {
  test("are as many in each state, status, reason and host as the file and tidemark coverage say", async () => {
    await visiting("#/pages", async (page) => {
      expect(await summary(page)).toBe(counted(Number(first("SELECT count(*) FROM pages")), "page"));
      const choose = async (label: string, value: string, count: number): Promise<void> => {
        await field(page, label).selectOption(value);
        await eventually(async () => [label, value, await summary(page)]).toEqual([
          label,
          value,
          counted(count, "page"),
        ]);
        await field(page, label).selectOption("");
      };
      const states = new Map(
        rows("SELECT state, count(*) FROM pages GROUP BY state") as [state: string, count: number][],
      );
      // A redirect that closes a loop is dead to whoever counts importance, though the file has it as a redirect.
      const dead = missingPages("dead");
      const loops = dead - states.get("dead")!;
      expect(loops).toBe(1);
      states.set("dead", dead).set("redirected", states.get("redirected")! - loops);
      for (const [state, count] of states) await choose("State", state, count);
      for (const [status, count] of rows(
        "SELECT status, count(*) FROM pages WHERE status IS NOT NULL GROUP BY status",
      )) {
        await choose("Status", String(status), Number(count));
      }
      for (const { reason } of [...coverage.missing, ...coverage.outside])
        await choose("Missing reason", reason, missingPages(reason));
      for (const [origin, known] of rows("SELECT origin, known FROM hosts").slice(0, 3)) {
        await field(page, "Host").fill(String(origin).replace("http://", ""));
        await field(page, "Host").press("Enter");
        await eventually(() => summary(page)).toBe(counted(Number(known), "page"));
      }
    });
  });

  test("begin with the one that tidemark rank puts first, or with the oldest or newest visit", async () => {
    const { top } = await workshop.json<{ top: readonly { url: string; rank: number }[] }>(["rank", DIR, "--top", "1"]);
    await visiting("#/pages", async (page) => {
      expect(await row(page, 0).locator(".page-url").innerText()).toBe(top[0].url);
      const [low, high] = (await row(page, 0).locator(".figures").innerText()).split(" – ");
      // An interval that holds whatever is unknown holds the rank of what is known, too.
      expect(Number.parseFloat(low) / 100).toBeLessThanOrEqual(top[0].rank);
      expect(Number.parseFloat(high) / 100).toBeGreaterThanOrEqual(top[0].rank);
      await page.getByRole("columnheader", { name: "Fetched" }).getByRole("button").click();
      await eventually(() => row(page, 0).innerText()).toContain(newestUrl());
      await field(page, "Sort").selectOption("oldest");
      await eventually(() => row(page, 0).innerText()).toContain("http://www.demo.test/");
      expect(hash(page)).toBe("#/pages?sort=oldest");
    });
  });

  test("are found by a piece of URL or title, are paged to the last, and lead to their own view and back", async () => {
    const sql = "SELECT count(*) FROM pages WHERE url LIKE '%harbour%' OR title LIKE '%harbour%'";
    await visiting("#/pages", async (page) => {
      await field(page, "Search").fill("HARBOUR");
      await eventually(() => summary(page)).toBe(counted(Number(first(sql)), "page"));
      await page.getByRole("button", { name: "Remove" }).click();
      const total = Number(first("SELECT count(*) FROM pages"));
      await eventually(() => summary(page)).toBe(counted(total, "page"));
      await row(page, 0).focus();
      await page.keyboard.press("End");
      const last = row(page, total - 1);
      await eventually(() => last.getAttribute("aria-busy")).toBe("false");
      const address = await last.locator(".page-title").innerText();
      expect(first(`SELECT count(*) FROM pages WHERE url = '${address}'`)).toBe(1);
      await last.locator(".page-title").click();
      await eventually(() => page.locator(".page-address").innerText()).toBe(address);
      await page.goBack();
      await eventually(() => row(page, total - 1).getAttribute("tabindex")).toBe("0");
    });
  });
});

test("a page's own view has the links of the exported graph, and they lead from page to page", async () => {
  const { stdout } = await workshop.run(["export", DIR, "--format", "arcs"]);
  const arcs = stdout
    .split("\n")
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(/\s+/).map(Number));
  const id = 1;
  const into = new Set(arcs.filter(([, target]) => target === id).map(([source]) => source));
  const outOf = new Set(arcs.filter(([source]) => source === id).map(([, target]) => target));
  const [[address, title, bytes]] = rows(`SELECT url, title, bytes FROM pages WHERE id = ${id}`) as [
    [string, string, number],
  ];
  await visiting(`#/page/${id}`, async (page) => {
    expect(await heading(page)).toBe(title);
    expect(await page.locator(".page-address a").getAttribute("href")).toBe(address);
    expect(await page.locator(".facts").innerText()).toContain(`${(bytes / 1000).toFixed(1)} KB`);
    const lists = page.locator(".links-panel");
    await eventually(() => lists.locator("[role=status]").allInnerTexts()).toEqual([
      counted(into.size, "page"),
      counted(outOf.size, "page"),
    ]);
    const target = lists.nth(1).locator('.row[data-index="0"] .page-title');
    const to = Number((await target.getAttribute("href"))?.replace("#/page/", ""));
    expect([...outOf]).toContain(to);
    const name = await target.innerText();
    await target.click();
    await eventually(() => heading(page)).toBe(name);
    expect(hash(page)).toBe(`#/page/${to}`);
    await page.goBack();
    await eventually(() => heading(page)).toBe(title);
    await page.locator(".crumbs a").last().click();
    await eventually(() => hash(page)).toBe("#/pages?host=www.demo.test");
  });
});

test("the loop of redirects is dead, says so, and leads nobody on", async () => {
  await visiting("#/pages?state=dead", async (page) => {
    const loop = page.locator(".row[data-index]", { hasText: "/loop/" });
    expect(await loop.locator(".badge").innerText()).toMatch(/^Dead\s+301 redirect loop$/);
    await loop.locator(".page-title").click();
    await page.locator(".page-name").waitFor();
    expect(await heading(page)).toBe("A URL that is dead");
    expect(await page.locator(".links-panel").last().innerText()).toContain("A surfer who arrives here starts again");
  });
});

test("hosts are those of the file, and lead to their pages", async () => {
  const hosts = rows(
    "SELECT replace(origin, 'http://', ''), known, downloaded, waiting FROM hosts ORDER BY downloaded DESC",
  );
  await visiting("#/hosts", async (page) => {
    expect(await summary(page)).toBe(`${hosts.length} hosts`);
    for (const [host, known, downloaded, waiting] of hosts) {
      const line = page.locator(".row[data-index]", { hasText: String(host) });
      expect(await line.locator(".cell-host").innerText()).toContain(`${counted(Number(known), "URL")} known`);
      expect(await line.locator(".cell-downloaded").innerText()).toContain(String(downloaded));
      expect(await line.locator(".cell-waiting").innerText()).toContain(String(waiting));
      const missing = coverage.missing.flatMap((reason) => reason.hosts.filter((each) => each.host === host));
      const mass = missing.reduce((sum, each) => sum + each.mass, 0);
      isAbout(await line.locator(".cell-missing").innerText(), mass);
      // However little is missing, there is a bar; where nothing is, there is none.
      expect(await line.locator(".cell-missing .certain").count()).toBe(mass > 0 ? 1 : 0);
    }
    await field(page, "Sort").selectOption("pages");
    await eventually(() => row(page, 0).locator(".cell-downloaded").innerText()).toContain(String(hosts[0][2]));
    await field(page, "Search").fill("forum");
    await eventually(() => summary(page)).toBe("1 host");
    await row(page, 0).locator(".page-title").click();
    await eventually(() => hash(page)).toBe("#/pages?host=forum.demo.test");
    const known = hosts.find(([host]) => host === "forum.demo.test")![1];
    await eventually(() => summary(page)).toBe(counted(Number(known), "page"));
  });
});

test("the frontier counts what waits, and begins with what a resumed crawl fetches next", async () => {
  const waiting = Number(first("SELECT count(*) FROM pages WHERE state = 'waiting'"));
  const visits = Number(first("SELECT max(number) FROM visits"));
  let promised = "";
  await visiting("#/frontier", async (page) => {
    expect(await summary(page)).toBe(`${waiting.toLocaleString("en-US")} URLs waiting; the next 200 are listed`);
    promised = await row(page, 0).locator(".page-title").innerText();
  });
  cpSync(workshop.at(DIR), workshop.at("on"), { recursive: true });
  const web = await startDemoServer();
  try {
    const limit = String(coverage.downloaded + 1);
    const resolving = web.resolve.flatMap((rule) => ["--resolve", rule]);
    const args = ["crawl", "--dir", "on", "--coverage", "1", "--max-pages", limit, "--concurrency", "1"];
    await workshop.json([...args, ...resolving]);
  } finally {
    await web.close();
  }
  const next = first(`SELECT url FROM pages WHERE visit = ${visits + 1}`, "on");
  expect(next).toBe(promised);
});

test("the findings list each link that leads to nothing with its page, and lead to both", async () => {
  await visiting("#/findings", async (page) => {
    const table = page.locator(".findings").first().locator("tbody tr");
    await table.first().waitFor();
    const { stdout } = await workshop.run(["export", DIR, "--format", "broken-links", "--json"]);
    const links = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { source: string; target: string });
    expect(await table.count()).toBe(links.length);
    for (const [k, { source, target }] of links.entries()) {
      expect(await table.nth(k).locator("td").first().innerText()).toBe(source);
      expect(await table.nth(k).locator("td").nth(1).locator("a").first().innerText()).toBe(target);
    }
    await table.first().locator("a").first().click();
    await eventually(() => page.locator(".page-address").innerText()).toBe(links[0].source);
  });
});

test("the search finds what the command finds, in the same order, and marks the words", async () => {
  const { total, results } = await workshop.json<{
    readonly total: number;
    readonly results: readonly { readonly url: string }[];
  }>(["search", DIR, "harbour", "tide"]);
  await visiting("#/search", async (page) => {
    await field(page, "Words").fill("harbour tide");
    await eventually(() => summary(page)).toBe(`${total} pages`);
    for (const index of [0, 1, 2]) expect(await row(page, index).innerText()).toContain(results[index].url);
    const marked = await row(page, 0).locator("mark").allInnerTexts();
    expect(new Set(marked.map((word) => word.toLowerCase()))).toEqual(new Set(["harbour", "tide"]));
    await row(page, 0).locator("a").first().click();
    await eventually(() => page.locator(".page-address").innerText()).toBe(results[0].url);
  });
});

test("the log has every visit, the newest first, and can show only problems or only one host", async () => {
  await visiting("#/log", async (page) => {
    const newest = rows("SELECT pages.url FROM visits JOIN pages ON pages.id = visits.url ORDER BY number DESC");
    for (const index of [0, 1, 2]) expect(await row(page, index).innerText()).toContain(newest[index][0]);
    await row(page, 0).locator("a").first().click();
    await eventually(() => page.locator(".page-address").innerText()).toBe(newest[0][0]);
    await page.goBack();
    await settled(page);
    await field(page, "Show").selectOption("trouble");
    await eventually(() => row(page, 0).locator(".badge").innerText()).not.toContain("Downloaded");
    const troubled = "SELECT count(*) FROM visits WHERE outcome IN (2, 4, 5)";
    await eventually(() => page.locator(".row[data-index]").count()).toBe(Number(first(troubled)));
    await field(page, "Host").fill("www.demo.test");
    await field(page, "Host").press("Enter");
    await eventually(() => page.locator(".row[data-index]").count()).toBe(1);
    expect(await row(page, 0).innerText()).toContain("404");
  });
});

test("axe finds nothing serious in any view, wide or narrow, light or dark, and nothing sticks out", async () => {
  const host = coverage.missing[0].hosts[0].host;
  const dead = rows("SELECT id FROM pages WHERE state = 'dead'")[0][0];
  const views = ["#/", "#/missing", "#/missing?reason=dead", `#/missing?reason=not-fetched&host=${host}`, "#/pages"];
  views.push("#/page/0", `#/page/${dead}`, "#/search?q=harbour", "#/hosts", "#/findings", "#/frontier", "#/log");
  await visiting("", async (page) => {
    for (const [width, colorScheme] of [
      [390, "dark"],
      [1280, "light"],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      for (const view of views) {
        await go(page, view);
        expect([view, width, await isWithinWindow(page)]).toEqual([view, width, true]);
        expect([view, width, colorScheme, await graveProblems(page)]).toEqual([view, width, colorScheme, []]);
      }
    }
  });
});

test("a server that ends is missed, and found again when it is back at its place", async () => {
  const { url, server } = await workshop.serve(DIR);
  const lost = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;
  await visitor.visit(
    url,
    "#/pages",
    async (page) => {
      await settled(page);
      const before = await summary(page);
      server.signal("SIGTERM");
      expect(await server.ended()).toMatchObject({ code: 0, stderr: "" });
      await page.getByText("Connection lost. Reconnecting").waitFor();
      await workshop.serve(DIR, new URL(url).port);
      await page.getByText("Connection lost").waitFor({ state: "detached" });
      await settled(page);
      expect(await summary(page)).toBe(before);
      await go(page, "#/hosts");
      expect(await summary(page)).toBe("8 hosts");
    },
    { allowed: lost },
  );
});
