/**
 * Turns the rows of classes round (class-rows.ts): from the targets of every class to its sources, with classes under
 * their final numbers. What else is kept by class is brought into the same order.
 *
 * Threads: each reads the rows of a range of final numbers, counts its links to every class, and then writes them
 * behind those of the threads before it. So sources ascend, and do not depend on the number of threads.
 *
 * Linear in pages and arcs. Memory: 4 bytes per class for each thread besides the result. Overwrites the rows' targets.
 */
import { type Graph, sharedFloat64, sharedMemory, sharedUint32 } from "../graph/index.ts";
import { meet } from "./barrier.ts";
import { type ClassRows, NO_CLASS } from "./class-rows.ts";
import type { Condensed } from "./condensed.ts";

export interface Turning {
  readonly rows: ClassRows;
  /** From the number of a class among the rows to its final one, and back. */
  readonly numberOf: Uint32Array;
  readonly classAt: Uint32Array;
  readonly damping: number;
  readonly result: Omit<Condensed, "starts" | "classOf">;
  /** Thread k reads the rows of the final numbers from `bounds[k]` to `bounds[k + 1] - 1`. */
  readonly bounds: readonly number[];
  /** For each thread, by final number: how many links it has to the class, then where its next one goes. */
  readonly counts: readonly Uint32Array[];
  /** For each thread, all links to the classes of its final numbers. */
  readonly totals: Uint32Array;
}

export function createTurning(rows: ClassRows, classAt: Uint32Array, numberOf: Uint32Array, damping: number): Turning {
  const { count, search } = rows;
  const threads = search.bounds.length - 1;
  return {
    rows,
    numberOf,
    classAt,
    damping,
    result: {
      classes: count,
      representatives: sharedUint32(count),
      isClosed: new Uint8Array(sharedMemory(count)),
      gains: sharedFloat64(count),
      costs: sharedFloat64(count),
      offsets: sharedUint32(count + 1),
      sources: sharedUint32(rows.offsets[count]),
    },
    bounds: boundsByLinks(rows, classAt, threads),
    counts: Array.from({ length: threads }, () => sharedUint32(count)),
    totals: sharedUint32(threads),
  };
}

/** One thread's part. */
export function turnRound(turning: Turning, part: number): void {
  const { rows, bounds, counts } = turning;
  const { barrier, graph, bounds: pages } = rows.search;
  const threads = counts.length;
  const from = bounds[part];
  const to = bounds[part + 1];
  countLinks(turning, counts[part], from, to);
  sortByNumber(turning, graph, from, to);
  meet(barrier, threads);
  placeLinks(turning, part);
  meet(barrier, threads);
  writeSources(turning, counts[part], from, to);
  renumber(rows.classOf, turning.numberOf, pages[part], pages[part + 1]);
  meet(barrier, threads);
}

/** Counts the links to every class, and writes the final numbers of targets over the old ones. */
function countLinks({ rows, numberOf, classAt }: Turning, counts: Uint32Array, from: number, to: number): void {
  const { offsets, targets } = rows;
  for (let number = from; number < to; number++) {
    const end = offsets[classAt[number] + 1];
    for (let arc = offsets[classAt[number]]; arc < end; arc++) {
      const target = numberOf[targets[arc]];
      targets[arc] = target;
      counts[target]++;
    }
  }
}

/** Turns the counts of all threads into places, for the targets of this thread's range. */
function placeLinks({ result, counts, totals, bounds, rows }: Turning, part: number): void {
  const from = bounds[part];
  const to = bounds[part + 1];
  let total = 0;
  for (const each of counts) for (let i = from; i < to; i++) total += each[i];
  totals[part] = total;
  meet(rows.search.barrier, counts.length);
  let place = 0;
  for (let k = 0; k < part; k++) place += totals[k];
  for (let i = from; i < to; i++) {
    for (let k = 0; k < counts.length; k++) {
      const count = counts[k][i];
      counts[k][i] = place;
      place += count;
    }
    result.offsets[i + 1] = place;
  }
}

function writeSources({ rows, classAt, result }: Turning, places: Uint32Array, from: number, to: number): void {
  const { offsets, targets } = rows;
  const { sources } = result;
  for (let number = from; number < to; number++) {
    const end = offsets[classAt[number] + 1];
    for (let arc = offsets[classAt[number]]; arc < end; arc++) sources[places[targets[arc]]++] = number;
  }
}

/** Fills in what is known of the classes [from, to). */
function sortByNumber({ rows, classAt, damping, result }: Turning, graph: Graph, from: number, to: number): void {
  const { representatives, isClosed, gains, costs } = result;
  for (let number = from; number < to; number++) {
    const i = classAt[number];
    const page = rows.representatives[i];
    representatives[number] = page;
    isClosed[number] = rows.isClosed[i];
    costs[number] = (graph.offsets[page + 1] - graph.offsets[page]) / damping;
    gains[number] = 1 / (costs[number] - rows.selfLinks[i]);
  }
}

function renumber(classOf: Uint32Array, numberOf: Uint32Array, from: number, to: number): void {
  for (let page = from; page < to; page++) if (classOf[page] !== NO_CLASS) classOf[page] = numberOf[classOf[page]];
}

/** Bounds of ranges of final numbers with about equally many links. */
function boundsByLinks({ offsets, count }: ClassRows, classAt: Uint32Array, threads: number): number[] {
  const bounds = [0];
  let links = 0;
  for (let number = 0; number < count && bounds.length < threads; number++) {
    if (links >= (bounds.length * offsets[count]) / threads) bounds.push(number);
    links += offsets[classAt[number] + 1] - offsets[classAt[number]];
  }
  while (bounds.length <= threads) bounds.push(count);
  return bounds;
}
