import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copiedRow, GrowingLinks, linksOf } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { graphOf } from "./arbitrary.ts";

describe("a link table that grows", () => {
  const rowOf = (links: GrowingLinks, page: number) => [...copiedRow(links, page)];

  it("has the rows that were set, in any order, however many there are", () => {
    const links = new GrowingLinks();
    for (let page = 999; page >= 0; page -= 3) links.set(page, [page + 1, page + 2, page + 1]);
    for (let page = 999; page >= 0; page -= 3) expect(rowOf(links, page)).toEqual([page + 1, page + 2, page + 1]);
  });

  it("tells a page that was not set from one without links, wherever the table has grown to", () => {
    const links = new GrowingLinks();
    links.set(3, []);
    links.set(700, []);
    for (const page of [3, 700]) expect(links.count(page)).toBe(0);
    for (const page of [0, 4, 255, 256, 300, 699]) expect(links.count(page)).toBe(-1);
    for (const page of [0, 3, 699]) expect(rowOf(links, page)).toEqual([]);
  });

  it("has what a map of rows has, for any ids, also where rows are set again and unset", () => {
    const id = fc.oneof(fc.nat(20), fc.nat({ max: 2 ** 32 - 2 }), fc.constantFrom(127, 128, 2 ** 31, 2 ** 32 - 2));
    const rows = fc.array(fc.tuple(id, fc.option(fc.array(id, { maxLength: 200 }), { nil: undefined })));
    fc.assert(
      fc.property(rows, (moves) => {
        const links = new GrowingLinks();
        const map = new Map<number, readonly number[]>();
        for (const [page, row] of moves) {
          // Whoever reads a row has it as it is now, also if the same one was read before.
          links.row(page);
          if (row === undefined) {
            links.unset(page);
            map.delete(page);
          } else {
            links.set(page, row);
            map.set(page, row);
          }
          expect(rowOf(links, page)).toEqual(row ?? []);
        }
        for (const [page] of moves) {
          expect(links.count(page)).toBe(map.get(page)?.length ?? -1);
          expect(rowOf(links, page)).toEqual(map.get(page) ?? []);
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it("has rows of any length, longer than a chunk and behind such a row", () => {
    const links = new GrowingLinks();
    const long = Array.from({ length: 300_000 }, (_, k) => (k * 2_654_435_761) % 2 ** 32);
    const middle = long.slice(0, 150_000);
    const rows = [[1], middle, long, [2, 3], middle, [4], long, []];
    for (const [page, row] of rows.entries()) links.set(page, row);
    for (const [page, row] of rows.entries()) {
      expect(links.count(page)).toBe(row.length);
      expect(rowOf(links, page).every((link, k) => link === row[k])).toBe(true);
    }
  });
});

it("the links of a graph are its rows", () => {
  const links = linksOf(
    graphOf(
      [
        [0, 2],
        [0, 1],
        [2, 0],
      ],
      3,
    ),
  );
  expect([0, 1, 2].map((page) => [...copiedRow(links, page)])).toEqual([[1, 2], [], [0]]);
  expect([0, 1, 2].map((page) => links.count(page))).toEqual([2, 0, 1]);
});
