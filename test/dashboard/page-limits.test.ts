import { describe, expect, test } from "vitest";
import {
  changesOf,
  type LimitField,
  limitFields,
  readLimit,
  writtenLimit,
} from "../../src/dashboard/page/components/limits.ts";

const field = (name: LimitField["name"]) => limitFields.find((candidate) => candidate.name === name)!;

describe("limits in the form", () => {
  test("are read in the units that are written beside them", () => {
    expect(readLimit(field("coverage"), "99.5")).toBe(0.995);
    expect(readLimit(field("coverage"), " 95 % ")).toBe(0.95);
    expect(readLimit(field("pages"), "1,000,000")).toBe(1_000_000);
    expect(readLimit(field("timeMs"), "1.5")).toBe(90_000);
    expect(readLimit(field("bytes"), "0.25")).toBe(250_000);
  });

  test("are written as they are read, whatever binary fractions do", () => {
    for (const [name, value] of [
      ["coverage", 0.29],
      ["coverage", 0.9999],
      ["timeMs", 90_000],
      ["bytes", 123_456_789],
      ["pagesPerHost", 7],
    ] as const) {
      expect(readLimit(field(name), writtenLimit(field(name), { [name]: value }))).toBe(value);
    }
  });

  test("are none where nothing is written", () => {
    expect(readLimit(field("pages"), "  ")).toBeNull();
    expect(writtenLimit(field("pages"), {})).toBe("");
  });

  test.each([
    ["coverage", "0"],
    ["coverage", "100.1"],
    ["coverage", "-5"],
    ["pages", "0"],
    ["pages", "12.5"],
    ["pages", "1e6"],
    ["pages", "many"],
    ["depth", "0x10"],
    ["pages", "99999999999999999999"],
  ] as const)("%s refuses %s in words", (name, text) => {
    expect(readLimit(field(name), text)).toEqual({
      problem: expect.stringMatching(
        /^".*" is not a (whole )?number above 0.*Leave it empty for no limit\.$/,
      ),
    });
  });

  test("take the ends that are allowed", () => {
    expect(readLimit(field("coverage"), "100")).toBe(1);
    expect(readLimit(field("pages"), "1")).toBe(1);
  });

  test("are sent only where they differ, and as null where they were taken away", () => {
    const limits = { coverage: 0.95, pages: 100, depth: 3 };
    expect(changesOf(limits, { coverage: 0.95, pages: 200, depth: null, bytes: null })).toEqual({
      pages: 200,
      depth: null,
    });
  });
});
