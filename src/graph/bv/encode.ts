/**
 * Writes BV graphs row by row (P. Boldi, S. Vigna, "The WebGraph Framework I", WWW 2004, section 4).
 *
 * Each row is tried against every row of the window whose chain of references is short enough, and written with the one
 * that takes the fewest bits (the nearest of equals). This is the greedy choice of WebGraph, so the same graph with the
 * same options gives the same `.graph` file, bit for bit.
 *
 * Cost: (windowSize + 1) merges of two rows per page. Memory: the rows of the window and one chunk of each file, for
 * any number of pages.
 */
import { noProgress, type Progress, UsageError } from "../../base/index.ts";
import type { Graph } from "../graph.ts";
import { BitWriter } from "./bit-writer.ts";
import { BitCounter } from "./codes.ts";
import { type BvFiles, type BvFormat, bvFormat, type BvOptions, formatBvProperties } from "./properties.ts";
import { RowPlan } from "./row-plan.ts";
import { RowWindow } from "./row-window.ts";

/** Encodes a graph that need not fit in memory: `add` the rows of page 0, 1, 2, ..., then `finish`. */
export class BvEncoder {
  readonly #format: BvFormat;
  readonly #graph: BitWriter;
  readonly #offsets: BitWriter;
  readonly #counter: BitCounter;
  readonly #window: RowWindow;
  #best = new RowPlan();
  #trial = new RowPlan();
  #rowStart = 0;
  #pages = 0;
  #arcs = 0;
  #lastLink = -1;
  readonly #totals = { copied: 0, intervalised: 0, residuals: 0, distance: 0, chain: 0 };

  /** The sink receives the files piece by piece; pieces may be kept. */
  constructor(sink: { graph(chunk: Uint8Array): void; offsets(chunk: Uint8Array): void }, options: BvOptions = {}) {
    this.#format = bvFormat(options);
    const { zetaK, windowSize } = this.#format;
    this.#graph = new BitWriter(zetaK, (chunk) => sink.graph(chunk));
    this.#offsets = new BitWriter(zetaK, (chunk) => sink.offsets(chunk));
    this.#counter = new BitCounter(zetaK);
    this.#window = new RowWindow(windowSize);
  }

  /** The out-links of the next page, `links[from..to)`: ascending and distinct, of pages added by the end. */
  add(links: Uint32Array, from = 0, to: number = links.length): void {
    const page = this.#pages;
    if (page >= PAGES_MAX) throw new UsageError(`a BV graph has at most ${PAGES_MAX} pages`);
    requireAscending(page, links, from, to);
    this.#markRow();
    const degree = to - from;
    this.#graph.write(this.#format.codes.outdegrees, degree);
    const row = this.#window.open(page, degree);
    for (let i = 0; i < degree; i++) row[i] = links[from + i];
    if (degree > 0) {
      this.#lastLink = Math.max(this.#lastLink, links[to - 1]);
      this.#choose(page, row, degree);
      this.#best.emit(this.#graph, page, this.#format);
      this.#count(page);
    }
    this.#pages++;
    this.#arcs += degree;
  }

  /** Hands out the rest of the files and returns the contents of the `.properties` file. */
  finish(): string {
    if (this.#lastLink >= this.#pages) {
      throw new UsageError(`a link goes to page ${this.#lastLink}, but the graph has only ${this.#pages} pages`);
    }
    this.#markRow();
    const bits = this.#graph.position;
    this.#graph.finish();
    this.#offsets.finish();
    const { copied, intervalised, residuals, chain, distance } = this.#totals;
    const properties = { pages: this.#pages, arcs: this.#arcs, format: this.#format };
    return formatBvProperties(properties, {
      copiedarcs: copied,
      intervalisedarcs: intervalised,
      residualarcs: residuals,
      avgref: average(chain, this.#pages),
      avgdist: average(distance, this.#pages),
      bitsperlink: average(bits, this.#arcs),
      bitspernode: average(bits, this.#pages),
    });
  }

  /** Writes where a row begins, as the length of the row before it; 0 for the first. */
  #markRow(): void {
    const length = this.#graph.position - this.#rowStart;
    if (length >= LENGTH_MAX) {
      throw new UsageError(`the row of page ${this.#pages - 1} takes ${length} bits: choose codes that suit it`);
    }
    this.#offsets.write(this.#format.codes.offsets, length);
    this.#rowStart = this.#graph.position;
  }

  /** Leaves the cheapest plan for the row of a page in `#best`. */
  #choose(page: number, row: Uint32Array, degree: number): void {
    const { minIntervalLength, maxRefCount, windowSize } = this.#format;
    const window = this.#window;
    let leastBits = Infinity;
    for (let reference = 0; reference <= Math.min(windowSize, page); reference++) {
      const source = page - reference;
      if (reference > 0 && (window.degree(source) === 0 || window.chain(source) >= maxRefCount)) continue;
      this.#trial.make(row, degree, reference, window.row(source), window.degree(source), minIntervalLength);
      this.#counter.bits = 0;
      this.#trial.emit(this.#counter, page, this.#format);
      if (this.#counter.bits < leastBits) {
        leastBits = this.#counter.bits;
        [this.#best, this.#trial] = [this.#trial, this.#best];
      }
    }
  }

  #count(page: number): void {
    const { reference, copied, intervalised, residualCount } = this.#best;
    const chain = reference === 0 ? 0 : this.#window.chain(page - reference) + 1;
    this.#window.setChain(page, chain);
    this.#totals.copied += copied;
    this.#totals.intervalised += intervalised;
    this.#totals.residuals += residualCount;
    this.#totals.distance += reference;
    this.#totals.chain += chain;
  }
}

/** Encodes a graph as the contents of its three BV files. */
export function encodeBv(graph: Graph, options: BvOptions = {}, progress: Progress = noProgress): Required<BvFiles> {
  const graphChunks: Uint8Array[] = [];
  const offsetChunks: Uint8Array[] = [];
  const sink = {
    graph: (chunk: Uint8Array) => graphChunks.push(chunk),
    offsets: (chunk: Uint8Array) => offsetChunks.push(chunk),
  };
  const encoder = new BvEncoder(sink, options);
  for (let page = 0; page < graph.pages; page++) {
    if (page % PAGES_PER_STEP === 0) progress({ task: "encoding", done: page, total: graph.pages, unit: "pages" });
    encoder.add(graph.targets, graph.offsets[page], graph.offsets[page + 1]);
  }
  const properties = encoder.finish();
  return { graph: joined(graphChunks), offsets: joined(offsetChunks), properties };
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** WebGraph numbers pages in 31 bits. */
const PAGES_MAX = 2 ** 31 - 1;
const LENGTH_MAX = 2 ** 32 - 1;
const PAGES_PER_STEP = 1 << 14;

function requireAscending(page: number, links: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    if (links[i] <= links[i - 1]) {
      throw new UsageError(
        `the links of page ${page} are not ascending: ${links[i]} comes after ${links[i - 1]}; sort them and ` +
          "drop repeated ones",
      );
    }
  }
}

function average(total: number, count: number): string {
  return count === 0 ? "0" : String(Number((total / count).toFixed(3)));
}
