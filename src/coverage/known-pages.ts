/**
 * What is known of the pages of a crawl: their states, where redirects lead, and which pages are final, in the order in
 * which they became so. It belongs to one ledger, which applies each fact; others may follow (fact-follower.ts).
 *
 * Cost: a byte per page, 4 to 8 more per final page, more per redirect, however many ledgers follow.
 */
import { assert, capacityFor, enlarged } from "../base/index.ts";
import type { LinkTable } from "../graph/index.ts";
import { isSettling, PageState, type Refusal, refusedState } from "./facts.ts";
import { Redirects } from "./redirect-targets.ts";

export class KnownPages {
  readonly links: LinkTable;
  /** One `PageState` per page. */
  state: Uint8Array;
  /** Pages that may settle mass (downloaded, links-unknown, dead) in the order in which they became final. */
  finalPages = new Uint32Array(1024);
  finalCount = 0;
  downloadedCount = 0;
  readonly redirects = new Redirects();
  /** How many facts about states there were; the page that the last one was about, and its state before. */
  changeCount = 0;
  changedPage = -1;
  stateBefore: number = PageState.Open;

  /** Ids below `pages` may occur; `grow` raises it. */
  constructor(links: LinkTable, pages: number) {
    this.links = links;
    this.state = new Uint8Array(pages);
  }

  get pages(): number {
    return this.state.length;
  }

  grow(pages: number): void {
    if (pages > this.pages) this.state = enlarged(this.state, capacityFor(pages, this.pages));
  }

  /** A ledger that follows this one fails at its next fact. */
  copyFrom(other: KnownPages): void {
    if (this.pages !== other.pages) this.state = new Uint8Array(other.pages);
    this.state.set(other.state);
    if (this.finalPages.length < other.finalCount) this.finalPages = new Uint32Array(other.finalPages.length);
    this.finalPages.set(other.finalPages.subarray(0, other.finalCount));
    this.finalCount = other.finalCount;
    this.downloadedCount = other.downloadedCount;
    this.redirects.copyFrom(other.redirects);
    this.changeCount++;
    this.changedPage = -1;
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
    assert(!this.isFinal(page), `page ${page} is final and cannot be refused`);
    this.#setState(page, refusedState(reason));
  }

  /** A redirect that would close a loop makes the page a dead one. */
  redirected(page: number, target: number): void {
    assert(!this.isFinal(page), `page ${page} is final and cannot redirect`);
    this.checkRoom(target);
    if (this.redirects.add(page, target)) this.#setState(page, PageState.Redirected);
    else this.dead(page);
  }

  isFinal(page: number): boolean {
    return isSettling(this.state[page]) || this.state[page] === PageState.Redirected;
  }

  /** Mass sent to an id without room would be lost, and what is lost looks covered. */
  checkRoom(page: number): void {
    assert(page < this.pages, "there is room for the page: grow first");
  }

  #checkLinks(page: number): void {
    assert(this.links.count(page) >= 0, "the links of a page are known before it is reported as downloaded");
    const { targets, start, end } = this.links.row(page);
    let most = page;
    for (let k = start; k < end; k++) if (targets[k] > most) most = targets[k];
    this.checkRoom(most);
  }

  #finish(page: number, state: number): void {
    this.checkRoom(page);
    assert(!this.isFinal(page), `page ${page} is final already`);
    if (this.finalCount === this.finalPages.length) {
      this.finalPages = enlarged(this.finalPages, capacityFor(this.finalCount + 1, this.finalCount));
    }
    this.finalPages[this.finalCount++] = page;
    this.#setState(page, state);
  }

  #setState(page: number, state: number): void {
    this.changeCount++;
    this.changedPage = page;
    this.stateBefore = this.state[page];
    this.state[page] = state;
  }
}
