/** Limits as people type them: a percentage, minutes, megabytes; an empty field means no limit. */
import { counted, formatBytes, formatCount, formatSeconds, percentAtLeast } from "../../../base/index.ts";
import type { Limits } from "../../../crawl/index.ts";
import { targetInWords } from "../../../text/index.ts";
import type { LimitChanges, Overview } from "../../protocol/http.ts";

export interface LimitField {
  readonly name: keyof Limits;
  readonly label: string;
  readonly unit: string;
  /** What is typed, times this, is the limit. */
  readonly factor: number;
  readonly isWhole: boolean;
  readonly max?: number;
  readonly hint: string;
}

export const limitFields: readonly LimitField[] = [
  {
    name: "coverage",
    label: "Target",
    unit: "%",
    factor: 0.01,
    isWhole: false,
    max: 100,
    hint: "coverage, certified",
  },
  { name: "pages", label: "Pages", unit: "pages", factor: 1, isWhole: true, hint: "over all runs" },
  { name: "bytes", label: "Download", unit: "MB", factor: 1e6, isWhole: false, hint: "over all runs" },
  { name: "timeMs", label: "Time", unit: "min", factor: 60_000, isWhole: false, hint: "of this run" },
  { name: "depth", label: "Depth", unit: "links", factor: 1, isWhole: true, hint: "from a seed" },
  { name: "pagesPerHost", label: "Pages per host", unit: "pages", factor: 1, isWhole: true, hint: "on each host" },
];

export function writtenLimit({ name, factor }: LimitField, limits: Limits): string {
  const value = limits[name];
  if (value === undefined) return "";
  const written = Number((value / factor).toPrecision(12));
  return name === "coverage" && written <= 1 ? `${written}%` : String(written);
}

/**
 * The typed limit; null for none; a sentence if it is not valid. Commands take a target as a share, this form takes
 * percent. What could be either is questioned: a crawl that takes 0.96 as 0.96% has reached it already and ends.
 */
export function readLimit(field: LimitField, text: string): number | null | { readonly problem: string } {
  const plain = text.replaceAll(/[\s,_]/g, "").replace(/%$/, "");
  if (plain === "") return null;
  const value = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
  const range = field.max === undefined ? "above 0" : `above 0 and at most ${field.max}`;
  const kind = field.isWhole ? "a whole number" : "a number";
  if (!(value > 0) || value > (field.max ?? Number.MAX_SAFE_INTEGER) || (field.isWhole && !Number.isInteger(value))) {
    return { problem: `"${text.slice(0, 40)}" is not ${kind} ${range}. Leave it empty for no limit.` };
  }
  if (field.name === "coverage" && value <= 1 && !text.includes("%")) {
    const problem = `Did you mean ${targetInWords(value)}? The target is in percent. For ${value}%, type ${value}%.`;
    return { problem };
  }
  const limit = Number((value * field.factor).toPrecision(12));
  return field.name === "coverage" ? limit : Math.round(limit);
}

/** The limits that differ from the current ones. */
export function changesOf(limits: Limits, wanted: LimitChanges): LimitChanges {
  const changes = new Map<keyof Limits, number | null>();
  for (const { name } of limitFields) {
    const value = wanted[name];
    if (value !== undefined && value !== (limits[name] ?? null)) changes.set(name, value);
  }
  return Object.fromEntries(changes);
}

/** A sentence for each change that the crawl has reached already: it would end at once. */
export function reachedBy(changes: LimitChanges, status: Overview["status"]): string[] {
  const sentences: string[] = [];
  const compare = (limit: number | null | undefined, has: number, sentence: (limit: number) => string): void => {
    if (typeof limit === "number" && limit <= has) sentences.push(sentence(limit));
  };
  const { coverage, pages, bytes, elapsedMs } = status;
  compare(
    changes.coverage,
    coverage,
    (limit) => `A target of ${targetInWords(limit)}: at least ${percentAtLeast(coverage)} is covered.`,
  );
  compare(changes.pages, pages, (limit) => `At most ${counted(limit, "page")}: it has ${formatCount(pages)}.`);
  compare(changes.bytes, bytes, (limit) => `At most ${formatBytes(limit)}: it has downloaded ${formatBytes(bytes)}.`);
  compare(changes.timeMs, elapsedMs, (limit) => {
    const elapsed = formatSeconds(Math.round(elapsedMs / 1000));
    return `At most ${formatSeconds(limit / 1000)}: it has run for ${elapsed}.`;
  });
  return sentences;
}
