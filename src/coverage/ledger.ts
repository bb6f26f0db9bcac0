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
 * Cost: 17 bytes per page (9 without ranks), 4 to 8 more per final page, more per redirect; a push costs its links.
 */
import { assert, capacityFor, enlarged, UsageError } from "../base/index.ts";
import type { LinkTable } from "../graph/index.ts";
import { type Parts, ForbiddenFlow, ReceivedTotals, RunningSum, Worth } from "./accounts.ts";
import {
  type CrawlFacts,
  isForbidden,
  isSettling,
  PageState,
  type Refusal,
  refusedState,
  type Universe,
} from "./facts.ts";
import { PartSums } from "./part-sums.ts";
import { Redirects } from "./redirect-targets.ts";
import { boundOf, type MassSums, roundingOf, unseededOf, wholeOf } from "./sums.ts";

/** Options of `MassLedger` and `CoverageWatch`. */
export interface LedgerOptions {
  readonly links: LinkTable;
  /** Ids below this may occur; `grow` raises it. */
  readonly pages: number;
  readonly damping: number;
  /** Whether to keep the settled mass of each page, which all but bounds need, 8 bytes per page (default: true). */
  readonly keepsRanks?: boolean;
  /** What coverage is measured against (default: everything). */
  readonly universe?: Universe;
  /** Keeps the sums of each part, for `sumsOf` (default: all pages are one). */
  readonly parts?: Parts | undefined;
}

/** The account book behind a certificate: report the facts of a crawl to it, then `certify` it. */
export class MassLedger implements CrawlFacts, MassSums {
  readonly links: LinkTable;
  readonly damping: number;
  readonly keepsRanks: boolean;
  readonly universe: Universe;
  waiting: Float64Array;
  /** Empty if ranks are not kept. */
  settled: Float64Array;
  /** One `PageState` per page. */
  state: Uint8Array;
  /** Pages that may settle mass (downloaded, links-unknown, dead) in the order in which they became final. */
  finalPages: Uint32Array;
  finalCount = 0;
  downloadedCount = 0;
  /** Arc updates made so far. */
  pushes = 0;

  readonly #redirects = new Redirects();
  readonly #inside = new RunningSum();
  readonly #dangling = new RunningSum();
  readonly #dead = new RunningSum();
  readonly #unknown = new RunningSum();
  /** Kept from the first value on. */
  #worth: Worth | undefined;
  readonly #trust = new RunningSum();
  readonly #received = new ReceivedTotals();
  readonly #forbidden: ForbiddenFlow;
  readonly #parts: Parts | undefined;
  readonly #partSums: readonly PartSums[];

  constructor(options: LedgerOptions) {
    const { damping } = options;
    if (!(damping > 0 && damping < 1)) {
      throw new UsageError(`damping is ${damping}, expected a number between 0 and 1, both excluded`);
    }
    this.links = options.links;
    this.damping = damping;
    this.waiting = new Float64Array(options.pages);
    this.keepsRanks = options.keepsRanks ?? true;
    this.universe = options.universe ?? "everything";
    this.settled = new Float64Array(this.keepsRanks ? options.pages : 0);
    this.state = new Uint8Array(options.pages);
    this.finalPages = new Uint32Array(1024);
    this.#parts = options.parts;
    this.#partSums = options.parts === undefined ? [] : PartSums.of(options.parts);
    this.#forbidden = new ForbiddenFlow(options.parts);
  }

  /** Ids below this may occur. */
  get pages(): number {
    return this.state.length;
  }

  /** R: what is settled on downloaded pages. */
  get rankInside(): number {
    return this.#inside.value;
  }

  /** X: what is settled where surfing ends for certain, on pages without links and on dead ones. */
  get rankEnded(): number {
    return this.#dangling.value + this.#dead.value;
  }

  /** What is settled on downloaded pages without links. */
  get rankDangling(): number {
    return this.#dangling.value;
  }

