/** Bars and small charts of characters: in eighths of a cell where the terminal has block elements, else in plain ASCII. */
import { type Line, type Look, type Span, span } from "./spans.ts";

export interface Glyphs {
  /** From nothing to a whole cell, to be filled from the left and from below. */
  readonly across: readonly string[];
  readonly upward: readonly string[];
  readonly track: string;
  readonly mark: string;
  readonly level: string;
  readonly ends: readonly [left: string, right: string];
  readonly between: string;
  readonly cut: string;
}

export const blockGlyphs: Glyphs = {
  across: [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
  upward: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
  track: "·",
  mark: "┃",
  level: "┄",
  ends: ["▕", "▏"],
  between: " · ",
  cut: "…",
};

export const asciiGlyphs: Glyphs = {
  across: [" ", "#"],
  upward: [" ", ".", ":", "-", "=", "+", "*", "%", "#"],
  track: ".",
  mark: "|",
  level: "-",
  ends: ["[", "]"],
  between: ", ",
  cut: "~",
};

/** So many cells of which `share` is filled, never more than it, with a mark where the goal is. */
export function barOf(share: number, goal: number | undefined, cells: number, glyphs: Glyphs): Line {
  const { across, track, mark, ends } = glyphs;
  const parts = across.length - 1;
  const filled = partsOf(share, cells * parts);
  const whole = Math.floor(filled / parts);
  const isPartial = filled % parts > 0;
  const marked = goal === undefined || share >= goal ? -1 : Math.min(cells - 1, Math.floor(goal * cells));
  const spans: Span[] = [span(ends[0], "faint"), span(across[parts].repeat(Math.min(whole, cells)), "tide")];
  for (let cell = whole; cell < cells; cell++) {
    if (cell === marked) spans.push(span(mark, "target"));
    else if (cell === whole && isPartial) spans.push(span(across[filled % parts], "tide"));
    else spans.push(span(track, "faint"));
  }
  return [...spans, span(ends[1], "faint")];
}

export interface ChartOptions {
  /** At least as many as there are shares; what is left is empty. */
  readonly columns: number;
  readonly height: number;
  readonly look: Look;
  readonly glyphs: Glyphs;
  /** A level to be shown as a line, where the chart has more than one row. */
  readonly goal?: number | undefined;
  /** Whether anything above 0 is seen, however small. */
  readonly showsLeast?: boolean;
}

/** A chart of shares from 0 to 1, a column each, filled from below and never higher than they are. From the top row down. */
export function chartOf(
  shares: readonly number[],
  { columns, height, look, glyphs, goal, showsLeast = false }: ChartOptions,
): Line[] {
  const { upward, level } = glyphs;
  const parts = upward.length - 1;
  const heights = shares.map((share) => {
    const filled = partsOf(share, height * parts);
    return showsLeast && share > 0 ? Math.max(1, filled) : filled;
  });
  const goalRow = goal === undefined || height === 1 ? -1 : levelRow(goal, height);
  return Array.from({ length: height }, (_, fromTop) => {
    const row = height - 1 - fromTop;
    const spans: Span[] = [];
    for (let column = 0; column < columns; column++) {
      const part = Math.max(0, Math.min(parts, (heights[column] ?? 0) - row * parts));
      const isLevel = part === 0 && row === goalRow;
      append(spans, isLevel ? level : upward[part], isLevel ? "target" : look);
    }
    return spans;
  });
}

/** The row of a chart, from below, in which a level lies. */
export function levelRow(level: number, height: number): number {
  return Math.min(height - 1, Math.floor(level * height));
}

function append(spans: Span[], text: string, look: Look): void {
  const last = spans.at(-1);
  if (last?.look === look) spans[spans.length - 1] = span(last.text + text, look);
  else spans.push(span(text, look));
}

/** How many of so many parts a share fills for certain. */
function partsOf(share: number, parts: number): number {
  const filled = Math.floor(Math.max(0, Math.min(1, share)) * parts);
  // The product may have been rounded up to a whole number.
  return filled / parts > share ? filled - 1 : filled;
}
