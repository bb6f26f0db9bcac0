/**
 * The web as a crawler of somebody else has seen it: URLs become numbers, and what becomes of them goes through the
 * feed of Tidemark's own crawls (`LogFeed`) to the order, the watch and the ledger. Nothing is stored.
 *
 * Coverage is measured over what may be fetched (universe `allowed`). All links that the user's filter dropped lead to
 * one sink, as nofollow links do: a life that takes one ends there, and the strict number counts it as the worst.
 */
import {
  type Certificate,
  certify,
  CoverageWatch,
  MassLedger,
  type MissingShare,
  missingShares,
  PageState,
  type RefusalReason,
} from "../coverage/index.ts";
import { BLANK_VISIT, DEPTH_MAX, LogFeed, type Source, type Visit } from "../log/index.ts";
import { createOrder, type CrawlOrder } from "../order/index.ts";
import { hostOfOrigin, splitUrl } from "../web/index.ts";

export interface CrawledWebOptions {
  readonly damping: number;
  readonly order: string;
  /** The coverage at which `isReached` becomes true; undefined for never. */
  readonly coverage: number | undefined;
}

export class CrawledWeb {
  readonly order: CrawlOrder;
  readonly #feed = new LogFeed((page) => this.#hosts[page]);
  readonly #watch: CoverageWatch;
  readonly #ledger: MassLedger;
  readonly #hasTarget: boolean;
  /** Canonical URL to page. Several URLs may be one page. */
  readonly #pages = new Map<string, number>();
  /** The number of the host of each page. */
  readonly #hosts: number[] = [];
  readonly #hostNumbers = new Map<string, number>();
  readonly #sink: number;

  constructor({ damping, order, coverage }: CrawledWebOptions) {
    const context = { links: this.#feed.links, pages: 0, damping, universe: "allowed" } as const;
    this.order = createOrder(order, { ...context, hostOf: (page) => this.#hosts[page] });
    this.#hasTarget = coverage !== undefined;
    this.#watch = new CoverageWatch({ ...context, goal: coverage ?? 1 });
    this.#ledger = new MassLedger(context);
    this.#feed.add(this.order, this.#watch, this.#ledger);
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
    return this.#ledger.state[page] !== PageState.Open;
  }

  /** `taken` are the pages that links lead to; `dropped` is the number of links that the user's filter dropped. */
  downloaded(page: number, taken: ReadonlySet<number>, dropped: number): void {
    const row = [...taken].filter((target) => target !== page);
    for (let k = 0; k < dropped; k++) row.push(this.#sink);
    this.#visit({ url: page, outcome: "downloaded", links: Uint32Array.from(row) });
  }

  /** The page was fetched; some of its links may be among those `taken`. */
  linksUnknown(page: number, taken: ReadonlySet<number>): void {
    this.#visit({ url: page, outcome: "links-unknown", links: Uint32Array.from(taken) });
  }

  /** A link that counts as dropped was taken after all: from now on, all dropped links count as missing. */
  distrustDrops(): void {
    for (const listener of [this.#watch, this.#ledger]) listener.refused(this.#sink, "failed");
  }

  dead(page: number): void {
    this.#visit({ url: page, outcome: "dead" });
  }

  refused(page: number, reason: RefusalReason): void {
    this.#visit({ url: page, outcome: "refused", reason });
  }

  /** The target has an outcome, or is given one right after: so no redirects go round. */
  redirected(page: number, target: number): void {
    this.#visit({ url: page, outcome: "redirected", target });
  }

  /** Whether the target is certainly reached. */
  get isReached(): boolean {
    return this.#hasTarget && this.#watch.reached();
  }

  /** What was certain when it was last looked at: never above the truth, and a little behind `certificate`. */
  get certified(): number {
    return this.#watch.certified;
  }

  certificate(): Certificate {
    return certify(this.#ledger);
  }

  missing(): MissingShare[] {
    const names = [...this.#hostNumbers.keys()];
    return missingShares(this.#ledger, this.certificate(), { names, hostOf: Uint32Array.from(this.#hosts) });
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
