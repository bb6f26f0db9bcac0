/**
 * How workers share the connections of an address. With W workers and a limit of L, each has L / W, rounded down. If
 * that is none, time is divided into slots, and in each slot L workers, drawn by the address and the slot, have one
 * connection.
 *
 * Clocks and messages may be late, so nobody relies on them. A worker uses its connections of a slot once all others
 * have said that they have come to that slot, and which addresses they still use from the last one. And a worker that
 * joins, which makes the shares of the others smaller, has none until all others have said that they count it in; they
 * say so once they use no more than their new shares. Nor do they use more, when one has left, before they have said
 * that they no longer count it in: it may come back, and would take itself for one of them.
 */
import { mix32 } from "../base/index.ts";
import type { AddressTable } from "../crawl/index.ts";

const SLOT_MS = 10_000;

/** What a worker says to the others about addresses. */
export interface SharingState {
  /** Workers that it counts in when it shares. */
  readonly knows: readonly string[];
  /** The slot of time in which it is. */
  readonly slot: number;
  /** Addresses of which it still has more than its share. */
  readonly over: readonly string[];
}

export interface SharingWorker extends SharingState {
  readonly name: string;
}

export class AddressShares {
  readonly #worker: string;
  readonly #limit: number;
  #workers: readonly string[];
  #isCountedIn = false;
  #slot = -1;
  /** All others are in this slot. */
  #isSlotBegun = true;
  /** What others have more of than their share. */
  #overElsewhere = new Set<string>();
  #state: SharingState;

  constructor(worker: string, limit: number) {
    this.#worker = worker;
    this.#limit = limit;
    this.#workers = [worker];
    this.#state = { knows: [worker], slot: -1, over: [] };
  }

  /** To be told to all workers. */
  get state(): SharingState {
    return this.#state;
  }

  /**
   * Others may not have seen this worker for a while, and count without it: nothing is its share until the next update.
   */
  lapse(addresses: AddressTable): void {
    this.#isCountedIn = false;
    for (const use of addresses.all()) use.setLimit(0);
  }

  /** Who works on the job now, and how old it is. `state` was told since the last update. */
  update(workers: readonly SharingWorker[], ageMs: number, addresses: AddressTable): void {
    const others = workers.filter(({ name }) => name !== this.#worker);
    const seen = [this.#worker, ...others.map(({ name }) => name)];
    this.#workers = [...new Set([...seen, ...this.#state.knows])];
    this.#isCountedIn = others.every(({ knows }) => knows.includes(this.#worker));
    this.#slot = Math.floor(ageMs / SLOT_MS);
    this.#isSlotBegun = others.every(({ slot }) => slot >= this.#slot);
    this.#overElsewhere = new Set(others.flatMap(({ over }) => over));
    const over: string[] = [];
    for (const use of addresses.all()) {
      use.setLimit(this.limitOf(use.text));
      if (use.taken > use.limit) over.push(use.text);
    }
    this.#state = { knows: over.length === 0 ? seen : this.#state.knows, slot: this.#slot, over };
  }

  limitOf(address: string): number {
    if (!this.#isCountedIn) return 0;
    const share = Math.floor(this.#limit / this.#workers.length);
    if (share > 0) return share;
    return this.#isSlotBegun && !this.#overElsewhere.has(address) && this.#isDrawn(address) ? 1 : 0;
  }

  #isDrawn(address: string): boolean {
    const drawn = (name: string): number => mix32(hash(`${address} ${this.#slot} ${name}`));
    const mine = drawn(this.#worker);
    const before = this.#workers.filter((name) => {
      const other = drawn(name);
      return other < mine || (other === mine && name < this.#worker);
    });
    return before.length < this.#limit;
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) value = Math.imul(value ^ text.charCodeAt(k), 0x01000193);
  return value >>> 0;
}
