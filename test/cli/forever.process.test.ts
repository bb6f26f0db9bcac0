import { describe, expect, it } from "vitest";
import { isSqliteJob, openCrawlReadOnly, openSqliteJob } from "../../src/store/index.ts";
import { CallFolder } from "./call.ts";
import { demoWeb, linesOf, SEED } from "./demo-web.ts";
import { MAIN, outcomeOf } from "./run.ts";
import { served } from "./sites.ts";
import { makeLargeCrawl } from "../support/large-crawl.ts";

/** A read every 0.3 seconds. */
const BUDGET = ["--budget", "288000"];

describe("tidemark refresh --forever", () => {
  it("reads new pages and known ones again until it is told to stop, and says what is next", async () => {
    const folder = new CallFolder();
    const crawled = await folder.run([
      "crawl",
      SEED,
      ...(await demoWeb()),
      "--dir",
      "web",
      "--max-pages",
      "30",
      "--quiet",
    ]);
    expect(crawled.code).toBe(0);
    const child = folder.start(process.execPath, [MAIN, "refresh", "web", "--forever", ...BUDGET, "--json"]);
    const outcome = outcomeOf(child);
    await expect.poll(() => readsIn(folder.at("web"))).toBeGreaterThan(3);

    const second = await folder.run(["refresh", "web", "--forever", ...BUDGET]);
    expect(second.code).not.toBe(0);
    expect(second.stderr).toContain("is in use");
    expect(second.stderr).not.toContain("    at ");

    child.kill("SIGTERM");
    const { code, stdout, stderr } = await outcome;
    expect(stderr).toContain("refreshing web: 288,000 pages per day");
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    expect(new Set(lines.slice(0, -1).map(({ type }) => type))).toEqual(new Set(["progress"]));
    const done = lines.at(-1);
    expect(done).toMatchObject({ type: "done", reason: "interrupted", budget: 288_000, dir: "web", gone: 0 });
    expect(done?.["reads"]).toBe(readsIn(folder.at("web")));
    expect(done?.["new"]).toBeGreaterThan(0);
    expect(done?.["next"]).toMatchObject({ url: expect.stringContaining("demo.test/") as string });
    expect(done?.["freshness"]).toMatchObject({ hour: expect.any(Number) as number });
  });

  it("stops at once while it still reads the log of many pages", async () => {
    const folder = new CallFolder();
    makeLargeCrawl(folder.at("web"), 60_000);
    const child = folder.start(process.execPath, [MAIN, "refresh", "web", "--forever", ...BUDGET, "--json"]);
    const outcome = outcomeOf(child);
    let told = "";
    child.stderr?.on("data", (text: string) => {
      if (!told.includes("Ctrl-C stops it") && (told += text).includes("Ctrl-C stops it")) child.kill("SIGINT");
    });
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    expect(linesOf(stdout)).toEqual([{ type: "done", reason: "interrupted", dir: "web" }]);
  });

  it.each([
    ["a crawl", []],
    ["a crawl by workers", ["--workers", "2"]],
  ])("follows %s that has reached its limit", async (_what, workers) => {
    const folder = new CallFolder();
    const args = ["crawl", SEED, ...(await demoWeb()), "--dir", "web", "--max-pages", "10", "--forever", ...BUDGET];
    const child = folder.start(process.execPath, [MAIN, ...args, ...workers, "--json"]);
    const outcome = outcomeOf(child);
    await expect.poll(() => readsIn(folder.at("web"))).toBeGreaterThan(2);
    child.kill("SIGINT");
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    expect(lines.find(({ type }) => type === "crawled")).toMatchObject({ reason: "page-limit", pages: 10 });
    expect(lines.at(-1)).toMatchObject({ type: "done", reason: "interrupted" });
  });

  it("is named by a crawl by workers that is stopped before it begins to refresh", async () => {
    const folder = new CallFolder();
    const web = ["crawl", SEED, ...(await demoWeb()), "--delay", "200", "--dir", "web", "--workers", "2", "--forever"];
    const child = folder.start(process.execPath, [MAIN, ...web, ...BUDGET, "--quiet-hours", "1:00-2:00,3:00-4:00"]);
    const outcome = outcomeOf(child);
    await expect.poll(() => areAtWork(folder.at("web"))).toBe(true);
    child.kill("SIGINT");
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    const flags = "--workers 2 --forever --budget 288000 --quiet-hours 1:00-2:00,3:00-4:00";
    expect(stdout).toContain(`  tidemark crawl --dir web ${flags}   # resume\n`);
  });

  it("keeps no more visits than a crawl that goes on is told", async () => {
    let requests = 0;
    const url = await served(({ url: path }, response) => {
      response.setHeader("content-type", "text/html");
      if (path === "/robots.txt") response.writeHead(404).end();
      else response.end(`<p>read ${++requests} times</p>`);
    });
    const folder = new CallFolder();
    const goesOn = async (until: () => boolean, ...args: readonly string[]): Promise<void> => {
      const words = ["crawl", url, "--dir", "web", "--delay", "0", "--allow-private", "--forever", ...BUDGET, ...args];
      const child = folder.start(process.execPath, [MAIN, ...words]);
      const outcome = outcomeOf(child);
      await expect.poll(until).toBe(true);
      child.kill("SIGINT");
      const { code, stdout } = await outcome;
      expect(code).toBe(0);
      // Nobody else may write to the directory now, so no such command is proposed.
      expect(stdout).toContain("covered");
      expect(stdout).not.toContain("tidemark crawl");
    };
    const dir = folder.at("web");
    // Two visits that count no more.
    await goesOn(() => readsIn(dir) >= 2);
    expect(viewsFromIn(dir)).toBeUndefined();
    await goesOn(() => viewsFromIn(dir) !== undefined, "--keep-visits", "1");
  });

  it("takes the place of the dashboard of the crawl: the same port, the same token", async () => {
    const folder = new CallFolder();
    const args = ["crawl", SEED, ...(await demoWeb()), "--dir", "web", "--max-pages", "1", "--forever", ...BUDGET];
    const child = folder.start(process.execPath, [MAIN, ...args, "--serve", "--listen", "0.0.0.0:0", "--json"]);
    const outcome = outcomeOf(child);
    await expect.poll(() => readsIn(folder.at("web"))).toBeGreaterThan(0);
    child.kill("SIGINT");
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    const urls = linesOf(stdout).flatMap(({ type, url }) => (type === "serving" ? [url] : []));
    expect(urls).toEqual([expect.stringMatching(/:\d+\/\?token=[\w-]{32}$/), urls[0]]);
  });

  it.each([
    ["no budget", ["--forever"], "--budget N"],
    ["quiet hours alone", ["--quiet-hours", "22:00-06:00"], "--quiet-hours is for --forever"],
    ["a budget alone", ["--budget", "5"], "--budget is for --forever"],
    ["visits to keep alone", ["--keep-visits", "5"], "--keep-visits is for --forever"],
    [
      "no visit to keep",
      ["--forever", ...BUDGET, "--keep-visits", "0"],
      "Expected how many visits of each page to keep",
    ],
    ["visits of a time to come", ["--forever", ...BUDGET, "--keep-visits", "2999-01-01"], "is a time to come"],
  ])("follows no crawl with %s, which is told before a sitemap is fetched", async (_what, args, words) => {
    let requests = 0;
    const url = await served((_request, response) => {
      requests++;
      response.setHeader("content-type", "text/plain").end("");
    });
    const list = ["--scope", "page", "--sitemap", `${url}list.txt`, "--allow-private", "--delay", "0"];
    const { code, stderr } = await new CallFolder().run(["crawl", url, ...list, ...args]);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
    expect(requests).toBe(0);
  });

  it.each([
    ["a budget of nothing", ["--forever", "--budget", "0"], "at least 1"],
    ["--once as well", ["--forever", "--once", "--budget", "1"], "cannot be used with"],
    ["a rate without --forever", ["--budget", "1", "--rate", "1"], "--rate is for --forever"],
    ["quiet hours of the whole day", ["--forever", "--budget", "1", "--quiet-hours", "00:00-24:00"], "whole day"],
    ["a time zone alone", ["--forever", "--budget", "1", "--time-zone", "UTC"], "--quiet-hours"],
    ["--listen without --serve", ["--forever", "--budget", "1", "--listen", "0"], "--serve"],
  ])("is refused with %s", async (_what, args, words) => {
    const folder = new CallFolder();
    await folder.run(["crawl", SEED, ...(await demoWeb()), "--dir", "web", "--max-pages", "1", "--quiet"]);
    const { code, stderr, stdout } = await folder.run(["refresh", "web", ...args]);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
    expect(stdout).toBe("");
  });
});

/** Since when the crawl can be seen as it was; undefined if no visit was ever deleted. */
function viewsFromIn(dir: string): number | undefined {
  const store = openCrawlReadOnly(dir);
  try {
    return store.viewsFromMs;
  } finally {
    store.close();
  }
}

/** Reads of the refresh: known pages again, and new pages after the crawl. */
function readsIn(dir: string): number {
  try {
    const store = openCrawlReadOnly(dir);
    const end = JSON.parse(store.meta("end") ?? "null") as { readonly atMs: number } | null;
    const again = [...store.rereads()];
    const written = new Set(again.map(({ visit }) => visit));
    const first = [...store.visits()].filter(
      ({ number, atMs, outcome }) => end !== null && atMs > end.atMs && outcome !== "refused" && !written.has(number),
    );
    store.close();
    return again.length + first.length;
  } catch {
    return 0;
  }
}

/** Whether workers have fetched something. */
async function areAtWork(dir: string): Promise<boolean> {
  if (!isSqliteJob(dir)) return false;
  const log = openSqliteJob(dir);
  try {
    return (await log.board()).shards.some(({ position }) => position > 1);
  } finally {
    await log.close();
  }
}
