import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCrawl } from "../../src/store/index.ts";
import { inlineSettings } from "../support/inline-web.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { writeTexts } from "../support/text-crawl.ts";
import { CallFolder } from "./call.ts";
import { Folder, MAIN } from "./run.ts";

let dir = "";

interface Row {
  readonly id: number;
  readonly url: string;
  readonly state: string;
  readonly reason: string | null;
  readonly rank?: number | null;
  readonly rankLow?: number;
  readonly rankHigh?: number;
  readonly markdown?: string | null;
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "tidemark-export-"));
  execFileSync(process.execPath, [MAIN, "demo", "--coverage", "0.7", "--dir", join(dir, "crawl"), "--quiet", "--json"]);
});
afterAll(() => rmSync(dir, { recursive: true }));

describe("tidemark export", () => {
  it("writes every known URL as a line of JSON, with the bounds of its importance", async () => {
    const folder = new Folder();
    const { stdout } = await folder.run(["export", join(dir, "crawl")]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
    const { downloaded } = (await folder.json(["coverage", join(dir, "crawl")])) as { downloaded: number };
    expect(rows.filter(({ state }) => state === "downloaded")).toHaveLength(downloaded);
    expect(rows.some(({ state }) => state === "waiting")).toBe(true);
    const certain = rows.reduce((sum, { rankLow = 0, state }) => sum + (state === "downloaded" ? rankLow : 0), 0);
    expect(certain).toBeGreaterThanOrEqual(0.7 - 1e-9);
    expect(certain).toBeLessThanOrEqual(1);
    for (const { rankLow = 0, rankHigh = 0 } of rows) expect(rankLow).toBeLessThanOrEqual(rankHigh);
  });

  it("writes pages in some states only, as CSV", async () => {
    const folder = new CallFolder();
    const args = [
      "export",
      join(dir, "crawl"),
      "--format",
      "csv",
      "--states",
      "redirected,dead",
      "--no-importance",
      "--out",
      "pages.csv",
    ];
    const { stdout } = await folder.run(args);
    const lines = readFileSync(folder.at("pages.csv"), "utf8").trim().split("\r\n");
    expect(lines[0]).toBe(
      "id,url,state,reason,status,depth,source,content_type,title,bytes,fetched_at,target,language,sitemap,sitemap_modified,robots_tag,noindex,noarchive,usage",
    );
    for (const line of lines.slice(1)) expect(line).toMatch(/,(redirected|dead),/);
    expect(stdout).toMatch(new RegExp(`^pages\\.csv: ${lines.length - 1} pages?, `));
  });

  it.each([
    ["with", []],
    ["without", ["--no-importance"]],
  ])("says of loops and limits what coverage says, %s importance", async (_, args) => {
    const folder = new CallFolder();
    const settings = inlineSettings(["https://a.example/"], { limits: { pagesPerHost: 1 } });
    tellSmallCrawl(createCrawl(folder.at("small"), JSON.stringify(settings))).close();
    const { stdout } = await folder.run(["export", "small", ...args]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
    const outcomes = rows.slice(5).map(({ url, state, reason }) => [url, state, reason]);
    expect(outcomes).toEqual([
      ["https://a.example/later", "refused", "limit"],
      ["https://a.example/loop", "redirected", null],
      ["https://a.example/loop2", "dead", "redirect-loop"],
    ]);
    const { stdout: dead } = await folder.run(["export", "small", "--states", "dead", "--format", "csv", ...args]);
    expect(dead.match(/,dead,/g)).toHaveLength(2);
  });

  it("writes broken links as JSON lines to standard output, or as the name of the file says, and counts them", async () => {
    const folder = new CallFolder();
    const settings = inlineSettings(["https://a.example/"], {});
    tellSmallCrawl(createCrawl(folder.at("small"), JSON.stringify(settings))).close();
    const args = ["export", "small", "--format", "broken-links"];
    const { stdout } = await folder.run([...args, "--json"]);
    const rows = stdout.trim().split("\n");
    expect(rows.map((line) => JSON.parse(line) as object)).toMatchObject([
      { source: "https://a.example/", target: "https://a.example/gone", status: 404, chain: [], rank: 1 },
      { source: "https://a.example/", target: "https://a.example/loop", status: 302, reason: "redirect-loop" },
    ]);
    const about = await folder.json([...args, "--out", "broken.csv"]);
    expect(about).toMatchObject({ format: "broken-links", rows: 2, files: ["broken.csv"] });
    const lines = readFileSync(folder.at("broken.csv"), "utf8").trim().split("\r\n");
    expect(lines[0]).toBe("source,anchor_text,target,status,reason,chain,rank,rank_low,rank_high");
    expect(lines).toHaveLength(3);
    const { stdout: said } = await folder.run([...args, "--no-importance", "--out", "broken.jsonl"]);
    expect(said).toMatch(/^broken\.jsonl: 2 broken links, /);
    const [first] = readFileSync(folder.at("broken.jsonl"), "utf8").split("\n");
    expect(Object.keys(JSON.parse(first) as object)).toEqual([
      "source",
      "anchorText",
      "target",
      "status",
      "reason",
      "chain",
    ]);
  });

  it("writes the most important pages only, with their text", async () => {
    const folder = new CallFolder();
    const crawl = join(dir, "crawl");
    const { stdout } = await folder.run(["export", crawl, "--top", "5", "--content", "markdown"]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
    expect(rows.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
    expect(rows[0].markdown).toContain("# The Demo Portal");
    const csv = ["export", crawl, "--format", "csv", "--content", "text", "--out", "pages.csv"];
    expect(await folder.json(csv)).toMatchObject({ format: "csv", files: ["pages.csv"] });
    const [names] = readFileSync(folder.at("pages.csv"), "utf8").split("\r\n");
    expect(names).toMatch(/,rank,rank_low,rank_high,text$/);
  });

  it("writes the same pages as Parquet", async () => {
    const folder = new CallFolder();
    const crawl = join(dir, "crawl");
    const args = ["--format", "parquet", "--content", "markdown", "--out", "pages.parquet"];
    const about = (await folder.json(["export", crawl, ...args])) as { pages: number; bytes: number };
    const bytes = Uint8Array.from(readFileSync(folder.at("pages.parquet")));
    expect(bytes).toHaveLength(about.bytes);
    const read = await parquetReadObjects({ file: bytes.buffer });
    const { stdout } = await folder.run(["export", crawl, "--content", "markdown"]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
    expect(about.pages).toBe(rows.length);
    const facts = rows.map(({ id, url, state, rankLow, markdown }) => [BigInt(id), url, state, rankLow, markdown]);
    const same = read.map((row) => [row["id"], row["url"], row["state"], row["rank_low"], row["markdown"]]);
    expect(same).toEqual(facts);
    expect(rows.some(({ markdown }) => markdown === null)).toBe(true);
  });

  it("writes Markdown in one file or in one per page, without pages that have none, and counts these", async () => {
    const folder = new CallFolder();
    const args = ["export", join(dir, "crawl"), "--format", "markdown"];
    const { downloaded } = (await folder.json(["coverage", join(dir, "crawl")])) as { downloaded: number };
    const { stdout } = await folder.run(args);
    expect(stdout.startsWith('---\nurl: "http://www.demo.test/"\ntitle: "The Demo Portal"\n')).toBe(true);
    const ranks = [...stdout.matchAll(/^rank: (\d+)$/gm)].map(([, rank]) => Number(rank));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    const about = (await folder.json([...args, "--out", "corpus/"])) as { pages: number; withoutText: number };
    expect(about).toMatchObject({ out: "corpus/", pages: ranks.length, withoutText: downloaded - ranks.length });
    expect(about.withoutText).toBeGreaterThan(0);
    const files = readdirSync(folder.at("corpus"), { recursive: true, encoding: "utf8" });
    expect(files.filter((name) => name.endsWith(".md"))).toHaveLength(about.pages);
    expect(stdout).toContain(readFileSync(folder.at("corpus/www.demo.test/index.md"), "utf8"));
    expect((await folder.run([...args, "--out", "corpus/", "--top", "1"])).stderr).toContain("the folder is not empty");
    const { stdout: said } = await folder.run([...args, "--out", "all.md.gz", "--top", "30"]);
    expect(said).toMatch(/^all\.md\.gz: \d+ pages(?:, \d+ pages? without text left out)?, [\d,]+ bytes\n$/);
  });

  it("lists pages for language models, with what they hold for certain", async () => {
    const folder = new CallFolder();
    const args = ["export", join(dir, "crawl"), "--format", "llms-txt"];
    const { coverage } = (await folder.json(["coverage", join(dir, "crawl")])) as { coverage: number };
    const { stdout } = await folder.run(args);
    const share = (list: string): number => Number(/at least (\d+\.\d\d)% of all importance/.exec(list)?.[1]) / 100;
    expect(stdout).toMatch(/^# The Demo Portal\n\n> [\d,]+ pages, the most important first, /);
    expect(share(stdout)).toBeCloseTo(coverage, 3);
    expect(share(stdout)).toBeLessThanOrEqual(coverage);
    const front =
      "- [The Demo Portal](http://www.demo.test/): Where everybody starts: it links to all the other sites.";
    expect(stdout).toContain(`\n## www.demo.test\n\n${front}\n`);
    const { stdout: few } = await folder.run([...args, "--top", "2"]);
    expect(few.match(/^- /gm)).toHaveLength(2);
    expect(share(few)).toBeGreaterThan(0.2);
    expect(share(few)).toBeLessThan(share(stdout));
    const { stdout: unranked } = await folder.run([...args, "--no-importance"]);
    expect(unranked).toMatch(/^# The Demo Portal\n\n> [\d,]+ pages\.\n/);
  });

  it("says what to do where no text was stored", async () => {
    const folder = new CallFolder();
    tellSmallCrawl(createCrawl(folder.at("small"), JSON.stringify(inlineSettings(["https://a.example/"], {})))).close();
    mkdirSync(folder.at("corpus"));
    for (const args of [
      ["--format", "markdown", "--out", "corpus/"],
      ["--format", "markdown"],
      ["--content", "html"],
      ["--format", "parquet", "--content", "text", "--out", "pages.parquet"],
    ]) {
      const { code, stdout, stderr } = await folder.run(["export", "small", ...args]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("small: the crawl has stored no text of its pages. Crawl with --store markdown");
    }
    expect([folder.names(), readdirSync(folder.at("corpus"))]).toEqual([["corpus", "small"], []]);
    const { code, stdout, stderr } = await folder.run(["export", "small", "--format", "llms-txt"]);
    expect(code).toBe(0);
    expect(stdout).toContain("- [=cmd|' /C calc'!A0](https://a.example/)\n");
    expect(stderr).toContain("listed by their titles only. Crawl with --store markdown");
  });

  it("says that there is plain text in place of Markdown, once", async () => {
    const folder = new CallFolder();
    writeTexts(folder.at("plain"), [{ text: "Tide" }, { text: "Ebb" }]);
    const note = "the crawl has stored plain text, which stands in place of Markdown";
    for (const args of [
      ["--format", "markdown"],
      ["--content", "markdown"],
    ]) {
      const { code, stdout, stderr } = await folder.run(["export", "plain", ...args]);
      expect([code, stderr.split(note).length]).toEqual([0, 2]);
      expect(stdout).toContain("Tide");
    }
    expect((await folder.run(["export", "plain", "--content", "text"])).stderr).not.toContain(note);
  });

  it("says that pages lack what was asked for, once", async () => {
    const folder = new CallFolder();
    writeTexts(folder.at("marked"), [{ text: "Tide" }, { text: "Ebb" }]);
    const { code, stdout, stderr } = await folder.run(["export", "marked", "--format", "jsonl", "--content", "html"]);
    expect([code, stdout.split('"html":null').length]).toEqual([0, 3]);
    expect(stderr.split("some pages have no html, such as http").length).toBe(2);
    expect((await folder.run(["export", "marked", "--format", "jsonl", "--content", "text"])).stderr).not.toContain(
      "no text",
    );
    writeTexts(folder.at("empty"), [{ text: "" }]);
    const empty = await folder.run(["export", "empty", "--format", "markdown"]);
    expect([empty.code, empty.stdout]).toEqual([0, ""]);
    expect(empty.stderr).toContain("no page was written: 1 page without text");
  });

  it("says that a crawl has no pages yet, whatever it stores of them", async () => {
    const folder = new CallFolder();
    const settings = { ...inlineSettings(["https://a.example/"], {}), texts: ["markdown"] };
    createCrawl(folder.at("new"), JSON.stringify(settings)).close();
    for (const args of [
      ["--format", "markdown"],
      ["--content", "text"],
    ]) {
      const { code, stdout, stderr } = await folder.run(["export", "new", ...args]);
      expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: "tidemark: new has no pages yet\n" });
    }
    const { code, stderr } = await folder.run(["export", "new", "--format", "llms-txt"]);
    expect(code).toBe(0);
    expect(stderr).toContain("new has no pages yet\n");
    expect(stderr).not.toContain("--store");
  });

  it("says that a crawl has no SimHashes, instead of leaving its list of near-duplicates empty without a word", async () => {
    const folder = new CallFolder();
    const settings = inlineSettings(["https://a.example/"], {});
    tellSmallCrawl(createCrawl(folder.at("small"), JSON.stringify(settings))).close();
    const { stdout, stderr, code } = await folder.run(["export", "small", "--format", "near-duplicates"]);
    expect([code, stdout]).toEqual([0, "group,pages,distance,url,title,rank,rank_low,rank_high\r\n"]);
    expect(stderr).toContain("only in a crawl with --near-duplicates");
  });

  it("writes links whose graph is the one that the crawl is taken for, in both formats", async () => {
    const folder = new CallFolder();
    const about = (await folder.json([
      "export",
      join(dir, "crawl"),
      "--format",
      "arcs",
      "--redirects",
      "resolved",
      "--out",
      "l.arcs",
      "--urls-out",
      "l.urls",
    ])) as { files: string[]; arcs: number };
    expect(about.files).toEqual(["l.arcs", "l.urls"]);
    await folder.run(["export", join(dir, "crawl"), "--format", "bv", "--redirects", "resolved", "--out", "links"]);
    const ofCrawl = await folder.json(["graph", "info", join(dir, "crawl")]);
    expect(await folder.json(["graph", "info", "l.arcs", "--urls", "l.urls"])).toEqual(ofCrawl);
    expect(await folder.json(["graph", "info", "links", "--urls", "l.urls"])).toEqual(ofCrawl);
    const seed = folder.at("trust");
    writeFileSync(seed, "http://www.demo.test/\n");
    const top = async (args: string[]) => {
      const document = (await folder.json(["rank", ...args])) as { top: { id: number; rank: number; url: string }[] };
      // A crawl also has proven bounds.
      return document.top.map(({ id, rank, url }) => ({ id, rank, url }));
    };
    expect(await top([join(dir, "crawl")])).toEqual(await top(["l.arcs", "--urls", "l.urls", "--trust", seed]));
    const sim = async (args: string[]) =>
      ((await folder.json(["simulate", ...args])) as { runs: { downloads: number; certified: object }[] }).runs[0];
    const [own, given] = [await sim([join(dir, "crawl")]), await sim(["l.arcs", "--urls", "l.urls", "--trust", seed])];
    expect(own?.certified).toEqual(given?.certified);
  });

  it.each<[string, string[], string]>([
    ["what is no crawl", ["."], ". is not a crawl directory"],
    ["what is not there", ["none"], "none does not exist"],
    ["an unknown format", ["CRAWL", "--format", "xml"], "Allowed choices are jsonl, csv, parquet, markdown, llms-txt,"],
    ["an unknown state", ["CRAWL", "--states", "dowloaded"], "Did you mean downloaded?"],
    ["states of a graph", ["CRAWL", "--format", "arcs", "--states", "dead"], "--states is for"],
    ["URLs of pages", ["CRAWL", "--urls-out", "u"], "--urls-out is for"],
    ["redirects of pages", ["CRAWL", "--format", "csv", "--redirects", "resolved"], "--redirects is for"],
    ["BV on standard output", ["CRAWL", "--format", "bv"], "give their common name with --out NAME"],
    ["two answers on standard output", ["CRAWL", "--json"], "write the export to a file with --out FILE"],
    ["states of findings", ["CRAWL", "--format", "redirects", "--states", "dead"], "--states is for"],
    ["states of content", ["CRAWL", "--format", "markdown", "--states", "dead"], "has the text of downloaded pages"],
    ["Parquet on standard output", ["CRAWL", "--format", "parquet"], "name it with --out FILE, without .gz"],
    ["gzipped Parquet", ["CRAWL", "--format", "parquet", "--out", "p.gz"], "compressed already"],
    ["the text of links", ["CRAWL", "--format", "arcs", "--content", "text"], "--content is for --format jsonl, csv"],
    ["the text of content", ["CRAWL", "--format", "markdown", "--content", "text"], "--content is for"],
    ["an unknown form of text", ["CRAWL", "--content", "pdf"], "Allowed choices are text, markdown, html"],
    ["the top of a graph", ["CRAWL", "--format", "bv", "--out", "g", "--top", "3"], "--top is for --format jsonl, csv"],
    ["the top of findings", ["CRAWL", "--format", "orphans", "--top", "3"], "--top is for --format jsonl, csv"],
    ["the top of states", ["CRAWL", "--top", "3", "--states", "dead"], "leave out --states"],
    ["the top without importance", ["CRAWL", "--top", "3", "--no-importance"], "leave out --no-importance"],
    ["the top of nothing", ["CRAWL", "--top", "0"], "--top"],
    ["a folder in no folder", ["CRAWL", "--format", "markdown", "--out", "no/x/"], "the folder no does not exist"],
    ["an output in no folder", ["CRAWL", "--out", "no/x"], "the folder no does not exist"],
  ])("refuses %s", async (_what, args, message) => {
    const folder = new CallFolder();
    const { code, stdout, stderr } = await folder.run([
      "export",
      ...args.map((arg) => (arg === "CRAWL" ? join(dir, "crawl") : arg)),
    ]);
    expect(stderr).toContain(message);
    expect({ code, stdout, files: folder.names() }).toEqual({ code: 2, stdout: "", files: [] });
  });
});

describe("a crawl as a graph", () => {
  it.each<[string, string[], string]>([
    ["URLs", ["graph", "info", "CRAWL", "--urls", "u"], "is a crawl with its own URLs"],
    ["trust", ["coverage", "CRAWL", "--trust", "t"], "is a crawl with its own seeds"],
    ["downloaded pages", ["coverage", "CRAWL", "--pages", "p"], "is a crawl with its own pages"],
    ["another damping", ["coverage", "CRAWL", "--damping", "0.5"], "was crawled with damping 0.85"],
  ])("takes no %s from elsewhere", async (_what, args, message) => {
    const { code, stderr } = await new CallFolder().run(
      args.map((arg) => (arg === "CRAWL" ? join(dir, "crawl") : arg)),
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("is measured by domain on request", async () => {
    const document = await new CallFolder().json(["coverage", join(dir, "crawl"), "--by", "domain"]);
    expect(document).toMatchObject({ graph: { hosts: 1 } });
  });
});
