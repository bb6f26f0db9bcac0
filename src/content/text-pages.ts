/** A long text in pages: each ends at a line break or a space if there is one in its second half. */
import type { CountTokens } from "./tokens.ts";

export interface TextPageRules {
  readonly tokensMax: number;
  /** So that no page takes long to count. */
  readonly lengthMax: number;
  readonly count: CountTokens;
}

/** Where the page that begins at `from` ends. Pages that begin where the one before ends make up the whole text. */
export function pageEnd(text: string, from: number, { tokensMax, lengthMax, count }: TextPageRules): number {
  const fits = (end: number): boolean => count(text.slice(from, end), tokensMax) !== undefined;
  let [low, high] = [from, Math.min(text.length, from + lengthMax)];
  if (fits(high)) low = high;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low === text.length ? low : niceEnd(text, from, Math.max(low, from + 1));
}

function niceEnd(text: string, from: number, end: number): number {
  const least = from + Math.floor((end - from) / 2);
  for (const sign of ["\n", " "]) {
    const after = text.lastIndexOf(sign, end - 1) + 1;
    if (after > least) return after;
  }
  if (!isInsideCharacter(text, end)) return end;
  return end - 1 > from ? end - 1 : end + 1;
}

/** Whether an offset parts the two halves of a character. */
export function isInsideCharacter(text: string, offset: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(offset - 1, offset + 1));
}
