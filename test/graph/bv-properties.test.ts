import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { Code } from "../../src/graph/bv/codes.ts";
import { bvFormat, formatBvProperties, parseBvProperties } from "../../src/graph/bv/properties.ts";

const LINES = [
  "#BVGraph properties",
  "graphclass=it.unimi.dsi.webgraph.BVGraph",
  "version=0",
  "nodes=20",
  "arcs=70",
  "windowsize=7",
  "maxrefcount=3",
  "minintervallength=4",
  "zetak=5",
  "compressionflags=",
];

describe("the .properties file of a BV graph", () => {
  test("gives sizes, parameters and, without flags, the default codes", () => {
    expect(parseBvProperties(LINES.join("\n"))).toEqual({
      pages: 20,
      arcs: 70,
      format: {
        windowSize: 7,
        maxRefCount: 3,
        minIntervalLength: 4,
        zetaK: 5,
        codes: {
          outdegrees: Code.gamma,
          blocks: Code.gamma,
          residuals: Code.zeta,
          references: Code.unary,
          blockCounts: Code.gamma,
          offsets: Code.gamma,
        },
      },
    });
  });

  test("names other codes by flags", () => {
    const flags =
      "OUTDEGREES_DELTA | BLOCKS_DELTA | RESIDUALS_NIBBLE | REFERENCES_GAMMA | BLOCK_COUNT_UNARY | OFFSETS_DELTA";
    expect(parsed({ compressionflags: flags }).format.codes).toEqual({
      outdegrees: Code.delta,
      blocks: Code.delta,
      residuals: Code.nibble,
      references: Code.gamma,
      blockCounts: Code.unary,
      offsets: Code.delta,
    });
    expect(parsed({ compressionflags: "RESIDUALS_GOLOMB|RESIDUALS_GOLOMB" }).format.codes.residuals).toBe(Code.golomb);
  });

  test("is understood in all the ways that Java may have written it", () => {
    const text = LINES.join("\r\n")
      .replace("nodes=20", "  nodes : 2\\\r\n  0")
      .replace("windowsize=", "windowsize ")
      .replace("compressionflags=", "compressionflags=OFFSETS_\\DELTA");
    expect(parseBvProperties(`! a comment\r\n\r\n${text}\r\n`)).toMatchObject({
      pages: 20,
      format: { windowSize: 7, codes: { offsets: Code.delta } },
    });
  });

  test("may leave zetak out, be of the big version of WebGraph, and have no limit to chains", () => {
    expect(parsed({ zetak: undefined }).format.zetaK).toBe(3);
    expect(parsed({ graphclass: "it.unimi.dsi.big.webgraph.BVGraph" }).pages).toBe(20);
    expect(parsed({ maxrefcount: "-1" }).format.maxRefCount).toBe(2 ** 31 - 1);
    expect(parsed({ endianness: "big" }).pages).toBe(20);
  });

  test.each([
    [{ graphclass: undefined }, /no graphclass/],
    [{ graphclass: "it.unimi.dsi.webgraph.EFGraph" }, /is of a it.unimi.dsi.webgraph.EFGraph, expected/],
    [{ version: "1" }, /format version 1, only version 0 is known/],
    [{ version: undefined }, /lacks "version"/],
    [{ endianness: "little" }, /little-endian, only big-endian/],
    [{ nodes: undefined }, /lacks "nodes"/],
    [{ nodes: "many" }, /says nodes=many, expected a whole number from 0 to 2147483647/],
    [{ nodes: "2147483648" }, /says nodes=2147483648/],
    [{ arcs: "401" }, /says arcs=401, expected a whole number from 0 to 400/],
    [{ arcs: "-1" }, /says arcs=-1/],
    [{ windowsize: "7.5" }, /says windowsize=7.5/],
    [{ minintervallength: "" }, /says minintervallength=,/],
    [{ zetak: "0" }, /says zetak=0/],
    [{ zetak: "32" }, /zetaK of a BV graph is 32, expected a whole number from 1 to 31/],
    [{ compressionflags: "RESIDUALS_ZETTA" }, /unknown compression flag "RESIDUALS_ZETTA".*RESIDUALS_ZETA/],
    [{ compressionflags: "BLOCKS_UNARY" }, /unknown compression flag "BLOCKS_UNARY"/],
    [{ compressionflags: "BLOCKS_GAMMA | BLOCKS_DELTA" }, /two codes for blocks/],
  ])("with %j is refused with the reason", (changes, reason) => {
    expect(() => parsed(changes)).toThrow(UsageError);
    expect(() => parsed(changes)).toThrow(reason);
  });

  test("that we write says what was chosen, and only codes that are not the default", () => {
    const format = bvFormat({
      windowSize: 0,
      codes: { residuals: "golomb", references: "unary", offsets: "delta" },
    });
    const text = formatBvProperties({ pages: 2, arcs: 1, format }, { bitsperlink: "3.5" });
    expect(text.split("\n")).toEqual([
      "#BVGraph properties",
      "graphclass=it.unimi.dsi.webgraph.BVGraph",
      "version=0",
      "nodes=2",
      "arcs=1",
      "windowsize=0",
      "maxrefcount=3",
      "minintervallength=4",
      "zetak=3",
      "compressionflags=RESIDUALS_GOLOMB | OFFSETS_DELTA",
      "bitsperlink=3.5",
      "",
    ]);
    expect(parseBvProperties(text)).toEqual({ pages: 2, arcs: 1, format });
  });
});

function parsed(changes: Readonly<Record<string, string | undefined>>) {
  const entries = new Map(LINES.slice(1).map((line) => line.split("=") as [string, string | undefined]));
  for (const [key, value] of Object.entries(changes)) entries.set(key, value);
  const lines = [...entries].filter(([, value]) => value !== undefined).map(([key, value]) => `${key}=${value}`);
  return parseBvProperties(lines.join("\n"));
}