  /** What is settled on dead pages. */
  get rankDead(): number {
    return this.#dead.value;
  }

  /** What has arrived at forbidden pages; perhaps more by now. */
  get flowForbidden(): number {
    return this.#forbidden.at(this.finalCount, this);
  }

  get trust(): number {
    return this.#trust.value;
  }

  get additions(): number {
    return this.finalCount + this.#received.raised;
  }

  /** What is settled in one part, as sums that may be added up with those of other ledgers. */
  sumsOf(part: number): Omit<MassSums, "damping"> {
    const { inside, dangling, dead, trust, additions } = this.#partSums[part];
    return {
      rankInside: inside.value,
      rankDangling: dangling.value,
      rankDead: dead.value,
      flowForbidden: this.#forbidden.inPart(part),
      trust: trust.value,
      additions,
    };
  }

  /** What left pages of one part whose links are not all known. */
  flowUnknownOf(part: number): number {
    return this.#partSums[part].unknown.value;
  }

  get parts(): Parts | undefined {
    return this.#parts;
  }

  /** The largest that the whole can be, of which `rankInside` is a part. */
  get whole(): number {
    return wholeOf(this, this.universe);
  }

  /** Brings what has arrived at forbidden pages up to date. */
  measureForbidden(): void {
    this.#forbidden.measure(this.finalCount, this);
  }

  /** What left pages whose links are not all known. */
  get flowUnknown(): number {
    return this.#unknown.value;
  }

  /** Trust that exists but has not been seeded. */
  get delta(): number {
    return unseededOf(this);
  }

  /** What rounding could have added to a bound. */
  get rounding(): number {
    return roundingOf(this);
  }

  get hasRedirects(): boolean {
    return this.#redirects.size > 0;
  }

  /** Downloads, dead pages and redirects so far: what can raise the bound. */
  get factCount(): number {
    return this.finalCount + this.#redirects.size;
  }

  /** The coverage proved by what was pushed so far (C7). True at any moment, best when nothing waits inside. */
  bound(universe = this.universe): number {
    return boundOf(this, universe);
  }

  /** Whether any page was given a value. */
  get hasValues(): boolean {
    return this.#worth !== undefined;
  }

  /** V: what is settled on downloaded pages, each counted with its value. */
  get rankValued(): number {
    return this.#worth?.value ?? this.rankInside;
  }

