/**
 * A few lines at the bottom of a terminal that are written again and again, each time in one write. The cursor rests below them, hidden
 * while they stand. They never take all rows, so that going back up to the first of them stays within the screen.
 */
import { cutLine, type Line, lineColumns, lineText } from "./spans.ts";

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

export interface ScreenOptions {
  readonly write: (text: string) => void;
  readonly color: boolean;
  /** Asked anew each time: terminals change their size. */
  readonly size: () => ScreenSize;
}

const HIDE_CURSOR = "\u001B[?25l";
const SHOW_CURSOR = "\u001B[?25h";
/** Terminals that know it show what is between only when it is complete; others ignore it. */
const BEGIN_FRAME = "\u001B[?2026h";
const END_FRAME = "\u001B[?2026l";
const CLEAR_LINE = "\u001B[K";
const CLEAR_BELOW = "\u001B[J";

export class Screen {
  readonly #options: ScreenOptions;
  /** How many columns each line has that stands there. */
  #standing: number[] = [];

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  draw(lines: readonly Line[]): void {
    const { write, color, size } = this.#options;
    const { columns, rows } = size();
    // A line that reached the edge would leave it to the terminal where the next begins.
    const cut = lines.slice(0, Math.max(1, rows - 1)).map((line) => cutLine(line, Math.max(1, columns - 1)));
    const begin = this.#standing.length === 0 ? HIDE_CURSOR : "";
    const body = cut.map((line) => `${lineText(line, { color })}${CLEAR_LINE}\n`).join("");
    write(`${BEGIN_FRAME}${begin}${this.#back(columns)}${body}${CLEAR_BELOW}${END_FRAME}`);
    this.#standing = cut.map(lineColumns);
  }

  /** Takes the lines away, so that something else can be printed. */
  clear(): void {
    if (this.#standing.length === 0) return;
    const { write, size } = this.#options;
    write(`${this.#back(size().columns)}${CLEAR_BELOW}${SHOW_CURSOR}`);
    this.#standing = [];
  }

  /** Up to the first line. A terminal that has become narrower has broken lines into more. */
  #back(columns: number): string {
    const rows = this.#standing.reduce((sum, used) => sum + Math.max(1, Math.ceil(used / columns)), 0);
    return rows === 0 ? "" : `\u001B[${rows}A\r`;
  }
}
