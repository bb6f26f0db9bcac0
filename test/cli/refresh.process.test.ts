import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCrawlReadOnly } from "../../src/store/index.ts";
import { CallFolder } from "./call.ts";
import { demoWeb, SEED } from "./demo-web.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";
import { crowdedSite, served } from "./sites.ts";
import { visitsIn } from "./visits.ts";

interface Planned {
  readonly again: number;
  readonly new: number;
  readonly known: number;
  readonly reads: readonly {
    readonly url: string;
    readonly why: string;
    readonly importance: number;
    readonly gain: number;
  }[];
}

describe("tidemark refresh of a crawl", () => {
  it("plans reads of new and old pages by gain, writes them, and reads them once", async () => {
    const folder = new CallFolder();
    const network = await demoWeb();
    const { code } = await folder.run(["crawl", SEED, ...network, "--dir", "web", "--max-pages", "40", "--quiet"]);
    expect(code).toBe(0);
    const plan = (await folder.json(["refresh", "web", "--budget", "60", "--out", "now.tsv"])) as Planned;
    expect(plan.reads).toHaveLength(60);
    expect(plan.again + plan.new).toBe(60);
    expect(plan.new).toBeGreaterThan(0);
    const gains = plan.reads.map(({ gain }) => gain);
    expect(gains).toEqual(gains.toSorted((a, b) => b - a));
    const lines = readFileSync(folder.at("now.tsv"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => line.split("\t").slice(0, 2))).toEqual(plan.reads.map(({ url, why }) => [url, why]));

    for (const ignored of [
      ["--damping", "0.85"],
      ["--by", "host"],
      ["--top", "10", "--once"],
    ]) {
      const refused = await folder.run(["refresh", "web", "--budget", "60", ...ignored]);
      expect(refused.stderr).toContain(`leave out ${ignored[0]}`);
      expect(refused.code).toBe(2);
    }

    const settings = settingsIn(folder.at("web"));
    // All 40 pages gain something and are fewer than the budget of one round each of old and new ones.
    const done = (await folder.json(["refresh", "web", "--budget", "60", "--once"])) as Record<string, number>;
    expect(done).toMatchObject({
      again: plan.again,
      new: plan.new,
      failed: 0,
      left: 0,
      downloaded: plan.new,
    });
    expect(done["unchanged"] + done["changed"]).toBe(plan.again);
    const store = openCrawlReadOnly(folder.at("web"));
    expect([...store.rereads()]).toHaveLength(plan.again);
    store.close();
    expect(settingsIn(folder.at("web"))).toBe(settings);

    const { stdout } = await folder.run(["refresh", "web", "--budget", "5", "--plan"]);
    expect(stdout).toContain("5 pages to read now");
  });

  it("leaves the limits of the crawl alone, even if it is killed while it reads new pages", async () => {
    const folder = new CallFolder();
    const begun = await folder.run(["crawl", SEED, ...(await demoWeb()), "--dir", "web", "--max-pages", "3"]);
    expect(begun.code).toBe(0);
    // Slow from now on, so that it is still at it when its first pages are committed.
    const slowed = await folder.run(["crawl", "--dir", "web", "--delay", "2s", "--max-pages", "3"]);
    expect(slowed.code).toBe(0);
    const settings = settingsIn(folder.at("web"));
    const before = visitsIn(folder.at("web"));
    const args = [MAIN, "refresh", "web", "--budget", "100", "--once", "--quiet"];
    const child = folder.start(process.execPath, args);
    const ended = outcomeOf(child);
    await expect.poll(() => visitsIn(folder.at("web"))).toBeGreaterThan(before);
    child.kill("SIGKILL");
    expect((await ended).code).toBe(null);
    expect(settingsIn(folder.at("web"))).toBe(settings);
  });

  it("opens as many connections per host as the crawl", async () => {
    const folder = new CallFolder();
    const seed = await crowdedSite(2);
    const args = ["--delay", "0", "--per-host", "3", "--timeout", "5s", "--allow-private", "--quiet"];
    expect((await folder.run(["crawl", seed, ...args, "--dir", "web"])).code).toBe(0);
    expect(await folder.json(["refresh", "web", "--budget", "10", "--once"])).toMatchObject({
      unchanged: 3,
      failed: 0,
    });
  });

  it("reads new pages of a crawl that ended at its limit of bytes, without changing that limit", async () => {
    const folder = new CallFolder();
    const { rule } = await busyWeb();
    const args = ["--resolve", rule, "--allow-private", "--delay", "0", "--max-bytes", "1", "--max-time", "1h"];
    const crawl = await folder.run(["crawl", "http://busy.test/", ...args, "--dir", "web", "--json"]);
    expect(crawl.stdout).toContain('"reason":"byte-limit"');
    const settings = settingsIn(folder.at("web"));
    expect(await folder.json(["refresh", "web", "--budget", "10", "--once"])).toMatchObject({ new: 9, downloaded: 9 });
    expect(settingsIn(folder.at("web"))).toBe(settings);
  });

  it("keeps what it reads: exports, views, archive and coverage show it, and --at what was known before", async () => {
    const pages: Record<string, string> = {
      "/": '<title>Front</title><a href="/a">a</a> <a href="/gone">gone</a> <a href="/c">c</a>',
      "/a": "<title>Old title</title><p>The old text.</p>",
      "/gone": "<title>Here</title>",
      "/c": "<title>C</title>",
    };
    const site = await served((request, response) => {
      const page = pages[request.url ?? ""];
      response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" }).end(page);
    });
    const folder = new CallFolder();
    const args = ["--delay", "0", "--allow-private", "--quiet", "--warc", "--dir", "web"];
    expect((await folder.run(["crawl", site, ...args])).code).toBe(0);
    await folder.json(["report", "web", "--out", "before.html"]);
    const crawled = (await exported(folder, [])).sort();
    const store = openCrawlReadOnly(folder.at("web"));
    const before = new Date(store.untilMs).toISOString();
    store.close();
    await new Promise((resolve) => setTimeout(resolve, 5));

    pages["/a"] = '<title>New title</title><p>The new text.</p><a href="/new">new</a>';
    pages["/new"] = "<title>New page</title>";
    delete pages["/gone"];
    const done = await folder.json(["refresh", "web", "--budget", "10", "--once"]);
    expect(done).toMatchObject({ unchanged: 2, changed: 1, gone: 1, doubted: 0, downloaded: 1 });
    const now = ["/ downloaded Front", "/a downloaded New title", "/c downloaded C"];
    expect((await exported(folder, [])).sort()).toEqual([...now, "/gone dead ", "/new downloaded New page"]);
    const { stdout: text } = await folder.run(["export", "web", "--format", "markdown", "--at", before]);
    expect([text.includes("The old text."), text.includes("The new text.")]).toEqual([true, false]);
    const { stdout: newText } = await folder.run(["export", "web", "--format", "markdown"]);
    expect([newText.includes("The old text."), newText.includes("The new text.")]).toEqual([false, true]);
    expect((await exported(folder, ["--at", before])).sort()).toEqual(crawled);
    expect(await folder.json(["coverage", "web"])).toMatchObject({ downloaded: 4, graph: { arcs: 4 } });
    expect(await folder.json(["coverage", "web", "--at", before])).toMatchObject({ downloaded: 4, graph: { arcs: 3 } });
    expect((await folder.run(["search", "web", "new text"])).stdout).toContain("New title");
    await expectEarlier(folder, before);

    const early = await folder.run(["coverage", "web", "--at", "1999-01-01"]);
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining("is before the first visit")]);
    const late = await folder.run(["coverage", "web", "--at", "2999-01-01"]);
    expect([late.code, late.stderr]).toEqual([0, expect.stringContaining("this is the crawl as it is now")]);
    const bad = await folder.run(["coverage", "web", "--at", "2026-02-30"]);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("Expected a date or a time")]);
  });

  it("deletes earlier visits with --keep-visits, says since when views are possible, and leaves all else as it was", async () => {
    let version = 1;
    const site = await served((request, response) => {
      const text = `<title>${request.url} ${version}</title><p>Word${version} of the page.</p><a href="/a">a</a>`;
      const isPage = request.url === "/" || request.url === "/a";
      response.writeHead(isPage ? 200 : 404, { "content-type": "text/html" }).end(isPage ? text : "");
    });
    const folder = new CallFolder();
    const args = ["--delay", "0", "--allow-private", "--quiet", "--store", "text", "--dir", "web"];
    expect((await folder.run(["crawl", site, ...args])).code).toBe(0);
    const once = ["refresh", "web", "--budget", "5", "--once"];
    const times: string[] = [];
    for (version = 2; version <= 4; version++) {
      const store = openCrawlReadOnly(folder.at("web"));
      times.push(new Date(store.untilMs).toISOString());
      store.close();
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await folder.json([...once, "--keep-visits", "1d"])).toMatchObject({
        changed: 2,
        deletedVisits: 0,
        viewsFrom: null,
      });
    }
    const before = await folder.json(["coverage", "web"]);
    expect(await exported(folder, ["--at", times[1]])).toEqual(["/ downloaded / 2", "/a downloaded /a 2"]);

    version = 4;
    const done = (await folder.json([...once, "--keep-visits", "2"])) as { readonly viewsFrom: string };
    expect(done).toMatchObject({ unchanged: 2, deletedVisits: 4 });
    expect(done.viewsFrom).toBe(times[2]);
    expect(await exported(folder, ["--at", times[2]])).toEqual(["/ downloaded / 3", "/a downloaded /a 3"]);
    const commands = [["coverage"], ["export", "--format", "jsonl"], ["rank"], ["report"], ["pack", "--tokens", "500"]];
    for (const [command, ...flags] of [...commands, ["search", "word2"]]) {
      const early = await folder.run([command, "web", ...flags, "--at", times[1]]);
      expect([early.code, early.stdout]).toEqual([2, ""]);
      expect(early.stderr).toContain(`expected ${times[2]} or a later time`);
    }
    expect((await folder.run(["search", "web", "word3", "--at", times[2]])).stdout).toContain("/a 3");
    expect((await folder.run(["search", "web", "word4", "--at", times[2]])).stdout).toContain("No page matches");
    expect(await folder.json(["coverage", "web"])).toEqual(before);
    expect(await exported(folder, [])).toEqual(["/ downloaded / 4", "/a downloaded /a 4"]);
    expect((await folder.run(["search", "web", "word4"])).stdout).toContain("/a 4");
    expect((await folder.run(["search", "web", "word2"])).stdout).not.toContain("/a 2");
    const text = await folder.run([...once, "--keep-visits", "1"]);
    expect(text.stdout).toContain("Deleted: 2 earlier visits. What was known can be seen from ");
    expect((await folder.run(["crawl", "--dir", "web", "--quiet"])).code).toBe(0);

    const refused: readonly (readonly [string[], string])[] = [
      [["--keep-visits", "0", "--once"], "Expected how many visits of each page to keep"],
      [["--keep-visits", "often", "--once"], "Expected how many visits of each page to keep"],
      [["--keep-visits", "2999-01-01", "--once"], "is a time to come"],
      [["--keep-visits", "5"], "give --once"],
    ];
    for (const [flags, words] of refused) {
      const { code, stderr } = await folder.run(["refresh", "web", "--budget", "5", ...flags]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });

  it("reads nothing new once a host asks us to wait, says so, and exits with 1 only if it read nothing", async () => {
    const folder = new Folder();
    const web = await busyWeb();
    const crawl = ["crawl", "http://busy.test/", "--resolve", web.rule, "--allow-private", "--delay", "0"];
    expect((await folder.run([...crawl, "--dir", "web", "--max-pages", "2"])).code).toBe(0);
    const once = ["refresh", "web", "--budget", "10", "--once"];

    web.answersLeft = 1;
    web.requests = 0;
    const some = await folder.run(once);
    expect(some.stdout).toContain("Read again: 1 unchanged");
    expect(some.stdout).toContain("1 page left for another time: 1 status-503");
    expect(some.stdout).toContain("New pages are left for the next run: busy.test asks us to wait.");
    expect(some.code).toBe(0);
    expect(web.requests).toBe(2);

    web.answersLeft = 0;
    web.requests = 0;
    const none = await folder.run([...once, "--json"]);
    expect(JSON.parse(none.stdout)).toMatchObject({
      left: 2,
      leftWhy: { "host-paused": 2 },
      patience: ["busy.test"],
      downloaded: 0,
    });
    expect(none.stderr).toContain("no page could be read");
    expect(none.code).toBe(1);
    // It has asked the run before to wait.
    expect(web.requests).toBe(0);
  });
});

