/**
 * The rows of the first page of every class (classes.ts), in terms of classes: not sorted, with repetitions, without
 * links to the class itself and to pages without out-links. Classes are numbered as their first pages.
 *
 * Threads: each numbers the classes that begin among its pages, and writes their rows behind the room that those of the
 * threads before it need at most; then the gaps are closed. Linear in pages and arcs.
 *
 * Memory: 4 bytes per page (taken over from the search), 13 per class, 4 per link of the first pages.
 */
import { type Graph, sharedMemory, sharedUint32 } from "../graph/index.ts";
import { meet } from "./barrier.ts";
import { type ClassSearch, Partners } from "./classes.ts";

/** The class of a page without out-links. */
export const NO_CLASS = 0xffffffff;

export interface ClassRows {
  readonly search: ClassSearch;
  readonly count: number;
  /** The class of every page; `NO_CLASS` for pages without out-links. */
  readonly classOf: Uint32Array;
  /** The first page of every class, ascending. */
  readonly representatives: Uint32Array;
  /** 1 for classes of closed rows; they have at least two pages. */
  readonly isClosed: Uint8Array;
  /** The links of the first page of every class to pages of the class. */
  readonly selfLinks: Uint32Array;
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** The arcs that each thread has written. */
  readonly written: Uint32Array;
}

/** The memory of hashes is used again: the search must be over. */
export function createClassRows(search: ClassSearch): ClassRows {
  const threads = search.bounds.length - 1;
  const count = before(search.tallies, 0, threads);
  return {
    search,
    count,
    classOf: new Uint32Array(search.hashes.buffer),
    representatives: sharedUint32(count),
    isClosed: new Uint8Array(sharedMemory(count)),
    selfLinks: sharedUint32(count),
    offsets: sharedUint32(count + 1),
    targets: sharedUint32(linksOfFirst(search)),
    written: sharedUint32(threads),
  };
}

/** The links of the first pages of all classes. */
export function linksOfFirst({ tallies }: ClassSearch): number {
  const threads = tallies.length / 2;
  return before(tallies, threads, 2 * threads);
}

/** The rows as a graph, once all threads have written theirs. */
export function graphOfRows({ count, offsets, targets }: ClassRows): Graph {
  const arcs = offsets[count];
  return { pages: count, arcs, offsets, targets: targets.subarray(0, arcs) };
}

/** One thread's part. */
export function writeClassRows(rows: ClassRows, part: number): void {
  const { search, offsets, targets, written } = rows;
  const { bounds, tallies, barrier } = search;
  const threads = bounds.length - 1;
  numberClasses(rows, part);
  const from = before(tallies, 0, part);
  const to = before(tallies, 0, part + 1);
  const room = before(tallies, threads, threads + part);
  const end = fillRows(rows, from, to, room);
  written[part] = end - room;
  meet(barrier, threads);
  const gap = room - before(written, 0, part);
  for (let i = from; i < to; i++) offsets[i + 1] -= gap;
  if (part === 0) closeGaps(targets, tallies.subarray(threads), written);
  meet(barrier, threads);
}

function numberClasses({ search, classOf, representatives, isClosed }: ClassRows, part: number): void {
  const { bounds, firstOf, partners, tallies, barrier } = search;
  const { offsets } = search.graph;
  const threads = bounds.length - 1;
  const to = bounds[part + 1];
  let next = before(tallies, 0, part);
  for (let page = bounds[part]; page < to; page++) {
    if (offsets[page] === offsets[page + 1]) classOf[page] = NO_CLASS;
    else if (firstOf[page] === page) {
      representatives[next] = page;
      isClosed[next] = partners[page] === Partners.Closed ? 1 : 0;
      classOf[page] = next++;
    }
  }
  meet(barrier, threads);
  for (let page = bounds[part]; page < to; page++) {
    if (offsets[page] !== offsets[page + 1] && firstOf[page] !== page) classOf[page] = classOf[firstOf[page]];
  }
  meet(barrier, threads);
}

/** Writes the rows of the classes [from, to) from `place` on; returns where they end. */
function fillRows(rows: ClassRows, from: number, to: number, place: number): number {
  const { search, classOf, representatives, selfLinks, offsets, targets } = rows;
  const { graph } = search;
  let arcs = place;
  for (let i = from; i < to; i++) {
    const end = graph.offsets[representatives[i] + 1];
    for (let arc = graph.offsets[representatives[i]]; arc < end; arc++) {
      const target = classOf[graph.targets[arc]];
      if (target === i) selfLinks[i]++;
      else if (target !== NO_CLASS) targets[arcs++] = target;
    }
    offsets[i + 1] = arcs;
  }
  return arcs;
}

function closeGaps(targets: Uint32Array, rooms: Float64Array, written: Uint32Array): void {
  for (let part = 1; part < written.length; part++) {
    const room = before(rooms, 0, part);
    targets.copyWithin(before(written, 0, part), room, room + written[part]);
  }
}

function before(numbers: Float64Array | Uint32Array, from: number, to: number): number {
  let sum = 0;
  for (let k = from; k < to; k++) sum += numbers[k];
  return sum;
}
