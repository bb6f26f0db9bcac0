/** Numbers and words as people read them, on a terminal, on a page and in messages. */

/** What a number measures; this decides how it is written. */
export type NumberKind = "count" | "coverage" | "seconds" | "number";

export function formatValue(value: number, kind: NumberKind): string {
  if (kind === "count") return formatCount(value);
  if (kind === "number") return rounded(value, 4);
  return kind === "coverage" ? formatCoverage(value) : formatSeconds(value);
}

/** A cell of a table; null is a value that does not exist. */
export function formatCell(cell: string | number | null, kind: NumberKind | "text"): string {
  if (cell === null) return "–";
  return typeof cell === "string" || kind === "text" ? String(cell) : formatValue(cell, kind);
}

/** 325557 is "325,557". */
export function formatCount(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

/** A share, cut off and never rounded up, since more was not proved. The shortest decimal is cut: 0.29 stays 0.2900. */
export function formatCoverage(value: number, digits = 4): string {
  const shortest = String(value);
  // Below 1e-6 the shortest form has an exponent.
  const text = shortest.includes("e") ? value.toFixed(20) : shortest;
  const [whole, fraction = ""] = text.split(".");
  return `${whole}.${fraction.slice(0, digits).padEnd(digits, "0")}`;
}

/** A share as a percentage, cut off and never rounded up: 0.97319 is "97.31%". */
export function percentAtLeast(share: number): string {
  const [whole, fraction] = formatCoverage(share, 4).split(".") as [string, string];
  return `${Number(whole + fraction.slice(0, 2))}.${fraction.slice(2)}%`;
}

/** A share as a percentage with three significant digits, for small shares too: "2.69%", "0.0031%". */
export function formatPercent(share: number): string {
  return share === 0 ? "0%" : `${Number((100 * share).toPrecision(3))}%`;
}

/** "1 page", "2 pages". */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${plural(count, noun)}`;
}

/** "2026-11-16T12:00:00.000Z", to begin a line of a log. */
export function timeStamp(wallMs: number): string {
  return new Date(wallMs).toISOString();
}

/** Decimal units, as for disks and networks: "1.5 MB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  const digits = power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1);
  return `${digits} ${["B", "KB", "MB", "GB", "TB"][power]}`;
}

/** Three digits and a unit: "640 µs", "12.3 ms", "3.42 s", "2 min 05 s", "1 h 27 min". */
export function formatSeconds(seconds: number): string {
  if (seconds === 0) return "0 s";
  if (seconds < 0.9995e-3) return `${rounded(seconds * 1e6, 3)} µs`;
  if (seconds < 0.9995) return `${rounded(seconds * 1e3, 3)} ms`;
  if (seconds < 59.95) return `${rounded(seconds, 3)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${twoPlaces(Math.round(seconds) % 60)} s`;
  return `${formatCount(Math.floor(minutes / 60))} h ${twoPlaces(minutes % 60)} min`;
}

/** A number beside an axis, as short as possible: "0.98", "250", "10k", "1.5M". */
export function formatTick(value: number): string {
  for (const [size, letter] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const) {
    if (value >= size) return `${rounded(value / size, 6)}${letter}`;
  }
  return rounded(value, 6);
}

/** Without zeros at the end: 0.038412 with four digits is "0.03841". */
function rounded(value: number, digits: number): string {
  return String(Number(value.toPrecision(digits)));
}

function twoPlaces(value: number): string {
  return String(value).padStart(2, "0");
}

const QUOTED_LENGTH_MAX = 60;

/** A piece of the user's file or command as a message shows it: short and printable. */
export function quoted(text: string): string {
  const short = text.length > QUOTED_LENGTH_MAX ? `${text.slice(0, QUOTED_LENGTH_MAX)}...` : text;
  return `"${short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?")}"`;
}

/** What a program has given, without its value: it may be long, or a secret. */
export function kindOf(given: unknown): string {
  if (given === null || given === undefined) return String(given);
  if (Array.isArray(given)) return "a list";
  return typeof given === "object" ? "an object" : `a ${typeof given}`;
}

const LISTED_MAX = 5;

/** What a program has given, with its value where that is short. */
export function gotInWords(given: unknown): string {
  if (typeof given === "string") return quoted(given);
  if (isNumberLike(given)) return String(given);
  if (!Array.isArray(given) || given.length === 0) return kindOf(given);
  const items = given.slice(0, LISTED_MAX) as readonly unknown[];
  const other = items.find((item) => typeof item !== "string" && !isNumberLike(item));
  return `a list with ${other === undefined ? quoted(items.join(", ")) : kindOf(other)}`;
}

function isNumberLike(given: unknown): given is number | bigint | boolean {
  return ["number", "bigint", "boolean"].includes(typeof given);
}

/** Whether a value is an object with fields, and not a list, a map, a date and the like. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** "page" for 1, "pages" for any other number. */
export function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

/** " Did you mean X?" for the end of a sentence; empty when no candidate is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === undefined ? "" : ` Did you mean ${near}?`;
}

/** The candidate that a mistyped word most likely meant; undefined when none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 2)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}

/** Quoted where a shell needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
