import { assert, dropOldest } from "../base/index.ts";
import { asSeen } from "../log/index.ts";
import type { PageRow } from "../store/index.ts";

/** Where URLs are looked up. */
export interface PageReader {
  page(id: number): PageRow | undefined;
  /** The texts of the links of a page, one per line. */
  anchorsOf(id: number): string | undefined;
}

/** So many links in a row lead to the same few pages. */
const ROWS_MAX = 4096;

/** Looks up single URLs, and keeps the last ones. `state` has one `PageState` per URL, as the whole log tells it. */
export class PageLookup {
  readonly #reader: PageReader;
  readonly #state: Uint8Array;
  readonly #rows = new Map<number, PageRow>();
  #anchors: { readonly id: number; readonly texts: readonly string[] } | undefined;

  constructor(reader: PageReader, state: Uint8Array) {
    this.#reader = reader;
    this.#state = state;
  }

  /** A URL that is no sink. */
  row(id: number): PageRow {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const row = this.#reader.page(id);
    assert(row !== undefined, `URL ${id} is no sink`);
    const seen = asSeen(row, this.#state[id]);
    this.#rows.set(id, seen);
    dropOldest(this.#rows, ROWS_MAX);
    return seen;
  }

  /** The text of a link of a page, by its place; null where none was stored. Links of one page come in a row. */
  anchor(id: number, place: number): string | null {
    if (this.#anchors?.id !== id) {
      this.#anchors = { id, texts: this.#reader.anchorsOf(id)?.split("\n") ?? [] };
    }
    return this.#anchors.texts[place] || null;
  }
}
