/** What lines are drawn on: so many columns, with such characters. */
import { columnsOf, cutToColumns, printable } from "./columns.ts";
import { asciiGlyphs, blockGlyphs, type Glyphs } from "./glyphs.ts";
import { type Line, type Look, type Span, span } from "./spans.ts";

export class Canvas {
  readonly columns: number;
  readonly glyphs: Glyphs;
  readonly #unicode: boolean;

  constructor({ columns, unicode }: { readonly columns: number; readonly unicode: boolean }) {
    this.columns = columns;
    this.glyphs = unicode ? blockGlyphs : asciiGlyphs;
    this.#unicode = unicode;
  }

  /** What a stranger wrote, made harmless. */
  printable(text: string): string {
    return printable(text, { unicode: this.#unicode });
  }

  /** In so many columns at most, with a sign where something is cut off. */
  cut(text: string, columns: number): string {
    if (columnsOf(text) <= columns) return text;
    return columns < 1 ? "" : `${cutToColumns(text, columns - 1)}${this.glyphs.cut}`;
  }

  /** In exactly so many columns. */
  padded(text: string, columns: number): string {
    const shown = this.cut(text, columns);
    return shown + " ".repeat(columns - columnsOf(shown));
  }

  /** As many parts as fit in a line, the first in any case; it stands out. */
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
