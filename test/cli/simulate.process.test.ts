import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Simulation } from "../../src/lab/index.ts";
import { CallFolder } from "./call.ts";
import { Folder } from "./run.ts";

/**
 * A ring of three pages, of which 0 is trusted, damping 0.4. The ranks are 0.6 / 0.936 times 1, 0.4, 0.16; what is
 * certified after one, two and three downloads is 0.6, 0.84 and 1.
 */
const RING = { "web.arcs": "0 1\n1 2\n2 0\n2 2\n", trust: "0\n" };
const ARGS = ["simulate", "web.arcs", "--trust", "trust", "--damping", "0.4"];

async function simulated(folder: Folder, args: readonly string[]): Promise<Simulation> {
  return (await folder.json([...ARGS, ...args])) as Simulation;
}

describe("simulate", () => {
  it("follows orders side by side", async () => {
    const simulation = await simulated(new Folder(RING), ["--order", "rankmass,fpr"]);
    expect(simulation.graph).toEqual({ pages: 3, arcs: 4, hosts: null });
    expect(simulation.damping).toBe(0.4);
    expect(simulation.trust).toEqual({ pages: 1, total: 1 });
    expect(simulation.runs.map((run) => run.order)).toEqual(["rankmass", "fpr"]);
    for (const run of simulation.runs) {
      expect(run.downloads).toBe(3);
      expect(run.actual).toEqual({
        "0.5": 1,
        "0.8": 2,
        "0.9": 3,
        "0.95": 3,
        "0.98": 3,
        "0.99": 3,
        "0.999": 3,
      });
      expect(run.certified).toEqual(run.actual);
      expect(run.final.actual).toBeCloseTo(1, 9);
      expect(run.final.certified).toBeCloseTo(1, 9);
      expect(run.curve.map(([downloads]) => downloads)).toEqual([1, 2, 3]);
      expect(run.curve[0][1]).toBeCloseTo(0.6 / 0.936, 9);
      expect(run.curve[0][3]).toBeCloseTo(0.6, 9);
    }
    expect(simulation.runs[1].guaranteed).toEqual({});
  });

  it("stops at a certified level, and after so many downloads", async () => {
    const folder = new CallFolder(RING);
    const downloads = async (args: readonly string[]): Promise<number> =>
      (await simulated(folder, args)).runs[0].downloads;
    expect(await downloads(["--coverage", "0.8"])).toBe(2);
    expect(await downloads(["--max-pages", "1"])).toBe(1);
  });

  it("writes a report that stands alone, and the JSON document", async () => {
    const folder = new CallFolder(RING);
    const simulation = await simulated(folder, ["--report", "report.html", "--out", "result.json"]);
    expect(JSON.parse(readFileSync(folder.at("result.json"), "utf8"))).toEqual(simulation);
    const html = readFileSync(folder.at("report.html"), "utf8");
    expect(html).toContain("tidemark simulate web.arcs --trust trust --damping 0.4 --report report.html");
    expect(html).toMatch(/^<!doctype html>/);
    expect(folder.names()).toEqual(["report.html", "result.json", "trust", "web.arcs"]);
  });

  it("shows a table to people", async () => {
    const { stdout, stderr } = await new CallFolder(RING).run([...ARGS, "--order", "rankmass,optimal", "--quiet"]);
    expect(stdout).toMatch(/^optimal +3 +3 +3 /m);
    expect(stderr).toBe("");
  });

  it("trusts the pages with the highest PageRank where no trust is given, and says so", async () => {
    // Page 3 has by far the most in-links.
    const folder = new CallFolder({ "web.arcs": "0 3\n1 3\n2 3\n3 0\n" });
    const { stdout, stderr } = await folder.run(["simulate", "web.arcs", "--trust-top", "1", "--json"]);
    const { trust, runs } = JSON.parse(stdout) as Simulation;
    expect(trust).toEqual({ pages: 1, total: 1 });
    expect(runs[0].downloads).toBe(2);
    expect(stderr).toContain("the 1 page with the highest PageRank");
  });

  it("certifies coverage of value, from a list or a module", async () => {
    // Page 0 counts nothing, so only pages 1 and 2 count: after two downloads 0.24 of 0.24 and the open 0.16, and all
    // after three.
    const folder = new CallFolder({
      ...RING,
      urls: "http://a.example/zero\nhttp://a.example/one\nhttp://a.example/two\n",
      byId: "0\t0\n",
      byUrl: "http://a.example/zero\t0\n",
      "value.mjs": "export default ({ id, url }) => id === 0 && url.endsWith('zero') ? 0 : 1;\n",
    });
    for (const value of ["byId", "byUrl", "value.mjs"]) {
      const [all] = (await simulated(folder, ["--urls", "urls", "--value", value])).runs;
      expect(all.valued).toEqual({ "0.5": 2, "0.8": 3, "0.9": 3, "0.95": 3, "0.98": 3, "0.99": 3, "0.999": 3 });
      expect(all.final.valued).toBe(1);
      const [two] = (await simulated(folder, ["--urls", "urls", "--value", value, "--max-pages", "2"])).runs;
      expect(two.final.valued).toBeCloseTo(0.24 / 0.4, 9);
    }
    const { stdout } = await folder.run([...ARGS, "--value", "byId"]);
    expect(stdout).toContain("valued");
    expect(await simulated(folder, [])).not.toHaveProperty("runs.0.valued");
  });

  it.each([
    [
      "a value above 1",
      "list",
      "1\t1.5\n",
      2,
      'list: line 1: the value of page 1 is "1.5", expected a number from 0 to 1',
    ],
    ["a value that is no number", "list", "1\tmuch\n", 2, 'list: line 1: the value of page 1 is "much"'],
    [
      "a module that gives no number",
      "v.mjs",
      "export default () => 'x'",
      2,
      'v.mjs: page 0: the value is "x", expected a number',
    ],
    [
      "a module that gives too much",
      "v.mjs",
      "export default ({ id }) => id + 1",
      2,
      "page 1: the value is 2, expected a number from 0 to 1",
    ],
    [
      "a module that throws",
      "v.mjs",
      "export default () => { throw new Error('no way') }",
      1,
      "throws at page 0: no way",
    ],
    [
      "a module that is too late",
      "v.mjs",
      "export default async () => { throw 1 }",
      2,
      "page 0: the value is a promise",
    ],
    ["a module without a function", "v.mjs", "export const a = 1", 2, "v.mjs: the module has no function"],
    ["a module that cannot be loaded", "v.mjs", "export default (", 1, "v.mjs: the module cannot be loaded"],
    ["a module that is not there", "other.mjs", "", 2, "v.mjs: no such file"],
  ])("says what is wrong with %s", async (_, name, text, exitCode, message) => {
    const folder = new CallFolder({ ...RING, [name]: text });
    const value = name === "list" ? "list" : "v.mjs";
    const { code, stderr } = await folder.run([...ARGS, "--value", value]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(exitCode);
  });

  it("says when levels could be claimed with confidence", async () => {
    const folder = new CallFolder();
    await folder.json(["graph", "generate", "--pages", "2000", "--out", "web.arcs"]);
    const command = ["simulate", "web.arcs", "--coverage", "0.9", "--confidence", "0.999"];
    const { runs, sampling } = (await folder.json([...command, "--seed", "5"])) as Simulation;
    expect(sampling).toEqual({ confidence: 0.999, seed: 5 });
    expect(Object.keys(runs[0].sampled ?? {})).toEqual(["0.5", "0.8", "0.9"]);
    const { stdout } = await folder.run([...command, "--report", "report.html"]);
    expect(stdout).toContain(" sampled ");
    const html = readFileSync(folder.at("report.html"), "utf8");
    expect(html).toContain("with confidence 0.999");
    expect(html).toContain('class="c0 sampled"');
  });

  it.each([
    [["--confidence", "1"], "between 0 and 1, both excluded"],
    [["--confidence", "0"], "between 0 and 1, both excluded"],
    [["--seed", "3"], "--confidence"],
  ])("refuses %j", async (args, reason) => {
    const { stderr, code } = await new CallFolder(RING).run([...ARGS, ...args]);
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
  });

  it("runs an experiment of the papers", async () => {
    const folder = new CallFolder();
    await folder.json(["graph", "generate", "--pages", "2000", "--out", "web.arcs"]);
    const experiment = ["simulate", "web.arcs", "--experiment", "rankmass-table2"];
    const { stdout, code } = await folder.run([...experiment, "--report", "report.html"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^(agrees|differs|untested): /m);
    expect(readFileSync(folder.at("report.html"), "utf8")).toContain("RankMass, Table 2");
    expect(await folder.json(experiment)).toMatchObject({
      name: "rankmass-table2",
      graph: { pages: 2000 },
      trust: { pages: 160 },
      verdicts: expect.any(Array),
      runs: expect.any(Array),
    });
  });

  it("prints the points of a figure as JSON", async () => {
    const folder = new CallFolder();
    await folder.json(["graph", "generate", "--pages", "500", "--out", "web.arcs"]);
    expect(await folder.json(["simulate", "web.arcs", "--experiment", "rankmass-figure9"])).toMatchObject({
      charts: [{ series: [{ group: "PageRank", points: expect.arrayContaining([[1, expect.any(Number)]]) }] }],
    });
  });
});
