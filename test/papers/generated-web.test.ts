import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/index.ts";
import { generateGraph } from "../../src/graph/index.ts";
import { type ExperimentInput, experimentNames, type ExperimentResult, runExperiment } from "../../src/lab/index.ts";
import { experimentReport } from "../../src/report/index.ts";
import { pagerank, topPages } from "../../src/rank/index.ts";

const { graph, hosts } = generateGraph({ pages: 3000, seed: 11 });
const seeds = topPages(pagerank(graph).ranks, 20);
const input: ExperimentInput = {
  graph,
  hosts,
  selfLinks: 0,
  trust: Array.from(seeds, (page) => [page, 1 / seeds.length] as const),
  damping: 0.85,
  clock: systemClock,
};

/** What each experiment draws, in its JSON too; all others have tables. */
const DRAWN = /-figure|^opic-(convergence|frequency)$|^rankmass-(theorems|spam)$|^refresh-year$/;

/** Of the JSON document, in which NaN and Infinity would be null. */
function expectData({ name, charts, tables }: ExperimentResult): void {
  expect(charts.length > 0).toBe(DRAWN.test(name));
  for (const { series } of charts) {
    expect(series.length).toBeGreaterThan(0);
    for (const { points, errors } of series) {
      expect(points.length).toBeGreaterThan(0);
      expect(points.flat().filter((value) => !Number.isFinite(value))).toEqual([]);
      if (errors !== undefined) expect(errors.filter(Number.isFinite)).toHaveLength(points.length);
    }
  }
  const values = [
    ...charts.flatMap(({ series }) => series.flatMap(({ points }) => points)),
    ...tables.flatMap(({ table }) => table.rows.flat().filter((cell) => typeof cell === "number")),
  ];
  expect(values.length).toBeGreaterThan(4);
}

describe("experiments", () => {
  it.each(experimentNames.map(({ name }) => name))(
    "%s runs on a generated web, judges each claim, and has its data in its JSON",
    (name) => {
      // These take long, so of few pages: they show no less here.
      const maxPages = name === "refresh-year" ? 20 : name.startsWith("communities") ? 40 : undefined;
      const result = runExperiment(name, maxPages === undefined ? input : { ...input, maxPages });
      expect(result.verdicts.length).toBeGreaterThan(0);
      for (const { claim, measured } of result.verdicts) {
        expect(claim).not.toBe("");
        expect(measured).not.toMatch(/NaN|undefined|Infinity/);
      }
      expectData(JSON.parse(JSON.stringify(result)));
      const page = experimentReport(result, { subtitle: "a generated web", command: "tidemark simulate" });
      expect(page).toContain(result.verdicts[0].verdict);
      expect(page).not.toMatch(/NaN|undefined/);
    },
  );

  it("covers all tables and figures of the papers", () => {
    expect(experimentNames.map(({ name }) => name)).toEqual([
      "rankmass-table2",
      "rankmass-figure7",
      "rankmass-figure8",
      "rankmass-table3",
      "rankmass-figure9",
      "rankmass-figure10",
      "rankmass-theorems",
      "rankmass-spam",
      "fpr-figure3",
      "fpr-figure4",
      "communities-figure1",
      "communities-table1",
      "communities-table2",
      "communities-figure2",
      "seeds-figure2",
      "seeds-figure3",
      "seeds-figure4",
      "seeds-figure5",
      "opic-convergence",
      "opic-frequency",
      "opic-windows",
      "opic-variants",
      "refresh-freshness",
      "refresh-year",
    ]);
  });

  it("says so where the paper's claim does not hold: 0.1% of the pages are far from 99% of the trust", () => {
    expect(runExperiment("rankmass-figure9", input).verdicts[0].verdict).toBe("differs");
  });

  it.each(["rankmass-table3", "fpr-figure3", "fpr-figure4"])("%s downloads no more than it may", (name) => {
    const { runs } = runExperiment(name, { ...input, maxPages: 50 });
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) expect(run.downloads).toBe(50);
  });

  it("communities-table1 crawls no more than it may, in as many rounds as that takes", () => {
    const { tables } = runExperiment("communities-table1", { ...input, maxPages: 131 });
    const sites = tables.at(-1)!.table;
    const crawled = sites.columns.findIndex(({ title }) => title === "crawled");
    const counts = sites.rows.map((row) => Number(row[crawled]));
    expect(counts.length).toBeGreaterThan(0);
    // 131 pages in about 50 rounds are 3 a round, 43 times.
    expect(Math.max(...counts)).toBeLessThanOrEqual(131);
    expect(Math.max(...counts)).toBeGreaterThan(100);
  });

  it("names the nearest experiment, and what is missing", () => {
    expect(() => runExperiment("rankmass-table-2", input)).toThrow(/Did you mean rankmass-table2/);
    const { hosts: _, ...withoutHosts } = input;
    expect(() => runExperiment("fpr-figure4", withoutHosts)).toThrow(/^fpr-figure4 needs the host of every page/);
  });
});
