/**
 * The ledger of surfing probability behind the coverage certificate (ALGORITHMS: RankMass, Lemma 1 and Figure 5,
 * generalised to dangling pages, dead pages, redirects and pages whose links are not all known).
 *
 * Every page has two accounts. `waiting` (rm in the paper) is probability that has arrived and was not yet handed on;
 * `settled` (x) is what was handed on. Pushing a page settles what waits there and sends d times as much along its
 * links. Settled probability is that of surfing paths, each counted once, so `settled` is always a lower bound of the
 * true, unnormalised rank, no matter how many pushes were made and in what order.
 *
 * Invariants: both accounts are never negative; only final pages (downloaded, links-unknown, dead) hold settled mass; a
 * redirected URL holds none at all; and mass is conserved:
 *
 *     sum(waiting) + sum(settled) - d sum(settled on pages that hand on) = (1 - d) sum(trust) + sum(received)
 *
 * A rounded ledger forgets a little of what waits: its bounds are true, and orders choose as well by it, but it has no
 * exact certificate, and the left side may be less than the right.
 *
 * Cost: 17 bytes per page, 9 without ranks and 5 if it is also rounded; 4 to 8 more per final page, more per redirect;
 * a push costs its links. Where only bounds are wanted, `FinalLedger` needs a fraction of it.
 */
import { assert, enlarged } from "../base/index.ts";
import type { LinkRow } from "../graph/index.ts";
import { ForbiddenFlow } from "./accounts.ts";
import type { KnownPagesOptions } from "./fact-follower.ts";
import { isForbidden, isSettling, PageState } from "./facts.ts";
import { MassBook } from "./mass-book.ts";
import { RoundedMass } from "./rounded-mass.ts";

/** Options of `MassLedger`. */
export interface LedgerOptions extends KnownPagesOptions {
  /** Whether to keep the settled mass of each page, which all but bounds need, 8 bytes per page (default: true). */
  readonly keepsRanks?: boolean;
}

/** The account book behind a certificate: report the facts of a crawl to it, then `certify` it. */
export class MassLedger extends MassBook {
  readonly keepsRanks: boolean;
  waiting: Float64Array | Float32Array;
  /** Empty if ranks are not kept. */
  settled: Float64Array;
  readonly #forbidden = new ForbiddenFlow();
  /** From `round` on. Its values are `waiting`. */
  #rounded: RoundedMass | undefined;

  constructor(options: LedgerOptions) {
    super(options);
    this.keepsRanks = options.keepsRanks ?? true;
    this.waiting = new Float64Array(options.pages);
    this.settled = new Float64Array(this.keepsRanks ? options.pages : 0);
  }

  get isRounded(): boolean {
    return this.#rounded !== undefined;
  }

  /** From now on what waits is kept in single precision, rounded down, in half of the memory. There is no way back. */
  round(): void {
    const rounded = new RoundedMass(this.waiting.length);
    this.waiting.forEach((mass, page) => rounded.add(page, mass));
    this.#rounded = rounded;
    this.waiting = rounded.values;
  }

  get flowForbidden(): number {
    return this.#forbidden.at(this.finalCount, this);
  }

  /** Brings what has arrived at forbidden pages up to date. */
  measure(): void {
    this.#forbidden.measure(this.finalCount, this);
  }

  waitingInside(): number {
    let sum = 0;
    for (let k = 0; k < this.finalCount; k++) sum += this.waiting[this.finalPages[k]];
    return sum;
  }

  override grow(pages: number): void {
    super.grow(pages);
    if (this.pages === this.waiting.length) return;
    this.#rounded?.grow(this.pages);
    this.waiting = this.#rounded?.values ?? enlarged(this.waiting, this.pages);
    if (this.keepsRanks) this.settled = enlarged(this.settled, this.pages);
  }

  /** Copies everything from another ledger of the same links. Neither is rounded. */
  copyFrom(other: MassLedger): void {
    assert(!this.isRounded && !other.isRounded, "a rounded ledger is not copied");
    assert(this.keepsRanks === other.keepsRanks, "ledgers that keep the same");
    this.copyPages(other);
    this.copySums(other);
    if (this.waiting.length !== other.pages) {
      this.waiting = new Float64Array(other.pages);
      this.settled = new Float64Array(other.settled.length);
    }
    this.waiting.set(other.waiting);
    this.settled.set(other.settled);
    this.#forbidden.copyFrom(other.#forbidden);
  }

  override trusted(page: number, weight: number): void {
    super.trusted(page, weight);
    this.#add(this.resolve(page), (1 - this.damping) * weight);
  }

  override received(page: number, sender: number, total: number): void {
    const more = this.raise(page, sender, total);
    this.#add(this.resolve(page), more);
  }

  #add(page: number, mass: number): void {
    if (this.#rounded === undefined) this.waiting[page] += mass;
    else this.#rounded.add(page, mass);
  }

  protected override changed(page: number, before: number): void {
    const { waiting } = this;
    const state = this.state[page];
    if (isForbidden(before) !== isForbidden(state)) {
      if (isForbidden(state)) this.#forbidden.add(page, waiting[page]);
      else this.measure();
    }
    if (state !== PageState.Redirected) return;
    this.#add(this.resolve(page), waiting[page]);
    waiting[page] = 0;
  }

  /** What has certainly arrived at a page, settled or not: a lower bound of its unnormalised rank. */
  arrived(page: number): number {
    return this.keepsRanks ? this.settled[page] + this.waiting[page] : this.waiting[page];
  }

  forEachWaiting(visit: (page: number, mass: number) => void): void {
    for (let page = 0; page < this.pages; page++) if (this.waiting[page] > 0) visit(page, this.waiting[page]);
  }

  /** A ledger without ranks does not know which final pages were reached; to be safe it assumes that all were. */
  forEachReached(visit: (page: number) => void): void {
    const { state, waiting, settled, keepsRanks } = this;
    for (let page = 0; page < this.pages; page++) {
      if (waiting[page] > 0 || (keepsRanks ? settled[page] > 0 : isSettling(state[page]))) visit(page);
    }
  }

  pushFrom(threshold: number): void {
    for (let k = 0; k < this.finalCount; k++) {
      const page = this.finalPages[k];
      if (this.waiting[page] >= threshold) this.push(page);
    }
  }

  /** Settles what waits on a final page and hands on what its surfers carry. */
  push(page: number): void {
    const mass = this.waiting[page];
    if (mass === 0) return;
    assert(isSettling(this.state[page]), "only a final page is pushed: what an open page would hand on is not known");
    this.waiting[page] = 0;
    if (this.keepsRanks) this.settled[page] += mass;
    const share = this.settle(page, mass);
    if (share === 0) return;
    const row = this.links.row(page);
    if (this.hasRedirects) this.#spreadBeyondRedirects(row, share);
    else if (this.#rounded !== undefined) this.#rounded.spread(row, share);
    else spread(this.waiting, row, share);
  }

  #spreadBeyondRedirects({ targets, start, end }: LinkRow, share: number): void {
    const { state } = this;
    for (let k = start; k < end; k++) {
      const target = targets[k];
      this.#add(state[target] === PageState.Redirected ? this.resolve(target) : target, share);
    }
  }
}

function spread(waiting: MassLedger["waiting"], { targets, start, end }: LinkRow, share: number): void {
  for (let k = start; k < end; k++) waiting[targets[k]] += share;
}
