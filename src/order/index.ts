export type { CrawlOrder, OrderContext } from "./contract.ts";
export { createOrder, orderNames } from "./names.ts";
