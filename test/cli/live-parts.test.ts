/** The pieces of the live view: columns of text, bars and charts, history, and what a terminal can show. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SeedLosses } from "../../src/cli/crawl/seed-losses.ts";
import { LastingNotes } from "../../src/cli/crawl/show.ts";
import { asciiGlyphs, barOf, blockGlyphs, chartOf } from "../../src/cli/live/canvas.ts";
import { laidOut, type PictureSection } from "../../src/cli/live/picture.ts";
import { RunHistory } from "../../src/cli/live/scene.ts";
import { columnsOf, cutLine, cutToColumns, lineText, printable, span } from "../../src/cli/live/screen.ts";
import { featuresOf } from "../../src/cli/live/display.ts";

const textOf = (line: Parameters<typeof lineText>[0]): string => lineText(line, { color: false });

describe("columns of a text", () => {
  it("are two for wide characters and none for marks", () => {
    expect(["abc", "漢字", "ü", "u\u0308", "🌊", "ｆ", "가", ""].map(columnsOf)).toEqual([3, 4, 1, 1, 2, 2, 2, 0]);
  });

  it("are never exceeded by a cut, which leaves no character in halves", () => {
    expect(cutToColumns("漢字", 3)).toBe("漢");
    expect(cutToColumns("a🌊b", 2)).toBe("a");
    expect(cutToColumns("u\u0308x", 1)).toBe("u\u0308");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, columns) => {
        const cut = cutToColumns(text, columns);
        expect(text.startsWith(cut)).toBe(true);
        expect(columnsOf(cut)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it("hold nothing that commands a terminal", () => {
    expect(printable("a\u001B[31m\u009B\u202Eb\n漢", { unicode: true })).toBe("a?[31m??b?漢");
    expect(printable("a\u001B漢ü", { unicode: false })).toBe("a???");
  });

  it("of a line of pieces are cut across them", () => {
    const line = [span("ab", "strong"), span("漢字"), span("c")];
    expect(textOf(cutLine(line, 5))).toBe("ab漢");
    expect(textOf(cutLine(line, 6))).toBe("ab漢字");
    expect(lineText(cutLine(line, 2), { color: true })).toBe("\u001B[1mab\u001B[22m");
  });
});

describe("a bar", () => {
  const bar = (share: number, goal?: number, glyphs = blockGlyphs): string =>
    textOf(barOf(share, { goal }, 10, glyphs));

  it("is filled to an eighth of a cell", () => {
    // 10 cells are 80 eighths: 0.5 is 40 of them, 0.53 is 42.4, 0.0124 is 0.99.
    expect(bar(0.5)).toBe("▕█████·····▏");
    expect(bar(0.53)).toBe("▕█████▎····▏");
    expect(bar(0.0124)).toBe("▕··········▏");
    expect(bar(0.0125)).toBe("▕▏·········▏");
    expect(bar(1)).toBe("▕██████████▏");
    expect(bar(0.59, undefined, asciiGlyphs)).toBe("[#####.....]");
  });

  it("has a mark at its goal until that is reached", () => {
    expect(bar(0.5, 0.95)).toBe("▕█████····┃▏");
    expect(bar(0.93, 0.95)).toBe("▕█████████┃▏");
    expect(bar(0.95, 0.95)).toBe("▕█████████▌▏");
    expect(bar(0.5, 1)).toBe("▕█████····┃▏");
  });

  it("shows which part cannot be filled, with a goal beyond it", () => {
    // 0.62 of 10 cells is within the seventh: from the eighth on, nothing can be reached.
    expect(textOf(barOf(0.3, { goal: 0.95, ceiling: 0.62 }, 10, blockGlyphs))).toBe("▕███····╱╱┃▏");
    expect(textOf(barOf(0.3, { ceiling: 0.62 }, 10, asciiGlyphs))).toBe("[###....xxx]");
    expect(textOf(barOf(0.3, { ceiling: 1 }, 10, asciiGlyphs))).toBe("[###.......]");
  });

  it("is never ahead of what it shows", () => {
    const eighths = (text: string): number => {
      return Array.from(text.slice(1, -1)).reduce(
        (sum, cell) => sum + Math.max(0, blockGlyphs.across.indexOf(cell)),
        0,
      );
    };
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 60 }), (share, cells) => {
        const shown = eighths(textOf(barOf(share, {}, cells, blockGlyphs))) / (8 * cells);
        expect(shown).toBeLessThanOrEqual(share);
        expect(shown).toBeGreaterThan(share - 2 / (8 * cells));
      }),
    );
  });
});

describe("a chart", () => {
  const options = { columns: 4, look: "tide", glyphs: blockGlyphs } as const;
  const chart = (
    shares: number[],
    more: { height: number; goal?: number; ceiling?: number; showsLeast?: boolean },
  ): string[] => chartOf(shares, { ...options, ...more }).map(textOf);

  it("of one row has eight levels", () => {
    expect(chart([0, 0.124, 0.125, 1], { height: 1 })).toEqual(["  ▁█"]);
    expect(chart([0, 0.001, 0.5], { height: 1, showsLeast: true })).toEqual([" ▁▄ "]);
  });

  it("of several rows fills from below, and shows its goal where it is free", () => {
    // Of 16 eighths: 4, 10, 16. 60% lies in the upper row.
    expect(chart([0.25, 0.63, 1], { height: 2, goal: 0.6 })).toEqual(["┄▂█┄", "▄██ "]);
    expect(chart([0.25], { height: 1, goal: 0.6 })).toEqual(["▂   "]);
  });

  it("shows the ceiling as another line; in one row, the goal is the one", () => {
    expect(chart([0.25], { height: 4, goal: 0.9, ceiling: 0.6 })).toEqual(["┄┄┄┄", "╌╌╌╌", "    ", "█   "]);
    expect(chart([0.25], { height: 2, goal: 0.9, ceiling: 0.6 })).toEqual(["┄┄┄┄", "▄   "]);
  });
});

describe("the history of a run", () => {
  const historyOf = (...points: readonly [number, number, number][]): RunHistory => {
    const history = new RunHistory();
    for (const [elapsedMs, pages, coverage] of points) history.add({ elapsedMs, pages, coverage });
    return history;
  };

  it("shows coverage at the end of each column, and speed within it", () => {
    const history = historyOf([0, 100, 0.1], [1000, 110, 0.2], [2000, 150, 0.3], [4000, 150, 0.4]);
    expect(history.coverages(4)).toEqual([0.2, 0.3, 0.3, 0.4]);
    expect(history.speeds(4)).toEqual([10, 40, 0, 0]);
    // Of 110 pages at the first second and 150 at the second, 130 are there after one and a half.
    expect(history.speeds(8)).toEqual([10, 10, 40, 40, 0, 0, 0, 0]);
  });

  it("grows by four columns a second until it has its width", () => {
    expect(historyOf([0, 0, 0]).coverages(50)).toEqual([0]);
    expect(historyOf([0, 0, 0], [1000, 4, 0.5]).coverages(50)).toEqual([0, 0, 0, 0.5]);
    expect(historyOf([0, 0, 0], [60_000, 4, 0.5]).coverages(50)).toHaveLength(50);
  });

  it("keeps a thousand points of a run of any length, from its start to its end", () => {
    const history = new RunHistory();
    for (let k = 0; k <= 100_000; k++) {
      history.add({ elapsedMs: 1000 * k, pages: 7 * k, coverage: k / 100_000 });
      if (history.size > 1024) throw new Error(`${history.size} points`);
    }
    expect(history.size).toBeGreaterThan(512);
    const coverages = history.coverages(10);
    for (const [k, coverage] of coverages.entries()) {
      expect(coverage).toBeLessThanOrEqual((k + 1) / 10);
      expect(coverage).toBeGreaterThan((k + 1) / 10 - 0.005);
    }
    for (const speed of history.speeds(10)) expect(speed).toBeCloseTo(7, 6);
  });
});

describe("a layout", () => {
  const section = (group: string, rank: number, most: number, least = 1): PictureSection => ({
    group,
    rank,
    most,
    least,
    draw: (height) => Array.from({ length: height }, () => [span(group)]),
  });
  const texts = (sections: PictureSection[], rows: number): string[] => laidOut(sections, rows).map(textOf);

  it("takes the most important first, and hands out what is left in turns", () => {
    const sections = [section("a", 2, 3), section("b", 1, 1), section("c", 3, 4), section("d", 4, 0)];
    expect(texts(sections, 1)).toEqual(["b"]);
    expect(texts(sections, 2)).toEqual(["a", "b"]);
    expect(texts(sections, 5)).toEqual(["a", "a", "b", "c", "c"]);
    expect(texts(sections, 17)).toEqual(["a", "a", "a", "b", "c", "c", "c", "c"]);
  });

  it("sets groups apart where there is room", () => {
    expect(texts([section("a", 1, 1), section("a", 2, 1), section("b", 3, 2)], 18)).toEqual(["a", "a", "", "b", "b"]);
  });
});

describe("what a terminal can show", () => {
  const linux = { isTerminal: true, platform: "linux" } as const;

  it.each([
    [{ LANG: "de_DE.UTF-8" }, { rewrites: true, color: true, unicode: true }],
    [{ LANG: "C" }, { rewrites: true, color: true, unicode: false }],
    [{}, { rewrites: true, color: true, unicode: false }],
    [
      { LANG: "C", LC_CTYPE: "en_US.utf8" },
      { rewrites: true, color: true, unicode: true },
    ],
    [
      { LANG: "C.UTF-8", LC_ALL: "POSIX" },
      { rewrites: true, color: true, unicode: false },
    ],
    [
      { LANG: "C.UTF-8", LC_ALL: "" },
      { rewrites: true, color: true, unicode: true },
    ],
    [
      { LANG: "C.UTF-8", NO_COLOR: "1" },
      { rewrites: true, color: false, unicode: true },
    ],
    [
      { LANG: "C.UTF-8", NO_COLOR: "" },
      { rewrites: true, color: true, unicode: true },
    ],
    [
      { LANG: "C.UTF-8", TERM: "dumb" },
      { rewrites: false, color: false, unicode: true },
    ],
  ])("is read from %j", (environment, expected) => {
    expect(featuresOf(environment, linux)).toEqual(expected);
  });

  it("is nothing but text where there is none, and everything on Windows", () => {
    expect(featuresOf({ LANG: "C.UTF-8" }, { ...linux, isTerminal: false })).toMatchObject({
      rewrites: false,
      color: false,
    });
    expect(featuresOf({}, { isTerminal: true, platform: "win32" })).toMatchObject({ unicode: true });
  });
});

describe("remarks worth keeping", () => {
  it("are printed at once where no picture shows them, otherwise at the end, ten of them", () => {
    const told: string[] = [];
    const atOnce = new LastingNotes((text) => told.push(text), false);
    atOnce.add("one");
    expect(told.splice(0)).toEqual(["one"]);
    atOnce.print();
    const later = new LastingNotes((text) => told.push(text), true);
    for (let k = 1; k <= 11; k++) later.add(`seed ${k}`);
    expect(told).toEqual([]);
    later.print();
    later.print();
    expect(told).toEqual([...Array.from({ length: 10 }, (_, k) => `seed ${k + 1}`), "1 more note like these"]);
  });

  it("has seeds that are lost added up, if they are more than a few", () => {
    const losses = new SeedLosses();
    losses.add({ reason: "robots" });
    losses.add({ reason: "dead" });
    expect(losses.inWords()).toBeUndefined();
    losses.add({ reason: "dead" });
    expect(losses.inWords()).toBe("3 seeds could not be fetched: dead 2, robots.txt 1");
  });
});
