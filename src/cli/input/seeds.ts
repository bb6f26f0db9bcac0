/**
 * Where a crawl starts: URLs given as arguments, in a file or on standard input, or trusted URLs with their weights.
 */
import { quoted, UsageError } from "../../base/index.ts";
import { type Seed, seedUrl } from "../../crawl/index.ts";
import type { UrlRules } from "../../web/index.ts";
import { fileName, forEachEntry, wrongLine } from "./lines.ts";
import { TrustSum } from "./page-list.ts";

export interface SeedSources {
  readonly urls: readonly string[];
  readonly seedFile?: string | undefined;
  readonly trust?: string | undefined;
  readonly normaliseTrust?: boolean | undefined;
  readonly urlRules: UrlRules;
}

/** Canonical and each once; empty where none is given. Without a trust file all seeds have the same trust. */
export async function readSeeds(sources: SeedSources): Promise<Seed[]> {
  const { urls, seedFile, trust, normaliseTrust, urlRules } = sources;
  if (trust !== undefined) {
    if (urls.length > 0 || seedFile !== undefined) {
      throw new UsageError(
        `--trust ${trust} names the seeds and their weights; add the other seeds to that file, or leave it out`,
      );
    }
    return readTrustedSeeds(trust, normaliseTrust ?? false, urlRules);
  }
  if (normaliseTrust) {
    throw new UsageError("--normalise-trust is about the weights of --trust FILE: give both, or neither");
  }
  const seeds = new Set(urls.map((url) => seedUrl(url, urlRules)));
  if (seedFile !== undefined) {
    await forEachEntry(seedFile, (name, rest, line) => {
      if (rest !== "") throw wrongLine(seedFile, line, `${quoted(rest)} after the URL; weights belong in --trust FILE`);
      seeds.add(seedAt(seedFile, line, name, urlRules));
    });
    if (seeds.size === 0) throw new UsageError(`${fileName(seedFile)}: names no URL; expected one per line`);
  }
  return Array.from(seeds, (url) => ({ url, weight: 1 / seeds.size }));
}

async function readTrustedSeeds(path: string, normalise: boolean, urlRules: UrlRules): Promise<Seed[]> {
  const weights = new Map<string, { readonly weight: number; readonly line: number }>();
  const sum = new TrustSum(path);
  await forEachEntry(path, (name, rest, line) => {
    const url = seedAt(path, line, name, urlRules);
    const before = weights.get(url);
    if (before !== undefined) throw wrongLine(path, line, `${url} is trusted in line ${before.line} already`);
    weights.set(url, { weight: sum.add(rest, line), line });
  });
  const divisor = sum.divisor(normalise);
  return Array.from(weights, ([url, { weight }]) => ({ url, weight: weight / divisor }));
}

function seedAt(path: string, line: number, text: string, urlRules: UrlRules): string {
  try {
    return seedUrl(text, urlRules);
  } catch (error) {
    throw error instanceof UsageError ? wrongLine(path, line, error.message) : error;
  }
}
