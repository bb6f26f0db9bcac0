/** A line of the live view in pieces, each with its look, so that it can be cut to the width of a terminal before it is coloured. */
import { columnsOf, cutToColumns } from "./columns.ts";

/** What a piece is, by which its colour is chosen. */
export type Look = "plain" | "faint" | "strong" | "tide" | "target" | "speed" | "warning" | "error";

export interface Span {
  readonly text: string;
  readonly look: Look;
}

export type Line = readonly Span[];

const ESCAPES: Readonly<Record<Exclude<Look, "plain">, readonly [on: number, off: number]>> = {
  faint: [2, 22],
  strong: [1, 22],
  tide: [36, 39],
  target: [33, 39],
  speed: [32, 39],
  warning: [33, 39],
  error: [31, 39],
};

export function span(text: string, look: Look = "plain"): Span {
  return { text, look };
}

export function lineColumns(line: Line): number {
  return line.reduce((sum, { text }) => sum + columnsOf(text), 0);
}

export function cutLine(line: Line, columns: number): Line {
  const cut: Span[] = [];
  let left = columns;
  for (const { text, look } of line) {
    const shown = cutToColumns(text, left);
    if (shown !== "") cut.push({ text: shown, look });
    if (shown.length < text.length) break;
    left -= columnsOf(shown);
  }
  return cut;
}

export function lineText(line: Line, { color }: { readonly color: boolean }): string {
  return line
    .map(({ text, look }) => {
      if (!color || look === "plain") return text;
      const [on, off] = ESCAPES[look];
      return `\u001B[${on}m${text}\u001B[${off}m`;
    })
    .join("");
}
