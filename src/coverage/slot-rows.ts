/**
 * The links of final pages as slots of accounts, without links to pages that have none. It is a cache for those who push
 * pages several times: looking up the account of a link costs as much as adding to it. The first rows are kept, as many
 * as have room, so it takes a few megabytes, however large the crawl is.
 */
import { capacityFor, enlarged } from "../base/index.ts";
import type { LinkRow } from "../graph/index.ts";
import type { PageAccounts } from "./page-accounts.ts";

/** So many links are kept, 4 bytes each. */
const LINKS_MAX = 1 << 22;

export class SlotRows {
  /** How many rows are kept, from the first on. */
  count = 0;
  /** Row k is from `#starts[k]` to before `#starts[k + 1]`. */
  #starts = new Uint32Array(64);
  #slots = new Uint32Array(256);

  clear(): void {
    this.count = 0;
  }

  /** Keeps the next row, if there is room for it: the accounts of these links. */
  keep(accounts: PageAccounts, row: LinkRow): boolean {
    const from = this.#starts[this.count];
    const most = from + row.end - row.start;
    if (most > LINKS_MAX) return false;
    if (most > this.#slots.length) this.#slots = enlarged(this.#slots, capacityFor(most, this.#slots.length));
    if (this.count + 2 > this.#starts.length) {
      this.#starts = enlarged(this.#starts, capacityFor(this.count + 2, this.#starts.length));
    }
    this.#starts[++this.count] = accounts.writeSlots(row, this.#slots, from);
    return true;
  }

  /** Adds the same to each account of a row. */
  spread(row: number, values: Float64Array, amount: number): void {
    const slots = this.#slots;
    const end = this.#starts[row + 1];
    for (let k = this.#starts[row]; k < end; k++) values[slots[k]] += amount;
  }
}
