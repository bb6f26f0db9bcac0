import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RowPositions } from "../../src/graph/bv/decode.ts";
import { BvEncoder, BvRandomAccess, decodeBv, encodeBv, type Graph, successors } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { arcsOf, graphOf } from "./arbitrary.ts";
import { bvOptions, webs } from "./bv-arbitrary.ts";
import { bitsOf, bytesOf } from "./bv-bits.ts";

/** 0 -> 1, 2 and 1 -> 1, 2 by hand: page 1 copies page 0 for three bits where two residuals would take eight. */
const SMALL = {
  graph: bytesOf("011 1 1 1011 100", "011 01 1", "1"),
  offsets: bytesOf("1", "0001101", "00111", "010"),
  arcs: [
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
  ] as const,
};

describe("a BV graph", () => {
  test("of three pages has the bits that the format says", () => {
    const files = encodeBv(graphOf(SMALL.arcs, 3));
    expect(bitsOf(files.graph)).toBe(bitsOf(SMALL.graph));
    expect(bitsOf(files.offsets)).toBe(bitsOf(SMALL.offsets));
    expect(arcsOf(decodeBv({ graph: SMALL.graph, properties: files.properties }))).toEqual(SMALL.arcs);
  });

  test("is read with blocks that are copied and skipped, intervals and residuals", () => {
    const properties = propertiesOf({ nodes: 10, arcs: 8 });
    // Page 0: 5 links, no reference, 1 interval (from 0 + 1, of 4 + 0), the residual 0 + 9.
    const first = "00110 1 010 011 1 01010011";
    // Page 1: 3 links from one page back, 4 blocks: copy 0, skip 1, copy 2, skip 1; the rest is copied.
    const second = "00100 01 00101 1 1 010 1";
    const files = { graph: bytesOf(first, second, "1".repeat(8)), properties };
    const graph = decodeBv(files);
    expect([...successors(graph, 0)]).toEqual([1, 2, 3, 4, 9]);
    expect([...successors(graph, 1)]).toEqual([2, 3, 9]);
    expect([...new BvRandomAccess(files).successors(1)]).toEqual([2, 3, 9]);
  });

  test("without pages or without arcs is one too", () => {
    expect(decodeBv(encodeBv(graphOf([], 0)))).toMatchObject({ pages: 0, arcs: 0 });
    expect(decodeBv(encodeBv(graphOf([], 5)))).toMatchObject({ pages: 5, arcs: 0 });
  });

  test("is read back as it was written, whatever the options", () => {
    fc.assert(
      fc.property(webs, bvOptions, (graph, options) => {
        expectSameGraph(decodeBv(encodeBv(graph, options)), graph);
      }),
      { numRuns: cases(500) },
    );
  });

  test("may have links as far apart as ids go", () => {
    const far = [3, 70_000, 99_999];
    const graph = graphOf(
      [0, 50_000, 99_999].flatMap((page) => far.map((link) => [page, link] as const)),
      100_000,
    );
    for (const residuals of ["zeta", "gamma", "delta", "nibble", "golomb"] as const) {
      expectSameGraph(decodeBv(encodeBv(graph, { zetaK: 11, codes: { residuals } })), graph);
    }
  });

  test("is written no larger with references and intervals than without", () => {
    const rows = Array.from({ length: 50 }, (_, page) =>
      [1, 2, 3, 4, 5, 6, 40, 45].map((link) => [page, link] as const),
    );
    const graph = graphOf(rows.flat(), 50);
    const plain = encodeBv(graph, { windowSize: 0, minIntervalLength: 0 }).graph.length;
    const intervals = encodeBv(graph, { windowSize: 0 }).graph.length;
    const both = encodeBv(graph).graph.length;
    expect(intervals).toBeLessThan(plain);
    expect(both).toBeLessThan(intervals);
  });

  test("copies from the nearest of several rows that are as good, as WebGraph does", () => {
    // Three equal rows. In gamma the references 1 and 2 are as long; page 1 copies from 0, and page 2 from 1: 2 back in
    // all.
    const graph = graphOf(
      [0, 1, 2].flatMap((page) => [3, 7, 12, 20].map((link) => [page, link] as const)),
      21,
    );
    const { properties } = encodeBv(graph, { codes: { references: "gamma" } });
    expect(properties).toContain(`avgdist=${Number((2 / 21).toFixed(3))}\n`);
  });

  test("keeps chains of references within the limit", () => {
    const graph = graphOf(
      Array.from({ length: 30 }, (_, page) => [page, 7] as const),
      30,
    );
    for (const maxRefCount of [0, 1, 4]) {
      const { properties } = encodeBv(graph, { maxRefCount, windowSize: 1 });
      // Chains run 0, 1, ..., maxRefCount and begin again.
      const chains = Array.from({ length: 30 }, (_, page) => page % (maxRefCount + 1));
      const mean = chains.reduce((sum, chain) => sum + chain, 0) / 30;
      expect(properties).toContain(`avgref=${Number(mean.toFixed(3))}\n`);
    }
  });
});

