/**
 * What is known of the pages of a crawl: their states, where redirects lead, and which pages are final, in the order in
 * which they became so. Mass is kept by those who extend it.
 *
 * Cost: a byte per page, 4 to 8 more per final page, more per redirect.
 */
import { assert, capacityFor, enlarged, UsageError } from "../base/index.ts";
import type { LinkTable } from "../graph/index.ts";
import { type CrawlFacts, isSettling, PageState, type Refusal, refusedState, type Universe } from "./facts.ts";
import { Redirects } from "./redirect-targets.ts";

/** What is known of a crawl besides its facts. */
export interface KnownPagesOptions {
  readonly links: LinkTable;
  /** Ids below this may occur; `grow` raises it. */
  readonly pages: number;
  readonly damping: number;
  /** What coverage is measured against (default: everything). */
  readonly universe?: Universe;
}

/** Takes the facts of a crawl. */
export abstract class KnownPages implements CrawlFacts {
  readonly links: LinkTable;
  readonly damping: number;
  readonly universe: Universe;
  /** One `PageState` per page. */
  state: Uint8Array;
  /** Pages that may settle mass (downloaded, links-unknown, dead) in the order in which they became final. */
  finalPages: Uint32Array;
  finalCount = 0;
  downloadedCount = 0;
  protected readonly redirects = new Redirects();

  constructor({ links, pages, damping, universe = "everything" }: KnownPagesOptions) {
    if (!(damping > 0 && damping < 1)) {
      throw new UsageError(`damping is ${damping}, expected a number between 0 and 1, both excluded`);
    }
    this.links = links;
    this.damping = damping;
    this.universe = universe;
    this.state = new Uint8Array(pages);
    this.finalPages = new Uint32Array(1024);
  }

  abstract trusted(page: number, weight: number): void;
  abstract received(page: number, sender: number, total: number): void;
  /** A page has another state than before. */
  protected abstract changed(page: number, before: number): void;

  /** Ids below this may occur. */
  get pages(): number {
    return this.state.length;
  }

  get hasRedirects(): boolean {
    return this.redirects.size > 0;
  }

  /** Downloads, dead pages and redirects so far: what can raise the bound. */
  get factCount(): number {
    return this.finalCount + this.redirects.size;
  }

  grow(pages: number): void {
    if (pages > this.pages) this.state = enlarged(this.state, capacityFor(pages, this.pages));
  }

  protected copyPages(other: KnownPages): void {
    assert(this.links === other.links && this.damping === other.damping, "ledgers of the same web");
    if (this.pages !== other.pages) this.state = new Uint8Array(other.pages);
    this.state.set(other.state);
    if (this.finalPages.length < other.finalCount) this.finalPages = new Uint32Array(other.finalPages.length);
    this.finalPages.set(other.finalPages.subarray(0, other.finalCount));
    this.finalCount = other.finalCount;
    this.downloadedCount = other.downloadedCount;
    this.redirects.copyFrom(other.redirects);
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

  redirected(page: number, target: number): void {
    assert(!this.isFinal(page), `page ${page} is final and cannot redirect`);
    this.checkRoom(target);
    if (this.redirects.add(page, target)) this.#setState(page, PageState.Redirected);
    else this.dead(page);
  }

  /** Where a redirect leads itself, whatever is known of that URL; the page itself if it does not redirect. */
  redirectOf(page: number): number {
    return this.redirects.target(page) ?? page;
  }

  /** The page at which a URL ends after the redirects known so far. */
  resolve(page: number): number {
    return this.redirects.resolve(page);
  }

  protected isFinal(page: number): boolean {
    return isSettling(this.state[page]) || this.state[page] === PageState.Redirected;
  }

  /** Mass sent to an id without room would be lost, and what is lost looks covered. */
  protected checkRoom(page: number): void {
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
    const before = this.state[page];
    this.state[page] = state;
    this.changed(page, before);
  }
}
