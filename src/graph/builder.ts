/**
 * Turns arcs in any order into an immutable graph: rows ascending and distinct, parallel arcs counted once.
 *
 * Arcs are kept as runs of one source: 4 bytes per arc and 8 per run. If sources arrive in ascending order, as in
 * nearly all real files, runs are rows and the targets are copied unchanged; otherwise a counting sort by source
 * collects the rows. While `finish` runs, the graph (4 bytes per arc, 4 per page) exists together with the runs. Memory
 * follows what was added: only `finish` allocates by the greatest id.
 */
import { UsageError } from "../base/index.ts";
import { ChunkedList } from "./chunked-list.ts";
import { type Graph, sharedUint32 } from "./graph.ts";

/** The greatest page id, so that the number of pages fits in 32 bits too. */
export const PAGE_ID_MAX = 0xfffffffe;

/** Collects arcs in any order and makes a graph of them. */
export class GraphBuilder {
  #targets = new ChunkedList();
  #runSources = new ChunkedList();
  #runStarts = new ChunkedList();
  #source = -1;
  #idMax = -1;
  #ascending = true;

  /** The greatest id so far plus one. */
  get pages(): number {
    return this.#idMax + 1;
  }

  /** Arcs added so far, parallel ones included. */
  get arcs(): number {
    return this.#targets.length;
  }

  add(source: number, target: number): void {
    if (source !== this.#source || source < 0) this.#startRun(source);
    if (target > this.#idMax || target >>> 0 !== target) this.#admit(target);
    this.#targets.push(target);
  }

  /** Returns the graph and empties the builder. `pages` may exceed the ids seen, for pages without any link. */
  finish({ pages = this.pages }: { readonly pages?: number } = {}): Graph {
    if (pages < this.pages) {
      throw new UsageError(`page id ${this.#idMax} does not fit a graph of ${pages} pages: ids start at 0`);
    }
    if (!Number.isInteger(pages) || pages > PAGE_ID_MAX + 1) {
      throw new UsageError(`got ${pages} pages; expected a whole number up to ${PAGE_ID_MAX + 1}`);
    }
    if (this.arcs > PAGE_ID_MAX) throw new UsageError(`${this.arcs} arcs; a graph holds at most ${PAGE_ID_MAX}`);
    this.#runStarts.push(this.arcs);
    const runSources = this.#runSources.copyTo(new Uint32Array(this.#runSources.length));
    const runStarts = this.#runStarts.copyTo(new Uint32Array(this.#runStarts.length));
    const offsets = countRows(runSources, runStarts, pages);
    const targets = sharedUint32(this.arcs);
    if (this.#ascending) this.#targets.copyTo(targets);
    else scatter(this.#targets, runSources, runStarts, offsets, targets);
    this.#clear();
    const arcs = tidyRows(offsets, targets);
    return { pages, arcs, offsets, targets: arcs === targets.length ? targets : firstOf(targets, arcs) };
  }

  #startRun(source: number): void {
    if (source > this.#idMax || source >>> 0 !== source) this.#admit(source);
    if (source < this.#source) this.#ascending = false;
    this.#source = source;
    this.#runSources.push(source);
    this.#runStarts.push(this.#targets.length);
  }

  #admit(id: number): void {
    if (!Number.isInteger(id) || id < 0 || id > PAGE_ID_MAX) {
      throw new UsageError(`got page id ${id}; expected a whole number from 0 to ${PAGE_ID_MAX}`);
    }
    this.#idMax = Math.max(this.#idMax, id);
  }

  #clear(): void {
    this.#targets = new ChunkedList();
    this.#runSources = new ChunkedList();
    this.#runStarts = new ChunkedList();
    this.#source = -1;
    this.#idMax = -1;
    this.#ascending = true;
  }
}

function countRows(runSources: Uint32Array, runStarts: Uint32Array, pages: number): Uint32Array {
  const offsets = sharedUint32(pages + 1);
  for (let run = 0; run < runSources.length; run++) offsets[runSources[run] + 1] += runStarts[run + 1] - runStarts[run];
  for (let page = 0; page < pages; page++) offsets[page + 1] += offsets[page];
  return offsets;
}

/** Counting sort by source: stable, so that arcs sorted by target alone come out as ascending rows. */
function scatter(
  arrived: ChunkedList,
  runSources: Uint32Array,
  runStarts: Uint32Array,
  offsets: Uint32Array,
  targets: Uint32Array,
): void {
  const next = offsets.slice();
  let run = 0;
  let chunkStart = 0;
  for (const chunk of arrived.chunks()) {
    for (let i = 0; i < chunk.length; i++) {
      if (runStarts[run + 1] === chunkStart + i) run++;
      targets[next[runSources[run]]++] = chunk[i];
    }
    chunkStart += chunk.length;
  }
}

function firstOf(targets: Uint32Array, arcs: number): Uint32Array {
  const exact = sharedUint32(arcs);
  exact.set(targets.subarray(0, arcs));
  return exact;
}

/** Below this length insertion sort beats the call into the engine's sort. */
const INSERTION_SORT_LENGTH = 32;

/** Sorts `targets[from, to)`, keeps one of each value at the front, and returns the new end. */
export function sortDistinct(targets: Uint32Array, from: number, to: number): number {
  if (to - from > INSERTION_SORT_LENGTH) targets.subarray(from, to).sort();
  else insertionSort(targets, from, to);
  let end = from;
  for (let i = from; i < to; i++) {
    const target = targets[i];
    if (end === from || targets[end - 1] !== target) targets[end++] = target;
  }
  return end;
}

/**
 * Makes every row ascending and distinct, closes the gaps between rows, and adapts `offsets`. Returns the number of
 * arcs left. Rows that are in order already, as nearly all are in real files, cost one comparison per arc.
 */
function tidyRows(offsets: Uint32Array, targets: Uint32Array): number {
  const pages = offsets.length - 1;
  let from = 0;
  let arcs = 0;
  for (let page = 0; page < pages; page++) {
    const to = offsets[page + 1];
    const end = isAscending(targets, from, to) ? to : sortDistinct(targets, from, to);
    if (arcs !== from) targets.copyWithin(arcs, from, end);
    arcs += end - from;
    offsets[page + 1] = arcs;
    from = to;
  }
  return arcs;
}

function isAscending(targets: Uint32Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (targets[i - 1] >= targets[i]) return false;
  return true;
}

function insertionSort(targets: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const target = targets[i];
    let j = i;
    for (; j > from && targets[j - 1] > target; j--) targets[j] = targets[j - 1];
    targets[j] = target;
  }
}
