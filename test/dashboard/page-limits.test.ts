import { describe, expect, test } from "vitest";
import {
  changesOf,
  type LimitField,
  limitFields,
  reachedBy,
  readLimit,
  writtenLimit,
} from "../../src/dashboard/page/components/limits.ts";

const field = (name: LimitField["name"]) => limitFields.find((candidate) => candidate.name === name)!;

describe("limits in the form", () => {
  test("are read in the units that are written next to them", () => {
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
      ["coverage", 0.01],
      ["coverage", 0.0096],
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
      problem: expect.stringMatching(/^".*" is not a (whole )?number above 0.*Leave it empty for no limit\.$/),
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

  test.each([
    ["0.96", "96%", "0.96%"],
    ["1", "100%", "1%"],
    [" 0.005 ", "0.5%", "0.005%"],
  ])("a target of %s may be a share or a percentage, and the user is asked", (text, share, percentage) => {
    expect(readLimit(field("coverage"), text)).toEqual({
      problem: `Did you mean ${share}? The target is in percent. For ${percentage}, type ${percentage}.`,
    });
  });

  test("a target of one percent or less is taken with its sign, and one above without", () => {
    expect(readLimit(field("coverage"), "0.96%")).toBe(0.0096);
    expect(readLimit(field("coverage"), "1 %")).toBe(0.01);
    expect(readLimit(field("coverage"), "1.01")).toBe(0.0101);
  });

  test("say in a sentence each what the crawl has already, up to the very number", () => {
    const status = {
      pages: 1000,
      dead: 0,
      redirects: 0,
      refused: 0,
      failed: 0,
      retries: 0,
      bytes: 2_000_000,
      known: 1000,
      frontier: 0,
      hosts: 1,
      coverage: 0.92,
      strict: 0.92,
      ceiling: 1,
      guaranteed: null,
      elapsedMs: 90_000,
    };
    expect(reachedBy({ coverage: 0.92, pages: 1000, bytes: 2_000_000, timeMs: 90_000 }, status)).toEqual([
      "A target of 92%: at least 92.00% is covered.",
      "At most 1,000 pages: it has 1,000.",
      "At most 2.0 MB: it has downloaded 2.0 MB.",
      "At most 1 min 30 s: it has run for 1 min 30 s.",
    ]);
    expect(reachedBy({ coverage: 0.9201, pages: 1001, bytes: 2_000_001, timeMs: 90_001 }, status)).toEqual([]);
    expect(reachedBy({ coverage: null, pages: null, depth: 1, pagesPerHost: 1 }, status)).toEqual([]);
  });
});
