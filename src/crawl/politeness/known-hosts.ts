/**
 * The hosts that a schedule knows, numbered in the order in which they became known.
 *
 * Most are known only because links lead there, and nothing was ever wanted of them. Of such an idle host there is the
 * name and the number of its URLs that wait: some 60 bytes. The others are active: what they do has an object.
 */
import { capacityFor, enlarged, TextTable } from "../../base/index.ts";

export class KnownHosts<Active> {
  /** In the order in which they became active. */
  readonly active: Active[] = [];
  readonly #names = new TextTable();
  #waiting = new Uint32Array(64);
  /** Places among the active ones, plus one; 0 if it is idle. */
  #places = new Uint32Array(64);

  get size(): number {
    return this.#names.size;
  }

  /** The number of a host; -1 if it is not known. */
  find(name: string): number {
    return this.#names.find(name);
  }

  /** The number of a host, known from now on. */
  add(name: string): number {
    const id = this.#names.add(name);
    if (id >= this.#places.length) {
      const capacity = capacityFor(id + 1, this.#places.length);
      this.#waiting = enlarged(this.#waiting, capacity);
      this.#places = enlarged(this.#places, capacity);
    }
    return id;
  }

  nameOf(id: number): string {
    return this.#names.textOf(id);
  }

  /** How many of its URLs wait in the order. */
  waitingOf(id: number): number {
    return this.#waiting[id];
  }

  setWaiting(id: number, count: number): void {
    this.#waiting[id] = count;
  }

  /** Undefined if it is idle. */
  activeOf(id: number): Active | undefined {
    return this.active[this.#places[id] - 1];
  }

  activate(id: number, host: Active): void {
    this.#places[id] = this.active.push(host);
  }
}
