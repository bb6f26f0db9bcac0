import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createCrawl } from "../../src/store/index.ts";
import { tellSmallCrawl } from "../support/small-crawl.ts";
import { CallFolder } from "./call.ts";
import { Folder } from "./run.ts";

/** 0 leads to 1, 2 and 3; 4 to 5; 6 stands alone. Two sites: 0 to 3, and 4 to 6. */
const ARCS = "0 1\n0 2\n0 3\n4 5\n";
const URLS = [0, 1, 2, 3, 4, 5, 6].map((page) => `http://${page < 4 ? "a" : "b"}.example/${page}\n`).join("");
const FILES = { "web.arcs": ARCS, "web.urls": URLS };
const WEB = ["seeds", "web.arcs", "--urls", "web.urls"];

interface Answer {
  readonly method: string;
  readonly seeds: readonly number[];
  readonly urls?: readonly string[];
  readonly covered: { readonly pages: number; readonly value: number; readonly share: number };
  readonly total: { readonly pages: number; readonly value: number };
  readonly seconds: number;
  readonly sites?: readonly { readonly name: string; readonly seeds: number }[];
}

async function answer(folder: Folder, args: readonly string[]): Promise<Answer> {
  return (await folder.json(args)) as Answer;
}

describe("tidemark seeds", () => {
  it.each(["random", "pagerank", "outdegree", "maxout", "maxweight", "maxscc", "rootscc", "greedy"])(
    "answers by %s with seeds, what they cover, and the time it took",
    async (method) => {
      const folder = new CallFolder(FILES);
      const found = await answer(folder, [...WEB, "-k", "2", "--hops", "1", "--method", method]);
      expect(found.method).toBe(method);
      expect(found.seeds).toHaveLength(2);
      expect(found.urls).toEqual(found.seeds.map((page) => `http://${page < 4 ? "a" : "b"}.example/${page}`));
      expect(found.covered.value).toBe(found.covered.pages);
      expect(found.total).toEqual({ pages: 7, value: 7 });
      expect(found.seconds).toBeGreaterThanOrEqual(0);
    },
  );

  it("finds by greedy the two pages that reach six of seven, and says so to people", async () => {
    const folder = new Folder(FILES);
    const found = await answer(folder, [...WEB, "-k", "2", "--hops", "1"]);
    expect(found.seeds).toEqual([0, 4]);
    expect(found.covered).toEqual({ pages: 6, value: 6, share: 6 / 7 });
    const { stdout } = await folder.run([...WEB, "-k", "2", "--hops", "1"]);
    expect(stdout).toContain("These 2 seeds find 85.71% of the value within 1 hop: 6 of 7 pages");
    expect(stdout).toContain("http://b.example/4");
  });

  it.each([
    ["one value a line", "1\n1\n1\n1\n1\n1\n50\n"],
    ["ids and values", "6 50\n0 1\n1 1\n2 1\n3 1\n4 1\n5 1 http://b.example/5\n# the end\n"],
    ["URLs and values", URLS.replaceAll(/\n/g, " 1\n").replace("/6 1", "/6 50")],
  ])("takes values from a file: %s", async (_what, weights) => {
    const folder = new CallFolder({ ...FILES, weights });
    const found = await answer(folder, [...WEB, "-k", "1", "--hops", "1", "--weights", "weights"]);
    expect(found.seeds).toEqual([6]);
    expect(found.covered.value).toBe(50);
    expect(found.total.value).toBe(56);
  });

  it("follows the paper's rule: spam, clicks, and links to pages not crawled", async () => {
    const folder = new CallFolder({
      ...FILES,
      spam: "1\n",
      clicked: "http://b.example/5\n",
      crawled: "0\n1\n4\n5\n6\n",
    });
    const spam = await answer(folder, [...WEB, "-k", "1", "--hops", "1", "--spam", "spam", "--clicked", "clicked"]);
    // 0 is worth 1 - 10 + 2, 4 and 5 together 11.
    expect([spam.seeds, spam.covered.value]).toEqual([[4], 11]);
    const open = await answer(folder, [...WEB, "-k", "1", "--hops", "1", "--crawled", "crawled", "--unique", "0.5"]);
    // 0 has two links to pages not crawled: 1 + 2/2, and page 1.
    expect([open.seeds, open.covered.value, open.total]).toEqual([[0], 3, { pages: 5, value: 6 }]);
  });

  it("shares seeds out among sites", async () => {
    const folder = new CallFolder(FILES);
    const found = await answer(folder, [
      ...WEB,
      "-k",
      "3",
      "--hops",
      "1",
      "--per-site",
      "--importance",
      "value",
      "--method",
      "maxweight",
    ]);
    // Quotas 12/7 and 9/7: 2 and 1; but one seed covers all of a.
    expect(found.sites).toEqual([
      expect.objectContaining({ name: "a.example", seeds: 2 }),
      expect.objectContaining({ name: "b.example", seeds: 1 }),
    ]);
    expect(found.seeds).toEqual([0, 4]);
  });

  it("writes a trust file that other commands take", async () => {
    const folder = new CallFolder(FILES);
    await answer(folder, [...WEB, "-k", "2", "--hops", "1", "--trust-out", "trust.txt"]);
    expect(readFileSync(folder.at("trust.txt"), "utf8")).toBe("http://a.example/0\nhttp://b.example/4\n");
    const { code } = await folder.run(["rank", "web.arcs", "--urls", "web.urls", "--trust", "trust.txt"]);
    expect(code).toBe(0);
  });
});

