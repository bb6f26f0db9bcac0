import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { ArcsDecoder, type ArcsOptions, encodeArcs, type Graph } from "../../src/graph/index.ts";
import { LINE_BYTES_MAX } from "../../src/graph/lines.ts";
import { type Arc, arcsBelow, arcsOf, distinctArcs, graphOf } from "./arbitrary.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

function decode(input: string | Uint8Array, chunkBytes = 1 << 16, options: ArcsOptions = {}): Graph {
  const bytes = typeof input === "string" ? bytesOf(input) : input;
  const decoder = new ArcsDecoder(options);
  for (let at = 0; at < bytes.length; at += chunkBytes) decoder.push(bytes.subarray(at, at + chunkBytes));
  return decoder.finish();
}

function encode(graph: Graph): Uint8Array {
  return Buffer.concat([...encodeArcs(graph)]);
}

const lineEnding = fc.constantFrom("\n", "\r\n", "\r");
const separator = fc.stringMatching(/^[ \t,;]{1,3}$/);
const noise = fc.constantFrom("", "  ", "# a comment, 1 2", "% another", "\t# 5 6");

describe("ArcsDecoder", () => {
  it("reads a tidy file", () => {
    expect(arcsOf(decode("0 1\n0 4\n1 0\n"))).toEqual([
      [0, 1],
      [0, 4],
      [1, 0],
    ]);
  });

  it("reads any separators, endings, blank lines and comments, cut anywhere", () => {
    const line = fc.tuple(fc.tuple(fc.nat(20), fc.nat(20)), separator, noise, lineEnding);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.nat(1), fc.integer({ min: 1, max: 9 }), (lines, bom, size) => {
        const text = lines.map(([[s, t], sep, odd, end]) => `${odd}${end}${sep}${s}${sep}${t}${end}`).join("");
        const arcs = lines.map(([arc]): Arc => arc);
        expect(arcsOf(decode((bom ? "\ufeff" : "") + text, size))).toEqual(distinctArcs(arcs));
      }),
    );
  });

  it("reads a last line without an ending", () => {
    expect(arcsOf(decode("0 1\n1 2"))).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it.each(["Source,Target\n0,1", '"from"\t"to"\r\n0\t1', "# note\n\nsrc dst weight\n0 1"])(
    "takes a first line of names as a header: %j",
    (text) => {
      expect(arcsOf(decode(text))).toEqual([[0, 1]]);
    },
  );

  it("reads the greatest id that exists", () => {
    expect(() => decode("0 4294967294")).toThrow(/4294967295 pages for 1 arc/);
  });

  it.each([
    ["letters", "0 x", 1, "0 x"],
    ["one number", "0 1\n\n7\n", 3, "7"],
    ["three numbers", "0 1\r\n1 2 3\r\n", 2, "1 2 3"],
    ["a negative number", "# c\n0 -1", 2, "0 -1"],
    ["a fraction", "0 1\r0 1.5\r", 2, "0 1.5"],
    ["an id too large", "0 4294967295", 1, "0 4294967295"],
    ["a very large id", "0 1\n99999999999999999999999 1", 2, "99999999999999999999999 1"],
    ["a second header", "a b\na b\n", 2, "a b"],
    ["a header after arcs", "0 1\na b\n", 2, "a b"],
    ["names with digits", "node1 node2\n", 1, "node1 node2"],
  ])("refuses %s, naming line and text", (_, text, line, shown) => {
    for (const size of [1, 3, 1000]) {
      expect(() => decode(text, size)).toThrow(UsageError);
      expect(() => decode(text, size)).toThrow(`line ${line}: "${shown}"`);
      expect(() => decode(text, size)).toThrow(/expected "source target"/);
    }
  });

  it("shows what is malformed shortened and without control characters", () => {
    expect(() => decode(`0 \u0007\u001b[2J${"x".repeat(500)}`)).toThrow(
      new RegExp(String.raw`^line 1: "0 \?\?\[2Jx{53}\.\.\.": `),
    );
  });

  it("refuses a line beyond the limit, so that memory stays bounded on a file that is no text", () => {
    const longest = `0 1${" ".repeat(LINE_BYTES_MAX - 4)}`;
    expect(arcsOf(decode(longest))).toEqual([[0, 1]]);
    expect(() => decode(`${longest} `)).toThrow(/a line is longer than 1048576 bytes/);
  });

  it("refuses one mistaken id that would ask for gigabytes, unless sparse graphs are allowed", () => {
    expect(() => decode("0 1\n0 4000000000\n")).toThrow(/4000000001 pages for 2 arcs/);
    expect(decode("0 16777215").pages).toBe(2 ** 24);
    expect(() => decode("0 16777216")).toThrow(UsageError);
    expect(() => decode("# pages 16777217\n0 1")).toThrow(UsageError);
    expect(decode("0 16777216", 100, { allowSparse: true }).pages).toBe(2 ** 24 + 1);
  });

  it("checks the file against the given number of pages", () => {
    expect(decode("0 1", 100, { pages: 4 }).pages).toBe(4);
    expect(() => decode("0 4", 100, { pages: 4 })).toThrow(/^line 1: page id 4 does not fit a graph of 4 pages/);
    for (const size of [1, 3, 100]) {
      const file = "from to\n0 1 # 99\n# 77\n3 2\r\n2 3\r\n5 1\n6 0\n";
      expect(() => decode(file, size, { pages: 4 })).toThrow(/^line 6: page id 5 does not fit a graph of 4 pages/);
    }
    expect(() => decode("# pages 2 arcs 1\n0 4")).toThrow(/page id 4 does not fit a graph of 2 pages/);
  });

  it("knows a file of ours that was cut short", () => {
    expect(() => decode("# pages 3 arcs 2\n0 1\n")).toThrow(/states 2 arcs but holds 1/);
    expect(() => decode("# pages 3 arcs at the end\n0 1\n")).toThrow(/states more arcs but holds 1/);
    expect(() => decode("# pages 3 arcs at the end\n0 1\n# arcs 2\n")).toThrow(/states 2 arcs but holds 1/);
    expect(decode("# pages 3 arcs at the end\n0 1\n# arcs 1\n")).toMatchObject({ pages: 3, arcs: 1 });
  });

  it("makes the empty graph of an empty file", () => {
    expect(decode("")).toMatchObject({ pages: 0, arcs: 0 });
  });
});

