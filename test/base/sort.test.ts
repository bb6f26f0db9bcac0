import fc from "fast-check";
import { expect, it } from "vitest";
import { sortDescending } from "../../src/base/index.ts";

it("sorts as a comparison does: the greatest first, equals by number", () => {
  const key = fc.oneof(
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 5e-324, 1e-300, 0.5, 1),
  );
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), (values) => {
      const keys = Float64Array.from(values);
      const pages = Uint32Array.from(values.keys());
      sortDescending(pages, keys);
      const expected = [...values.keys()].sort((a, b) => values[b] - values[a] || a - b);
      expect([...pages]).toEqual(expected);
    }),
  );
});

it("sorts some of the pages by the keys of all", () => {
  const pages = Uint32Array.of(1, 3, 4);
  sortDescending(pages, Float64Array.of(9, 0.25, 9, 0.5, 0.25));
  expect([...pages]).toEqual([3, 1, 4]);
});