describe("tidemark seeds of a crawl", () => {
  it("chooses among the pages downloaded, valued by the crawl's own records", async () => {
    const folder = new CallFolder();
    tellSmallCrawl(createCrawl(folder.at("crawl"), "{}")).close();
    const found = await answer(folder, ["seeds", "crawl", "-k", "1", "--hops", "1", "--trust-out", "trust.txt"]);
    // Downloaded are 0 and 3; 0 leads to 1, which redirects to 3, and 3 back to 0. Nothing that they link to waits to
    // be crawled.
    expect(found.total).toEqual({ pages: 2, value: 2 });
    expect(found.seeds).toEqual([0]);
    expect(found.urls).toEqual(["https://a.example/"]);
    expect(found.covered).toEqual({ pages: 2, value: 2, share: 1 });
    expect(readFileSync(folder.at("trust.txt"), "utf8")).toBe("https://a.example/\n");
  });
});

describe("tidemark seeds refuses", () => {
  it.each<[what: string, args: readonly string[], message: RegExp]>([
    ["no seeds", ["-k", "0"], /-k.*whole number of at least 1/],
    ["more seeds than pages", ["-k", "8"], /8 seeds of 7 pages: expected a whole number from 1 to 7/],
    ["no hops", ["-k", "1", "--hops", "0"], /--hops.*at least 1/],
    ["a depth of 0", ["-k", "1", "--depth", "0"], /--depth.*at least 1/],
    ["an unknown method", ["-k", "1", "--method", "maxwieght"], /Did you mean maxweight\?/],
    ["too few values", ["-k", "1", "--weights", "few"], /few: values for 3 of 7 pages; expected one per page/],
    ["too many values", ["-k", "1", "--weights", "many"], /many: values for 8 of 7 pages/],
    ["values of pages that are not there", ["-k", "1", "--weights", "beyond"], /line 1: page 7 is out of range/],
    ["a value that is none", ["-k", "1", "--weights", "words"], /line 1: the value is "much"/],
    ["two values of a page", ["-k", "1", "--weights", "twice"], /line 2: page 0 has a value already/],
    ["values and spam", ["-k", "1", "--weights", "few", "--spam", "few"], /cannot be used with/],
    [
      "uniqueness without crawled pages",
      ["-k", "1", "--unique", "0.5"],
      /--unique is about pages that were not crawled/,
    ],
  ])("%s, with exit code 2", async (_what, args, message) => {
    const folder = new CallFolder({
      ...FILES,
      few: "1\n2\n3\n",
      many: "1\n".repeat(8),
      beyond: "7 1\n",
      words: "0 much\n",
      twice: "0 1\n0 2\n",
    });
    const { code, stderr } = await folder.run([...WEB, ...args]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  it("--importance without --per-site is refused", async () => {
    const args = ["seeds", "web.arcs", "-k", "1", "--importance", "pagerank"];
    const { code, stderr } = await new CallFolder(FILES).run(args);
    expect(stderr).toContain("--importance is for --per-site");
    expect(code).toBe(2);
  });

  it("sites without URLs", async () => {
    const { code, stderr } = await new CallFolder(FILES).run(["seeds", "web.arcs", "-k", "1", "--per-site"]);
    expect(stderr).toMatch(/--per-site needs the host of every page/);
    expect(code).toBe(2);
  });
});