describe("random access", () => {
  test("gives the rows of the sequential pass, with offsets read or computed", () => {
    fc.assert(
      fc.property(webs, bvOptions, (graph, options) => {
        const { offsets, ...files } = encodeBv(graph, options);
        for (const access of [new BvRandomAccess(files), new BvRandomAccess({ ...files, offsets })]) {
          expect([access.pages, access.arcs]).toEqual([graph.pages, graph.arcs]);
          for (let page = graph.pages - 1; page >= 0; page--) {
            const expected = [...successors(graph, page)];
            expect([...access.successors(page)]).toEqual(expected);
            expect(access.outDegree(page)).toBe(expected.length);
          }
        }
      }),
    );
  });

  test("follows a chain of a hundred thousand references", () => {
    const pages = 100_000;
    const graph = graphOf(
      Array.from({ length: pages }, (_, page) => [4, 8, 15, 16, 23, 42].map((link) => [page, link] as const)).flat(),
      pages,
    );
    const files = encodeBv(graph, { windowSize: 1, maxRefCount: 2 ** 31 - 1 });
    expect([...new BvRandomAccess(files).successors(pages - 1)]).toEqual([4, 8, 15, 16, 23, 42]);
  });

  test("refuses a page that is not there", () => {
    const access = new BvRandomAccess(encodeBv(graphOf(SMALL.arcs, 3)));
    for (const page of [3, -1, 0.5, Number.NaN]) {
      expect(() => access.successors(page)).toThrow(/is not in the graph, whose pages are 0 to 2/);
    }
  });

  test("keeps positions of files larger than 2^32 bits", () => {
    const at = [0, 2 ** 32 - 1, 2 ** 32, 2 ** 32, 2 ** 34 + 5, 2 ** 34 + 2 ** 32];
    const positions = new RowPositions(at.length - 1);
    for (const position of at) positions.push(position);
    expect(at.map((_, page) => positions.at(page))).toEqual(at);
  });
});

describe("the encoder", () => {
  test("hands on chunks while rows come in, which joined are the files", () => {
    const links = Uint32Array.from({ length: 40 }, (_, i) => (i * i * 31) % 4001).sort();
    const distinct = Uint32Array.from(new Set(links));
    const pages = 5000;
    const graph: Uint8Array[] = [];
    const offsets: Uint8Array[] = [];
    const sink = {
      graph: (chunk: Uint8Array) => graph.push(chunk),
      offsets: (chunk: Uint8Array) => offsets.push(chunk),
    };
    const encoder = new BvEncoder(sink, { windowSize: 0 });
    for (let page = 0; page < pages; page++) encoder.add(distinct);
    expect(graph.length).toBeGreaterThan(1);
    const properties = encoder.finish();
    const whole = graphOf(
      Array.from({ length: pages }, (_, page) => Array.from(distinct, (link) => [page, link] as const)).flat(),
      pages,
    );
    const files = encodeBv(whole, { windowSize: 0 });
    expect(Buffer.compare(Buffer.concat(graph), files.graph)).toBe(0);
    expect(Buffer.compare(Buffer.concat(offsets), files.offsets)).toBe(0);
    expect(properties).toBe(files.properties);
  });

  test("refuses rows out of order, links to pages that never came, and options the format lacks", () => {
    const sink = { graph: () => {}, offsets: () => {} };
    expect(() => new BvEncoder(sink).add(Uint32Array.of(4, 4))).toThrow(/links of page 0 are not ascending: 4 comes/);
    const encoder = new BvEncoder(sink);
    encoder.add(Uint32Array.of(0, 1));
    expect(() => encoder.finish()).toThrow("a link goes to page 1, but the graph has only 1 pages");
    expect(() => new BvEncoder(sink, { windowSize: -1 })).toThrow(/windowSize of a BV graph is -1/);
    expect(() => new BvEncoder(sink, { zetaK: 32 })).toThrow(/zetaK of a BV graph is 32/);
    expect(() => new BvEncoder(sink, { codes: { blocks: "nibble" } })).toThrow(/use gamma, delta/);
  });
});

function expectSameGraph(actual: Graph, expected: Graph): void {
  expect(actual.pages).toBe(expected.pages);
  expect(actual.arcs).toBe(expected.arcs);
  expect(actual.offsets).toEqual(expected.offsets);
  expect(actual.targets).toEqual(expected.targets);
}

function propertiesOf(counts: { nodes: number; arcs: number }): string {
  return [
    "#BVGraph properties",
    "graphclass=it.unimi.dsi.webgraph.BVGraph",
    "version=0",
    `nodes=${counts.nodes}`,
    `arcs=${counts.arcs}`,
    "windowsize=7",
    "maxrefcount=3",
    "minintervallength=4",
    "zetak=3",
    "compressionflags=",
  ].join("\n");
}
