/**
 * The web as a crawler of somebody else has seen it: URLs become numbers, and what becomes of them goes through the
 * feed of Tidemark's own crawls (`LogFeed`) to the order and to coverage. Nothing is stored.
 *
 * Coverage is measured over what may be fetched (universe `allowed`). All links that the user's filter dropped lead to
 * one sink, as nofollow links do: a life that takes one ends there, and the strict number counts it as the worst.
 */
import { type Certificate, type MissingShare, missingShares, type RefusalReason } from "../coverage/index.ts";
import { copiedRow } from "../graph/index.ts";
import { BLANK_VISIT, DEPTH_MAX, LogFeed, type Source, type Visit } from "../log/index.ts";
import { createOrder, type CrawlOrder } from "../order/index.ts";
import { hostOfOrigin, splitUrl } from "../web/index.ts";
import { DroppedLinks } from "./dropped-links.ts";
import { RevisableCoverage } from "./revisable-coverage.ts";

export interface CrawledWebOptions {
  readonly damping: number;
  readonly order: string;
  /** The coverage at which `isReached` becomes true; undefined for never. */
  readonly coverage: number | undefined;
}

export class CrawledWeb {
  readonly order: CrawlOrder;
  readonly #feed = new LogFeed((page) => this.#hosts[page]);
  readonly #coverage: RevisableCoverage;
  readonly #hasTarget: boolean;
  /** Canonical URL to page. Several URLs may be one page. */
  readonly #pages = new Map<string, number>();
  /** The number of the host of each page. */
  readonly #hosts: number[] = [];
  readonly #hostNumbers = new Map<string, number>();
  readonly #sink: number;
  /** The links that handlers took on pages without an outcome, by all requests that have led there. */
  readonly #taken = new Map<number, Set<number>>();
  /** What was added on behalf of pages without an outcome when the attempt was over: perhaps for another page. */
  readonly #doubtful = new Map<number, Set<number>>();
  /** The links that handlers took on pages that were told without them. */
  readonly #takenLate = new Map<number, Set<number>>();
  readonly #dropped = new DroppedLinks();

