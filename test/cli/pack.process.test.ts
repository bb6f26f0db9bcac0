/** `tidemark pack` as a user runs it. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { loadTokenCounter } from "../../src/content/index.ts";
import { launchCrawl } from "../../src/crawl/index.ts";
import type { TextForm } from "../../src/log/index.ts";
import { createCrawl } from "../../src/store/index.ts";
import { InlineWeb, inlineSettings } from "../support/inline-web.ts";
import { Folder } from "./run.ts";

const SEED = "http://site.example/";
const prose = (word: string, times: number): string =>
  `<h1>${word}</h1><p>${`${word} comes and goes. `.repeat(times)}</p>`;
const PAGES: Readonly<Record<string, string>> = {
  "/": `<title>Front</title><main>${prose("tide", 20)}<a href="/a">A</a><a href="/b">B</a><a href="/copy">C</a></main>`,
  "/a": `<title>Page A</title><main>${prose("ebb", 20)}<a href="/">Front</a></main>`,
  "/b": `<title>Page B</title><main>${prose("flood", 600)}<a href="/">Front</a></main>`,
  "/copy": `<title>Page A</title><main>${prose("ebb", 20)}<a href="/">Front</a></main>`,
};

/** A crawl of all pages into a directory. */
async function crawlTo(dir: string, texts: readonly TextForm[], pages = PAGES): Promise<void> {
  const settings = { ...inlineSettings([SEED], {}), texts };
  const store = createCrawl(dir, JSON.stringify(settings));
  const fetcher = new InlineWeb(({ pathname }) => pages[pathname]);
  await (await launchCrawl({ settings, store, fetcher, readers: 0 })).run();
  store.close();
}

interface Answer {
  readonly pages: number;
  readonly tokens: number;
  readonly coverage: number;
}

describe("tidemark pack", () => {
  it("writes the pages that are worth most per token, copies once, with what they hold", async () => {
    const folder = new Folder();
    await crawlTo(folder.at("crawl"), ["markdown"]);
    const answer = await folder.json(["pack", "crawl", "--tokens", "800", "--out", "pack.md"]);
    const text = readFileSync(folder.at("pack.md"), "utf8");
    expect(answer).toMatchObject({ pages: 2, file: "pack.md", tooLong: 1, withoutText: 0 });
    const { tokens, coverage } = answer as Answer;
    const count = await loadTokenCounter();
    expect(count(text, 800)).toBe(tokens);
    // The front page has 1 / (1 + d) of all importance, the others a third of the rest each.
    const expected = (1 + 0.85 / 3) / 1.85;
    expect(coverage).toBeLessThanOrEqual(expected);
    expect(coverage).toBeCloseTo(expected, 6);
    const day = /\d{4}-\d\d-\d\d/.exec(text)?.[0];
    expect(text.split("\n").slice(0, 12)).toEqual([
      "# Pages of site.example",
      "",
      `Packed by tidemark from a crawl that ended on ${day}: 2 of 4 pages, ${tokens} tokens (o200k_base), by importance. ` +
        "These pages hold at least 69.36% of all importance of what may be fetched.",
      "",
      "## Contents",
      "",
      "1. [Front](http://site.example/)",
      "2. [Page A](http://site.example/a)",
      "---",
      "",
      "## 1. Front",
      "",
    ]);
    expect(text).toContain("\n## 2. Page A\n\nSource: http://site.example/a\n\n### ebb\n\nebb comes and goes.");
  });

  it("holds all if everything fits, as coverage says", async () => {
    const folder = new Folder();
    const { "/copy": _, ...pages } = PAGES;
    await crawlTo(folder.at("crawl"), ["html"], { ...pages, "/": PAGES["/"].replace('<a href="/copy">C</a>', "") });
    const answer = await folder.json(["pack", "crawl", "--tokens", "50000", "--out", "pack.md.gz"]);
    expect(answer).toMatchObject({ pages: 3, coverage: 1 });
    expect(gunzipSync(readFileSync(folder.at("pack.md.gz"))).toString()).toContain("## 3. Page ");
  });

  it("goes to standard output, with what was left out on standard error", async () => {
    const folder = new Folder();
    await crawlTo(folder.at("crawl"), ["text"]);
    const { code, stdout, stderr } = await folder.run(["pack", "crawl", "--tokens", "800"]);
    expect(code).toBe(0);
    // On a slow machine progress comes before it.
    expect(stderr).toMatch(/(^|\n)tidemark: 1 page left out: too long for so few tokens\n$/);
    expect(stdout).toMatch(/^# Pages of site\.example\n/);
    const { stdout: said } = await folder.run(["pack", "crawl", "--tokens", "800", "--out", "pack.md", "--quiet"]);
    expect(said).toMatch(
      /^pack\.md: 2 pages, \d+ tokens\. They hold at least 69\.36% of all importance of what may be/,
    );
  });

  it.each([
    [["--tokens", "800", "--json"], /--json prints a summary on standard output.*--out FILE/],
    [["--tokens", "100"], /--tokens 100 is too small for even one page: expected at least \d+\n/],
    [["--tokens", "0"], /--tokens/],
    [["--tokens", "many"], /--tokens/],
    [[], /--tokens/],
  ])("refuses %j", async (args, message) => {
    const folder = new Folder();
    await crawlTo(folder.at("crawl"), ["markdown"]);
    const { code, stdout, stderr } = await folder.run(["pack", "crawl", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it("refuses a crawl without texts, one without pages, and what is no crawl", async () => {
    const folder = new Folder();
    await crawlTo(folder.at("crawl"), []);
    await crawlTo(folder.at("empty"), ["markdown"], {});
    for (const [dir, message] of [
      ["crawl", /crawl has no text of any page: expected a crawl that ran with --store markdown, or with --warc/],
      ["empty", /empty has no pages yet/],
      ["nothing", /nothing/],
    ] as const) {
      const { code, stderr } = await folder.run(["pack", dir, "--tokens", "800"]);
      expect(code).toBe(2);
      expect(stderr).toMatch(message);
      // A slow machine sees progress before it.
      expect(stderr.split("\n").filter((line) => line.startsWith("tidemark:"))).toHaveLength(1);
    }
  });
});
