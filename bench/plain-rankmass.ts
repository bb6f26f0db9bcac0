/**
 * RankMass, Figure 5, in its simplest form: a plain binary heap to which a page is added again whenever its key has
 * changed; stale entries are skipped when they come up. It is the peer of `rankmass`, not part of the product.
 */
import type { Graph } from "../src/graph/index.ts";

export interface PlainCrawl {
  readonly downloads: number;
  readonly pushes: number;
}

export function plainRankMass(
  graph: Graph,
  trust: readonly (readonly [page: number, weight: number])[],
  options: { readonly damping: number; readonly guarantee: number },
): PlainCrawl {
  const { offsets, targets } = graph;
  const d = options.damping;
  const waiting = new Float64Array(graph.pages);
  const downloaded = new Uint8Array(graph.pages);
  const heap = new PlainHeap();
  for (const [page, weight] of trust) {
    waiting[page] += (1 - d) * weight;
    heap.push(waiting[page], page);
  }
  let downloads = 0;
  let pushes = 0;
  let inside = 0;
  let ended = 0;
  while (heap.size > 0) {
    const key = heap.topKey;
    const page = heap.pop();
    const mass = waiting[page];
    if (key !== mass || mass === 0) continue;
    if (downloaded[page] === 0) {
      if (inside / (1 - (ended * d) / (1 - d)) >= options.guarantee) break;
      downloaded[page] = 1;
      downloads++;
    }
    waiting[page] = 0;
    inside += mass;
    const start = offsets[page];
    const end = offsets[page + 1];
    if (start === end) ended += mass;
    const share = (d * mass) / (end - start);
    pushes += end - start;
    for (let k = start; k < end; k++) {
      const target = targets[k];
      waiting[target] += share;
      heap.push(waiting[target], target);
    }
  }
  return { downloads, pushes };
}

class PlainHeap {
  readonly #keys: number[] = [];
  readonly #pages: number[] = [];

  get size(): number {
    return this.#keys.length;
  }

  get topKey(): number {
    return this.#keys[0];
  }

  push(key: number, page: number): void {
    const keys = this.#keys;
    const pages = this.#pages;
    let place = keys.length;
    keys.push(key);
    pages.push(page);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (keys[parent] >= key) break;
      keys[place] = keys[parent];
      pages[place] = pages[parent];
      place = parent;
    }
    keys[place] = key;
    pages[place] = page;
  }

  pop(): number {
    const keys = this.#keys;
    const pages = this.#pages;
    const top = pages[0];
    const key = keys.pop()!;
    const page = pages.pop()!;
    const size = keys.length;
    if (size === 0) return top;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && keys[child + 1] > keys[child]) child++;
      if (keys[child] <= key) break;
      keys[place] = keys[child];
      pages[place] = pages[child];
      place = child;
    }
    keys[place] = key;
    pages[place] = page;
    return top;
  }
}