  constructor({ damping, order, coverage }: CrawledWebOptions) {
    const context = { links: this.#feed.links, pages: 0, damping, universe: "allowed" } as const;
    this.order = createOrder(order, { ...context, hostOf: (page) => this.#hosts[page] });
    this.#hasTarget = coverage !== undefined;
    this.#coverage = new RevisableCoverage({ ...context, goal: coverage ?? 1 });
    this.#feed.add(this.order, this.#coverage);
    this.#sink = this.#enter({ origin: "", path: null, reason: "nofollow" });
  }

  /** The page of a canonical URL; undefined for one that was never seen. */
  find(url: string): number | undefined {
    return this.#pages.get(url);
  }

  /** The page of a canonical URL, which may be new. */
  discover(url: string, source: Source): number {
    const known = this.#pages.get(url);
    if (known !== undefined) return known;
    const page = this.#enter({ ...splitUrl(url), reason: null, source });
    this.#pages.set(url, page);
    return page;
  }

  /** From now on, this URL is known to be another name of a page. */
  alias(url: string, page: number): void {
    if (!this.#pages.has(url)) this.#pages.set(url, page);
  }

  trusted(page: number, weight: number): void {
    this.#feed.trusted({ url: page, weight });
  }

  /** Whether it is known what became of a page. It is told once, like the outcome of a URL in a log. */
  hasOutcome(page: number): boolean {
    return !this.#coverage.isOpen(page);
  }

  /** The page at which redirects from a page end, as far as they are known. */
  endOf(page: number): number {
    return this.#coverage.resolve(page);
  }

  /** Whether a redirect from one page to another would lead back to the first, or is none. */
  goesRound(page: number, target: number): boolean {
    return this.#coverage.resolve(target) === page;
  }

  /**
   * A handler takes a link of a page, or what it has left behind does when the attempt is over. False if the page was
   * told without it: then the links of the page are unknown, until a handler that ran to its end says what they are
   * (`relinked`).
   */
  take(from: number, to: number, { isOver }: { readonly isOver: boolean }): boolean {
    const page = this.#coverage.resolve(from);
    if (to === page) return true;
    if (!this.hasOutcome(page)) {
      addTo(isOver ? this.#doubtful : this.#taken, page, to);
      return true;
    }
    if (!this.#coverage.isDownloaded(page) || this.#hasLink(page, to)) return true;
    addTo(this.#takenLate, page, to);
    this.#coverage.distrust(page);
    return false;
  }

  /**
   * Somebody requests a page, under the key of its URL, and nobody knows who. The links of the pages that were told
   * without a link to it are unknown from now on. False if there are no further ones.
   */
  requestedByUnknown(to: number, key: string): boolean {
    let isLess = false;
    for (const page of this.#dropped.requested(key)) {
      if (!this.#coverage.isDownloaded(page) || this.#hasLink(page, to)) continue;
      isLess = this.#coverage.distrust(page) || isLess;
    }
    return isLess;
  }

  /** Whether one of these links that a page seems to have dropped was requested, and nobody knows by whom. */
  mayHaveTaken(dropped: Iterable<string>): boolean {
    return this.#dropped.someRequested(dropped);
  }

  /** Whether a page without an outcome may have a link that none of its handlers took in time. */
  hasDoubtfulLinks(page: number): boolean {
    return [...(this.#doubtful.get(page) ?? [])].some((to) => !this.hasTaken(page, to));
  }

  /** The links that handlers took on a page which was told without some of them; undefined if it was with all. */
  takenInAll(page: number): ReadonlySet<number> | undefined {
    const late = this.#takenLate.get(page);
    if (late === undefined) return undefined;
    const taken = new Set([...copiedRow(this.#feed.links, page), ...late]);
    taken.delete(this.#sink);
    return taken;
  }

  /** All links of a page are known again: `takenInAll`, and those that the user's filter dropped, by their keys. */
  relinked(page: number, dropped: ReadonlySet<string>): void {
    this.#feed.links.set(page, this.#row(this.takenInAll(page) ?? [], dropped));
    this.#dropped.add(page, dropped);
    this.#takenLate.delete(page);
    this.#coverage.trust(page);
  }

  /** Whether a handler has taken a link of a page that has no outcome yet. */
  hasTaken(from: number, to: number): boolean {
    return this.#taken.get(from)?.has(to) === true;
  }

  /** The links of the page are those that were taken, and those that the user's filter dropped, by their keys. */
  downloaded(page: number, dropped: ReadonlySet<string>): void {
    this.#dropped.add(page, dropped);
    this.#visit({ url: page, outcome: "downloaded", links: this.#row(this.#takenOf(page), dropped) });
  }

  /** The page was fetched; some of its links may be among those that were taken. */
  linksUnknown(page: number): void {
    this.#visit({ url: page, outcome: "links-unknown", links: Uint32Array.from(this.#takenOf(page)) });
  }

  dead(page: number): void {
    this.#visit({ url: page, outcome: "dead" });
  }

  refused(page: number, reason: RefusalReason): void {
    this.#visit({ url: page, outcome: "refused", reason });
  }

  /** The target does not redirect back (`goesRound`). What an attempt took before the redirect was there, moves on. */
  redirected(page: number, target: number): void {
    const doubtful = this.#doubtful.get(page) ?? [];
    const taken = this.#takenOf(page);
    this.#visit({ url: page, outcome: "redirected", target });
    for (const to of taken) this.take(target, to, { isOver: false });
    for (const to of doubtful) this.take(target, to, { isOver: true });
  }

  /** Whether the target is certainly reached. */
  get isReached(): boolean {
    // Looked at without a target too: `certified` is what was seen then.
    const isReached = this.#coverage.reached();
    return this.#hasTarget && isReached;
  }

  /** What was certain when it was last looked at: never above the truth, and a little behind `certificate`. */
  get certified(): number {
    return this.#coverage.certified;
  }

  certificate(): Certificate {
    return this.#coverage.certificate();
  }

  missing(): MissingShare[] {
    const names = [...this.#hostNumbers.keys()];
    return missingShares(this.#coverage.ledger, this.certificate(), { names, hostOf: Uint32Array.from(this.#hosts) });
  }

  #row(taken: Iterable<number>, dropped: ReadonlySet<string>): Uint32Array {
    const sinks = Array.from(dropped, () => this.#sink);
    return Uint32Array.from([...taken, ...sinks]);
  }

  /** They are told now, and no longer kept. */
  #takenOf(page: number): ReadonlySet<number> {
    const taken = this.#taken.get(page) ?? new Set();
    this.#taken.delete(page);
    this.#doubtful.delete(page);
    return taken;
  }

  #hasLink(from: number, to: number): boolean {
    return copiedRow(this.#feed.links, from).includes(to);
  }

  #enter(url: {
    readonly origin: string;
    readonly path: string | null;
    readonly reason: RefusalReason | null;
    readonly source?: Source;
  }): number {
    const { origin, path, reason, source = "link" } = url;
    const id = this.#feed.urls;
    this.#hosts.push(this.#hostNumber(origin === "" ? "" : hostOfOrigin(origin)));
    this.#feed.url({
      id,
      origin: this.#hosts[id],
      path,
      depth: DEPTH_MAX,
      source,
      discoveredAt: this.#feed.visits,
      reason,
    });
    return id;
  }

  #hostNumber(host: string): number {
    const known = this.#hostNumbers.get(host);
    if (known !== undefined) return known;
    this.#hostNumbers.set(host, this.#hostNumbers.size);
    return this.#hostNumbers.size - 1;
  }

  #visit(visit: Partial<Visit> & Pick<Visit, "url" | "outcome">): void {
    this.#feed.visit({ ...BLANK_VISIT, ...visit, number: this.#feed.visits + 1 });
  }
}

function addTo(links: Map<number, Set<number>>, from: number, to: number): void {
  const row = links.get(from) ?? new Set();
  links.set(from, row.add(to));
}
