/** How many tokens replies may have, and how they are counted: as they are sent, in JSON. */
import { type CountTokens, inPieces, loadTokenCounter } from "../content/index.ts";

/** No message to a client has more: what clients take at most, by default. */
export const TOKENS_MAX = 25_000;
/** Of a page of a list or of a text. Clients warn of more. */
export const PAGE_TOKENS_MAX = 9000;

let counter: Promise<CountTokens> | undefined;

/** Counts JSON of any kind; its table is loaded once. */
export function jsonTokenCounter(): Promise<CountTokens> {
  counter ??= loadTokenCounter().then(inPieces);
  return counter;
}

/** Counts a text as a part of a string in JSON, where line breaks, quotes and backslashes are two characters. */
export async function tokenCounter(): Promise<CountTokens> {
  const count = await jsonTokenCounter();
  return (text, most) => count(JSON.stringify(text).slice(1, -1), most);
}
