/**
 * The order of a crawl, told its log again: what it would hand out next, and what it guarantees by itself. It is the very module that the crawl
 * runs. Orders that work in rounds begin them when they are asked, so theirs may stand elsewhere than the crawl's.
 */
import type { CrawlSettings, LogFacts, LogListener } from "../crawl/index.ts";
import { type CrawlOrder, createOrder } from "../order/index.ts";
import type { UrlRecord, Visit } from "../store/index.ts";

export class OrderReplica {
  readonly order: CrawlOrder;

  constructor(log: LogFacts, { order, damping }: CrawlSettings) {
    this.order = createOrder(order, {
      links: log.links,
      pages: 1024,
      damping,
      hostOf: (url) => log.hostOf(url),
    });
    log.add(this.order);
    log.add(new LoneUrls(this.order));
  }

  /** The URLs that come next, as many as are asked for; those that `isLeftOut` are passed over. */
  next(count: number, isLeftOut: (url: number) => boolean): number[] {
    const taken: number[] = [];
    const next: number[] = [];
    while (next.length < count && taken.length < TRIES * count) {
      const url = this.order.next();
      if (url < 0) break;
      taken.push(url);
      if (!isLeftOut(url)) next.push(url);
    }
    for (const url of taken) this.order.putBack(url);
    return next;
  }
}

/** How many may be passed over for each that is wanted. */
const TRIES = 4;

/** A URL that no page links to becomes known after the visit during which it was heard of, as in a crawl that is resumed. */
class LoneUrls implements LogListener {
  readonly #order: CrawlOrder;
  #lone: { readonly url: number; readonly heardAt: number }[] = [];
  #told = 0;

  constructor(order: CrawlOrder) {
    this.#order = order;
  }

  url({ id, path, source, heardAt }: UrlRecord): void {
    if (path === null || source === "link" || source === "redirect") return;
    this.#lone.push({ url: id, heardAt });
  }

  trusted(): void {
    this.#tell(0);
  }

  visited({ number }: Visit): void {
    this.#tell(number);
  }

  #tell(visits: number): void {
    for (; this.#told < this.#lone.length; this.#told++) {
      const { url, heardAt } = this.#lone[this.#told];
      if (heardAt > visits) return;
      this.#order.known(url);
    }
    this.#lone = [];
    this.#told = 0;
  }
}
