/**
 * Many priority queues of pages in a few flat arrays: one pairing heap per host (M. Fredman, R. Sedgewick, D. Sleator,
 * R. Tarjan, The pairing heap, Algorithmica 1, 1986), in which keys may rise and fall.
 *
 * A page is in at most one heap. Equal keys leave in the order of their ids, so that every run is deterministic.
 * Memory: 20 bytes per page and 4 per host, however the pages are spread over hosts. Setting and removing take O(log n)
 * amortised, reading the greatest O(1).
 */
import { capacityFor, enlarged } from "../base/index.ts";

/** Links hold ids plus one, so that 0 means none. */
const NONE = 0;

export class PageHeaps {
  #keys = new Float64Array(64);
  /** The first of the children, which are linked by `#next`. */
  #child = new Uint32Array(64);
  #next = new Uint32Array(64);
  /** The sibling before, or the parent of a first child; the page itself for a root; none for a page in no heap. */
  #before = new Uint32Array(64);
  #roots = new Uint32Array(64);
  #size = 0;

  /** How many pages are in a heap. */
  get size(): number {
    return this.#size;
  }

  /** Makes room for pages and hosts below these numbers. */
  grow({ pages, hosts }: { readonly pages: number; readonly hosts: number }): void {
    if (pages > this.#keys.length) {
      const capacity = capacityFor(pages, this.#keys.length);
      this.#keys = enlarged(this.#keys, capacity);
      this.#child = enlarged(this.#child, capacity);
      this.#next = enlarged(this.#next, capacity);
      this.#before = enlarged(this.#before, capacity);
    }
    if (hosts > this.#roots.length) this.#roots = enlarged(this.#roots, capacityFor(hosts, this.#roots.length));
  }

  has(page: number): boolean {
    return this.#before[page] !== NONE;
  }

  /** The key of a page; 0 if it is in no heap. */
  key(page: number): number {
    return this.has(page) ? this.#keys[page] : 0;
  }

  /** The page with the greatest key of a host; -1 if it has none. */
  top(host: number): number {
    return this.#roots[host] - 1;
  }

  /** Puts a page into the heap of its host, or changes its key there. */
  set(page: number, host: number, key: number): void {
    this.remove(page, host);
    this.#keys[page] = key;
    this.#size++;
    this.#setRoot(host, this.#meld(this.#roots[host], page + 1));
  }

  /** Takes a page out of the heap of its host; does nothing if it is not there. */
  remove(page: number, host: number): void {
    if (!this.has(page)) return;
    this.#size--;
    const node = page + 1;
    const rest = this.#combine(this.#child[page]);
    if (this.#roots[host] === node) {
      this.#setRoot(host, rest);
    } else {
      this.#cut(node);
      this.#setRoot(host, this.#meld(this.#roots[host], rest));
    }
    this.#child[page] = NONE;
    this.#next[page] = NONE;
    this.#before[page] = NONE;
  }

  #setRoot(host: number, node: number): void {
    this.#roots[host] = node;
    if (node === NONE) return;
    this.#before[node - 1] = node;
    this.#next[node - 1] = NONE;
  }

  /** Takes a node out of the children of its parent, with all below it. */
  #cut(node: number): void {
    const before = this.#before[node - 1];
    const next = this.#next[node - 1];
    if (this.#child[before - 1] === node) this.#child[before - 1] = next;
    else this.#next[before - 1] = next;
    if (next !== NONE) this.#before[next - 1] = before;
  }

  /** One heap of two: the lesser root becomes the first child of the other. */
  #meld(a: number, b: number): number {
    if (a === NONE) return b;
    if (b === NONE) return a;
    const isFirst = this.#keys[a - 1] > this.#keys[b - 1] || (this.#keys[a - 1] === this.#keys[b - 1] && a < b);
    const [parent, child] = isFirst ? [a, b] : [b, a];
    const sibling = this.#child[parent - 1];
    this.#next[child - 1] = sibling;
    if (sibling !== NONE) this.#before[sibling - 1] = child;
    this.#before[child - 1] = parent;
    this.#child[parent - 1] = child;
    return parent;
  }

  /** One heap of a list of siblings: melded in pairs from the left, then from the right. */
  #combine(first: number): number {
    let pairs: number = NONE;
    for (let node = first; node !== NONE; ) {
      const second = this.#next[node - 1];
      const rest = second === NONE ? NONE : this.#next[second - 1];
      const pair = this.#meld(node, second);
      this.#next[pair - 1] = pairs;
      pairs = pair;
      node = rest;
    }
    let all: number = NONE;
    while (pairs !== NONE) {
      const rest = this.#next[pairs - 1];
      all = this.#meld(all, pairs);
      pairs = rest;
    }
    return all;
  }
}
