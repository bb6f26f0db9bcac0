/** Bars and small charts of characters: in eighths of a cell, or in plain ASCII where the terminal needs it. */
import { columnsOf, cutToColumns, type Line, type Look, printable, type Span, span } from "./screen.ts";

export class Canvas {
  readonly columns: number;
  readonly glyphs: Glyphs;
  readonly #unicode: boolean;

  constructor({ columns, unicode }: { readonly columns: number; readonly unicode: boolean }) {
    this.columns = columns;
    this.glyphs = unicode ? blockGlyphs : asciiGlyphs;
    this.#unicode = unicode;
  }

  /** Text from the web, made harmless. */
  printable(text: string): string {
    return printable(text, { unicode: this.#unicode });
  }

  /** At most this many columns, with a mark where text is cut off. */
  cut(text: string, columns: number): string {
    if (columnsOf(text) <= columns) return text;
    return columns < 1 ? "" : `${cutToColumns(text, columns - 1)}${this.glyphs.cut}`;
  }

  /** Exactly this many columns. */
  padded(text: string, columns: number): string {
    const shown = this.cut(text, columns);
    return shown + " ".repeat(columns - columnsOf(shown));
  }

  /** As many parts as fit into a line. The first is always there, with a look of its own. */
  fitted([first = "", ...others]: readonly string[], look: Look = "strong"): Line {
    const { between } = this.glyphs;
    const line: Span[] = [span(this.cut(first, this.columns), look)];
    let left = this.columns - columnsOf(first);
    for (const part of others) {
      left -= columnsOf(between) + columnsOf(part);
      if (left < 0) break;
      line.push(span(between, "faint"), span(part));
    }
    return line;
  }
}

export interface Glyphs {
  /** From an empty to a full cell, filled from the left and from below. */
  readonly across: readonly string[];
  readonly upward: readonly string[];
  readonly track: string;
  /** Of a bar, what cannot be reached. */
  readonly beyond: string;
  readonly mark: string;
  readonly level: string;
  readonly ceiling: string;
  readonly ends: readonly [left: string, right: string];
  readonly between: string;
  readonly cut: string;
}

export const blockGlyphs: Glyphs = {
  across: [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
  upward: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
  track: "·",
  beyond: "╱",
  mark: "┃",
  level: "┄",
  ceiling: "╌",
  ends: ["▕", "▏"],
  between: " · ",
  cut: "…",
};

export const asciiGlyphs: Glyphs = {
  across: [" ", "#"],
  upward: [" ", ".", ":", "-", "=", "+", "*", "%", "#"],
  track: ".",
  beyond: "x",
  mark: "|",
  level: "-",
  ceiling: "x",
  ends: ["[", "]"],
  between: ", ",
  cut: "~",
};

export interface Levels {
  /** The target, if there is one. */
  readonly goal?: number | undefined;
  /** The most that can be reached, if that is worth showing. */
  readonly ceiling?: number | undefined;
}

/** A bar of which `share` is filled, never more, with a mark at the goal, and marked where it cannot be filled. */
export function barOf(share: number, { goal, ceiling = 1 }: Levels, cells: number, glyphs: Glyphs): Line {
  const { across, track, beyond, mark, ends } = glyphs;
  const parts = across.length - 1;
  const filled = partsOf(share, cells * parts);
  const whole = Math.floor(filled / parts);
  const isPartial = filled % parts > 0;
  const marked = goal === undefined || share >= goal ? -1 : Math.min(cells - 1, Math.floor(goal * cells));
  const spans: Span[] = [span(ends[0], "faint"), span(across[parts].repeat(Math.min(whole, cells)), "tide")];
  for (let cell = whole; cell < cells; cell++) {
    if (cell === marked) spans.push(span(mark, "target"));
    else if (cell === whole && isPartial) spans.push(span(across[filled % parts], "tide"));
    else if (cell >= ceiling * cells) spans.push(span(beyond, "warning"));
    else spans.push(span(track, "faint"));
  }
  return [...spans, span(ends[1], "faint")];
}

export interface ChartOptions extends Levels {
  /** At least as many as there are shares; the others are empty. */
  readonly columns: number;
  readonly height: number;
  readonly look: Look;
  readonly glyphs: Glyphs;
  /** Whether anything above 0 is visible, however small. */
  readonly showsLeast?: boolean;
}

/**
 * A chart of shares from 0 to 1, one column each, never drawn higher than they are. From the top row down. The levels
 * are lines, if it has more than one row.
 */
export function chartOf(
  shares: readonly number[],
  { columns, height, look, glyphs, showsLeast = false, ...levels }: ChartOptions,
): Line[] {
  const { upward } = glyphs;
  const parts = upward.length - 1;
  const heights = shares.map((share) => {
    const filled = partsOf(share, height * parts);
    return showsLeast && share > 0 ? Math.max(1, filled) : filled;
  });
  const lines = levelLines(levels, height);
  return Array.from({ length: height }, (_, fromTop) => {
    const row = height - 1 - fromTop;
    const line = lines.find((each) => each.fromTop === fromTop);
    const spans: Span[] = [];
    for (let column = 0; column < columns; column++) {
      const part = Math.max(0, Math.min(parts, (heights[column] ?? 0) - row * parts));
      const isLevel = part === 0 && line !== undefined;
      append(spans, isLevel ? glyphs[line.glyph] : upward[part], isLevel ? line.look : look);
    }
    return spans;
  });
}

interface LevelLine {
  /** The row of the chart, from its top. */
  readonly fromTop: number;
  readonly glyph: "level" | "ceiling";
  readonly look: Look;
}

/** The target first: of two lines in one row it is the one that is drawn. */
export function levelLines({ goal, ceiling }: Levels, height: number): LevelLine[] {
  if (height === 1) return [];
  const fromTop = (level: number): number => height - 1 - Math.min(height - 1, Math.floor(level * height));
  return [
    ...(goal === undefined ? [] : [{ fromTop: fromTop(goal), glyph: "level" as const, look: "target" as const }]),
    ...(ceiling === undefined
      ? []
      : [{ fromTop: fromTop(ceiling), glyph: "ceiling" as const, look: "warning" as const }]),
  ];
}

function append(spans: Span[], text: string, look: Look): void {
  const last = spans.at(-1);
  if (last?.look === look) spans[spans.length - 1] = span(last.text + text, look);
  else spans.push(span(text, look));
}

/** How many of the parts a share fills completely. */
function partsOf(share: number, parts: number): number {
  const filled = Math.floor(Math.max(0, Math.min(1, share)) * parts);
  // The product may have been rounded up to a whole number.
  return filled / parts > share ? filled - 1 : filled;
}
