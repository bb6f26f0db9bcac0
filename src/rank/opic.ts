/**
 * OPIC, on-line page importance computation (S. Abiteboul, M. Preda, G. Cobena, Computing web page importance without
 * storing the graph of the web, section 2), with the virtual page of the full paper.
 *
 * Every page has cash C, 1 in total. A page that is read hands d C to its links in equal shares and the rest to a
 * virtual page; a page without links hands everything to the virtual page. The virtual page hands its cash to the
 * trusted pages by their trust. The clock G is the total cash handed on so far. The flow through a page is its
 * importance, in whatever order pages are read, as long as each is read again and again. The estimates converge to the
 * PageRank with the dangling rule `restart`, which is the stationary vector of this chain, with an error of order 1/G.
 * The links of a page are needed only while it is read, so the graph may change all the time; the memory decides how
 * fast the estimate follows (opic-memory.ts).
 *
 * Invariant: cash is conserved. Its sum stays 1, whatever is read, added or removed, except for rounding: each read
 * adds at most about 1e-16 of the cash that it moves.
 *
 * The virtual page costs no read. Under uniform trust it hands on at once: what it gave to a page is the difference of
 * two running sums, computed on demand. Under given trust it hands on after as many reads as there are trusted pages,
 * so the cost is proportional to that of the reads.
 *
 * Cost of a read: its links, times the log of the number of pages under GREEDY. Memory: 25 bytes per page, 20 more for
 * GREEDY, besides the history.
 */
import { assert, enlarged, UsageError } from "../base/index.ts";
import { createChoice, type OpicChoice, type PageChoice } from "./opic-choice.ts";
import { createHistory, type CreditHistory, isLiteral, type OpicMemory } from "./opic-memory.ts";
import { trustTotal } from "./trust.ts";

/** Options of `Opic`. */
export interface OpicOptions {
  readonly pages: number;
  /** In (0, 1); default: 0.85. */
  readonly damping?: number;
  /** One weight per page, divided by their sum (default: the same for every page). Pages added later have none. */
  readonly trust?: Float64Array | undefined;
  /** Which page is read next (default: `greedy`). */
  readonly choice?: OpicChoice;
  /** What is remembered of each page (default: all history). */
  readonly memory?: OpicMemory;
  /** Seed of the choice `random` (default: 1). */
  readonly seed?: number;
}

/** Estimates the importance of pages while they are read, without storing the graph, which may change. */
export class Opic {
  readonly damping: number;
  /** G: all cash handed on so far, including that of the virtual page. */
  clock = 0;
  /** Pages read so far. */
  reads = 0;
  /** Cash when `#given` was `#seen`; what the virtual page has given to every page since then comes on top. */
  #cash: Float64Array;
  #seen: Float64Array;
  /** What the virtual page has given to each page so far under uniform trust. */
  #given = 0;
  #virtual = 0;
  /** The part of a page's cash that it had from the start, until the page is read. */
  #unearned: Float64Array;
  #isGone: Uint8Array;
  #pages: number;
  #present: number;
  readonly #trusted: Uint32Array | undefined;
  readonly #weights: Float64Array;
  #readsUntilVirtual = 0;
  readonly #choice: PageChoice;
  readonly #history: CreditHistory;

  constructor(options: OpicOptions) {
    const { pages, damping = 0.85, trust, choice = "greedy", memory = { kind: "all" }, seed = 1 } = options;
    if (!(damping > 0 && damping < 1)) {
      throw new UsageError(`damping is ${damping}, expected a number between 0 and 1, both excluded`);
    }
    if (!Number.isInteger(pages) || pages < 1) throw new UsageError(`got ${pages} pages, expected at least one`);
    this.damping = damping;
    this.#pages = pages;
    this.#present = pages;
    this.#cash = new Float64Array(pages);
    this.#seen = new Float64Array(pages);
    this.#unearned = new Float64Array(pages);
    this.#isGone = new Uint8Array(pages);
    this.#history = createHistory(memory, pages);
    this.#choice = createChoice(choice, pages, seed);
    const total = trust === undefined ? 1 : trustTotal(trust, pages);
    this.#trusted = trust && Uint32Array.from(trust.keys()).filter((page) => trust[page] > 0);
    this.#weights = Float64Array.from(this.#trusted ?? [], (page) => trust![page] / total);
    for (let page = 0; page < pages; page++) {
      this.#cash[page] = trust === undefined ? 1 / pages : trust[page] / total;
      if (!isLiteral(memory)) this.#unearned[page] = this.#cash[page];
      this.#history.discovered?.(page, 0);
      this.#choice.raise(page, this.#cash[page]);
    }
    this.#readsUntilVirtual = this.#weights.length;
  }

  /** Ids below this are known, including removed ones. */
  get pages(): number {
    return this.#pages;
  }

