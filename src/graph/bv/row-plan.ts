import { type BitSink, Code, toNatural } from "./codes.ts";
import type { BvFormat } from "./properties.ts";

/** How a row is written if it copies from a certain other row, or from none: the inverse of `row-decoder.ts`. */
export class RowPlan {
  /** How many pages back the row is that is copied from; 0 for none. */
  reference = 0;
  copied = 0;
  intervalised = 0;
  residualCount = 0;
  #blocks = new Uint32Array(64);
  #blockCount = 0;
  #extras = new Uint32Array(64);
  #extraCount = 0;
  #lefts = new Uint32Array(64);
  #lengths = new Uint32Array(64);
  #intervalCount = 0;
  #residuals = new Uint32Array(64);

  make(
    row: Uint32Array,
    degree: number,
    reference: number,
    source: Uint32Array,
    sourceDegree: number,
    minIntervalLength: number,
  ): void {
    this.#reserve(degree, sourceDegree);
    this.reference = reference;
    this.#copy(row, degree, source, reference === 0 ? 0 : sourceDegree);
    this.#split(minIntervalLength);
  }

  /** Writes the row, except its out-degree. */
  emit(sink: BitSink, page: number, format: BvFormat): void {
    const { codes, windowSize, minIntervalLength } = format;
    if (windowSize > 0) sink.write(codes.references, this.reference);
    if (this.reference > 0) {
      sink.write(codes.blockCounts, this.#blockCount);
      // Only the first block can be empty.
      for (let i = 0; i < this.#blockCount; i++) sink.write(codes.blocks, this.#blocks[i] - (i === 0 ? 0 : 1));
    }
    if (this.#extraCount === 0) return;
    if (minIntervalLength > 0) this.#emitIntervals(sink, page, minIntervalLength);
    if (this.residualCount === 0) return;
    const residuals = this.#residuals;
    sink.write(codes.residuals, toNatural(residuals[0] - page));
    for (let i = 1; i < this.residualCount; i++) sink.write(codes.residuals, residuals[i] - residuals[i - 1] - 1);
  }

  #emitIntervals(sink: BitSink, page: number, minIntervalLength: number): void {
    sink.write(Code.gamma, this.#intervalCount);
    let end = 0;
    for (let i = 0; i < this.#intervalCount; i++) {
      const left = this.#lefts[i];
      // Intervals are as long as possible, so at least one page lies between two of them.
      sink.write(Code.gamma, i === 0 ? toNatural(left - page) : left - end - 1);
      sink.write(Code.gamma, this.#lengths[i] - minIntervalLength);
      end = left + this.#lengths[i];
    }
  }

  /** Divides the row into blocks of the source, alternately copied and skipped, and extras that the source lacks. */
  #copy(row: Uint32Array, degree: number, source: Uint32Array, sourceDegree: number): void {
    const blocks = this.#blocks;
    const extras = this.#extras;
    let blockCount = 0;
    let extraCount = 0;
    let length = 0;
    let copying = true;
    let read = 0;
    let i = 0;
    while (i < degree && read < sourceDegree) {
      if (row[i] < source[read]) {
        extras[extraCount++] = row[i++];
      } else if ((row[i] === source[read]) === copying) {
        read++;
        length++;
        if (copying) i++;
      } else {
        blocks[blockCount++] = length;
        length = 0;
        copying = !copying;
      }
    }
    // The last block is implied, unless it is copied and does not reach the end of the source.
    if (copying && read < sourceDegree) blocks[blockCount++] = length;
    while (i < degree) extras[extraCount++] = row[i++];
    this.#blockCount = blockCount;
    this.#extraCount = extraCount;
    this.copied = degree - extraCount;
  }

  /** Divides the extras into intervals of at least two links, and residuals. */
  #split(minIntervalLength: number): void {
    const extras = this.#extras;
    const least = minIntervalLength === 0 ? Infinity : Math.max(2, minIntervalLength);
    this.#intervalCount = 0;
    this.residualCount = 0;
    for (let start = 0, end = 0; start < this.#extraCount; start = end) {
      do end++;
      while (end < this.#extraCount && extras[end] === extras[end - 1] + 1);
      if (end - start >= least) {
        this.#lefts[this.#intervalCount] = extras[start];
        this.#lengths[this.#intervalCount++] = end - start;
      } else {
        for (let i = start; i < end; i++) this.#residuals[this.residualCount++] = extras[i];
      }
    }
    this.intervalised = this.#extraCount - this.residualCount;
  }

  #reserve(degree: number, sourceDegree: number): void {
    if (this.#extras.length < degree) {
      this.#extras = new Uint32Array(2 * degree);
      this.#residuals = new Uint32Array(2 * degree);
      this.#lefts = new Uint32Array(degree);
      this.#lengths = new Uint32Array(degree);
    }
    // Every block but the first takes at least one link of the source.
    if (this.#blocks.length < sourceDegree + 1) this.#blocks = new Uint32Array(2 * (sourceDegree + 1));
  }
}
