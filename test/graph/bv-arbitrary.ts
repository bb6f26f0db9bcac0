import fc from "fast-check";
import type { Graph, BvOptions } from "../../src/graph/index.ts";
import { type Arc, graphOf } from "./arbitrary.ts";

/** Small webs in which rows resemble those before them and have runs, so that every part of a BV row occurs. */
export const webs: fc.Arbitrary<Graph> = fc.integer({ min: 1, max: 40 }).chain((pages) => {
  const page = fc.nat({ max: pages - 1 });
  const row = fc.record({
    copiedFrom: fc.nat({ max: 9 }),
    dropped: fc.array(page, { maxLength: 4 }),
    added: fc.array(page, { maxLength: 4 }),
    run: fc.option(fc.record({ start: page, length: fc.nat({ max: 12 }) })),
  });
  return fc.array(row, { maxLength: pages }).map((rows) => {
    const links: Set<number>[] = [];
    for (const [page, { copiedFrom, dropped, added, run }] of rows.entries()) {
      const set = new Set<number>(copiedFrom === 0 ? [] : links[page - copiedFrom]);
      for (const link of dropped) set.delete(link);
      for (const link of added) set.add(link);
      if (run !== null) {
        for (let link = run.start; link < Math.min(pages, run.start + run.length); link++) set.add(link);
      }
      links.push(set);
    }
    return graphOf(
      links.flatMap((set, page) => [...set].map((link): Arc => [page, link])),
      pages,
    );
  });
});

/** Any way of writing a BV graph. */
export const bvOptions: fc.Arbitrary<BvOptions> = fc.record({
  windowSize: fc.nat({ max: 10 }),
  maxRefCount: fc.constantFrom(0, 1, 2, 3, 2 ** 31 - 1),
  minIntervalLength: fc.nat({ max: 6 }),
  zetaK: fc.integer({ min: 1, max: 9 }),
  codes: fc.record(
    {
      outdegrees: fc.constantFrom("gamma", "delta"),
      blocks: fc.constantFrom("gamma", "delta"),
      residuals: fc.constantFrom("zeta", "gamma", "delta", "nibble", "golomb"),
      references: fc.constantFrom("unary", "gamma", "delta"),
      blockCounts: fc.constantFrom("gamma", "unary", "delta"),
      offsets: fc.constantFrom("gamma", "delta"),
    },
    { requiredKeys: [] },
  ),
});
