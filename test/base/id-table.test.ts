import fc from "fast-check";
import { expect, it } from "vitest";
import { IdTable } from "../../src/base/index.ts";
import { cases } from "../support/cases.ts";

/** Ids that follow each other, ids that meet in one slot of a small table, and the greatest. */
const id = fc.oneof(
  fc.nat(40),
  fc.nat(30).map((k) => 2 ** 28 * (k % 15) + k),
  fc.constant(2 ** 32 - 2),
);
const move = fc.record({ what: fc.constantFrom("set", "set", "delete"), id, number: fc.nat({ max: 2 ** 32 - 2 }) });

it("a table of ids has what a map has, whatever was set, changed and removed", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 300 }), fc.array(id), (moves, others) => {
      const table = new IdTable();
      const map = new Map<number, number>();
      for (const { what, id, number } of moves) {
        if (what === "set") {
          table.set(id, number);
          map.set(id, number);
        } else {
          table.delete(id);
          map.delete(id);
        }
        expect(table.size).toBe(map.size);
      }
      const ids = [...moves.map(({ id }) => id), ...others];
      expect(ids.map((id) => table.get(id))).toEqual(ids.map((id) => map.get(id) ?? -1));
    }),
    { numRuns: cases(300) },
  );
});

it("a table that has grown by many ids still has them all", () => {
  const table = new IdTable();
  for (let id = 0; id < 10_000; id++) table.set(3 * id, id);
  for (let id = 0; id < 10_000; id += 2) table.delete(3 * id);
  const ids = Array.from({ length: 30_000 }, (_, id) => id);
  expect(ids.filter((id) => table.get(id) !== (id % 6 === 3 ? id / 3 : -1))).toEqual([]);
});
