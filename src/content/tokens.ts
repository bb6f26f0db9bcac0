/**
 * Counts tokens by the encoding o200k_base, as GPT-4o and its successors do. Other models count a few per cent more or
 * less. Loaded when it is first needed: the table of the encoding takes a quarter of a second.
 */

/** The number of tokens of a text; undefined if it is more than `most`, which is found out without reading on. */
export type CountTokens = (text: string, most: number) => number | undefined;

/** "<|endoftext|>" on a page is text like any other. */
const PLAIN = { disallowedSpecial: new Set<string>() };

export async function loadTokenCounter(): Promise<CountTokens> {
  const { isWithinTokenLimit } = await import("gpt-tokenizer/encoding/o200k_base");
  return (text, most) => {
    const count = isWithinTokenLimit(text, most, PLAIN);
    return count === false ? undefined : count;
  };
}

/** What the encoding takes in one go, more or less: words, space, signs. */
const RUN = /[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{N}]+/gu;
const RUN_MAX = 2000;

/**
 * Whether a text can be counted in reasonable time: the time for a single word, or what looks like one, grows with the
 * square of its length. 100,000 letters in a row, which are no text, take ten seconds.
 */
export function isCountable(text: string): boolean {
  if (text.length <= RUN_MAX) return true;
  for (const [run] of text.matchAll(RUN)) if (run.length > RUN_MAX) return false;
  return true;
}

/** Counts any text in reasonable time: runs that are too long are counted in pieces, which may be a few tokens off. */
export function inPieces(count: CountTokens): CountTokens {
  return (text, most) => {
    let tokens = 0;
    for (const piece of countablePieces(text)) {
      const counted = count(piece, most - tokens);
      if (counted === undefined) return undefined;
      tokens += counted;
    }
    return tokens;
  };
}

function* countablePieces(text: string): Generator<string> {
  let from = 0;
  if (!isCountable(text)) {
    for (const { 0: run, index } of text.matchAll(RUN)) {
      if (run.length <= RUN_MAX) continue;
      yield text.slice(from, index);
      for (let at = 0; at < run.length; at += RUN_MAX) yield run.slice(at, at + RUN_MAX);
      from = index + run.length;
    }
  }
  yield text.slice(from);
}
