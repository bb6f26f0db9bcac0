/**
 * The hosts that a schedule knows, numbered in the order in which they became known.
 *
 * Most are known only because links lead there, and nothing was ever wanted of them. Of such an idle host there is the
 * name and the number of its URLs that wait: some 45 bytes. The others are active (active-hosts.ts).
 */
import { capacityFor, enlarged, TextTable } from "../../base/index.ts";

export class KnownHosts {
  readonly #names = new TextTable();
  #waiting = new Uint32Array(64);

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
    if (id >= this.#waiting.length) this.#waiting = enlarged(this.#waiting, capacityFor(id + 1, this.#waiting.length));
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
}
