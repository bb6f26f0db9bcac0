/**
 * A few lines at the bottom of a terminal that are rewritten again and again, each time in one write. The cursor stays
 * below them, hidden. They never take all rows, so that moving up to the first of them stays within the screen.
 */
import { cutLine, type Line, lineColumns, lineText } from "./spans.ts";

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

export interface ScreenOptions {
  readonly write: (text: string) => void;
  readonly color: boolean;
  /** Called each time: terminals change their size. */
  readonly size: () => ScreenSize;
}

const HIDE_CURSOR = "\u001B[?25l";
const SHOW_CURSOR = "\u001B[?25h";
/** Synchronized output: terminals that know it show a frame only when it is complete; others ignore it. */
const BEGIN_FRAME = "\u001B[?2026h";
const END_FRAME = "\u001B[?2026l";
const CLEAR_LINE = "\u001B[K";
const CLEAR_BELOW = "\u001B[J";

export class Screen {
  readonly #options: ScreenOptions;
  /** Columns of each line on the screen. */
  #standing: number[] = [];

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  draw(lines: readonly Line[]): void {
    const { write, color, size } = this.#options;
    const { columns, rows } = size();
    // Where the next line begins after one that reaches the edge depends on the terminal.
    const cut = lines.slice(0, Math.max(1, rows - 1)).map((line) => cutLine(line, Math.max(1, columns - 1)));
    const begin = this.#standing.length === 0 ? HIDE_CURSOR : "";
    const body = cut.map((line) => `${lineText(line, { color })}${CLEAR_LINE}\n`).join("");
    write(`${BEGIN_FRAME}${begin}${this.#back(columns)}${body}${CLEAR_BELOW}${END_FRAME}`);
    this.#standing = cut.map(lineColumns);
  }

  /** Removes the lines, so that something else can be printed. */
  clear(): void {
    if (this.#standing.length === 0) return;
    const { write, size } = this.#options;
    write(`${this.#back(size().columns)}${CLEAR_BELOW}${SHOW_CURSOR}`);
    this.#standing = [];
  }

  /** Moves up to the first line. A terminal that became narrower has wrapped lines. */
  #back(columns: number): string {
    const rows = this.#standing.reduce((sum, used) => sum + Math.max(1, Math.ceil(used / columns)), 0);
    return rows === 0 ? "" : `\u001B[${rows}A\r`;
  }
}
