/**
 * OPIC, on-line page importance computation (S. Abiteboul, M. Preda, G. Cobena, Computing web page importance without storing the graph of
 * the web, section 2), with the virtual page of the full paper.
 *
 * Every page has cash C, 1 in all. A page that is read hands d C to its links in equal shares and the rest to a virtual page; one without
 * links hands on all of it there. The virtual page hands its cash to the trusted pages by their trust. The clock G is what all of them
 * have handed on. The flow through a page is its importance, in whatever order pages are read, so long as each is read again and again:
 * the estimates converge to the PageRank with the dangling rule `restart`, which is the stationary vector of this chain, with an error of
 * order 1/G. The links of a page are needed when it is read and at no other time, so the graph may change all the while; what is remembered
 * decides how fast the estimate follows (opic-memory.ts).
 *
 * Invariant: cash is conserved. Whatever is read, added or removed, its sum stays 1 but for rounding, of which each read adds at most
 * some 1e-16 of the cash that it moves.
 *
 * The virtual page costs no read. Under uniform trust it hands on at once: what each page was given by it is the difference of two
 * running sums, taken when somebody looks. Under given trust it hands on after as many reads as there are trusted pages, so that the cost is
 * in proportion to that of the reads.
 *
 * Cost of a read: its links, times the log of the number of pages under GREEDY. Memory: 25 bytes a page, 20 more for GREEDY, besides what
 * is remembered.
 */
import { assert, enlarged, UsageError } from "../base/index.ts";
import { createChoice, type OpicChoice, type PageChoice } from "./opic-choice.ts";
import { createHistory, type CreditHistory, type OpicMemory } from "./opic-memory.ts";
import { trustTotal } from "./trust.ts";

export interface OpicOptions {
  readonly pages: number;
  /** In (0, 1); 0.85 if left out. */
  readonly damping?: number;
  /** One weight a page, divided by their sum; left out: the same for every page. Pages that come later have none. */
  readonly trust?: Float64Array | undefined;
  /** Which page is read next; `greedy` if left out. */
  readonly choice?: OpicChoice;
  /** All history if left out. */
  readonly memory?: OpicMemory;
  /** For the choice `random`. */
  readonly seed?: number;
}

export class Opic {
  readonly damping: number;
  /** G: all cash handed on so far, by the virtual page too. */
  clock = 0;
  /** Pages read so far. */
  reads = 0;
  /** Cash as of `#seen`; what the virtual page has given to every page since then comes on top. */
  #cash: Float64Array;
  #seen: Float64Array;
  /** What the virtual page has given to each page under uniform trust, all in all. */
  #given = 0;
  #virtual = 0;
  /** Of the cash of a page, what nobody handed to it: the first cash of all, until the page is read. */
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
    if (!Number.isInteger(pages) || pages < 1) {
      throw new UsageError(`got ${pages} pages, expected at least one`);
    }
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
      if (memory.kind !== "literal") this.#unearned[page] = this.#cash[page];
      this.#history.discovered(page, 0);
      this.#choice.enter(page, this.#cash[page]);
    }
    this.#readsUntilVirtual = this.#weights.length;
  }

  /** Ids below this are known, removed ones among them. */
  get pages(): number {
    return this.#pages;
  }

  /** Cash of a page, ready to be handed on. */
  cashOf(page: number): number {
    this.#expectPresent(page);
    return this.#trusted === undefined
      ? this.#cash[page] + (this.#given - this.#seen[page])
      : this.#cash[page];
  }

  /** All cash there is, the virtual page's included: 1. */
  totalCash(): number {
    let total = this.#virtual;
    for (let page = 0; page < this.#pages; page++) if (this.#isGone[page] === 0) total += this.cashOf(page);
    return total;
  }

  /** The page to read next by the choice that was made. */
  next(): number {
    return this.#choice.next();
  }

  /** A page was read and has these links, distinct and now. Links to removed pages and to itself do not count. */
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

  /** Makes pages known; they come without cash. Answers the id of the first. */
  addPages(count: number): number {
    const first = this.#pages;
    const pages = first + count;
    if (pages > this.#cash.length) this.#grow(Math.max(pages, Math.ceil(1.5 * first)));
    this.#pages = pages;
    this.#present += count;
    for (let page = first; page < pages; page++) {
      this.#history.discovered(page, this.clock);
      this.#hold(page, 0);
    }
    return first;
  }

  /** A page is no more: its cash goes to the virtual page, its history is forgotten, and links to it do not count. */
  removePage(page: number): void {
    assert(this.#present > 1, "the last page is not removed: its cash would have nowhere to go");
    this.#virtual += this.cashOf(page);
    this.#cash[page] = 0;
    this.#isGone[page] = 1;
    this.#present--;
    this.#choice.leave(page);
  }

  /** Importance of every page, 1 in sum over those that are there; 0 for removed ones. */
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
    this.#choice.rise(page, this.#cash[page] - this.#seen[page]);
  }

  /** Sets the cash of a page, and its key to what orders pages whatever is given to all. */
  #hold(page: number, cash: number): void {
    this.#cash[page] = cash;
    this.#seen[page] = this.#given;
    this.#choice.leave(page);
    this.#choice.enter(page, cash - this.#given);
  }

  #readVirtual(): void {
    const cash = this.#virtual;
    this.clock += cash;
    this.#virtual = 0;
    if (this.#trusted === undefined) {
      // A sum that has grown large takes small amounts up with an error, which every page would have: what they are not given is kept.
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
    // What removed pages would be given waits until it is asked for again; so does what rounding leaves.
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

  #expectPresent(page: number): void {
    assert(page < this.#pages && this.#isGone[page] === 0, `page ${page} is known and was not removed`);
  }
}
