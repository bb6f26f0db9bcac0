/**
 * `tidemark/order`: which page to fetch next. All crawl orders, by name, behind one contract.
 *
 * @example
 * ```js
 * import { GrowingLinks } from "tidemark/graph";
 * import { createOrder } from "tidemark/order";
 *
 * const web = { 0: [1, 2, 3], 1: [2], 2: [0], 3: [] };
 * const links = new GrowingLinks();
 * const order = createOrder("rankmass", { links, pages: 4, damping: 0.85 });
 * order.trusted(0, 1);
 * for (let page = order.next(); page >= 0; page = order.next()) {
 *   links.set(page, web[page]);
 *   order.downloaded(page);
 *   console.log(page);
 * }
 * ```
 *
 * It prints:
 *
 * ```text
 * 0
 * 1
 * 2
 * 3
 * ```
 * @packageDocumentation
 */
export { createOrder, type CrawlOrder, type OrderContext, orderNames } from "../order/index.ts";
