import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { type BvFiles, BvRandomAccess, decodeBv, encodeBv, successors } from "../../src/graph/index.ts";
import { cases } from "../support/cases.ts";
import { graphOf } from "./arbitrary.ts";
import { bvOptions, webs } from "./bv-arbitrary.ts";
import { bytesOf } from "./bv-bits.ts";

describe("a damaged BV graph", () => {
  test("with bytes changed is a graph still, or an error that says so", () => {
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat({ max: 255 })),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(webs, bvOptions, changes, (graph, options, changes) => {
        const files = encodeBv(graph, options);
        expectGraphOrUsageError({ ...files, graph: changed(files.graph, changes) });
        expectGraphOrUsageError({ ...files, offsets: changed(files.offsets, changes) });
      }),
      { numRuns: cases(2000) },
    );
  });

  test("cut short is a graph still, or an error that says so", () => {
    fc.assert(
      fc.property(webs, bvOptions, fc.double({ min: 0, max: 1, noNaN: true }), (graph, options, share) => {
        const files = encodeBv(graph, options);
        expectGraphOrUsageError({
          ...files,
          graph: files.graph.subarray(0, Math.floor(share * files.graph.length)),
        });
        const offsets = files.offsets.subarray(0, Math.floor(share * files.offsets.length));
        expectGraphOrUsageError({ ...files, offsets });
      }),
      { numRuns: cases(1000) },
    );
  });

  test("without its last byte is an error: some of a row is missing", () => {
    fc.assert(
      fc.property(webs, bvOptions, (graph, options) => {
        const { graph: bytes, properties } = encodeBv(graph, options);
        const short: BvFiles = { graph: bytes.subarray(0, -1), properties };
        expect(() => decodeBv(short)).toThrow(UsageError);
        expect(() => new BvRandomAccess(short)).toThrow(UsageError);
      }),
      { numRuns: cases(300) },
    );
  });

  test("with other numbers in its properties is a graph still, or an error that says so", () => {
    const keys = ["nodes", "arcs", "windowsize", "minintervallength", "zetak"];
    const numbers = fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 2 ** 31 - 1 }));
    fc.assert(
      fc.property(webs, bvOptions, fc.constantFrom(...keys), numbers, (graph, options, key, number) => {
        const { properties, ...files } = encodeBv(graph, options);
        const lying = properties.replace(new RegExp(`^${key}=.*$`, "m"), `${key}=${number}`);
        expectGraphOrUsageError({ ...files, properties: lying });
      }),
      { numRuns: cases(1000) },
    );
  });

  test("of any bytes at all is a graph, or an error that says so", () => {
    fc.assert(
      fc.property(webs, bvOptions, fc.uint8Array({ maxLength: 200 }), (graph, options, bytes) => {
        expectGraphOrUsageError({ ...encodeBv(graph, options), graph: bytes });
      }),
      { numRuns: cases(1000) },
    );
  });
});

describe("the error says", () => {
  const { properties } = encodeBv(
    graphOf(
      [
        [0, 1],
        [0, 2],
        [1, 0],
        [2, 2],
      ],
      3,
    ),
    { minIntervalLength: 2 },
  );

  // Degree, reference, then blocks or the number of intervals, as in the hand-made graphs of bv.test.ts.
  test.each([
    ["a truncated file", "", /says 3 pages, more than the 0 bytes of the .graph file can hold/],
    ["a row cut short", "010 1 1 000", /ends too early/],
    ["a degree above the arcs left", "00110 1", /page 0 .* 5 links, but the graph has only 4 more/],
    ["a degree above the pages", "00101 1", /page 0 .* 4 links, but there are only 3 pages/],
    ["a reference out of the window", "010 000000001", /page 0 .* reference 8 back, past the window of 7/],
    ["a reference before the first page", "010 01", /page 0 .* reference 1 back, before the first page/],
    ["too long blocks", "010 1 1 100  010 01 010 011", /page 1 .* copy blocks longer than the row/],
    ["too many copied links", "011 1 1 100 100  010 01 1", /page 1 .* more copied links than its out-degree/],
    ["a too long interval", "010 1 010 1 1", /page 0 .* intervals longer than its out-degree/],
    ["an interval outside the graph", "011 1 010 00101 1", /page 0 .* an interval outside the 3 pages/],
    ["a link before the first page", "010 1 1 1010", /page 0 .* a link to page -1/],
    ["a link behind the last page", "010 1 1 1111", /page 0 .* a link to page 3, but there are only 3 pages/],
    ["a link twice", "010 1 1 100  011 01 1 1 1010", /page 1 .* a link twice/],
    ["too few arcs", "1 1 1", /has 0 arcs, but its .properties file says 4/],
  ])("%s", (_, bits, reason) => {
    const files = { graph: bytesOf(bits), properties };
    expect(() => decodeBv(files)).toThrow(UsageError);
    expect(() => decodeBv(files)).toThrow(reason);
  });

  test("that the file is too long, but not for padding to whole words", () => {
    const files = encodeBv(graphOf([[0, 1]], 2));
    const padded = new Uint8Array(files.graph.length + 15);
    padded.set(files.graph);
    expect(decodeBv({ ...files, graph: padded }).arcs).toBe(1);
    const longer = new Uint8Array(files.graph.length + 17);
    longer.set(files.graph);
    expect(() => decodeBv({ ...files, graph: longer })).toThrow(/continues for \d+ bits after its last page, 1/);
  });

  test("that the offsets are of another graph", () => {
    const files = encodeBv(
      graphOf(
        [
          [0, 1],
          [1, 0],
        ],
        2,
      ),
    );
    const other = encodeBv(
      graphOf(
        [
          [0, 0],
          [0, 1],
        ],
        2,
      ),
    ).offsets;
    expect(() => new BvRandomAccess({ ...files, offsets: other }).successors(0)).toThrow(
      /row of page 0 .* does not end where the .offsets file says/,
    );
    const far = bytesOf("1", "00000000001" + "1".repeat(10), "1");
    expect(() => new BvRandomAccess({ ...files, offsets: far })).toThrow(/.offsets file has page 1 at bit 2046, after/);
  });
});

function changed(bytes: Uint8Array, changes: readonly (readonly [where: number, byte: number])[]): Uint8Array {
  const copy = bytes.slice();
  for (const [where, byte] of changes) copy[Math.floor(where * copy.length)] = byte;
  return copy;
}

function expectGraphOrUsageError(files: BvFiles): void {
  expectOrUsageError(() => {
    const graph = decodeBv(files);
    expect(graph.offsets[graph.pages]).toBe(graph.arcs);
    for (let page = 0; page < graph.pages; page++) requireRow(successors(graph, page), graph.pages);
  });
  for (const offsets of [files.offsets, undefined]) {
    expectOrUsageError(() => {
      const access = new BvRandomAccess({
        graph: files.graph,
        properties: files.properties,
        ...(offsets && { offsets }),
      });
      for (let page = 0; page < access.pages; page++) {
        expectOrUsageError(() => requireRow(access.successors(page), access.pages));
      }
    });
  }
}

function requireRow(row: Uint32Array, pages: number): void {
  const valid = row.every((link, i) => link < pages && (i === 0 || link > row[i - 1]));
  if (!valid) throw new Error(`not ascending below ${pages}: ${row.join(" ")}`);
}

function expectOrUsageError(attempt: () => void): void {
  try {
    attempt();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}
