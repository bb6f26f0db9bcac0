import { createOrder, type CrawlOrder, type OrderContext } from "../../src/order/index.ts";
import { RankMassOrder } from "../../src/order/rankmass.ts";
import { LiteralRankMassOrder } from "../../src/order/rankmass-literal.ts";
import { ValuedRankMassOrder } from "../../src/order/rankmass-valued.ts";
import { WindowedOrder } from "../../src/order/windowed.ts";
import { orderContract } from "../contracts/order-contract.ts";

const names = [
  "rankmass",
  "rankmass:valued",
  "rankmass:literal",
  "windowed:10",
  "windowed:100",
  "lneighbor",
  "fpr",
  "fpr@1",
  "fpr@20",
  "opic",
  "backlink",
  "pagerank",
  "random:7",
];

for (const name of names) orderContract(name, (context) => createOrder(name, context));

/** As in a large crawl: from the third page on, what waits is rounded, and most pages are cold. */
const large = { roundsFrom: 2, hotMin: 2 };
const rounded: Record<string, (context: OrderContext) => CrawlOrder> = {
  rankmass: (context) => new RankMassOrder({ ...context, ...large }),
  "rankmass:valued": (context) => new ValuedRankMassOrder({ ...context, ...large }),
  "rankmass:literal": (context) => new LiteralRankMassOrder({ ...context, ...large }),
  "windowed:10": (context) => new WindowedOrder({ ...context, ...large, percent: 10 }),
};
for (const [name, create] of Object.entries(rounded)) orderContract(`${name}, rounded`, create);
