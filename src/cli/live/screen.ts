/**
 * The lines of the live view, and the bottom of a terminal on which they are rewritten again and again, each time in
 * one write. The cursor stays below them, hidden. They never take all rows, so that moving up to the first of them
 * stays within the screen.
 *
 * A line consists of pieces with a look each: it is cut to the width of the terminal before it is coloured. Width is
 * counted as a terminal counts it: a character takes one column, a wide one (East Asian, emoji) two, a combining mark
 * none. Host names and URLs come from strangers and may contain anything: characters that are invisible or would
 * control the terminal are shown as "?".
 */
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
  /** Of the lines on the screen. */
  #widths: number[] = [];

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  draw(lines: readonly Line[]): void {
    const { write, color, size } = this.#options;
    const { columns, rows } = size();
    // Where the next line begins after one that reaches the edge depends on the terminal.
    const cut = lines.slice(0, Math.max(1, rows - 1)).map((line) => cutLine(line, Math.max(1, columns - 1)));
    const begin = this.#widths.length === 0 ? HIDE_CURSOR : "";
    const body = cut.map((line) => `${lineText(line, { color })}${CLEAR_LINE}\n`).join("");
    write(`${BEGIN_FRAME}${begin}${this.#back(columns)}${body}${CLEAR_BELOW}${END_FRAME}`);
    this.#widths = cut.map(lineColumns);
  }

  /** Removes the lines, so that something else can be printed. */
  clear(): void {
    if (this.#widths.length === 0) return;
    const { write, size } = this.#options;
    write(`${this.#back(size().columns)}${CLEAR_BELOW}${SHOW_CURSOR}`);
    this.#widths = [];
  }

  /** Moves up to the first line. A terminal that became narrower has wrapped lines. */
  #back(columns: number): string {
    const rows = this.#widths.reduce((sum, used) => sum + Math.max(1, Math.ceil(used / columns)), 0);
    return rows === 0 ? "" : `\u001B[${rows}A\r`;
  }
}

/** What a piece is; its colour follows from it. */
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

/** Controls, bidirectional overrides, separators of lines, surrogates, private and unassigned characters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const NOT_ASCII = /[^\x20-\x7E]/gu;
const MARK = /^\p{M}$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;

/** Blocks that Unicode's EastAsianWidth calls wide or full width, first and last. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

export function printable(text: string, { unicode }: { readonly unicode: boolean }): string {
  return text.replace(unicode ? UNPRINTABLE : NOT_ASCII, "?");
}

export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** As much of a text as fits. */
export function cutToColumns(text: string, columns: number): string {
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function widthOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return 1;
  if (MARK.test(character)) return 0;
  return EMOJI.test(character) || WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
