/**
 * A ledger for bounds alone, in a fraction of the memory of a `MassLedger`. A bound (C7) is made of what is settled on
 * final pages and of what has arrived at forbidden ones. What flows to open pages is no part of it, and most known
 * pages are open; so mass is kept where pages are not open, and what flows elsewhere is dropped.
 *
 * Nothing is lost by that, because settled mass tells all: what has ever arrived at page j is
 *
 *     a_j = (1 - d) t_j + received_j + sum of d x_i / c_i over the links from downloaded pages i to j
 *
 * with x_i settled on i, and redirects followed to their ends. So when facts have come, one sweep over the links of the
 * downloaded pages (`measure`) computes anew what has arrived at every page that is not open, those included that have
 * become so since. What waits on a final page is what has arrived less what is settled there.
 *
 * Invariant: settled mass is a sum of path probabilities, each counted once: a push settles no more than what has
 * arrived in all. It stays true however facts come, since x only grows, and what has arrived is never remembered but
 * always computed from it. So rounding does not pile up either: the error of a_j is that of one sum.
 *
 * Cost: per page 3 bits, per page that is not open 8 bytes, per final page 12 more, per trusted page 12, and up to
 * 16 MB; and what is known of the pages (known-pages.ts), unless it follows another ledger. A sweep costs the links of
 * all downloaded pages; then a push costs its links.
 */
import { capacityFor, enlarged } from "../base/index.ts";
import type { LinkRow } from "../graph/index.ts";
import { RunningSum } from "./accounts.ts";
import type { KnownPagesOptions } from "./fact-follower.ts";
import { isForbidden, PageState } from "./facts.ts";
import { MassBook } from "./mass-book.ts";
import { NO_SLOT, PageAccounts } from "./page-accounts.ts";
import { type Parts, PartSums } from "./part-sums.ts";
import { SlotRows } from "./slot-rows.ts";
import type { MassSums } from "./sums.ts";

/** Options of `FinalLedger`. */
export interface FinalLedgerOptions extends KnownPagesOptions {
  /** Keeps the sums of each part, for `sumsOf` (default: all pages are one). */
  readonly parts?: Parts | undefined;
  /** Which open pages will never be fetched, by a limit of the user (default: none). */
  readonly isBeyondLimit?: ((page: number) => boolean) | undefined;
}

/** The book behind a bound: what is settled on final pages, and what waits on pages that are not open. */
export class FinalLedger extends MassBook {
  readonly parts: Parts | undefined;
  readonly isBeyondLimit: ((page: number) => boolean) | undefined;
  /** What is settled on each final page, in their order. */
  #settled = new Float64Array(1024);
  /** Where the account of each of them is that was final at the last sweep, and its links as slots of accounts. */
  #slots = new Uint32Array(1024);
  #sweptCount = 0;
  readonly #rows = new SlotRows();
  /** What waits on pages that were not open, or beyond a limit, at the last sweep. */
  readonly #waiting = new PageAccounts();
  /** Whether facts have come since. */
  #isStale = true;
  /** Per URL that redirected by then, one after the other: its slot, and that of the page where it ends. */
  #redirectSlots: Int32Array = new Int32Array(0);
  /** Pages that were forbidden by then. */
  #forbidden: readonly number[] = [];
  #flowForbidden = 0;
  #trustCount = 0;
  #trustedPages = new Uint32Array(16);
  #trustWeights = new Float64Array(16);
  readonly #partSums: readonly PartSums[];
  /** What has arrived at every page, if anybody wanted to know since the last sweep or push. */
  #arrivals: Float64Array | undefined;

  constructor(options: FinalLedgerOptions) {
    super(options);
    this.parts = options.parts;
    this.isBeyondLimit = options.isBeyondLimit;
    this.#partSums = options.parts === undefined ? [] : PartSums.of(options.parts);
  }

  get flowForbidden(): number {
    return this.#flowForbidden;
  }

  /** What is settled in one part, as sums that may be added up with those of other ledgers. */
  sumsOf(part: number): Omit<MassSums, "damping"> {
    return this.#partSums[part].values;
  }

