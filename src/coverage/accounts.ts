/**
 * What the ledger adds up with: sums that lose nothing, what has arrived at forbidden pages, what pages are worth, and
 * totals received from other processes.
 */
import { capacityFor, enlarged } from "../base/index.ts";
import { isForbidden } from "./facts.ts";
import { PairTotals } from "./pair-totals.ts";

/** An accurate sum of many numbers of very different size: Neumaier's compensated summation. */
export class RunningSum {
  #sum = 0;
  #lost = 0;

  add(value: number): void {
    const sum = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  copyFrom(other: RunningSum): void {
    this.#sum = other.#sum;
    this.#lost = other.#lost;
  }

  get value(): number {
    return this.#sum + this.#lost;
  }
}

/**
 * What has arrived at forbidden pages, where it never moves on. It only grows, so an earlier sum is true too; a new one
 * is made when the crawl has grown by a hundredth, or on request.
 */
export class ForbiddenFlow {
  /** Pages that were forbidden at some time. */
  #pages = new Uint32Array(64);
  #count = 0;
  #flow = 0;
  #due = 0;

  /** A page is forbidden from now on. */
  add(page: number, arrived: number): void {
    if (this.#count === this.#pages.length) {
      this.#pages = enlarged(this.#pages, capacityFor(this.#count + 1, this.#count));
    }
    this.#pages[this.#count++] = page;
    this.#flow += arrived;
  }

  /** Where the crawl has `finalCount` final pages. */
  at(finalCount: number, ledger: LedgerArrays): number {
    if (finalCount > this.#due) this.measure(finalCount, ledger);
    return this.#flow;
  }

  /** Sums anew, without pages that are forbidden no longer. */
  measure(finalCount: number, { state, waiting }: LedgerArrays): void {
    const sum = new RunningSum();
    let kept = 0;
    for (let k = 0; k < this.#count; k++) {
      const page = this.#pages[k];
      if (!isForbidden(state[page])) continue;
      this.#pages[kept++] = page;
      sum.add(waiting[page]);
    }
    this.#count = kept;
    this.#flow = sum.value;
    this.#due = 1.01 * finalCount;
  }

  copyFrom(other: ForbiddenFlow): void {
    this.#pages = other.#pages.slice();
    this.#count = other.#count;
    this.#flow = other.#flow;
    this.#due = other.#due;
  }
}

interface LedgerArrays {
  readonly state: Uint8Array;
  readonly waiting: Float64Array | Float32Array;
}

/** What pages are worth (C10), and V, the settled mass of downloaded pages, each counted with its value. */
export class Worth {
  readonly #sum = new RunningSum();
  readonly #values: Float64Array;

  /** Every page counts fully, except those that were final before the first value: they may be worth nothing. */
  constructor(pages: number, finalBefore: Uint32Array) {
    this.#values = new Float64Array(pages).fill(1);
    for (const page of finalBefore) this.#values[page] = 0;
  }

  get pages(): number {
    return this.#values.length;
  }

  get value(): number {
    return this.#sum.value;
  }

  set(page: number, value: number): void {
    this.#values[page] = value;
  }

  settle(page: number, mass: number): void {
    this.#sum.add(this.#values[page] * mass);
  }

  /** The same with room for more pages. */
  resized(pages: number): Worth {
    const copy = new Worth(pages, NONE);
    copy.#values.set(this.#values);
    copy.#sum.copyFrom(this.#sum);
    return copy;
  }
}

const NONE = new Uint32Array(0);

/**
 * What other processes have sent to pages of this one. Each message names a running total, and per sender and page the
 * greatest total counts; so messages may be late, repeated or reordered, and nothing is counted twice (C5).
 */
export class ReceivedTotals {
  /** How often a total has grown. */
  raised = 0;
  readonly #totals = new PairTotals();

  /** Takes a total and returns by how much it exceeds what was known: 0 for an old message. */
  raise(page: number, sender: number, total: number): number {
    const more = this.#totals.raise(page, sender, total);
    if (more > 0) this.raised++;
    return more;
  }

  /** Visits what each sender has sent to each page. */
  forEach(visit: (page: number, total: number) => void): void {
    this.#totals.forEach(visit);
  }

  copyFrom(other: ReceivedTotals): void {
    this.raised = other.raised;
    this.#totals.copyFrom(other.#totals);
  }
}
