/** A crawl of a web written as rows of links, one page after another, that ends when the order has no more pages. */
import { GrowingLinks } from "../../src/graph/index.ts";
import { createOrder, type OrderContext } from "../../src/order/index.ts";

export interface PlainWeb {
  readonly rows: readonly (readonly number[])[];
  /** Added in this order. */
  readonly trust: readonly (readonly [page: number, weight: number])[];
  readonly damping: number;
  /** Known before the crawl begins. */
  readonly redirects?: readonly (readonly [url: number, target: number])[];
}

export interface PlainCrawl {
  readonly pages: number[];
  /** What the order guaranteed for the first 1, 2, ... pages: read when the next page was requested. */
  readonly guaranteed: (number | null)[];
}

export function plainCrawl(
  name: string,
  { rows, trust, damping, redirects = [] }: PlainWeb,
  context: Partial<OrderContext> = {},
): PlainCrawl {
  const links = new GrowingLinks();
  const order = createOrder(name, { links, pages: rows.length, damping, ...context });
  for (const [url, target] of redirects) order.redirected(url, target);
  for (const [page, weight] of trust) order.trusted(page, weight);
  const pages: number[] = [];
  const guaranteed: (number | null)[] = [];
  for (let page = order.next(); page >= 0; page = order.next()) {
    if (pages.length > 0) guaranteed.push(order.guaranteed());
    links.set(page, rows[page]);
    order.downloaded(page);
    pages.push(page);
  }
  guaranteed.push(order.guaranteed());
  return { pages, guaranteed };
}
