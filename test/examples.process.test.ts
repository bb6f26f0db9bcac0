/** The examples run as they stand, with the package as users install it, on the demo web. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoOptions, demoWeb, SEED } from "./cli/demo-web.ts";
import { installed, root } from "./cli/installed.ts";
import { startSite } from "./crawlee/user-program.ts";
import { Folder, type Outcome, outcomeOf } from "./cli/run.ts";
import { readAll } from "./store/warc-reading.ts";

const DEMO_HOST = "www.demo.test";

const place = mkdtempSync(join(tmpdir(), "tidemark-examples-"));
/** The packages of every project: this one, as users install it, and Crawlee. */
let modules: string;
beforeAll(async () => {
  modules = dirname(await installed(place));
  mkdirSync(join(modules, ".bin"));
  symlinkSync(join(modules, "tidemark/dist/cli/main.js"), join(modules, ".bin/tidemark"));
  symlinkSync(join(root, "bench/node_modules/@crawlee"), join(modules, "@crawlee"));
  // What npx does in such a project, without the start of npm. The published tarball is run by npx itself elsewhere.
  const npx = '#!/bin/sh\nname=$1\nshift\nexec "node_modules/.bin/$name" "$@"\n';
  writeFileSync(join(place, "npx"), npx, { mode: 0o755 });
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A project with the package in it, in which `npx tidemark` and `import "tidemark"` find just that. */
class Project extends Folder {
  constructor() {
    super();
    symlinkSync(modules, this.at("node_modules"));
    cpSync(join(root, "examples"), this.at("examples"), { recursive: true });
  }

  example(name: string, args: readonly string[]): Promise<Outcome> {
    const program = name.endsWith(".sh") ? "sh" : process.execPath;
    const environment = { PATH: `${place}:${process.env["PATH"] ?? ""}` };
    return outcomeOf(this.start(program, [join("examples", name), ...args], environment));
  }

  lines(name: string): string[] {
    return readFileSync(this.at(name), "utf8").trim().split("\n");
  }
}

/** By file, so that none is forgotten. */
const examples: Readonly<Record<string, (project: Project) => Promise<void>>> = {
  "site-search.sh": async (project) => {
    const web = await demoWeb();
    const { code, stdout } = await project.example("site-search.sh", [
      SEED,
      "harbour news",
      ...web,
      "--coverage",
      "0.5",
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("certainly covered");
    expect(stdout).toContain("1. The Harbour News\n   http://news.demo.test/\n");
    // The crawl is found again, and not made again.
    const again = await project.example("site-search.sh", [SEED, "tide library", ...web, "--coverage", "0.5"]);
    expect(again.stderr).toContain(`resuming the crawl in search-${DEMO_HOST}`);
    expect(again.stdout).toContain("1. The Tide Library\n");
  },

  "dead-link-audit.sh": async (project) => {
    const web = await demoWeb();
    const { code, stdout } = await project.example("dead-link-audit.sh", [SEED, ...web, "--max-pages", "300"]);
    const page = `http://${DEMO_HOST}/topics/27-salt-weir-of-the-skerries`;
    const dead = `http://${DEMO_HOST}/topics/lost-27`;
    expect(stdout).toContain(`${dead} (status-404)\n  <- ${page} "A page that is gone"\n`);
    expect(project.lines(`audit-${DEMO_HOST}.csv`).some((row) => row.includes(page) && row.includes(dead))).toBe(true);
    expect(code).toBe(1);
    const alone = await project.example("dead-link-audit.sh", ["http://shop.demo.test/", ...web, "--scope", "page"]);
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nDead URLs: 0\n$/) });
  },

  "archive-to-warc.sh": async (project) => {
    const args = [SEED, ...(await demoWeb()), "--max-pages", "40"];
    const { code, stdout } = await project.example("archive-to-warc.sh", args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/These 40 pages hold at least \d\d\.\d\d% of what may be fetched/);
    expect(project.lines(`archive-${DEMO_HOST}/warc/index.cdxj`).length).toBeGreaterThanOrEqual(40);
    const records = await readAll(project.at(`archive-${DEMO_HOST}`));
    const front = records.find(({ type, url }) => type === "response" && url === SEED);
    expect(`${front?.payload}`).toContain("<title>The Demo Portal</title>");
  },

  "compare-strategies.sh": async (project) => {
    const args = [SEED, ...(await demoWeb()), "--max-pages", "200"];
    const { code, stdout } = await project.example("compare-strategies.sh", args);
    expect(code).toBe(0);
    const downloads = (order: string): number => {
      const row = stdout.split("\n").find((line) => line.startsWith(`${order} `)) ?? "";
      // The last columns: downloads, certified, time and its unit, pushes.
      return Number(row.trim().split(/\s+/).at(-5));
    };
    expect(downloads("rankmass")).toBeGreaterThan(0);
    expect(downloads("rankmass")).toBeLessThan(downloads("random"));
    expect(project.lines(`sample-${DEMO_HOST}.html`).join("\n")).toContain("lneighbor");
  },

  "rag-corpus.mjs": async (project) => {
    const options = JSON.stringify(await demoOptions());
    const { code, stdout, stderr } = await project.example("rag-corpus.mjs", [SEED, "8000", options]);
    expect(code).toBe(0);
    const chunks = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { url: string; title: string; importance: number; text: string });
    expect(chunks[0]).toMatchObject({ url: SEED, title: "The Demo Portal" });
    expect(chunks[0].importance).toBeGreaterThan(0.1);
    expect(Math.max(...chunks.map(({ text }) => text.length))).toBeLessThanOrEqual(2000);
    const tokens = Number(/(\d+) tokens of a crawl that covers at least \d\d\.\d\d% of all/.exec(stderr)?.[1]);
    expect(tokens).toBeGreaterThan(7000);
    expect(tokens).toBeLessThanOrEqual(8000);
    // All that was counted was written, but for blanks between chunks.
    const written = chunks.reduce((sum, { text }) => sum + text.length, 0) / 4;
    expect(written / tokens).toBeGreaterThan(0.95);
    expect(written).toBeLessThanOrEqual(tokens);
    const wrong = [
      ["8000", "{maxPages: 5}", "expected options of crawl as JSON"],
      ["8000", "[]", "expected options of crawl as JSON"],
      ["8000", '{"maxpages": 5}', "maxPages"],
      ["many", "{}", "expected a whole number of tokens above 0; got many"],
    ];
    for (const [budget, given, problem] of wrong) {
      const refused = await project.example("rag-corpus.mjs", [SEED, budget, given]);
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain(problem);
      expect(refused.stderr).not.toContain("    at ");
    }
    await checkLongPage(project);
  },

  "crawlee.mjs": async (project) => {
    const { code, stdout } = await project.example("crawlee.mjs", [await startSite()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^4 pages hold at least 100\.00% of all importance$/m);
    expect(stdout).toMatch(/^\d\d\.\d\d% if what the filter dropped counts$/m);
  },
};

/** Of a page that is longer than its share of the budget, the beginning is taken; code is not cut at its comments. */
async function checkLongPage(project: Project): Promise<void> {
  const code = "<pre><code>\nrun\n# not a heading\nstop\n</code></pre>";
  const parts = Array.from({ length: 9 }, (_, k) => `<h2>Part ${k}</h2>${code}<p>${"tide ".repeat(150)}</p>`);
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<title>Long</title><main>${parts.join("")}<p>${"x".repeat(5000)}</p></main>`);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const options = JSON.stringify({ allowPrivate: true, delay: 0, sitemaps: false });
    const { stdout, stderr } = await project.example("rag-corpus.mjs", [site, "5000", options]);
    const texts = stdout.trim().split("\n");
    expect(texts.map((line) => (JSON.parse(line) as { text: string }).text.split("\n")[0])).toEqual([
      "## Part 0",
      "## Part 1",
    ]);
    expect(texts[0]).toContain("# not a heading");
    expect(stderr).toMatch(/^\d+ tokens: \S+ \(its first 2 of 12 chunks\)$/m);
    expect(stderr).toContain("covers at least 100.00% of all importance\n");
  } finally {
    server.close();
  }
}

describe("examples", () => {
  it("are all run here, and all described", () => {
    const names = readdirSync(join(root, "examples")).filter((name) => name !== "README.md");
    expect(names.sort()).toEqual(Object.keys(examples).sort());
    const readme = readFileSync(join(root, "examples/README.md"), "utf8");
    for (const name of names) {
      expect(readme).toContain(`](${name})`);
      expect(readme).toContain(`${name.endsWith(".sh") ? "sh" : "node"} examples/${name} https://www.example.com/`);
    }
  });

  it.each(Object.entries(examples))("%s does what it says, and says what it expects", async (name, check) => {
    const project = new Project();
    const { code, stdout, stderr } = await project.example(name, []);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("the URL of a site");
    expect(stderr).not.toContain("    at ");
    await check(project);
  });
});
