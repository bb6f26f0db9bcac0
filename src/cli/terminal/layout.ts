/**
 * Text laid out for people: paragraphs, lists of facts, commands to type, tables.
 *
 * Tables are written by hand rather than with cli-table3: a table must fit the terminal by leaving out its least
 * important columns. cli-table3 cannot do that, and we want nothing of what it offers (spans, wrapping, borders).
 */
import { formatCell } from "../../base/index.ts";
import type { Cell, Column } from "../../lab/index.ts";

export interface TextStyle {
  /** Characters per line; unlimited where the answer goes to a file or a pipe. */
  readonly width: number;
  readonly color: boolean;
}

/** What the user types to run this program: with npx there may be no `tidemark` on the path. */
export function programName({ npm_lifecycle_event, npm_lifecycle_script } = process.env): string {
  const isByNpx = npm_lifecycle_event === "npx" && /^["']?tidemark\b/.test(npm_lifecycle_script ?? "");
  return isByNpx ? "npx tidemark" : "tidemark";
}

/** Names on the left, values on the right. */
export function facts(lines: readonly (readonly [name: string, value: string])[]): string {
  const nameWidth = Math.max(...lines.map(([name]) => name.length));
  const valueWidth = Math.max(...lines.map(([, value]) => value.length));
  return lines.map(([name, value]) => `${name.padEnd(nameWidth)}  ${value.padStart(valueWidth)}\n`).join("");
}

/** A paragraph in lines that fit the terminal, broken between words. */
export function wrapped(
  text: string,
  { width, indent = 0, hanging = indent }: { width: number; indent?: number; hanging?: number },
): string {
  const lines: string[] = [];
  let line = "";
  const before = (): number => (lines.length === 0 ? indent : hanging);
  for (const word of text.split(" ")) {
    if (line !== "" && before() + visibleLength(line) + 1 + visibleLength(word) > width) {
      lines.push(`${" ".repeat(before())}${line}\n`);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return `${lines.join("")}${" ".repeat(before())}${line}\n`;
}

/** Without colours, of which each takes four characters. */
function visibleLength(text: string): number {
  return text.length - 4 * (text.split("\u001B").length - 1);
}

/** Wraps sentences that are too long for the terminal. Tables fit it already; coloured lines belong to them. */
export function fitted(text: string, { width }: { readonly width: number }): string {
  const isFit = (line: string): boolean => line.length <= width || line.includes("\u001B");
  return text.replace(/.+\n/g, (line) => (isFit(line.slice(0, -1)) ? line : wrapped(line.slice(0, -1), { width })));
}

/** A column of a table; the least important are left out first. */
export function column(title: string, importance = 0, kind: Column["kind"] = "text"): Column {
  return { title, kind, importance };
}

/** A last column of text, such as URLs, is cut down to this before others are left out. */
const LAST_WIDTH_MIN = 30;

/**
 * Lines ending in a newline. The first column always stays; it is cut, with an ellipsis, only if it alone is too wide.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { width, color }: TextStyle,
): string {
  const texts = rows.map((row) => columns.map((column, i) => printable(formatCell(row[i] ?? null, column.kind))));
  const full = columns.map((column, i) =>
    texts.reduce((most, row) => Math.max(most, row[i].length), column.title.length),
  );
  const last = columns.length - 1;
  const canShrink = last > 0 && columns[last].kind === "text";
  const least = full.map((size, i) => (canShrink && i === last ? Math.min(size, LAST_WIDTH_MIN) : size));
  const kept = fittingColumns(columns, least, width);
  const room = width - totalWidth(least, kept);
  const widths = full.map((size, i) => Math.min(size, least[i] + Math.max(0, room)));
  const line = (cells: readonly string[]): string => {
    const padded = kept.map((i) => {
      const size = Math.min(widths[i], width);
      return columns[i].kind === "text" ? cut(cells[i], size).padEnd(size) : cells[i].padStart(size);
    });
    return padded.join(GAP).trimEnd();
  };
  const dim = (text: string): string => (color ? `\u001B[2m${text}\u001B[0m` : text);
  const lines = [
    ...groupLine(columns, widths, kept).map(dim),
    bold(line(columns.map((column) => column.title)), color),
    ...texts.map(line),
  ];
  const left = columns.filter((_, i) => !kept.includes(i)).map((column) => fullTitle(column));
  if (left.length > 0) lines.push(dim(cut(`(hidden at this width: ${left.join(", ")})`, width)));
  return `${lines.join("\n")}\n`;
}

/** On a terminal. */
export function bold(text: string, color: boolean): string {
  return color && text !== "" ? `\u001B[1m${text}\u001B[0m` : text;
}

const GAP = "  ";

function fittingColumns(columns: readonly Column[], widths: readonly number[], width: number): number[] {
  const kept = columns.map((_, i) => i);
  while (kept.length > 1 && totalWidth(widths, kept) > width) {
    const least = kept.slice(1).reduce((a, b) => (importance(columns[b]) <= importance(columns[a]) ? b : a));
    kept.splice(kept.indexOf(least), 1);
  }
  return kept;
}

function totalWidth(widths: readonly number[], kept: readonly number[]): number {
  return kept.reduce((sum, i) => sum + widths[i] + GAP.length, -GAP.length);
}

function importance(column: Column): number {
  return column.importance ?? 0;
}

/** The headings above groups of columns, each centred between rules; no line where no column has a group. */
function groupLine(columns: readonly Column[], widths: readonly number[], kept: readonly number[]): string[] {
  const spans: { group: string; size: number }[] = [];
  for (const i of kept) {
    const group = columns[i].group ?? "";
    const last = spans.at(-1);
    if (last !== undefined && group !== "" && last.group === group) last.size += GAP.length + widths[i];
    else spans.push({ group, size: widths[i] });
  }
  if (spans.every((span) => span.group === "")) return [];
  return [
    spans
      .map(({ group, size }) => centred(cut(group, size), size))
      .join(GAP)
      .trimEnd(),
  ];
}

/** "── actual ──", or blanks where there is nothing to head. */
function centred(text: string, size: number): string {
  const rest = size - text.length;
  if (text === "" || rest < 4) return text.padEnd(size);
  const before = "─".repeat(Math.floor(rest / 2) - 1);
  const after = "─".repeat(Math.ceil(rest / 2) - 1);
  return `${before} ${text} ${after}`;
}

function fullTitle(column: Column): string {
  return column.group === undefined ? column.title : `${column.group} ${column.title}`;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** A name must not be able to move the cursor or colour the screen. */
function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cs}/gu, "\uFFFD");
}
