import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCrawl } from "../../src/store/index.ts";
import { inlineSettings } from "../support/inline-web.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { Folder, MAIN } from "./run.ts";

let dir = "";

interface Row {
  readonly id: number;
  readonly url: string;
  readonly state: string;
  readonly reason: string | null;
  readonly rankLow?: number;
  readonly rankHigh?: number;
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
    const folder = new Folder();
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
    const folder = new Folder();
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
    const folder = new Folder();
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

  it("says that a crawl has no SimHashes, instead of leaving its list of near-duplicates empty without a word", async () => {
    const folder = new Folder();
    const settings = inlineSettings(["https://a.example/"], {});
    tellSmallCrawl(createCrawl(folder.at("small"), JSON.stringify(settings))).close();
    const { stdout, stderr, code } = await folder.run(["export", "small", "--format", "near-duplicates"]);
    expect([code, stdout]).toEqual([0, "group,pages,distance,url,title,rank,rank_low,rank_high\r\n"]);
    expect(stderr).toContain("only in a crawl with --near-duplicates");
  });

  it("writes links whose graph is the one that the crawl is taken for, in both formats", async () => {
    const folder = new Folder();
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
    ["an unknown format", ["CRAWL", "--format", "xml"], "Allowed choices are jsonl, csv, arcs, bv"],
    ["an unknown state", ["CRAWL", "--states", "dowloaded"], "Did you mean downloaded?"],
    ["states of a graph", ["CRAWL", "--format", "arcs", "--states", "dead"], "--states is for"],
    ["URLs of pages", ["CRAWL", "--urls-out", "u"], "--urls-out is for"],
    ["redirects of pages", ["CRAWL", "--format", "csv", "--redirects", "resolved"], "--redirects is for"],
    ["BV on standard output", ["CRAWL", "--format", "bv"], "give their common name with --out NAME"],
    ["two answers on standard output", ["CRAWL", "--json"], "write the export to a file with --out FILE"],
    ["states of findings", ["CRAWL", "--format", "redirects", "--states", "dead"], "--states is for"],
    ["an output in no folder", ["CRAWL", "--out", "no/x"], "the folder no does not exist"],
  ])("refuses %s", async (_what, args, message) => {
    const folder = new Folder();
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
    const { code, stderr } = await new Folder().run(args.map((arg) => (arg === "CRAWL" ? join(dir, "crawl") : arg)));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("is measured by domain on request", async () => {
    const document = await new Folder().json(["coverage", join(dir, "crawl"), "--by", "domain"]);
    expect(document).toMatchObject({ graph: { hosts: 1 } });
  });
});
