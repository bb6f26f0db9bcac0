/**
 * What a user wants to find, as an expression of SQLite's full-text search.
 *
 * Plain words mean pages that have all of them; "a phrase" is words in this order; -word excludes; word* means all
 * words that begin so. Whatever else FTS5 would read as syntax is put in quotation marks, so no text is an error of
 * syntax.
 */
import { formatCount, UsageError } from "../base/index.ts";
import { divided } from "./page-words.ts";

const LENGTH_MAX = 1000;
/** FTS5 refuses deep expressions. */
const TERMS_MAX = 50;

/** A word or a phrase, with what stands before and after it. The last phrase need not be closed. */
const TERM = /(-?)(?:"([^"]*)"?|([^\s"]*[^\s"*]))(\*?)/g;
/** What the tokenizer unicode61 takes for a part of a word. */
const IN_WORD = /[\p{L}\p{N}\p{Co}]/u;

const SYNTAX = 'expected words, a "phrase in quotes", begin* of a word; -word excludes';

/** The expression for MATCH. */
export function searchExpression(query: string): string {
  if (query.length > LENGTH_MAX) {
    const length = formatCount(query.length);
    throw new UsageError(`the search has ${length} characters: expected at most ${formatCount(LENGTH_MAX)}`);
  }
  const wanted: string[] = [];
  const excluded: string[] = [];
  // SQLite reads a text to its first NUL.
  for (const [, minus, phrase, word = phrase, star] of query.replaceAll("\0", " ").matchAll(TERM)) {
    if (!IN_WORD.test(word)) continue;
    (minus === "" ? wanted : excluded).push(`"${divided(word)}"${star === "" ? "" : " *"}`);
  }
  if (wanted.length + excluded.length > TERMS_MAX) {
    throw new UsageError(`the search has ${wanted.length + excluded.length} words: expected at most ${TERMS_MAX}`);
  }
  if (wanted.length === 0) {
    const got = excluded.length === 0 ? "has no word" : "only excludes words";
    throw new UsageError(`the search ${got}; ${SYNTAX}`);
  }
  const all = wanted.join(" AND ");
  return excluded.length === 0 ? all : `(${all}) NOT (${excluded.join(" OR ")})`;
}
