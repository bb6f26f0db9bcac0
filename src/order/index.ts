export type { CrawlOrder, OrderContext } from "./contract.ts";
export { knownPagesOf } from "./ledger-order.ts";
export { checkOrder, createOrder, orderNames, readsHosts } from "./registry.ts";
