/** What is searched of a page: the columns of the full-text tables, and how text is divided into words. */

export interface SearchedPage {
  readonly id: number;
  readonly url: string;
  readonly title: string | null;
  readonly text: string;
}

const COLUMNS = "title, url, text";
/** Of two words that differ in case or accents only, either finds the other. */
const TOKENIZER = "tokenize = 'unicode61 remove_diacritics 2'";

export const INSERT_PAGE = `INSERT INTO pages (rowid, ${COLUMNS}) VALUES (?, ?, ?, ?)`;

/** Of a table that stores only words: takes a page out, given what was put in. */
export const DELETE_PAGE = `INSERT INTO pages (pages, rowid, ${COLUMNS}) VALUES ('delete', ?, ?, ?, ?)`;

/** A table that stores the text too, or only its words. */
export function createPages({ hasText }: { readonly hasText: boolean }): string {
  return `CREATE VIRTUAL TABLE pages USING fts5 (${COLUMNS}, ${hasText ? "" : "content = '', "}${TOKENIZER});`;
}

export function rowOfPage({ id, url, title, text }: SearchedPage): [number, string, string, string] {
  return [id, divided(title ?? ""), divided(urlWords(url)), divided(text)];
}

/** A space of no width: it ends a word, and no page needs it. */
const DIVIDER = "\u200b";
/** Characters of scripts that are written without spaces between words, with their marks. */
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];
const UNSPACED = new RegExp(`[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}]\\p{M}*`, "gu");

/**
 * Each character of a script without spaces becomes a word, and what is searched for a phrase of them: so any part of a
 * text is found, and where its words begin need not be known.
 */
export function divided(text: string): string {
  return text.replace(UNSPACED, `${DIVIDER}$&${DIVIDER}`);
}

export function undivided(text: string): string {
  return text.replaceAll(DIVIDER, "");
}

/** What can be read of a URL; the tokenizer divides it into words. */
function urlWords(url: string): string {
  const rest = url.slice(url.indexOf("://") + 3);
  try {
    return decodeURIComponent(rest);
  } catch {
    // It has percent signs that encode nothing.
    return rest;
  }
}
