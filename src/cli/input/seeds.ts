/**
 * Where a crawl starts: URLs as arguments, of a file or of standard input, or trusted URLs with their weights.
 */
import { quoted, UsageError } from "../../base/index.ts";
import { type Seed, seedUrl } from "../../crawl/index.ts";
import type { UrlRules } from "../../web/index.ts";
import { decimal } from "../options/numbers.ts";
import { readLines } from "./lines.ts";

export interface SeedSources {
  readonly urls: readonly string[];
  readonly seedFile?: string | undefined;
  readonly trust?: string | undefined;
  readonly normaliseTrust?: boolean | undefined;
  readonly urlRules: UrlRules;
}

/** Canonical and each once; empty where none is given. Without a trust file they share trust alike. */
export async function readSeeds(sources: SeedSources): Promise<Seed[]> {
  const { urls, seedFile, trust, normaliseTrust, urlRules } = sources;
  if (trust !== undefined) {
    if (urls.length > 0 || seedFile !== undefined) {
      throw new UsageError(
        `--trust ${trust} names the seeds and their weights; other seeds cannot be given with it: add them to that file`,
      );
    }
    return readTrustedSeeds(trust, normaliseTrust ?? false, urlRules);
  }
  if (normaliseTrust)
    throw new UsageError("--normalise-trust is about the weights of --trust FILE, which is missing");
  const seeds = new Set(urls.map((url) => seedUrl(url, urlRules)));
  if (seedFile !== undefined) {
    for await (const { line, name, rest } of entries(seedFile)) {
      if (rest !== "")
        throw wrong(seedFile, line, `${quoted(rest)} after the URL; weights belong into --trust FILE`);
      seeds.add(at(seedFile, line, () => seedUrl(name, urlRules)));
    }
    if (seeds.size === 0) throw new UsageError(`${nameOf(seedFile)}: names no URL, expected one a line`);
  }
  return Array.from(seeds, (url) => ({ url, weight: 1 / seeds.size }));
}

/** Weights of decimal fractions that are meant to sum to 1 do so only nearly. */
const EXCESS_MAX = 1e-9;

async function readTrustedSeeds(path: string, normalise: boolean, urlRules: UrlRules): Promise<Seed[]> {
  const weights = new Map<string, { readonly weight: number; readonly line: number }>();
  let total = 0;
  let anyWeight = false;
  for await (const { line, name, rest } of entries(path)) {
    const url = at(path, line, () => seedUrl(name, urlRules));
    const before = weights.get(url);
    if (before !== undefined) throw wrong(path, line, `${url} is trusted in line ${before.line} already`);
    const weight = rest === "" ? 1 : decimal(rest);
    if (!(weight >= 0 && weight < Infinity)) {
      throw wrong(path, line, `the weight is ${quoted(rest)}, expected a finite number not below 0`);
    }
    anyWeight ||= rest !== "";
    total += weight;
    weights.set(url, { weight, line });
  }
  if (total === 0)
    throw new UsageError(`${nameOf(path)}: no URL is trusted, expected at least one weight above 0`);
  if (total === Infinity) throw new UsageError(`${nameOf(path)}: the weights are too large to be added`);
  const scaled = normalise || !anyWeight;
  if (!scaled && total > 1 + EXCESS_MAX) {
    throw new UsageError(
      `${nameOf(path)}: trust sums to ${total}, expected at most 1; --normalise-trust makes it sum to 1`,
    );
  }
  const divisor = scaled || total > 1 ? total : 1;
  return Array.from(weights, ([url, { weight }]) => ({ url, weight: weight / divisor }));
}

interface Entry {
  readonly line: number;
  readonly name: string;
  readonly rest: string;
}

/** What stands in a file of URLs, without comments and empty lines. */
async function* entries(path: string): AsyncGenerator<Entry> {
  let line = 0;
  for await (const lines of readLines(path)) {
    for (const text of lines) {
      line++;
      const plain = text.replace(/(^|\s)#.*/s, "").trim();
      const [, name, rest = ""] = /^(\S+)\s*(.*)$/s.exec(plain) ?? [];
      if (name !== undefined) yield { line, name, rest };
    }
  }
}

function at<T>(path: string, line: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof UsageError ? wrong(path, line, error.message) : error;
  }
}

function wrong(path: string, line: number, problem: string): UsageError {
  return new UsageError(`${nameOf(path)}: line ${line}: ${problem}`);
}

function nameOf(path: string): string {
  return path === "-" ? "standard input" : path;
}
