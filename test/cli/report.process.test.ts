import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FILE_BYTES_MAX } from "../../src/cli/input/simulation-file.ts";
import { crawlCommands, OPTIONS_LENGTH_MAX, SEEDS_TYPED_MAX } from "../../src/cli/crawl/typed.ts";
import { makeCrawl, reportSettings, type ToldPage } from "../report/report-crawl.ts";
import { CallFolder } from "./call.ts";
import { Folder, MAIN, outcomeOf } from "./run.ts";
import { visitsIn } from "./visits.ts";

let dir = "";
let simulation = "";

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "tidemark-report-"));
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [MAIN, ...args], {
      cwd: dir,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  run("demo", "--coverage", "0.7", "--dir", "crawl", "--quiet", "--json");
  run("graph", "generate", "--pages", "500", "--out", "web.arcs");
  simulation = run("simulate", "web.arcs", "--order", "rankmass,fpr", "--json");
});
afterAll(() => rmSync(dir, { recursive: true }));

describe("tidemark report of a crawl", () => {
  it("writes one page that says what is certain and gives the commands to reproduce it", async () => {
    const folder = new CallFolder();
    const { code, stdout } = await folder.run(["report", join(dir, "crawl")]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^report\.html: [7-9]\d\.\d\d% of what may be fetched is certainly covered, by \d+ pages \(target reached[^)]*\); [\d.]+ KB\n$/,
    );
    expect(folder.names()).toEqual(["report.html"]);
    const html = readFileSync(folder.at("report.html"), "utf8");
    expect(html).toContain("<title>Crawl of www.demo.test · Tidemark</title>");
    expect(html).toContain("The crawl stopped because it reached its target of 70%.");
    expect(html).toContain(
      "tidemark crawl http://www.demo.test/ --dir new-crawl --scope domain --coverage 0.7 --delay 40ms",
    );
    expect(html).toContain("--allow-private --resolve demo.test:127.0.0.1:");
    expect(html).not.toMatch(/--universe scope|--order rankmass|--damping/);
  });

  it("prints its path as JSON, and agrees with tidemark coverage", async () => {
    const folder = new CallFolder();
    const document = (await folder.json([
      "report",
      join(dir, "crawl"),
      "--out",
      "r.html",
      "--picture",
      "tide.svg",
    ])) as {
      bytes: number;
      coverage: number;
    };
    const { coverage, downloaded } = (await folder.json(["coverage", join(dir, "crawl")])) as {
      coverage: number;
      downloaded: number;
    };
    expect(document).toMatchObject({ file: "r.html", pages: downloaded, picture: "tide.svg" });
    expect(document.coverage).toBeCloseTo(coverage, 12);
    expect(readFileSync(folder.at("r.html")).length).toBe(document.bytes);
    expect(document.bytes).toBeLessThan(1_000_000);
    expect(readFileSync(folder.at("tide.svg"), "utf8")).toMatch(/^<svg [^]*target 70%/);
  });

  it("writes to standard output, and under another title", async () => {
    const folder = new CallFolder();
    const { code, stdout } = await folder.run(["report", join(dir, "crawl"), "--out", "-", "--title", "Ours & theirs"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(stdout).toContain("<h1>Ours &amp; theirs</h1>");
    expect(stdout).toMatch(/<\/html>\n$/);
    expect(folder.names()).toEqual([]);
  });

  const ALIVE: ToldPage = { path: "/", title: "Home", outcome: "downloaded", status: 200 };
  it.each<[string, ToldPage[], string, number]>([
    ["of which nothing is known yet", [], "No page yet", 0],
    ["of which only the seed is known", [{ path: "/" }], "No page yet", 0],
    ["of one page", [ALIVE], "Everything reachable is fetched", 1],
    ["whose every page is dead", [{ path: "/", outcome: "dead", status: 404 }], "No page could be fetched", 0],
    ["whose seed was refused", [{ path: "/", outcome: "refused", reason: "robots" }], "No page could be fetched", 0],
  ])("works on a crawl %s", async (_what, pages, words, count) => {
    const folder = new Folder();
    makeCrawl(folder.at("crawl"), pages);
    expect(await folder.json(["report", "crawl"])).toMatchObject({ pages: count, coverage: count });
    expect(readFileSync(folder.at("report.html"), "utf8")).toContain(`>${words}</p>`);
  });

  it("works while a crawl runs, and says that it does", async () => {
    const folder = new CallFolder();
    const crawl = folder.start(process.execPath, [MAIN, "demo", "--coverage", "0.999", "--dir", "crawl", "--json"]);
    const ended = outcomeOf(crawl);
    await expect.poll(() => visitsIn(folder.at("crawl"))).toBeGreaterThan(0);
    crawl.kill("SIGSTOP");
    try {
      const { code, stderr } = await folder.run(["report", "crawl", "--quiet"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(readFileSync(folder.at("report.html"), "utf8")).toContain("still running when this report was written");
    } finally {
      crawl.kill("SIGKILL");
      await ended;
    }
  });
});

describe("tidemark report of a simulation", () => {
  it("shows what tidemark simulate printed, from a file or from standard input", async () => {
    const folder = new CallFolder({ "simulation.json": simulation });
    const { code, stdout } = await folder.run(["report", "simulation.json"]);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^report\.html: 2 orders; \w+ certifies most, /),
    });
    const html = readFileSync(folder.at("report.html"), "utf8");
    expect(html).toContain("Coverage by downloads");
    expect(html).toContain("tidemark report simulation.json --out report.html");
    const piped = await folder.run(["report", "-", "--out", "-"], simulation);
    expect(piped.stdout).toContain("standard input: 500 pages");
  });

  it.each<[string, string | ((text: string) => string), string]>([
    ["an empty file", "", "is empty; expected the document that tidemark simulate --json prints"],
    ["JSON lines", '{"type":"progress"}\n{"type":"done"}\n', 'is not JSON (it begins with "{"type":"progress"}'],
    ["the end of a crawl", '{"type":"done"}', "graph is missing"],
    ["a page", "<!doctype html>", 'is not JSON (it begins with "<!doctype html>")'],
    ["an edge list", "0 1\n1 2\n", 'is not JSON (it begins with "0 1?1 2?")'],
    ["a ranking", '{"iterations":3}', "graph is missing; expected the document that tidemark simulate --json prints"],
    ["a list", "[1]", 'the document is "[1]", not an object'],
    ["a field that is missing", (text) => text.replace('"damping"', '"dampin"'), "damping is missing"],
    [
      "a field of another kind",
      (text) => text.replace(/"arcs":\d+/, '"arcs":"many"'),
      'graph.arcs is ""many"", not a number',
    ],
    [
      "a broken curve",
      (text) => text.replace(/"curve":\[\[(\d+),/, '"curve":[[null,'),
      'runs[0].curve[0][0] is "null", not a number',
    ],
    ["no runs", (text) => JSON.stringify({ ...(JSON.parse(text) as object), runs: [] }), "has no runs of crawl orders"],
    ["a database", "SQLite format 3\0...", "is a database; expected the directory of a crawl, or a simulation"],
  ])("refuses %s, and says what it is", async (_what, contents, message) => {
    const folder = new CallFolder({ "s.json": typeof contents === "string" ? contents : contents(simulation) });
    const { code, stdout, stderr } = await folder.run(["report", "s.json"]);
    expect(stderr).toContain(`s.json: ${message}`);
    expect({ code, stdout, files: folder.names() }).toEqual({ code: 2, stdout: "", files: ["s.json"] });
  });
});

it.each<[string, string[], string]>([
  ["what is not there", ["none"], "none does not exist"],
  ["what is no crawl", ["."], ". is not a crawl directory"],
  ["two answers on standard output", ["CRAWL", "--json", "--out", "-"], "write the page to a file with --out FILE"],
  ["an output in no folder", ["CRAWL", "--out", "no/x.html"], "the folder no does not exist"],
  ["one file for page and picture", ["CRAWL", "--out", "x.svg", "--picture", "x.svg"], "is the name of two outputs"],
  ["a picture of another kind", ["CRAWL", "--picture", "x.png"], "expected a name that ends in .svg"],
  ["a picture of a simulation", ["SIMULATION", "--picture", "x.svg"], "--picture is for a crawl"],
])("refuses %s", async (_what, args, message) => {
  const folder = new CallFolder();
  writeFileSync(join(dir, "simulation.json"), simulation);
  const given = { CRAWL: join(dir, "crawl"), SIMULATION: join(dir, "simulation.json") } as Record<string, string>;
  const { code, stdout, stderr } = await folder.run(["report", ...args.map((arg) => given[arg] ?? arg)]);
  expect(stderr).toContain(message);
  expect({ code, stdout, files: folder.names() }).toEqual({ code: 2, stdout: "", files: [] });
});

it("refuses a file that is larger than any simulation", async () => {
  const folder = new CallFolder({ "s.json": "[" });
  truncateSync(folder.at("s.json"), FILE_BYTES_MAX + 1);
  const { code, stderr } = await folder.run(["report", "s.json", "--quiet"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining("s.json: has more than 100000000 bytes"),
  });
});

describe("the command for the same crawl anew", () => {
  const settings = reportSettings({ coverage: 0.9, depth: 3 });
  const anew = (change: object): string => {
    const [{ purpose, command }] = crawlCommands({
      dir: "my crawl",
      out: "r.html",
      settings: { ...settings, ...change },
    }) as [{ purpose: string; command: string }];
    return `${purpose} ${command}`;
  };
  const seeds = (count: number, weight: (k: number) => number) =>
    Array.from({ length: count }, (_, k) => ({ url: `http://s.test/${k}`, weight: weight(k) }));

  it("names what is not as it is by default", () => {
    expect(anew({})).toBe(
      "Start the same crawl again: tidemark crawl http://site.test/ --dir new-crawl --universe scope " +
        "--coverage 0.9 --max-depth 3",
    );
    expect(anew({ productToken: "otherbot" })).toMatch(/ --robots-agent otherbot$/);
    expect(anew({ order: "fpr@20", damping: 0.9 })).toMatch(/ --order fpr@20 --damping 0.9 /);
    expect(anew({ web: { ...settings.web, scope: { ...settings.web.scope, exclude: ["a b"] } } })).toMatch(
      / --exclude 'a b' /,
    );
  });

  it("names files for what does not fit into one line", () => {
    expect(anew({ seeds: seeds(SEEDS_TYPED_MAX, () => 0.05) })).toContain(`http://s.test/${SEEDS_TYPED_MAX - 1} --dir`);
    expect(anew({ seeds: seeds(SEEDS_TYPED_MAX + 1, () => 0.05) })).toMatch(
      /^Start the same crawl again; seeds.txt has its 11 seeds, one per line: tidemark crawl --seed-file seeds.txt --dir/,
    );
    expect(anew({ seeds: seeds(2, (k) => 0.1 + k / 10) })).toContain("tidemark crawl --trust trust.tsv --dir");
    const exclude = ["x".repeat(OPTIONS_LENGTH_MAX)];
    expect(anew({ web: { ...settings.web, scope: { ...settings.web.scope, exclude } } })).toBe(
      "Start the same crawl again; crawl.yaml has its options: tidemark crawl http://site.test/ --dir new-crawl --config crawl.yaml",
    );
  });

  it("says that a session must be given again", () => {
    expect(anew({ network: { session: ["headers", "cookies"] } })).toMatch(
      /^Start the same crawl again; give it --header and --cookie-file again: tidemark crawl http/,
    );
  });

  it("comes before those about the crawl that is there", () => {
    const commands = crawlCommands({ dir: "my crawl", out: "-", settings }).map(({ command }) => command);
    expect(commands.slice(1)).toEqual([
      "tidemark crawl --dir 'my crawl'",
      "tidemark coverage 'my crawl'",
      "tidemark export 'my crawl' --format csv --out pages.csv",
      "tidemark report 'my crawl' --out report.html",
    ]);
  });
});
