import { readFileSync, readdirSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { demoWeb, linesOf, SEED } from "./demo-web.ts";
import { WarcReader } from "../../src/store/index.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";
import { served } from "./sites.ts";
import { visitsIn } from "./visits.ts";

describe("tidemark crawl", () => {
  it("stops at the target coverage, by the certificate of its own log", async () => {
    const folder = new Folder();
    const { code, stdout } = await folder.run([
      "crawl",
      SEED,
      ...(await demoWeb()),
      "--coverage",
      "0.9",
      "--dir",
      "c",
      "--json",
    ]);
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    const done = lines.at(-1);
    expect(done).toMatchObject({ type: "done", reason: "coverage-reached", dir: "c", resumed: false });
    for (const field of ["pages", "failed", "bytes", "seconds", "coverage", "frontier"])
      expect(done?.[field]).toBeTypeOf("number");
    expect(done?.["coverage"]).toBeGreaterThanOrEqual(0.9);
    expect(lines.slice(0, -1).every(({ type }) => type === "progress")).toBe(true);
    const afterwards = (await folder.json(["coverage", "c"])) as Record<string, unknown>;
    expect(afterwards["coverage"]).toBe(done?.["coverage"]);
    expect(afterwards["missing"]).toEqual(done?.["missing"]);
    expect(afterwards["downloaded"]).toBe(done?.["pages"]);
  });

  it("says how much is covered if copies count nothing, and so does coverage, of any crawl", async () => {
    const site = await served((request, response) => {
      response.setHeader("content-type", "text/html");
      if (request.url === "/robots.txt") response.writeHead(404).end();
      else response.end(request.url === "/" ? '<a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>' : "the same");
    });
    const folder = new Folder();
    const args = ["crawl", site, "--allow-private", "--delay", "0", "--damping", "0.5", "--max-pages", "3"];
    const { stdout } = await folder.run([...args, "--dir", "c", "--duplicates-count-nothing", "--json"]);
    // The front page has 1/2 and its first page 1/12; the second is a copy, and the third may lead on: twice 1/12.
    const valued = expect.closeTo(7 / 12 / (9 / 12), 9) as number;
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: "done", pages: 3, valued });
    expect(await folder.json(["coverage", "c"])).toMatchObject({ valued });

    const plain = await folder.run([...args, "--dir", "plain", "--json"]);
    expect(linesOf(plain.stdout).at(-1)).not.toHaveProperty("valued");
    expect(await folder.json(["coverage", "plain", "--duplicates-count-nothing"])).toMatchObject({ valued });
    expect(await folder.json(["coverage", "plain"])).not.toHaveProperty("valued");
    const text = await folder.run(["coverage", "plain", "--duplicates-count-nothing"]);
    expect(text.stdout).toContain("Counting pages by their value, at least 77.77% is certainly covered.");
  });

  it("says in one sentence what is covered and what is missing, and how to resume", async () => {
    const folder = new Folder();
    const { stdout, stderr } = await folder.run([
      "crawl",
      SEED,
      ...(await demoWeb()),
      "--max-pages",
      "60",
      "--dir",
      "c",
    ]);
    expect(stdout).toMatch(
      /^Stopped at its limit of 60 pages: \d+\.\d\d% of what may be fetched is certainly covered, by 60 pages[^.]*[^ ]*\. Missing at most: \d+\.\d\d% is waiting to be fetched \(/,
    );
    expect(stdout).toContain("\n  tidemark crawl --dir c --max-pages 120   # fetch more\n");
    expect(stdout).toMatch(/\n {2}tidemark export c --format csv --out pages\.csv {3}# the pages as a table\n$/);
    expect(stderr).toContain("new crawl in c: the domain demo.test, until 60 pages are fetched");
  });

  it.each([["--store", "text"], ["--warc"]])("with %s leads to the text of its pages, as printed", async (...flags) => {
    const folder = new Folder();
    const args = ["crawl", SEED, ...(await demoWeb()), "--max-pages", "30", "--dir", "c", ...flags];
    const { stdout } = await folder.run(args);
    const commands = stdout.match(/(?<=^ {2})tidemark .*?(?= {3}# )/gm) ?? [];
    const [, , ...texts] = commands.map((command) => command.split(" ").slice(1));
    expect(texts.map(([name]) => name)).toEqual(["export", "pack", "search"]);
    for (const words of texts) expect(await folder.run(words), words.join(" ")).toMatchObject({ code: 0 });
    // Of the demo's pages some are files without text.
    expect(readFileSync(folder.at("best.md"), "utf8").match(/^url: /gm)?.length).toBeGreaterThan(15);
    expect(readFileSync(folder.at("pack.md"), "utf8")).toMatch(/^# Pages of www\.demo\.test\n/);
  });

  it("is resumed by the same command, or by the directory alone, with its stored settings", async () => {
    const folder = new Folder();
    const web = await demoWeb();
    const first = ["crawl", SEED, ...web, "--max-pages", "40", "--dir", "c", "--json", "--quiet"];
    expect(linesOf((await folder.run(first)).stdout).at(-1)).toMatchObject({ pages: 40, resumed: false });
    expect(linesOf((await folder.run(first)).stdout).at(-1)).toMatchObject({
      pages: 40,
      resumed: true,
      reason: "page-limit",
    });
    const more = await folder.run(["crawl", "--dir", "c", "--max-pages", "90", "--json", "--quiet"]);
    expect(linesOf(more.stdout)).toMatchObject([{ type: "done", pages: 90, resumed: true }]);
    const lifted = await folder.run([
      "crawl",
      "--dir",
      "c",
      "--max-pages",
      "none",
      "--coverage",
      "0.85",
      "--json",
      "--quiet",
    ]);
    expect(linesOf(lifted.stdout).at(-1)).toMatchObject({ reason: "coverage-reached" });
  });

  it("names its directory after the host, and does not go on there with other seeds by accident", async () => {
    const folder = new Folder();
    const web = await demoWeb();
    await folder.run(["crawl", SEED, ...web, "--max-pages", "2"]);
    expect(folder.names()).toEqual(["crawl-www.demo.test"]);
    const { code, stderr } = await folder.run(["crawl", `${SEED}topics/`, ...web, "--max-pages", "3"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("has a crawl with other seeds"),
    });
  });

  it("reads seeds from standard input and trust from a file", async () => {
    const folder = new Folder({ trust: "# ours\nhttp://news.demo.test/\t3\nhttp://forum.demo.test/\t1\n" });
    const web = await demoWeb();
    const piped = await folder.run(
      ["crawl", "--seed-file", "-", ...web, "--max-pages", "3", "--dir", "a", "--json"],
      "http://news.demo.test/\n\nhttp://forum.demo.test/ # a comment\n",
    );
    expect(piped.code).toBe(0);
    const dashed = await folder.run(
      ["crawl", "-", "http://forum.demo.test/", ...web, "--dir", "c", "--dry-run", "--json"],
      "http://news.demo.test/\nhttp://forum.demo.test/\n",
    );
    const { seeds } = JSON.parse(dashed.stdout) as { seeds: { url: string }[] };
    expect(seeds.map(({ url }) => url)).toEqual(["http://forum.demo.test/", "http://news.demo.test/"]);
    const trusted = ["crawl", "--trust", "trust", "--normalise-trust", ...web, "--dir", "b", "--dry-run"];
    expect(((await folder.json(trusted)) as { seeds: object[] }).seeds).toMatchObject([
      { url: "http://news.demo.test/", weight: 0.75, robots: "allowed", status: 200 },
      { url: "http://forum.demo.test/", weight: 0.25 },
    ]);
    expect(folder.names()).toEqual(["a", "trust"]);
  });

  it("keeps the bodies on request", async () => {
    const folder = new Folder();
    await folder.run(["crawl", SEED, ...(await demoWeb()), "--max-pages", "5", "--dir", "c", "--warc"]);
    const files = readdirSync(folder.at("c/warc"));
    expect(files.some((name) => name.endsWith(".warc.gz"))).toBe(true);
    expect(files.every((name) => statSync(folder.at(`c/warc/${name}`)).size > 0)).toBe(true);
  });

  it("completes an archive on request, also one that is there already", async () => {
    const seed = await served(({ url }, response) => {
      if (url === "/robots.txt") return response.writeHead(404).end();
      const isSheet = url?.endsWith(".css") === true;
      response.setHeader("content-type", isSheet ? "text/css" : url === "/" ? "text/html" : "image/png");
      return response.end(
        isSheet ? "p { background: url(/b.png) }" : "<link rel=stylesheet href=/s.css><img src=a.png>",
      );
    });
    const folder = new Folder();
    await folder.run(["crawl", seed, "--allow-private", "--delay", "0", "--dir", "c", "--warc"]);
    const { stdout } = await folder.run(["crawl", "--dir", "c", "--requisites", "--json"]);
    const done = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as object;
    expect(done).toMatchObject({ pages: 1, requisites: { fetched: 3, dead: 0, forbidden: 0, left: 0 } });
    const urls = Array.from(new WarcReader(folder.at("c")).entries(), ({ url }) => new URL(url).pathname);
    expect(new Set(urls)).toEqual(new Set(["/", "/robots.txt", "/sitemap.xml", "/s.css", "/a.png", "/b.png"]));
    const again = await folder.run(["crawl", "--dir", "c", "--requisites"]);
    expect(again.stdout).toContain("0 more files stored");
    const refused = await folder.run(["crawl", seed, "--dir", "d", "--requisites"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--requisites completes an archive: give --warc as well");
  });

  it("reports a lost seed at once, with the share that is unreachable without it", async () => {
    const folder = new Folder();
    const seeds = [SEED, "http://library.demo.test/reading-room/", "http://www.demo.test/nowhere", `${SEED}topics/`];
    const { stderr } = await folder.run(["crawl", ...seeds, ...(await demoWeb()), "--max-pages", "50", "--dir", "c"]);
    expect(stderr).toContain(
      "the seed http://library.demo.test/reading-room/ is forbidden by robots.txt; without it, at least 25% of all importance is unreachable",
    );
    // Dead: 0.15 * 0.25 of a whole of 0.75 + 0.15 * 0.25.
    expect(stderr).toContain(
      "the seed http://www.demo.test/nowhere is dead: it responds with 404 (not found); without it, at least 4.76% of all importance is unreachable",
    );
  });
});

describe("a seed that redirects to another host", () => {
  const scope = "the hosts demo.test and www.demo.test";

  it("is followed there, and the crawl says so", async () => {
    const folder = new Folder();
    const args = ["crawl", "http://demo.test/", ...(await demoWeb()), "--scope", "host", "--dir", "c"];
    const { code, stderr, stdout } = await folder.run([...args, "--max-pages", "20", "--json"]);
    expect(code).toBe(0);
    expect(stderr).toContain(`a seed leads to http://www.demo.test/; the scope is now ${scope}`);
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({ pages: 20 });
    const { stderr: resumed } = await folder.run(["crawl", "--dir", "c", "--max-pages", "30"]);
    expect(resumed).toContain(`resuming the crawl in c: ${scope}`);
  });
});

it("takes a seed without its scheme for https", async () => {
  const folder = new Folder();
  const document = await folder.json([
    "crawl",
    "www.demo.test/topics",
    "localhost:8080",
    ...(await demoWeb()),
    "--dry-run",
  ]);
  expect(document).toMatchObject({
    seeds: [{ url: "https://www.demo.test/topics" }, { url: "https://localhost:8080/" }],
  });
});

describe("Ctrl-C", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "(%s) stops a crawl cleanly, without waiting for its delay, and says how to go on",
    async (signal) => {
      const folder = new Folder();
      const web = await demoWeb();
      const child = folder.start(process.execPath, [MAIN, "crawl", SEED, ...web, "--delay", "30", "--dir", "c"]);
      const ended = outcomeOf(child);
      await expect.poll(() => visitsIn(folder.at("c"))).toBeGreaterThan(0);
      const beforeMs = performance.now();
      child.kill(signal);
      const { code, stdout } = await ended;
      expect(performance.now() - beforeMs).toBeLessThan(20_000);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Interrupted: /);
      expect(stdout).toContain("tidemark crawl --dir c   # resume");
      const resumed = await folder.run([
        "crawl",
        "--dir",
        "c",
        "--delay",
        "0",
        "--coverage",
        "0.8",
        "--json",
        "--quiet",
      ]);
      expect(linesOf(resumed.stdout)).toMatchObject([{ reason: "coverage-reached", resumed: true }]);
    },
  );
});
