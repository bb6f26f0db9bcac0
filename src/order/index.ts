export type { CrawlOrder, OrderContext } from "./contract.ts";
export { checkOrder, createOrder, orderNames } from "./registry.ts";
