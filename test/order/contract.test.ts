import { createOrder } from "../../src/order/index.ts";
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
