/**
 * A terminal of a few columns and rows, as far as the live view of a crawl needs one: text, line ends, and the escapes
 * that it writes.
 */
import { columnsOf } from "../../src/cli/live/screen.ts";

const PARTS = new RegExp(String.raw`${"\u001B"}\[\??[\d;]*[A-Za-z]|[\s\S]`, "gu");

export class SmallTerminal {
  /** Frames that were begun and not ended. */
  openFrames = 0;
  isCursorShown = true;
  writes = 0;
  readonly #columns: number;
  readonly #rows: number;
  #screen: string[];
  #row = 0;
  #column = 0;
  /** Lines that have left the screen at its top. */
  readonly scrolled: string[] = [];

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
    this.#screen = Array.from({ length: rows }, () => "");
  }

  /** What stands there, without empty lines at the end. */
  get lines(): string[] {
    const lines = this.#screen.map((line) => line.trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  write(text: string): void {
    this.writes++;
    for (const [part] of text.matchAll(PARTS)) this.#take(part);
  }

  #take(part: string): void {
    if (part === "\n") this.#newLine();
    else if (part === "\r") this.#column = 0;
    else if (!part.startsWith("\u001B")) this.#put(part);
    else if (part.endsWith("A")) this.#row = Math.max(0, this.#row - Number.parseInt(part.slice(2), 10));
    else if (part === "\u001B[K") this.#screen[this.#row] = this.#here();
    else if (part === "\u001B[J") this.#clearBelow();
    else if (part.startsWith("\u001B[?25")) this.isCursorShown = part.endsWith("h");
    else if (part.startsWith("\u001B[?2026")) this.openFrames += part.endsWith("h") ? 1 : -1;
    else if (!part.endsWith("m")) throw new Error(`unknown escape ${JSON.stringify(part)}`);
  }

  #put(character: string): void {
    if (/\p{C}/u.test(character)) throw new Error(`control character ${JSON.stringify(character)}`);
    const before = this.#here();
    if (columnsOf(before) + columnsOf(character) > this.#columns) throw new Error("a line is too long");
    this.#screen[this.#row] = before + character + this.#screen[this.#row].slice(before.length + 1);
    this.#column += character.length;
  }

  #here(): string {
    return this.#screen[this.#row].slice(0, this.#column).padEnd(this.#column);
  }

  #newLine(): void {
    this.#column = 0;
    this.#row++;
    if (this.#row < this.#rows) return;
    this.scrolled.push(this.#screen.shift()!);
    this.#screen.push("");
    this.#row--;
  }

  #clearBelow(): void {
    this.#screen[this.#row] = this.#here();
    this.#screen = this.#screen.map((line, row) => (row > this.#row ? "" : line));
  }
}