  /** What left pages of one part whose links are not all known. */
  flowUnknownOf(part: number): number {
    return this.#partSums[part].unknown.value;
  }

  override trusted(page: number, weight: number): void {
    super.trusted(page, weight);
    if (this.#trustCount === this.#trustedPages.length) {
      const capacity = capacityFor(this.#trustCount + 1, this.#trustCount);
      this.#trustedPages = enlarged(this.#trustedPages, capacity);
      this.#trustWeights = enlarged(this.#trustWeights, capacity);
    }
    this.#trustedPages[this.#trustCount] = page;
    this.#trustWeights[this.#trustCount++] = weight;
    this.#sumsAt(page)?.trust.add(weight);
    this.#isStale = true;
    this.#arrivals = undefined;
  }

  override received(page: number, sender: number, total: number): void {
    if (this.raise(page, sender, total) === 0) return;
    this.#isStale = true;
    const sums = this.#sumsAt(page);
    if (sums !== undefined) sums.additions++;
  }

  protected override changed(page: number, before: number): void {
    this.#isStale = true;
    this.#waiting.choose(page);
    if (isForbidden(before)) this.#measureForbidden();
    if (this.finalCount > this.#settled.length) {
      this.#settled = enlarged(this.#settled, capacityFor(this.finalCount, this.#settled.length));
      this.#slots = enlarged(this.#slots, this.#settled.length);
    }
    const sums = this.isFinal(page) && this.state[page] !== PageState.Redirected ? this.#sumsAt(page) : undefined;
    if (sums !== undefined) sums.additions++;
  }

  #sumsAt(page: number): PartSums | undefined {
    return this.parts === undefined ? undefined : this.#partSums[this.parts.of(page)];
  }

