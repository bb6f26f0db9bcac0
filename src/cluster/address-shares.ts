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
import { hash32, mix32 } from "../base/index.ts";
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
  /** Of all workers, this one first: what decides who is drawn in this slot. */
  #lots: readonly { readonly name: string; readonly hash: number }[] = [];
  /** What the limits of addresses were computed from; undefined if they are not those of now. */
  #basis: string | undefined;
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
    this.#basis = undefined;
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
    this.#setLimits(addresses);
    const over: string[] = [];
    for (const use of addresses.all()) if (use.taken > use.limit) over.push(use.text);
    this.#state = { knows: over.length === 0 ? seen : this.#state.knows, slot: this.#slot, over };
  }

  /** There may be very many addresses, and most looks change nothing. */
  #setLimits(addresses: AddressTable): void {
    const turn = this.#share > 0 ? [] : [this.#slot, this.#isSlotBegun, ...this.#overElsewhere];
    const basis = JSON.stringify([this.#isCountedIn, this.#workers, turn]);
    if (basis === this.#basis) return;
    this.#basis = basis;
    this.#lots = this.#workers.map((name) => ({ name, hash: hash32(`${this.#slot} ${name}`) }));
    for (const use of addresses.all()) use.setLimit(this.limitOf(use.text));
  }

  get #share(): number {
    return Math.floor(this.#limit / this.#workers.length);
  }

  limitOf(address: string): number {
    if (!this.#isCountedIn) return 0;
    const share = this.#share;
    if (share > 0) return share;
    return this.#isSlotBegun && !this.#overElsewhere.has(address) && this.#isDrawn(address) ? 1 : 0;
  }

  #isDrawn(address: string): boolean {
    const hash = hash32(address);
    const mine = mix32(hash ^ this.#lots[0].hash);
    let before = 0;
    for (const lot of this.#lots) {
      const other = mix32(hash ^ lot.hash);
      if (other < mine || (other === mine && lot.name < this.#worker)) before++;
    }
    return before < this.#limit;
  }
}
