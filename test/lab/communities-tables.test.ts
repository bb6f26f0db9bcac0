/** Communities, Tables 1 and 2: what is said of the methods follows from the distances that are shown. */
import { expect, it } from "vitest";
import { systemClock } from "../../src/base/index.ts";
import { generateGraph } from "../../src/graph/index.ts";
import { runExperiment, type Table } from "../../src/lab/index.ts";

const { graph, hosts } = generateGraph({ pages: 400, seed: 11 });

function tablesOf(name: string): Table[] {
  const input = { graph, hosts, selfLinks: 0, trust: [[0, 1]] as const, damping: 0.85, clock: systemClock };
  return runExperiment(name, input).tables.map(({ table }) => table);
}

/** The distances of all methods, for each domain. */
function distancesIn({ columns, rows }: Table): number[][] {
  const places = columns.flatMap(({ group }, place) => (group === "L1" ? [place] : []));
  return rows.map((row) => places.map((place) => Number(row[place])));
}

function isLeast(value: number, all: readonly number[]): boolean {
  return value <= Math.min(...all) * (1 + 1e-6) + 1e-9;
}

it.each(["communities-table1", "communities-table2"])("%s compares SC-SELECT at the moment that it shows", (name) => {
  const byDomain = tablesOf(name).at(-1)!;
  // The first four methods are the paper's, SC-SELECT before the others.
  const expected = distancesIn(byDomain).map((l1) => (isLeast(l1[0], l1.slice(0, 4)) ? "no worse" : "worse"));
  expect(new Set(expected).size).toBe(2);
  expect(byDomain.rows.map((row) => row.at(-1))).toEqual(expected);
});

it("says of each method on how many sites no other is better, ties included", () => {
  const tables = tablesOf("communities-table1");
  const bySite = distancesIn(tables.at(-1)!);
  const { columns, rows } = tables[1];
  const place = columns.findIndex(({ title }) => title === "best or equal on");
  const counts = rows.slice(1).map((row) => Number(row[place]));
  expect(counts).toEqual(counts.map((_, k) => bySite.filter((l1) => isLeast(l1[k], l1)).length));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(bySite.length);
});
