import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { successors } from "../../src/graph/index.ts";
import { beatsRandom, gainOf, gainsMore, gainsMoreAt, saidGain } from "../../src/lab/experiments/seeds-gains.ts";
import { crawledPart } from "../../src/lab/experiments/seeds-run.ts";
import { graphOf } from "../graph/arbitrary.ts";
import { cases } from "../support/cases.ts";

describe("the gain over RANDOM", () => {
  it("is the ratio of the means, by hand, with its standard error", () => {
    // mean(x) = 0.6, mean(r) = 0.3: R = 2. Residuals (x - 2 r) / 0.3 are 0.2 / 0.3 and -0.2 / 0.3; their standard
    // deviation is 0.2 / 0.3 times the root of 2, over the root of 2 sites.
    const gain = gainOf([[0.4, 0.8]], [[0.1, 0.5]]);
    expect(gain.ratios[0]).toBeCloseTo(2, 12);
    expect(gain.errors![0]).toBeCloseTo(0.2 / 0.3, 12);
    expect(saidGain(gain)).toBe("2.00 ± 0.67 times");
  });

  it("has about the standard error that leaving out one site at a time gives (jackknife)", () => {
    const share = fc.double({ min: 0.2, max: 1, noNaN: true });
    const sites = fc.array(fc.tuple(share, share), { minLength: 30, maxLength: 60 });
    fc.assert(
      fc.property(sites, (pairs) => {
        const ratio = (some: readonly (readonly [number, number])[]) =>
          some.reduce((sum, [x]) => sum + x, 0) / some.reduce((sum, [, r]) => sum + r, 0);
        const without = pairs.map((_, left) => ratio(pairs.filter((__, site) => site !== left)));
        const middle = without.reduce((sum, each) => sum + each, 0) / without.length;
        const spread = without.reduce((sum, each) => sum + (each - middle) ** 2, 0);
        const jackknife = Math.sqrt(((pairs.length - 1) / pairs.length) * spread);
        const { errors } = gainOf([pairs.map(([x]) => x)], [pairs.map(([, r]) => r)]);
        expect(Math.abs(errors![0] - jackknife)).toBeLessThanOrEqual(0.1 * jackknife + 1e-12);
      }),
      { numRuns: cases(200) },
    );
  });

  it("has no error on a single site, where the sign decides", () => {
    const [more, less] = [gainOf([[0.5]], [[0.25]]), gainOf([[0.2]], [[0.25]])];
    expect(more.errors).toBeUndefined();
    expect(saidGain(more)).toBe("2.00 times");
    expect([gainsMore(more, less), gainsMore(less, more)]).toEqual([true, false]);
    expect([beatsRandom(more), beatsRandom(less)]).toEqual([[true], [false]]);
  });

  it("of two methods is compared site by site: a small difference on all sites is sure, a large one on few is not", () => {
    const random = [[0.1, 0.3, 0.2, 0.4]];
    const base = gainOf([[0.2, 0.9, 0.3, 0.6]], random);
    const bitMore = gainOf([[0.21, 0.91, 0.31, 0.61]], random);
    const moreOnOne = gainOf([[0.2, 0.9, 0.3, 0.95]], random);
    expect(gainsMore(bitMore, base)).toBe(true);
    expect(gainsMore(base, bitMore)).toBe(false);
    expect(gainsMore(moreOnOne, base)).toBeUndefined();
  });

  it("along the axis is compared on the same sites, too", () => {
    const random = [
      [0.1, 0.2, 0.3],
      [0.1, 0.2, 0.3],
    ];
    const rising = gainOf(
      [
        [0.1, 0.2, 0.3],
        [0.2, 0.4, 0.6],
      ],
      random,
    );
    expect(rising.ratios[1]).toBeCloseTo(2, 12);
    expect([gainsMoreAt(rising, 1, 0), gainsMoreAt(rising, 0, 1)]).toEqual([true, false]);
  });
});

describe("the crawled part of a site", () => {
  it("is four fifths of it, breadth first from the most important page, with the links to the others", () => {
    // All lead to 0, which leads to 1, 2, 3; only 3 leads to 4. Breadth first: 0, 1, 2, 3, so 4 is not crawled.
    const site = graphOf([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 0],
      [2, 0],
      [3, 0],
      [3, 4],
      [4, 0],
    ]);
    const { graph, uncrawledLinks } = crawledPart(site);
    expect(graph.pages).toBe(4);
    expect(Array.from({ length: 4 }, (_, page) => [...successors(graph, page)])).toEqual([[1, 2, 3], [0], [0], [0]]);
    expect([...uncrawledLinks]).toEqual([0, 0, 0, 1]);
  });

  it("goes on with the next page where the first leads no further", () => {
    const site = graphOf([
      [1, 0],
      [2, 0],
      [3, 4],
    ]);
    expect(crawledPart(site).graph.pages).toBe(4);
  });
});
