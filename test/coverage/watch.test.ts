/** A watch that is asked after every download, on webs large enough for it to choose when to look. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { CoverageWatch, certify, ledgerOf } from "../../src/coverage/index.ts";
import { linksOf } from "../../src/graph/index.ts";
import { graphOf } from "../graph/arbitrary.ts";

const PAGES = 400;

/** A web in which early pages are linked to more often, and a crawl of it that takes pages nearly in that order. */
function webOf(seed: number) {
  const random = new Random(seed);
  const early = () => Math.floor(PAGES * random.float() ** 3);
  const arcs = Array.from({ length: 5 * PAGES }, () => [random.below(PAGES), early()] as const);
  const graph = graphOf(
    arcs.filter(([from, to]) => from !== to),
    PAGES,
  );
  const place = Float64Array.from({ length: PAGES }, (_, page) => page + random.below(50));
  const path = Array.from(place.keys()).toSorted((a, b) => place[a] - place[b]);
  return { graph, path, trust: [0, 1, 2, 3].map((page) => [page, 0.25] as const) };
}

describe("a coverage watch asked after every download", () => {
  it("stops no earlier than the certificate allows, and before the crawl has grown by another half", () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0.3, max: 0.999, noNaN: true }), (seed, goal) => {
        const { graph, path, trust } = webOf(seed);
        const watch = new CoverageWatch({ links: linksOf(graph), pages: PAGES, damping: 0.85, goal });
        for (const [page, weight] of trust) watch.trusted(page, weight);
        const coverageAfter = (downloads: number) =>
          certify(ledgerOf({ graph, trust, downloaded: path.slice(0, downloads), damping: 0.85 })).coverage;
        let stop = 0;
        while (stop < PAGES) {
          watch.downloaded(path[stop++]);
          if (watch.reached()) break;
        }
        if (watch.reached()) expect(coverageAfter(stop)).toBeGreaterThanOrEqual(goal);
        const late = Math.ceil(stop / 1.5);
        if (stop > late) expect(coverageAfter(late - 1)).toBeLessThan(goal);
        expect(watch.looks).toBeLessThan(40);
      }),
      { numRuns: 60 },
    );
  });
});