  measure(): void {
    this.checkTaken();
    if (this.#isStale) this.#sweep();
    this.#measureForbidden();
  }

  waitingInside(): number {
    const { values } = this.#waiting;
    let sum = 0;
    for (let k = 0; k < this.#sweptCount; k++) sum += values[this.#slots[k]];
    return sum;
  }

  pushFrom(threshold: number): void {
    const { finalPages } = this;
    const { values } = this.#waiting;
    const slots = this.#slots;
    for (let k = 0; k < this.#sweptCount; k++) {
      const mass = values[slots[k]];
      if (mass < threshold || mass === 0) continue;
      values[slots[k]] = 0;
      this.#settled[k] += mass;
      const share = this.settle(finalPages[k], mass);
      if (share > 0) this.#spread(k, share);
    }
    this.#redirect();
    this.#arrivals = undefined;
  }

  protected override settle(page: number, mass: number): number {
    this.#sumsAt(page)?.settle(this.state[page], mass, this.links.count(page) === 0, this.damping);
    return super.settle(page, mass);
  }

  /** Adds what each link carries on of the final page with this place among all of them. */
  #spread(k: number, share: number): void {
    if (k < this.#rows.count) return this.#rows.spread(k, this.#waiting.values, share);
    this.#waiting.spread(this.links.row(this.finalPages[k]), share);
  }

  /** What has arrived at a page that was open at the last sweep. The first call after it costs a sweep of its own. */
  arrived(page: number): number {
    return (this.#arrivals ??= this.#arrivalsEverywhere())[page] ?? 0;
  }

  /** What waits on a page that was not open at the last sweep; 0 for all others. */
  waitingOn(page: number): number {
    return this.#waiting.get(page);
  }

  forEachWaiting(visit: (page: number, mass: number) => void): void {
    this.#waiting.forEach((page, mass) => {
      if (mass > 0) visit(page, mass);
    });
  }

  /** Which final pages were reached is not known; to be safe, all are taken to be. */
  forEachReached(visit: (page: number) => void): void {
    for (let k = 0; k < this.finalCount; k++) visit(this.finalPages[k]);
    this.#forEachEntry((page, mass) => {
      if (mass > 0) visit(this.resolve(page));
    });
  }

  /** What has come from nowhere else: trust, and what other processes have sent. */
  #forEachEntry(visit: (page: number, mass: number) => void): void {
    for (let k = 0; k < this.#trustCount; k++) visit(this.#trustedPages[k], (1 - this.damping) * this.#trustWeights[k]);
    this.totals.forEach(visit);
  }

  #sweep(): void {
    this.#isStale = false;
    this.#arrivals = undefined;
    this.#openAccounts();
    const waiting = this.#waiting;
    this.#forEachEntry((page, mass) => waiting.add(page, mass));
    this.#sweepRows();
    this.#redirect();
    const { values } = waiting;
    for (let k = 0; k < this.#sweptCount; k++) {
      // Rounding may have made what is settled the larger one.
      values[this.#slots[k]] = Math.max(0, values[this.#slots[k]] - this.#settled[k]);
    }
  }

  #openAccounts(): void {
    const { state, pages, isBeyondLimit, finalPages, finalCount } = this;
    const waiting = this.#waiting;
    if (isBeyondLimit !== undefined) {
      for (let page = 0; page < pages; page++) {
        if (state[page] === PageState.Open && isBeyondLimit(page)) waiting.choose(page);
      }
    }
    waiting.open(pages);
    for (let k = 0; k < finalCount; k++) this.#slots[k] = waiting.slotOf(finalPages[k]);
    this.#sweptCount = finalCount;
    this.#redirectSlots = this.#slotsOfRedirects();
    const forbidden: number[] = [];
    waiting.forEach((page) => {
      if (isForbidden(state[page])) forbidden.push(page);
    });
    this.#forbidden = forbidden;
  }

  #sweepRows(): void {
    const { finalPages, finalCount, state, links } = this;
    this.#rows.clear();
    let isKept = true;
    for (let k = 0; k < finalCount; k++) {
      const page = finalPages[k];
      const handsOn = state[page] === PageState.Downloaded;
      isKept &&= this.#rows.keep(this.#waiting, handsOn ? links.row(page) : NO_LINKS);
      const share = handsOn ? this.#shareOf(k) : 0;
      if (share > 0) this.#spread(k, share);
    }
  }

  /** What each link of a downloaded page has carried on so far. */
  #shareOf(k: number): number {
    const count = this.links.count(this.finalPages[k]);
    if (count === 0 || this.#settled[k] === 0) return 0;
    this.pushes += count;
    return (this.damping * this.#settled[k]) / count;
  }

  #slotsOfRedirects(): Int32Array {
    const slots = new Int32Array(2 * this.knownPages.redirects.size);
    let at = 0;
    this.knownPages.redirects.forEach((page) => {
      slots[at++] = this.#waiting.slotOf(page);
      slots[at++] = this.#waiting.slotOf(this.resolve(page));
    });
    return slots;
  }

  /** Moves on what has come to URLs that redirect. */
  #redirect(): void {
    const slots = this.#redirectSlots;
    const { values } = this.#waiting;
    for (let at = 0; at < slots.length; at += 2) {
      const mass = values[slots[at]];
      values[slots[at]] = 0;
      if (slots[at + 1] !== NO_SLOT) values[slots[at + 1]] += mass;
    }
  }

  /** By the last sweep, without pages that are forbidden no longer. */
  #measureForbidden(): void {
    const total = new RunningSum();
    for (const sums of this.#partSums) sums.forbidden = 0;
    for (const page of this.#forbidden) {
      if (!isForbidden(this.state[page])) continue;
      const mass = this.#waiting.get(page);
      total.add(mass);
      const sums = this.#sumsAt(page);
      if (sums !== undefined) sums.forbidden += mass;
    }
    this.#flowForbidden = total.value;
  }

  #arrivalsEverywhere(): Float64Array {
    const arrivals = new Float64Array(this.pages);
    const { finalPages, finalCount, state } = this;
    this.#forEachEntry((page, mass) => (arrivals[this.resolve(page)] += mass));
    for (let k = 0; k < finalCount; k++) {
      const page = finalPages[k];
      const share = state[page] === PageState.Downloaded ? this.#shareOf(k) : 0;
      if (share === 0) continue;
      const { targets, start, end } = this.links.row(page);
      for (let at = start; at < end; at++) arrivals[this.resolve(targets[at])] += share;
    }
    return arrivals;
  }
}

const NO_LINKS: LinkRow = { targets: new Uint32Array(0), start: 0, end: 0 };
