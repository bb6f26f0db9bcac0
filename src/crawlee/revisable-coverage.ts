/**
 * Coverage of facts of which one may turn out to be wrong: all links of a page were known, until one more came. To a
 * ledger such a fact is final. So ledger and watch are made anew from the states of all pages, with the links of that
 * page unknown, or as they are known by then, when the next number is wanted. That goes over the whole graph: where
 * links keep coming late, whether the target is reached is looked at only when the crawl has grown.
 */
import {
  type Certificate,
  certify,
  type CrawlFacts,
  CoverageWatch,
  MassLedger,
  PageState,
  type RefusalReason,
  refusalReasons,
  type WatchOptions,
} from "../coverage/index.ts";

/** How much a crawl grows, at least, before it is looked again whether its target is reached. */
const GROWTH = 1.1;

export class RevisableCoverage implements CrawlFacts {
  readonly #options: WatchOptions;
  #watch: CoverageWatch;
  #ledger: MassLedger;
  readonly #trust: { readonly page: number; readonly weight: number }[] = [];
  /** Pages that were told with all of their links, though there were others: whether these are all known by now. */
  readonly #revised = new Map<number, boolean>();
  #isStale = false;
  #nextRevision = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#watch = new CoverageWatch(options);
    this.#ledger = new MassLedger(options);
  }

  grow(pages: number): void {
    for (const ledger of this.#both()) ledger.grow(pages);
  }

  trusted(page: number, weight: number): void {
    this.#trust.push({ page, weight });
    for (const ledger of this.#both()) ledger.trusted(page, weight);
  }

  downloaded(page: number): void {
    for (const ledger of this.#both()) ledger.downloaded(page);
  }

  linksUnknown(page: number): void {
    for (const ledger of this.#both()) ledger.linksUnknown(page);
  }

  dead(page: number): void {
    for (const ledger of this.#both()) ledger.dead(page);
  }

  refused(page: number, reason: RefusalReason): void {
    for (const ledger of this.#both()) ledger.refused(page, reason);
  }

  redirected(page: number, target: number): void {
    for (const ledger of this.#both()) ledger.redirected(page, target);
  }

  received(page: number, sender: number, total: number): void {
    for (const ledger of this.#both()) ledger.received(page, sender, total);
  }

  /** The links of a page that is downloaded are not all known after all. False if that was said before. */
  distrust(page: number): boolean {
    if (this.#revised.get(page) === false) return false;
    this.#revised.set(page, false);
    this.#isStale = true;
    return true;
  }

  /** All links of such a page are known again, and are others than before. */
  trust(page: number): void {
    this.#revised.set(page, true);
    this.#isStale = true;
  }

  /** Whether a page is downloaded, and was told to have all of its links. */
  isDownloaded(page: number): boolean {
    return this.#ledger.state[page] === PageState.Downloaded || this.#revised.has(page);
  }

  isOpen(page: number): boolean {
    return this.#ledger.state[page] === PageState.Open;
  }

  /** The page at which a URL ends after the redirects known so far. */
  resolve(page: number): number {
    return this.#ledger.resolve(page);
  }

  /** Whether the goal is certainly reached. It nearly always costs nothing. */
  reached(): boolean {
    if (this.#isStale && this.#ledger.finalCount < this.#nextRevision) return false;
    this.#revise();
    return this.#watch.reached();
  }

  /** What was certain when it was last looked at. */
  get certified(): number {
    this.#revise();
    return this.#watch.certified;
  }

  certificate(): Certificate {
    return certify(this.ledger);
  }

  get ledger(): MassLedger {
    this.#revise();
    return this.#ledger;
  }

  #both(): readonly CrawlFacts[] {
    return [this.#watch, this.#ledger];
  }

  #revise(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    const before = this.#ledger;
    this.#nextRevision = before.finalCount * GROWTH;
    this.#watch = new CoverageWatch({ ...this.#options, pages: before.pages });
    this.#ledger = new MassLedger({ ...this.#options, pages: before.pages });
    for (const ledger of this.#both()) {
      for (const { page, weight } of this.#trust) ledger.trusted(page, weight);
      for (let page = 0; page < before.pages; page++) this.#tell(ledger, page, before);
    }
    this.#watch.check();
  }

  #tell(ledger: CrawlFacts, page: number, before: MassLedger): void {
    const isRevised = this.#revised.get(page);
    const state = before.state[page];
    if (isRevised === true) ledger.downloaded(page);
    else if (isRevised === false || state === PageState.LinksUnknown) ledger.linksUnknown(page);
    else if (state === PageState.Downloaded) ledger.downloaded(page);
    else if (state === PageState.Dead) ledger.dead(page);
    else if (state === PageState.Redirected) ledger.redirected(page, before.redirectOf(page));
    else if (state >= PageState.Refused) ledger.refused(page, refusalReasons[state - PageState.Refused]);
  }
}