describe("encodeArcs", () => {
  it("writes the size, then one arc per line", () => {
    const graph = graphOf([
      [0, 10],
      [2, 9],
      [2, 100],
    ]);
    expect(Buffer.from(encode(graph)).toString()).toBe("# pages 101 arcs 3\n0 10\n2 9\n2 100\n");
  });

  it("is undone by the decoder, trailing pages without links included", () => {
    fc.assert(
      fc.property(arcsBelow(15), (arcs) => {
        const graph = graphOf(arcs, 15);
        expect(decode(encode(graph))).toEqual(graph);
      }),
    );
  });

  it("is undone by the decoder over many chunks and numbers of every length", () => {
    const arcs = Array.from({ length: 50_000 }, (_, i): Arc => [i % 3001, (i * 2_654_435_761) % 1_000_003]);
    const graph = graphOf(arcs);
    const bytes = encode(graph);
    expect(bytes.length).toBeGreaterThan(3 * 65_536);
    const again = decode(bytes);
    expect([again.pages, again.arcs]).toEqual([graph.pages, graph.arcs]);
    expect(Buffer.compare(encode(again), bytes)).toBe(0);
  });

  it("writes ids above 2^31", () => {
    const graph = {
      pages: 1,
      arcs: 1,
      offsets: Uint32Array.of(0, 1),
      targets: Uint32Array.of(4_294_967_290),
    };
    expect(Buffer.from(encode(graph)).toString()).toMatch(/\n0 4294967290\n$/);
  });
});
