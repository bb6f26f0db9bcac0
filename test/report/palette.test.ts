import { describe, expect, test } from "vitest";
import { MARKERS } from "../../src/report/pieces/plot.ts";
import { DARK, LIGHT } from "../../src/report/pieces/style.ts";

type Vector = readonly [number, number, number];

/** Colour vision deficiencies of full severity on linear RGB: Machado, Oliveira and Fernandes 2009, Table 1. */
const VISIONS: Readonly<Record<string, readonly [Vector, Vector, Vector]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

describe.each([
  ["light", LIGHT],
  ["dark", DARK],
] as [string, typeof LIGHT][])("%s theme", (_, theme) => {
  test("has a contrast of 3:1 or more for every curve (WCAG 1.4.11)", () => {
    for (const colour of theme.curves) {
      expect(contrast(colour, theme.surface), colour).toBeGreaterThanOrEqual(3);
    }
  });

  test("has a contrast of 4.5:1 or more for every text (WCAG 1.4.3)", () => {
    for (const colour of [theme.ink, theme.muted, theme.sea, theme.agrees, theme.warns, theme.differs, theme.sampled]) {
      for (const ground of [theme.page, theme.surface, theme.foam]) {
        expect(contrast(colour, ground), `${colour} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  // 0.02 is a just noticeable difference in OKLab; thin lines need several times that.
  test.each(Object.entries(VISIONS))("keeps any two curves apart for %s vision", (_, matrix) => {
    const seen = theme.curves.map((colour) => oklab(seenBy(matrix, linear(colour))));
    for (const [i, a] of seen.entries()) {
      for (const [j, b] of seen.slice(0, i).entries()) {
        const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        expect(distance, `${theme.curves[i]} and ${theme.curves[j]}`).toBeGreaterThan(0.1);
      }
    }
  });
});

test("colours and markers repeat together only after forty orders", () => {
  expect(LIGHT.curves.length).toBe(8);
  expect(DARK.curves.length).toBe(8);
  expect(new Set(MARKERS).size).toBe(5);
});

function linear(colour: string): Vector {
  const channel = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function contrast(a: string, b: string): number {
  const [low, high] = [a, b]
    .map((colour) => dot([0.2126, 0.7152, 0.0722], linear(colour)) + 0.05)
    .sort((x, y) => x - y);
  return high / low;
}

function seenBy(matrix: readonly [Vector, Vector, Vector], colour: Vector): Vector {
  const channel = (row: Vector): number => Math.min(1, Math.max(0, dot(row, colour)));
  return [channel(matrix[0]), channel(matrix[1]), channel(matrix[2])];
}

/** Björn Ottosson, "A perceptual color space for image processing", 2020. */
function oklab(colour: Vector): Vector {
  const cones: Vector = [
    Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], colour)),
    Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], colour)),
    Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], colour)),
  ];
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
