/**
 * The cost of choosing pages until 0.98 is certified: `rankmass` with the watch that certifies it, compared with the
 * paper's algorithm on a plain binary heap, on our indexed heap and in C++, and with `fpr` over as many downloads. The
 * runs of a round follow each other directly; the best of all rounds counts. `rounded` is `rankmass` as in a large
 * crawl, with what waits in single precision.
 */
import { CoverageWatch } from "../src/coverage/index.ts";
import { type Graph, linksOf } from "../src/graph/index.ts";
import { createOrder, knownPagesOf } from "../src/order/index.ts";
import { RankMassOrder } from "../src/order/rankmass.ts";
import { cppRankMass, type CppFigures } from "./cpp-rankmass.ts";
import { cpuSeconds } from "./measure.ts";
import { plainRankMass } from "./plain-rankmass.ts";

export interface OrderFigures {
  readonly goal: number;
  readonly rankmass: {
    readonly seconds: number;
    readonly downloads: number;
    readonly pushes: number;
    readonly checks: number;
  };
  readonly rounded: { readonly seconds: number; readonly downloads: number };
  readonly plainLiteral: { readonly seconds: number; readonly downloads: number; readonly pushes: number };
  readonly literal: { readonly seconds: number; readonly downloads: number; readonly pushes: number };
  /** Left out where there is no compiler. */
  readonly cpp?: CppFigures;
  readonly fpr: { readonly seconds: number; readonly downloads: number };
}

type Trust = readonly (readonly [page: number, weight: number])[];

const damping = 0.85;

export function benchOrders(graph: Graph, trust: Trust, rounds = 5, goal = 0.98): OrderFigures {
  const best = { rankmass: Infinity, rounded: Infinity, plain: Infinity, literal: Infinity, fpr: Infinity };
  let certified = { downloads: 0, pushes: 0, checks: 0 };
  let rounded = { downloads: 0 };
  let plain = { downloads: 0, pushes: 0 };
  let literal = { downloads: 0, pushes: 0 };
  const program = cppRankMass(
    graph,
    trust.map(([page]) => page),
  );
  let cpp: CppFigures | undefined;
  for (let round = 0; round < rounds; round++) {
    best.rankmass = Math.min(
      best.rankmass,
      cpuSeconds(() => void (certified = untilCertified(graph, trust, goal))),
    );
    best.rounded = Math.min(
      best.rounded,
      cpuSeconds(() => void (rounded = untilCertified(graph, trust, goal, 0))),
    );
    best.fpr = Math.min(
      best.fpr,
      cpuSeconds(() => crawl("fpr", graph, trust, { downloads: certified.downloads })),
    );
    best.literal = Math.min(
      best.literal,
      cpuSeconds(() => void (literal = crawl("rankmass:literal", graph, trust, { guarantee: goal }))),
    );
    best.plain = Math.min(
      best.plain,
      cpuSeconds(() => void (plain = plainRankMass(graph, trust, { damping, guarantee: goal }))),
    );
    const figures = program?.run(damping, goal, 1);
    if (figures !== undefined && !(figures.seconds > (cpp?.seconds ?? Infinity))) cpp = figures;
  }
  program?.close();
  return {
    goal,
    ...(cpp === undefined ? {} : { cpp }),
    rankmass: { seconds: best.rankmass, ...certified },
    rounded: { seconds: best.rounded, downloads: rounded.downloads },
    plainLiteral: { seconds: best.plain, ...plain },
    literal: { seconds: best.literal, ...literal },
    fpr: { seconds: best.fpr, downloads: certified.downloads },
  };
}

function untilCertified(
  graph: Graph,
  trust: Trust,
  goal: number,
  roundsFrom = Infinity,
): { downloads: number; pushes: number; checks: number } {
  const options = { links: linksOf(graph), pages: graph.pages, damping };
  const order = new RankMassOrder({ ...options, roundsFrom });
  // As in a crawl.
  const watch = new CoverageWatch({ ...options, goal, follows: knownPagesOf(order) });
  for (const [page, weight] of trust) {
    order.trusted(page, weight);
    watch.trusted(page, weight);
  }
  let downloads = 0;
  for (let page = order.next(); page >= 0 && !watch.reached(); page = order.next()) {
    order.downloaded(page);
    watch.downloaded(page);
    downloads++;
  }
  return { downloads, pushes: order.pushes + watch.pushes, checks: watch.checks };
}

export function crawl(
  name: string,
  graph: Graph,
  trust: Trust,
  until: { readonly downloads?: number; readonly guarantee?: number },
): { downloads: number; pushes: number } {
  const order = createOrder(name, { links: linksOf(graph), pages: graph.pages, damping });
  for (const [page, weight] of trust) order.trusted(page, weight);
  const { downloads: most = Infinity, guarantee = 2 } = until;
  let downloads = 0;
  for (let page = order.next(); page >= 0; page = order.next()) {
    if (downloads >= most || (order.guaranteed() ?? 0) >= guarantee) break;
    order.downloaded(page);
    downloads++;
  }
  return { downloads, pushes: order.pushes };
}