  /**
   * The proved coverage of value (C10), V of V and G: as if every page that was not downloaded had the full value, dead
   * ones none. True at any moment, whatever the values of unseen pages. 0 where nothing of value was downloaded.
   */
  valuedBound(): number {
    const worth = this.rankValued - this.rounding;
    // What is outside is a difference of two sums that rounding may have changed.
    return worth <= 0 ? 0 : worth / (worth + this.#outside() + 2 * this.rounding);
  }

  /** The most that the coverage of value could reach if all that waits on final pages were pushed. */
  valuedAtMost(waitingInside: number): number {
    const most = this.rankValued + waitingInside / (1 - this.damping);
    return most === 0 ? 0 : Math.min(1, most / (this.rankValued + this.#outside()));
  }

  /** The most that the bound could reach if all that waits on final pages were pushed. */
  boundAtMost(waitingInside: number, universe = this.universe): number {
    const most = this.rankInside + waitingInside / (1 - this.damping);
    return most === 0 ? 0 : Math.min(1, most / wholeOf(this, universe));
  }

  /** What waits on final pages: how far the bound is from the best that these facts allow. */
  waitingInside(): number {
    let sum = 0;
    for (let k = 0; k < this.finalCount; k++) sum += this.waiting[this.finalPages[k]];
    return sum;
  }

  grow(pages: number): void {
    if (pages <= this.pages) return;
    const capacity = capacityFor(pages, this.pages);
    this.waiting = enlarged(this.waiting, capacity);
    if (this.keepsRanks) this.settled = enlarged(this.settled, capacity);
    this.state = enlarged(this.state, capacity);
    this.#worth = this.#worth?.resized(capacity);
  }

  /** Copies everything from another ledger of the same links. */
  copyFrom(other: MassLedger): void {
    assert(this.links === other.links && this.damping === other.damping, "ledgers of the same web");
    assert(this.keepsRanks === other.keepsRanks, "ledgers that keep the same");
    assert(this.#parts === undefined && other.#parts === undefined, "ledgers without parts");
    if (this.pages !== other.pages) {
      this.waiting = new Float64Array(other.pages);
      this.settled = new Float64Array(other.settled.length);
      this.state = new Uint8Array(other.pages);
    }
    this.waiting.set(other.waiting);
    this.settled.set(other.settled);
    this.state.set(other.state);
    if (this.finalPages.length < other.finalCount) this.finalPages = new Uint32Array(other.finalPages.length);
    this.finalPages.set(other.finalPages.subarray(0, other.finalCount));
    this.finalCount = other.finalCount;
    this.downloadedCount = other.downloadedCount;
    this.pushes = other.pushes;
    this.#redirects.copyFrom(other.#redirects);
    this.#inside.copyFrom(other.#inside);
    this.#dangling.copyFrom(other.#dangling);
    this.#dead.copyFrom(other.#dead);
    this.#unknown.copyFrom(other.#unknown);
    this.#worth = other.#worth?.resized(other.pages);
    this.#trust.copyFrom(other.#trust);
    this.#received.copyFrom(other.#received);
    this.#forbidden.copyFrom(other.#forbidden);
  }

  trusted(page: number, weight: number): void {
    this.#checkRoom(page);
    this.#trust.add(weight);
    this.#sumsAt(page)?.trust.add(weight);
    assert(weight >= 0 && this.#trust.value <= 1 + 1e-9, "trust is not negative and sums to at most 1");
    this.waiting[this.resolve(page)] += (1 - this.damping) * weight;
  }

  /** Sound however messages come: each total is the probability of paths that the sender has settled (C5). */
  received(page: number, sender: number, total: number): void {
    this.#checkRoom(page);
    assert(total >= 0 && total < Number.POSITIVE_INFINITY, "what arrives is a probability");
    const more = this.#received.raise(page, sender, total);
    this.waiting[this.resolve(page)] += more;
    const sums = more > 0 ? this.#sumsAt(page) : undefined;
    if (sums !== undefined) sums.additions++;
  }

  #sumsAt(page: number): PartSums | undefined {
    return this.#parts === undefined ? undefined : this.#partSums[this.#parts.of(page)];
  }

  /**
   * Fixed before the page is downloaded: what is settled has been counted. Pages that are downloaded later without a
   * value count fully, those that were downloaded before the first value nothing.
   */
  valued(page: number, value: number): void {
    this.#checkRoom(page);
    assert(value >= 0 && value <= 1, "a value is a number from 0 to 1");
    assert(!this.#isFinal(page), `page ${page} is final, and so is its value`);
    this.#worth ??= new Worth(this.pages, this.finalPages.subarray(0, this.finalCount));
    this.#worth.set(page, value);
  }

  downloaded(page: number): void {
    this.#checkLinks(page);
    this.#finish(page, PageState.Downloaded);
    this.downloadedCount++;
  }

  linksUnknown(page: number): void {
    this.#finish(page, PageState.LinksUnknown);
    this.downloadedCount++;
  }

  dead(page: number): void {
    this.#finish(page, PageState.Dead);
  }

  refused(page: number, reason: Refusal): void {
    assert(!this.#isFinal(page), `page ${page} is final and cannot be refused`);
    this.#setState(page, refusedState(reason));
  }

  redirected(page: number, target: number): void {
    assert(!this.#isFinal(page), `page ${page} is final and cannot redirect`);
    this.#checkRoom(target);
    if (!this.#redirects.add(page, target)) {
      this.dead(page);
      return;
    }
    this.#setState(page, PageState.Redirected);
    this.waiting[this.resolve(page)] += this.waiting[page];
    this.waiting[page] = 0;
  }

  /** What has certainly arrived at a page, settled or not: a lower bound of its unnormalised rank. */
  arrived(page: number): number {
    return this.settled[page] + this.waiting[page];
  }

  /** Where a redirect leads itself, whatever is known of that URL; the page itself if it does not redirect. */
  redirectOf(page: number): number {
    return this.#redirects.target(page) ?? page;
  }

  /** The page at which a URL ends after the redirects known so far. */
  resolve(page: number): number {
    return this.#redirects.resolve(page);
  }

  /** Settles what waits on a final page and hands on what its surfers carry. */
  push(page: number): void {
    const mass = this.waiting[page];
    if (mass === 0) return;
    const state = this.state[page];
    assert(isSettling(state), "only a final page is pushed: what an open page would hand on is not known");
    this.waiting[page] = 0;
    if (this.keepsRanks) this.settled[page] += mass;
    const { damping } = this;
    this.#sumsAt(page)?.settle(state, mass, this.links.starts[page] === this.links.ends[page], damping);
    if (state === PageState.Dead) {
      this.#dead.add(mass);
      return;
    }
    this.#inside.add(mass);
    this.#worth?.settle(page, mass);
    if (state === PageState.LinksUnknown) {
      this.#unknown.add(damping * mass);
      return;
    }
    const start = this.links.starts[page];
    const end = this.links.ends[page];
    if (start === end) return this.#dangling.add(mass);
    this.pushes += end - start;
    const share = (damping * mass) / (end - start);
    if (this.#redirects.size === 0) spread(this.waiting, this.links.targets, start, end, share);
    else this.#spreadBeyondRedirects(start, end, share);
  }

  #spreadBeyondRedirects(start: number, end: number, share: number): void {
    const { waiting, state } = this;
    const { targets } = this.links;
    for (let k = start; k < end; k++) {
      const target = targets[k];
      waiting[state[target] === PageState.Redirected ? this.resolve(target) : target] += share;
    }
  }

  /** G: the most that pages of the universe can hold that were neither downloaded nor are dead. */
  #outside(): number {
    const dead = this.universe === "everything" ? this.#dead.value : 0;
    return Math.max(0, this.whole - this.rankInside - dead);
  }

  #setState(page: number, state: number): void {
    const wasForbidden = isForbidden(this.state[page]);
    this.state[page] = state;
    if (wasForbidden === isForbidden(state)) return;
    if (wasForbidden) this.measureForbidden();
    else this.#forbidden.add(page, this.waiting[page]);
  }

  #isFinal(page: number): boolean {
    return isSettling(this.state[page]) || this.state[page] === PageState.Redirected;
  }

  /** Mass sent to an id without room would be lost, and what is lost looks covered. */
  #checkRoom(page: number): void {
    assert(page < this.pages, "there is room for the page: grow first");
  }

  #checkLinks(page: number): void {
    const { targets, starts, ends } = this.links;
    assert(starts[page] <= ends[page], "the links of a page are known before it is reported as downloaded");
    let most = page;
    for (let k = starts[page]; k < ends[page]; k++) if (targets[k] > most) most = targets[k];
    this.#checkRoom(most);
  }

  #finish(page: number, state: number): void {
    this.#checkRoom(page);
    assert(!this.#isFinal(page), `page ${page} is final already`);
    this.#setState(page, state);
    if (this.finalCount === this.finalPages.length) {
      this.finalPages = enlarged(this.finalPages, capacityFor(this.finalCount + 1, this.finalCount));
    }
    this.finalPages[this.finalCount++] = page;
    const sums = this.#sumsAt(page);
    if (sums !== undefined) sums.additions++;
  }
}

function spread(waiting: Float64Array, targets: Uint32Array, start: number, end: number, share: number): void {
  for (let k = start; k < end; k++) waiting[targets[k]] += share;
}
