import { assert, dropOldest } from "../base/index.ts";
import { asSeen } from "../log/index.ts";
import type { PageRow } from "../store/index.ts";

/** So many links in a row lead to the same few pages. */
const ROWS_MAX = 4096;

/** Looks up single URLs, and keeps the last ones. `state` has one `PageState` per URL, as the whole log tells it. */
export class PageLookup {
  readonly #read: (id: number) => PageRow | undefined;
  readonly #state: Uint8Array;
  readonly #rows = new Map<number, PageRow>();

  constructor(read: (id: number) => PageRow | undefined, state: Uint8Array) {
    this.#read = read;
    this.#state = state;
  }

  /** A URL that is no sink. */
  row(id: number): PageRow {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const row = this.#read(id);
    assert(row !== undefined, `URL ${id} is no sink`);
    const seen = asSeen(row, this.#state[id]);
    this.#rows.set(id, seen);
    dropOldest(this.#rows, ROWS_MAX);
    return seen;
  }
}
