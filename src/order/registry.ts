/** Orders by name. Parameters are part of the name: `windowed:10` (percent), `fpr@20` (M), `random:7` (seed). */
import { didYouMean, UsageError } from "../base/index.ts";
import { GrowingLinks } from "../graph/index.ts";
import { BacklinkOrder } from "./backlink.ts";
import type { CrawlOrder, OrderContext } from "./contract.ts";
import { FprOrder, WeightedFprOrder } from "./fpr.ts";
import { LNeighborOrder } from "./lneighbor.ts";
import { OpicOrder } from "./opic.ts";
import { OptimalOrder } from "./optimal.ts";
import { PageRankOrder } from "./pagerank.ts";
import { RandomOrder } from "./random.ts";
import { RankMassOrder } from "./rankmass.ts";
import { LiteralRankMassOrder } from "./rankmass-literal.ts";
import { ValuedRankMassOrder } from "./rankmass-valued.ts";
import { WindowedOrder } from "./windowed.ts";

interface OrderKind {
  /** How the name is written, for help and messages. */
  readonly usage: string;
  readonly summary: string;
  /** Whether it needs the host of every page. */
  readonly needsHosts?: true;
  /** Whether it reads the host of any page where it has it, such as that to which a link leads. */
  readonly readsHosts?: true;
  /** `parameter` is undefined if the name has none. */
  readonly create: (context: OrderContext, parameter: string | undefined) => CrawlOrder;
}

const kinds: readonly OrderKind[] = [
  {
    usage: "rankmass",
    summary: "most probability waiting first, with a cheap virtual crawl (the default)",
    create: (context) => new RankMassOrder(context),
  },
  {
    usage: "rankmass:valued",
    summary: "the same, times the value that is expected of a page by its host and the pages that link to it",
    readsHosts: true,
    create: (context) => new ValuedRankMassOrder(context),
  },
  {
    usage: "rankmass:literal",
    summary: "RankMass exactly as in Figure 5 of the paper",
    create: (context) => new LiteralRankMassOrder(context),
  },
  {
    usage: "windowed:PERCENT",
    summary: "RankMass, Figure 6: the best PERCENT of the frontier as a batch (default: 10)",
    create: (context, percent = "10") =>
      new WindowedOrder({ ...context, percent: parameterOf("windowed", percent, { above: 0, most: 100 }) }),
  },
  {
    usage: "lneighbor",
    summary: "RankMass, Figure 2: breadth first, level by level",
    create: (context) => new LNeighborOrder(context),
  },
  {
    usage: "fpr",
    summary: "FPR, Algorithm 1: greatest fractional rank first",
    create: (context) => new FprOrder(context),
  },
  {
    usage: "fpr@M",
    summary: "FPR, Algorithm 2: a link to another host weighs M",
    needsHosts: true,
    readsHosts: true,
    create: (context, weight = "") =>
      new WeightedFprOrder(context, parameterOf("fpr@", weight, { above: 0, most: 1e9 })),
  },
  { usage: "opic", summary: "OPIC, greedy: most cash first", create: (context) => new OpicOrder(context) },
  { usage: "backlink", summary: "most in-links seen so far first", create: (context) => new BacklinkOrder(context) },
  {
    usage: "pagerank",
    summary: "PageRank of the known part, recomputed as it grows by 10%",
    create: (context) => new PageRankOrder(context),
  },
  {
    usage: "random:SEED",
    summary: "any waiting page with equal chance (default seed: 1)",
    create: (context, seed = "1") =>
      new RandomOrder(context, parameterOf("random", seed, { above: -1, most: 2 ** 32 - 1, whole: true })),
  },
  {
    usage: "optimal",
    summary: "the oracle that knows the true ranks (simulation only)",
    create: (context) => new OptimalOrder(context),
  },
];

/** All orders: how their names are written, what they do, and whether they need hosts. */
export const orderNames: readonly Pick<OrderKind, "usage" | "summary" | "needsHosts">[] = kinds;

/** Makes the order of this name, such as "fpr@20". Throws a `UsageError` for an unknown name or parameter. */
export function createOrder(name: string, context: OrderContext): CrawlOrder {
  const kind = kindOf(name);
  if (kind !== undefined) return kind.create(context, patternOf(kind.usage).exec(name)?.[1]);
  const usages = kinds.map((kind) => kind.usage);
  const families = usages.map((usage) => usage.replace(/[:@].*$/, ""));
  const hint = didYouMean(name.replace(/[:@].*$/, ""), families);
  throw new UsageError(`unknown order "${name}".${hint} Orders are: ${usages.join(", ")}.`);
}

/** Whether the order of this name reads the hosts of many pages, where it has them. */
export function readsHosts(name: string): boolean {
  return kindOf(name)?.readsHosts === true;
}

/** Throws the `UsageError` that `createOrder` would throw, without a web to crawl. */
export function checkOrder(name: string, options: { readonly hasHosts: boolean }): void {
  createOrder(name, {
    links: new GrowingLinks(),
    pages: 0,
    damping: 0.5,
    trueRanks: new Float64Array(0),
    ...(options.hasHosts ? { hostOf: () => 0 } : {}),
  });
}

function kindOf(name: string): OrderKind | undefined {
  return kinds.find(({ usage }) => patternOf(usage).test(name));
}

/** What is in capitals is a parameter: `:NAME` may be left out, `@NAME` may not. */
function patternOf(usage: string): RegExp {
  return new RegExp(`^${usage.replace(/:[A-Z]+$/, "(?::(.*))?").replace(/@[A-Z]+$/, "@(.*)")}$`);
}

function parameterOf(name: string, text: string, range: { above: number; most: number; whole?: boolean }): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  const fits = value > range.above && value <= range.most && (!range.whole || Number.isInteger(value));
  if (fits) return value;
  const expected = range.whole
    ? `a whole number from ${range.above + 1} to ${range.most}`
    : `a number above ${range.above} and at most ${range.most}`;
  throw new UsageError(`the order ${name} got the parameter "${text}"; it takes ${expected}.`);
}
