/**
 * The order of a crawl, fed its log again: what it would hand out next, and what it guarantees by itself. It is the very
 * module that the crawl runs. Orders that work in rounds begin them when they are asked, so theirs may stand elsewhere than
 * the crawl's.
 */
import type { CrawlSettings } from "../crawl/index.ts";
import type { LinkTable } from "../graph/index.ts";
import type { UrlView } from "../log/index.ts";
import { type CrawlOrder, createOrder } from "../order/index.ts";

export class OrderReplica {
  /** To be added to the feed of the log. */
  readonly order: CrawlOrder;

  constructor(
    { links, urls }: { readonly links: LinkTable; readonly urls: UrlView },
    { order, damping }: CrawlSettings,
  ) {
    this.order = createOrder(order, { links, pages: 1024, damping, hostOf: (url) => urls.hostOf(url) });
  }

  /** The URLs that come next, at most `count`; those that `isLeftOut` are passed over. */
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
