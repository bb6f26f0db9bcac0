/**
 * Which URLs of two crawls are the same, by their canonical text. One table of 64-bit fingerprints holds the URLs of A,
 * those of B are looked up in it: no text is kept. Two different URLs among n would be taken for one with probability
 * n^2 / 2^65, and nobody can prepare such a pair because the fingerprints have a secret seed.
 */
import { FingerprintTable } from "../base/index.ts";

/** Ids with their texts; ids ascend, and may leave some out. */
type UrlTexts = Iterable<readonly [id: number, text: string]>;

/** Makes a fingerprint, which is then in `high` and `low`. */
interface TextFingerprinter {
  readonly high: number;
  readonly low: number;
  text(text: string): void;
}

export interface MatchOptions {
  readonly a: UrlTexts;
  readonly b: UrlTexts;
  /** Number of ids of each crawl: all ids are below it. */
  readonly counts: { readonly a: number; readonly b: number };
  readonly fingerprinter: TextFingerprinter;
}

export interface MatchedUrls {
  /** How many URLs both crawls know. */
  readonly common: number;
  /** For each URL of a crawl its id in the other one plus 1; 0 where the other does not know it. */
  readonly ofA: Uint32Array;
  readonly ofB: Uint32Array;
}

export function matchUrls({ a, b, counts, fingerprinter }: MatchOptions): MatchedUrls {
  const table = new FingerprintTable(Math.max(1, counts.a));
  const idOf = new Uint32Array(counts.a);
  for (const [id, text] of a) {
    fingerprinter.text(text);
    idOf[table.add(fingerprinter.high, fingerprinter.low)] = id;
  }
  const ofA = new Uint32Array(counts.a);
  const ofB = new Uint32Array(counts.b);
  let common = 0;
  for (const [id, text] of b) {
    fingerprinter.text(text);
    const number = table.find(fingerprinter.high, fingerprinter.low);
    if (number < 0) continue;
    ofA[idOf[number]] = id + 1;
    ofB[id] = idOf[number] + 1;
    common++;
  }
  return { common, ofA, ofB };
}