  /** Cash of a page, ready to be handed on. */
  cashOf(page: number): number {
    assert(page < this.#pages && this.#isGone[page] === 0, `page ${page} is known and was not removed`);
    return this.#trusted === undefined ? this.#cash[page] + (this.#given - this.#seen[page]) : this.#cash[page];
  }

  /** All cash, including that of the virtual page: 1. */
  totalCash(): number {
    let total = this.#virtual;
    for (let page = 0; page < this.#pages; page++) if (this.#isGone[page] === 0) total += this.cashOf(page);
    return total;
  }

  /** The page to read next. */
  next(): number {
    return this.#choice.next();
  }

  /** Reports that a page was read and has these links now, each once. Links to removed pages do not count. */
  read(page: number, links: Uint32Array): void {
    const cash = this.cashOf(page);
    this.#hold(page, 0);
    this.clock += cash;
    this.reads++;
    let count = 0;
    for (let k = 0; k < links.length; k++) if (this.#isLink(page, links[k])) count++;
    const share = count === 0 ? 0 : (this.damping * cash) / count;
    for (let k = 0; k < links.length; k++) if (this.#isLink(page, links[k])) this.#give(links[k], share);
    this.#virtual += cash - share * count;
    this.#history.read(page, cash - this.#unearned[page], this.clock);
    this.#unearned[page] = 0;
    if (this.#trusted === undefined || --this.#readsUntilVirtual <= 0) this.#readVirtual();
  }

  /** Adds pages, without cash. Returns the id of the first. */
  addPages(count: number): number {
    const first = this.#pages;
    const pages = first + count;
    if (pages > this.#cash.length) this.#grow(Math.max(pages, Math.ceil(1.5 * first)));
    this.#pages = pages;
    this.#present += count;
    for (let page = first; page < pages; page++) {
      this.#history.discovered?.(page, this.clock);
      this.#hold(page, 0);
    }
    return first;
  }

  /** Removes a page: its cash goes to the virtual page, its history is dropped, and links to it no longer count. */
  removePage(page: number): void {
    assert(this.#present > 1, "the last page is not removed: its cash would have nowhere to go");
    this.#virtual += this.cashOf(page);
    this.#cash[page] = 0;
    this.#isGone[page] = 1;
    this.#present--;
    this.#choice.remove(page);
  }

  /** The importance of every page, 1 in sum; 0 for removed pages. */
  importance(): Float64Array {
    const estimates = new Float64Array(this.#pages);
    let total = 0;
    for (let page = 0; page < this.#pages; page++) {
      if (this.#isGone[page] > 0) continue;
      estimates[page] = this.#history.estimate(page, this.cashOf(page) - this.#unearned[page], this.clock);
      total += estimates[page];
    }
    if (total > 0) for (let page = 0; page < this.#pages; page++) estimates[page] /= total;
    return estimates;
  }

  #isLink(page: number, target: number): boolean {
    assert(target < this.#pages, "a link leads to a page that is known: add it first");
    return target !== page && this.#isGone[target] === 0;
  }

  #give(page: number, amount: number): void {
    this.#cash[page] += amount;
    this.#choice.raise(page, this.#cash[page] - this.#seen[page]);
  }

  /** Sets the cash of a page. Its key leaves out what every page was given, so that it need not change with that. */
  #hold(page: number, cash: number): void {
    this.#cash[page] = cash;
    this.#seen[page] = this.#given;
    this.#choice.remove(page);
    this.#choice.raise(page, cash - this.#given);
  }

  #readVirtual(): void {
    const cash = this.#virtual;
    this.clock += cash;
    this.#virtual = 0;
    if (this.#trusted === undefined) {
      // Adding a small amount to a large sum loses some of it, once per page: the virtual page keeps what is lost.
      const before = this.#given;
      this.#given += cash / this.#present;
      this.#virtual = cash - (this.#given - before) * this.#present;
      this.clock -= this.#virtual;
      return;
    }
    this.#readsUntilVirtual = this.#weights.length;
    let kept = cash;
    for (let k = 0; k < this.#trusted.length; k++) {
      if (this.#isGone[this.#trusted[k]] > 0) continue;
      const amount = cash * this.#weights[k];
      this.#give(this.#trusted[k], amount);
      kept -= amount;
    }
    // The share of removed pages, and what rounding leaves, stays with the virtual page.
    this.#virtual += kept;
    this.clock -= kept;
  }

  #grow(capacity: number): void {
    this.#cash = enlarged(this.#cash, capacity);
    this.#seen = enlarged(this.#seen, capacity);
    this.#unearned = enlarged(this.#unearned, capacity);
    this.#isGone = enlarged(this.#isGone, capacity);
    this.#history.grow(capacity);
    this.#choice.grow(capacity);
  }
}