describe("tidemark refresh of a graph", () => {
  it("reads pages as often as they deserve, best of all schedules", async () => {
    const folder = new CallFolder({
      "web.arcs": "0 1\n1 0\n2 0\n3 0\n",
      "web.rates": "# page, changes\n0 1\n1\t1\n2 1\n3 1000\n",
    });
    const found = (await folder.json([
      "refresh",
      "web.arcs",
      "--rates",
      "web.rates",
      "--budget",
      "9",
      "--out",
      "s.tsv",
    ])) as {
      readonly freshness: number;
      readonly uniform: number;
      readonly top: readonly { readonly id: number; readonly reads: number }[];
    };
    // Page 0 is linked by all others and counts most; page 3 changes too fast to be kept fresh.
    expect(found.top.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(found.top.reduce((sum, { reads }) => sum + reads, 0)).toBeCloseTo(9, 9);
    expect(found.freshness).toBeGreaterThan(found.uniform);
    expect(readFileSync(folder.at("s.tsv"), "utf8").split("\n")[3]).toMatch(/^3\t0\.0/);
  });
});

describe("bad input of tidemark refresh", () => {
  const files = {
    "web.arcs": "0 1\n1 0\n",
    "web.rates": "0 1\n",
    "bad.rates": "0 often\n",
    "far.rates": "7 1\n",
    "twice.rates": "0 1\n0 2\n",
  };
  it.each<[string, string[], string]>([
    ["a budget of 0", ["web.arcs", "--rates", "web.rates", "--budget", "0"], "whole number of at least 1"],
    ["no budget", ["web.arcs", "--rates", "web.rates"], "--budget"],
    ["no rates", ["web.arcs", "--budget", "1"], "--rates FILE"],
    ["an unknown option", ["web.arcs", "--budget", "1", "--window", "0"], "--window"],
    ["--plan with --once", ["web.arcs", "--budget", "1", "--plan", "--once"], "cannot be used with"],
    ["--once of a graph", ["web.arcs", "--rates", "web.rates", "--budget", "1", "--once"], "is a graph"],
    [
      "a rate that is no number",
      ["web.arcs", "--rates", "bad.rates", "--budget", "1"],
      'bad.rates: line 1: the change rate is "often"',
    ],
    [
      "a page that there is not",
      ["web.arcs", "--rates", "far.rates", "--budget", "1"],
      "far.rates: line 1: page 7 is out of range",
    ],
    [
      "a page with two rates",
      ["web.arcs", "--rates", "twice.rates", "--budget", "1"],
      "line 2: page 0 has a change rate already",
    ],
    ["--plan of a graph", ["web.arcs", "--rates", "web.rates", "--budget", "1", "--plan"], "is a graph"],
    ["a directory that is no crawl", [".", "--budget", "1"], ""],
  ])("%s is refused", async (_what, args, words) => {
    const { code, stderr, stdout } = await new CallFolder(files).run(["refresh", ...args]);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
    expect(stdout).toBe("");
  });
});

function settingsIn(dir: string): string {
  const store = openCrawlReadOnly(dir);
  const settings = store.settings();
  store.close();
  return settings;
}

/** A host whose pages all link to the same nine, and which is overloaded once it has given so many answers. */
/** Path, state and title of every page. */
async function exported(folder: Folder, args: readonly string[]): Promise<string[]> {
  const { stdout, stderr } = await folder.run(["export", "web", "--format", "jsonl", "--quiet", ...args]);
  expect(stderr).toBe("");
  const rows = stdout.trimEnd().split("\n");
  return rows.map((row) => {
    const { url, state, title } = JSON.parse(row) as Record<string, string | null>;
    return `${new URL(url ?? "").pathname} ${state} ${title ?? ""}`;
  });
}

async function busyWeb(): Promise<{ readonly rule: string; answersLeft: number; requests: number }> {
  const links = Array.from({ length: 9 }, (_, k) => `<a href="/${k}">${k}</a>`).join("");
  const site = await served((request, response) => {
    web.requests++;
    if (request.url === "/robots.txt") response.writeHead(404).end();
    else if (web.answersLeft-- <= 0) response.writeHead(503, { "retry-after": "3000" }).end();
    else response.writeHead(200, { "content-type": "text/html" }).end(`${request.url}${links}`);
  });
  const web = { rule: `busy.test:127.0.0.1:${new URL(site).port}`, answersLeft: Number.POSITIVE_INFINITY, requests: 0 };
  return web;
}

/** Report, pack and search of the crawl as it was before page /a changed, and what is kept for now stays as it is. */
async function expectEarlier(folder: Folder, before: string): Promise<void> {
  await folder.json(["report", "web", "--out", "now.html"]);
  const kept = ["survey.bin", "search.sqlite"].map((name) => folder.at(join("web", name)));
  const bytes = kept.map((path) => readFileSync(path));
  const { coverage } = (await folder.json(["coverage", "web", "--at", before])) as { readonly coverage: number };
  const report = await folder.json(["report", "web", "--at", before, "--out", "then.html"]);
  expect(report).toMatchObject({ coverage, pages: 4 });
  const [now, then] = ["now.html", "then.html"].map((name) => readFileSync(folder.at(name), "utf8"));
  expect([now.includes("Old title"), now.includes("New title")]).toEqual([false, true]);
  expect([then.includes("Old title"), then.includes("New title")]).toEqual([true, false]);
  expect([now.includes("As it was known on"), then.includes("As it was known on")]).toEqual([false, true]);
  expect(then).toContain(`tidemark report web --at ${before} --out then.html`);
  expect(then).toContain("the crawl has gone on since");

  const pack = await folder.run(["pack", "web", "--tokens", "500", "--at", before]);
  expect([pack.stdout.includes("The old text."), pack.stdout.includes("The new text.")]).toEqual([true, false]);
  expect(pack.stdout).toMatch(/^Packed by tidemark from a crawl as it was known on .* UTC: 2 of 4 pages/m);
  const packed = await folder.run(["pack", "web", "--tokens", "500"]);
  expect(packed.stdout).toContain("Packed by tidemark from a crawl that ended on");

  expect((await folder.run(["search", "web", "old text", "--at", before])).stdout).toContain("Old title");
  expect((await folder.run(["search", "web", "new text", "--at", before])).stdout).toContain("No page matches");
  expect((await folder.run(["search", "web", "new text"])).stdout).toContain("New title");
  expect(kept.map((path) => readFileSync(path))).toEqual(bytes);
  for (const [command, ...flags] of [["report"], ["pack", "--tokens", "500"], ["search", "text"]]) {
    const early = await folder.run([command, "web", ...flags, "--at", "1999-01-01"]);
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining("is before the first visit")]);
    const late = await folder.run([command, "web", ...flags, "--at", "2999-01-01"]);
    expect([late.code, late.stderr]).toEqual([0, expect.stringContaining("this is the crawl as it is now")]);
  }
}
