/** `tidemark/order`: which page to fetch next. All crawl orders, by name, behind one contract. */
export { createOrder, type CrawlOrder, type OrderContext, orderNames } from "../order/index.ts";
