/**
 * Takes the facts of a crawl for a ledger. A ledger has its own record of the pages (known-pages.ts) and applies each
 * fact to it; or it follows another ledger, which is told each fact first and has applied it. So several ledgers of one
 * crawl keep the states of its pages once.
 *
 * Invariant: a ledger takes every change of the pages that it knows of, one by one, in their order. A follower that was
 * left out, is told something else, or is told twice fails an assertion: what it keeps per final page would no longer
 * be that of the pages in the list, and tightening its bound might never end.
 */
import { assert, UsageError } from "../base/index.ts";
import type { LinkTable } from "../graph/index.ts";
import { type CrawlFacts, PageState, type Refusal, refusedState, type Universe } from "./facts.ts";
import { KnownPages } from "./known-pages.ts";

/** What is known of a crawl besides its facts. */
export interface KnownPagesOptions {
  readonly links: LinkTable;
  /** Ids below this may occur; `grow` raises it. */
  readonly pages: number;
  readonly damping: number;
  /** What coverage is measured against (default: everything). */
  readonly universe?: Universe;
  /** What another ledger knows, which has taken no fact yet, and is told each one first (default: its own). */
  readonly follows?: KnownPages | undefined;
}

/** Takes each fact, and tells its subclass which page has changed. */
export abstract class FactFollower implements CrawlFacts {
  readonly links: LinkTable;
  readonly damping: number;
  readonly universe: Universe;
  readonly knownPages: KnownPages;
  readonly #isOwner: boolean;
  #pages: number;
  /** How many of the changes it has taken. */
  #taken = 0;

  constructor({ links, pages, damping, universe = "everything", follows }: KnownPagesOptions) {
    if (!(damping > 0 && damping < 1)) {
      throw new UsageError(`damping is ${damping}, expected a number between 0 and 1, both excluded`);
    }
    this.links = links;
    this.damping = damping;
    this.universe = universe;
    this.knownPages = follows ?? new KnownPages(links, pages);
    this.#isOwner = follows === undefined;
    this.#pages = pages;
    assert(this.knownPages.links === links && this.knownPages.pages === pages, "a ledger follows one of the same web");
    this.checkTaken();
  }

  abstract trusted(page: number, weight: number): void;
  abstract received(page: number, sender: number, total: number): void;
  /** A page has another state than before. */
  protected abstract changed(page: number, before: number): void;

  /** One `PageState` per page. */
  get state(): Uint8Array {
    return this.knownPages.state;
  }

  /** Pages that may settle mass, in the order in which they became final. */
  get finalPages(): Uint32Array {
    return this.knownPages.finalPages;
  }

  get finalCount(): number {
    return this.knownPages.finalCount;
  }

  get downloadedCount(): number {
    return this.knownPages.downloadedCount;
  }

  /** Ids below this may occur. */
  get pages(): number {
    return this.#pages;
  }

  get hasRedirects(): boolean {
    return this.knownPages.redirects.size > 0;
  }

  /** Downloads, dead pages and redirects so far: what can raise the bound. */
  get factCount(): number {
    return this.finalCount + this.knownPages.redirects.size;
  }

  grow(pages: number): void {
    this.knownPages.grow(pages);
    this.#pages = this.knownPages.pages;
  }

  protected copyPages(other: FactFollower): void {
    assert(this.#isOwner, "what is known is its own");
    assert(this.links === other.links && this.damping === other.damping, "ledgers of the same web");
    this.knownPages.copyFrom(other.knownPages);
    this.#pages = this.knownPages.pages;
    this.#taken = this.knownPages.changeCount;
  }

  downloaded(page: number): void {
    if (this.#isOwner) this.knownPages.downloaded(page);
    this.#take(page, PageState.Downloaded);
  }

  linksUnknown(page: number): void {
    if (this.#isOwner) this.knownPages.linksUnknown(page);
    this.#take(page, PageState.LinksUnknown);
  }

  dead(page: number): void {
    if (this.#isOwner) this.knownPages.dead(page);
    this.#take(page, PageState.Dead);
  }

  refused(page: number, reason: Refusal): void {
    if (this.#isOwner) this.knownPages.refused(page, reason);
    this.#take(page, refusedState(reason));
  }

  redirected(page: number, target: number): void {
    if (this.#isOwner) this.knownPages.redirected(page, target);
    const known = this.redirectOf(page);
    assert(known === target || known === page, "a page redirects as was known before");
    this.#take(page, known === page ? PageState.Dead : PageState.Redirected);
  }

  /** Where a redirect leads itself, whatever is known of that URL; the page itself if it does not redirect. */
  redirectOf(page: number): number {
    return this.knownPages.redirects.target(page) ?? page;
  }

  /** The page at which a URL ends after the redirects known so far. */
  resolve(page: number): number {
    return this.knownPages.redirects.resolve(page);
  }

  protected isFinal(page: number): boolean {
    return this.knownPages.isFinal(page);
  }

  protected checkRoom(page: number): void {
    assert(page < this.#pages, "there is room for the page: grow first");
  }

  /** What is known is what it was told. */
  protected checkTaken(): void {
    assert(this.#taken === this.knownPages.changeCount, "a ledger takes every fact that is known");
  }

  #take(page: number, state: number): void {
    const { knownPages: known } = this;
    this.#taken++;
    this.checkTaken();
    assert(known.changedPage === page && known.state[page] === state, "a ledger takes the fact that is known");
    assert(this.#pages === known.pages, "a ledger has room for every page that is known");
    this.changed(page, known.stateBefore);
  }
}
