/**
 * A replica of the crawl's order, built from the log: what the order would fetch next, and its own bound. It is the
 * same module that the crawl runs. An order that works in rounds starts a round when it is asked for the next page, so
 * the replica may be in another round than the crawl.
 */
import type { CrawlSettings } from "../crawl/index.ts";
import type { LinkTable } from "../graph/index.ts";
import type { UrlView } from "../log/index.ts";
import { type CrawlOrder, createOrder } from "../order/index.ts";

export class OrderReplica {
  /** Must be added to the feed of the log. */
  readonly order: CrawlOrder;

  constructor(
    { links, urls }: { readonly links: LinkTable; readonly urls: UrlView },
    { order, damping }: CrawlSettings,
  ) {
    this.order = createOrder(order, { links, pages: 1024, damping, hostOf: (url) => urls.hostOf(url) });
  }

  /** The next `count` URLs, without those that `isLeftOut` names. */
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

/** URLs that may be left out per URL that is wanted. */
const TRIES = 4;
