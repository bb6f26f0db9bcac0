/**
 * Turns the rows of classes round (class-rows.ts): from the targets of every class to its sources, with classes under
 * their final numbers. What else is kept by class is brought into the same order.
 *
 * Links are counted before the final numbers are known, so that other threads count while one searches for components.
 * Then each thread reads a range of rows and writes its links to every class behind those of the threads before it. So
 * sources do not depend on the number of threads. In the end, those from earlier components are moved to the front.
 *
 * Linear in pages and arcs. Memory: 4 bytes per class for each thread besides the result.
 */
import { type ComponentNumbers, sharedFloat64, sharedMemory, sharedUint32 } from "../graph/index.ts";
import { meet } from "./barrier.ts";
import { type ClassRows, graphOfRows, NO_CLASS } from "./class-rows.ts";
import type { Condensed } from "./condensed.ts";
import { boundsOf } from "./push.ts";

/** How many links of a range of rows lead to each class. */
export interface LinkCounts {
  readonly rows: ClassRows;
  /** Range k has the rows from `bounds[k]` to `bounds[k + 1] - 1`; there are as many as threads. */
  readonly bounds: readonly number[];
  /** For each range, by class: how many links it has to the class, then where its next one goes. */
  readonly counts: readonly Uint32Array[];
  /** The ranges that a thread has taken to count. */
  readonly taken: Uint32Array;
}

export function createLinkCounts(rows: ClassRows): LinkCounts {
  const threads = rows.search.bounds.length - 1;
  return {
    rows,
    bounds: boundsOf(graphOfRows(rows), threads),
    counts: Array.from({ length: threads }, () => sharedUint32(rows.count)),
    taken: sharedUint32(1),
  };
}

/** One thread's part: it counts ranges as long as there are any. A thread that comes late finds less to do. */
export function countLinks({ rows, bounds, counts, taken }: LinkCounts): void {
  const threads = counts.length;
  for (let range = Atomics.add(taken, 0, 1); range < threads; range = Atomics.add(taken, 0, 1)) {
    countRange(rows.targets, counts[range], rows.offsets[bounds[range]], rows.offsets[bounds[range + 1]]);
  }
  meet(rows.search.barrier, threads);
}

function countRange(targets: Uint32Array, counts: Uint32Array, from: number, to: number): void {
  for (let arc = from; arc < to; arc++) counts[targets[arc]]++;
}

export interface Turning {
  readonly links: LinkCounts;
  readonly numbers: ComponentNumbers;
  readonly damping: number;
  readonly result: Omit<Condensed, "starts" | "classOf">;
  /** For each thread, all links to the classes of its final numbers. */
  readonly totals: Uint32Array;
}

/** All links must have been counted. */
export function createTurning(links: LinkCounts, numbers: ComponentNumbers, damping: number): Turning {
  const { count, offsets } = links.rows;
  return {
    links,
    numbers,
    damping,
    result: {
      classes: count,
      representatives: sharedUint32(count),
      isClosed: new Uint8Array(sharedMemory(count)),
      gains: sharedFloat64(count),
      costs: sharedFloat64(count),
      offsets: sharedUint32(count + 1),
      sources: sharedUint32(offsets[count]),
    },
    totals: sharedUint32(links.counts.length),
  };
}

/** One thread's part. */
export function turnRound(turning: Turning, part: number): void {
  const { links, numbers, result } = turning;
  const { classOf, count, search } = links.rows;
  const { barrier, bounds: pages } = search;
  const threads = links.counts.length;
  const from = Math.floor((count * part) / threads);
  const to = Math.floor((count * (part + 1)) / threads);
  sortByNumber(turning, from, to);
  placeLinks(turning, part, from, to);
  meet(barrier, threads);
  writeSources(links, numbers.numberOf, result.sources, part);
  renumber(classOf, numbers.numberOf, pages[part], pages[part + 1]);
  meet(barrier, threads);
  const { offsets, sources } = result;
  const bounds = boundsOf({ pages: count, arcs: sources.length, offsets, targets: sources }, threads);
  moveEarlierToFront(result, numbers.starts, bounds[part], bounds[part + 1]);
  meet(barrier, threads);
}

/** Turns the counts of all ranges into places, for the final numbers [from, to). */
function placeLinks({ links, numbers, result, totals }: Turning, part: number, from: number, to: number): void {
  const { counts, rows } = links;
  const { pageAt } = numbers;
  let total = 0;
  for (let number = from; number < to; number++) for (const each of counts) total += each[pageAt[number]];
  totals[part] = total;
  meet(rows.search.barrier, counts.length);
  let place = 0;
  for (let k = 0; k < part; k++) place += totals[k];
  for (let number = from; number < to; number++) {
    const i = pageAt[number];
    for (const each of counts) {
      const count = each[i];
      each[i] = place;
      place += count;
    }
    result.offsets[number + 1] = place;
  }
}

/** Writes the links of a range of rows to their places. */
function writeSources(links: LinkCounts, numberOf: Uint32Array, sources: Uint32Array, range: number): void {
  const { offsets, targets } = links.rows;
  const places = links.counts[range];
  const last = links.bounds[range + 1];
  for (let i = links.bounds[range]; i < last; i++) {
    const number = numberOf[i];
    const end = offsets[i + 1];
    for (let arc = offsets[i]; arc < end; arc++) sources[places[targets[arc]]++] = number;
  }
}

/** In the rows [from, to), moves the sources from earlier components before the others. */
function moveEarlierToFront(
  { offsets, sources }: Turning["result"],
  starts: Uint32Array,
  from: number,
  to: number,
): void {
  for (let k = componentAt(starts, from); k + 1 < starts.length && starts[k] < to; k++) {
    const start = starts[k];
    const last = Math.min(to, starts[k + 1]);
    for (let number = Math.max(from, start); number < last; number++) {
      const end = offsets[number + 1];
      let front = offsets[number];
      for (let arc = front; arc < end; arc++) {
        const source = sources[arc];
        if (source >= start) continue;
        sources[arc] = sources[front];
        sources[front++] = source;
      }
    }
  }
}

/** The component of a final number: the last one that does not start after it. */
function componentAt(starts: Uint32Array, number: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle] <= number) low = middle;
    else high = middle;
  }
  return low;
}

/** Fills in what is known of the classes [from, to). */
function sortByNumber({ links: { rows }, numbers, damping, result }: Turning, from: number, to: number): void {
  const { representatives, isClosed, gains, costs } = result;
  const { offsets } = rows.search.graph;
  for (let number = from; number < to; number++) {
    const i = numbers.pageAt[number];
    const page = rows.representatives[i];
    representatives[number] = page;
    isClosed[number] = rows.isClosed[i];
    costs[number] = (offsets[page + 1] - offsets[page]) / damping;
    gains[number] = 1 / (costs[number] - rows.selfLinks[i]);
  }
}

function renumber(classOf: Uint32Array, numberOf: Uint32Array, from: number, to: number): void {
  for (let page = from; page < to; page++) if (classOf[page] !== NO_CLASS) classOf[page] = numberOf[classOf[page]];
}
