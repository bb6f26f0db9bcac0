export type { CrawlOrder, OrderContext } from "./contract.ts";
export { checkOrder, createOrder, orderNames, readsHosts } from "./registry.ts";
