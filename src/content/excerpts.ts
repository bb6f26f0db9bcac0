/**
 * The part of a page that shows why it was found. FTS5 chooses it and marks the words, in a table in memory that has
 * the text of the few pages that are shown: so what is marked is exactly what was searched for.
 */
import { openDatabase } from "../store/index.ts";
import { createPages, INSERT_PAGE, rowOfPage, type SearchedPage, undivided } from "./page-words.ts";

/** A piece of text, and whether it is one of the words that were searched for. */
export interface ExcerptPart {
  readonly text: string;
  readonly isMatch: boolean;
}

const WORDS = 32;
/** A word may have any length. */
const CHARACTERS_MAX = 400;
/** Around what is marked: two code points that are no characters, so no text needs them. */
const [START, END] = ["\ufdd0", "\ufdd1"];
const SELECT = `SELECT rowid, snippet(pages, 2, '${START}', '${END}', '…', ${WORDS}) FROM pages WHERE pages MATCH ?`;

/** By the ids of the pages; without marks where the words are in the title or the URL only. */
export function excerptsOf(
  pages: readonly SearchedPage[],
  expression: string,
): ReadonlyMap<number, readonly ExcerptPart[]> {
  const database = openDatabase(":memory:", { access: "write", fullText: true });
  try {
    database.exec(createPages({ hasText: true }));
    const insert = database.prepare(INSERT_PAGE);
    for (const page of pages) {
      insert.run(...rowOfPage({ ...page, text: page.text.replaceAll(/[\s\ufdd0\ufdd1]+/g, " ").trim() }));
    }
    const rows = database.prepare(SELECT).all(expression) as readonly (readonly [number, string])[];
    return new Map(rows.map(([id, marked]) => [id, partsOf(marked)]));
  } finally {
    database.close();
  }
}

function partsOf(marked: string): ExcerptPart[] {
  const parts: ExcerptPart[] = [];
  let left = CHARACTERS_MAX;
  for (const [k, piece] of undivided(marked)
    .split(/[\ufdd0\ufdd1]/)
    .entries()) {
    if (piece === "" || left <= 0) continue;
    const text = piece.length <= left ? piece : `${piece.slice(0, left)}…`;
    left -= piece.length;
    // Marks come in pairs, so what they enclose is every second piece.
    parts.push({ text, isMatch: k % 2 === 1 });
  }
  return parts;
}
