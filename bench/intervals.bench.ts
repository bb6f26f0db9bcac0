/**
 * How much the intervals of (C9) say, compared with those of (C2), when 0.98 is certified: width, certain pairs among
 * the first thousand pages, and random checks against the true ranks of the whole web.
 */
import { Random } from "../src/base/index.ts";
import {
  type Certificate,
  certify,
  CoverageWatch,
  ledgerOf,
  type MassLedger,
  RankIntervals,
} from "../src/coverage/index.ts";
import { type Graph, linksOf } from "../src/graph/index.ts";
import { createOrder } from "../src/order/index.ts";
import { pagerank } from "../src/rank/index.ts";
import { cpuSeconds } from "./measure.ts";

type Trust = readonly (readonly [page: number, weight: number])[];

interface Widths {
  /** Of the shares of downloaded pages. */
  readonly medianWidth: number;
  readonly pairsOfTop: number;
}

export interface IntervalFigures {
  readonly redirectsPossible: boolean;
  readonly before: Widths;
  readonly now: Widths;
  readonly widthRatio: number;
  readonly certainPlaces: number;
  readonly checks: number;
  readonly violations: number;
  readonly seconds: number;
}

const damping = 0.85;
const TOP = 1000;
/** What the true ranks themselves may lack. */
const TRUTH = 1e-11;

export function benchIntervals(
  graph: Graph,
  trust: Trust,
  options: { readonly checks: number; readonly goal?: number },
) {
  const downloaded = untilCertified(graph, trust, options.goal ?? 0.98);
  const ledger = ledgerOf({ graph, trust, downloaded, damping });
  let certificate = certify(ledger);
  const certifySeconds = cpuSeconds(() => {
    certificate = certify(ledgerOf({ graph, trust, downloaded, damping }));
  });
  const weights = new Float64Array(graph.pages);
  for (const [page, weight] of trust) weights[page] = weight;
  const stopping = { norm: "l1", tolerance: 1e-13, maxIterations: 1000 } as const;
  const { ranks } = pagerank(graph, { damping, dangling: "restart", trust: weights, stopping });
  const figures = [true, false].map((redirectsPossible) =>
    figuresOf(ledger, certificate, { redirectsPossible, ranks, downloaded, checks: options.checks }),
  );
  return { downloads: downloaded.length, coverage: certificate.coverage, certifySeconds, figures };
}

interface Task {
  readonly redirectsPossible: boolean;
  readonly ranks: Float64Array;
  readonly downloaded: readonly number[];
  readonly checks: number;
}

function figuresOf(ledger: MassLedger, certificate: Certificate, task: Task): IntervalFigures {
  const { redirectsPossible, downloaded } = task;
  let intervals = new RankIntervals(ledger, certificate, { redirectsPossible });
  const seconds = cpuSeconds(() => {
    intervals = new RankIntervals(ledger, certificate, { redirectsPossible });
  });
  const slack = slackBefore(ledger, certificate, redirectsPossible);
  const top = intervals.ranking().subarray(0, TOP);
  const widths = downloaded.map((page) => intervals.of(page).high - intervals.of(page).low);
  const now = { medianWidth: median(widths), pairsOfTop: pairs(top, (a, b) => intervals.isAbove(a, b)) };
  const before = {
    medianWidth: slack / intervals.wholeAtMost,
    pairsOfTop: pairs(top, (a, b) => ledger.arrived(a) > ledger.arrived(b) + slack),
  };
  return {
    redirectsPossible,
    before,
    now,
    widthRatio: before.medianWidth / now.medianWidth,
    certainPlaces: intervals.certainPrefix(),
    checks: task.checks,
    violations: violations(intervals, task),
    seconds,
  };
}

/** What (C2) lets fall on every page. */
function slackBefore(ledger: MassLedger, { flowOpen, delta }: Certificate, redirectsPossible: boolean): number {
  const direct = redirectsPossible ? flowOpen : ledger.flowUnknown + ledger.waitingInside() + (1 - damping) * delta;
  return (direct + damping * (flowOpen - direct)) / (1 - damping) + 2 * ledger.rounding;
}

/** Half of the checks ask whether a true rank lies in its interval, half whether an order called certain is true. */
function violations(intervals: RankIntervals, { ranks, downloaded, checks }: Task): number {
  const random = new Random(1);
  const top = intervals.ranking().subarray(0, TOP);
  let count = 0;
  for (let k = 0; k < checks; k++) {
    if (k % 2 === 0) {
      const page = downloaded[random.below(downloaded.length)];
      const { low, high } = intervals.of(page);
      if (ranks[page] < low - TRUTH || ranks[page] > high + TRUTH) count++;
    } else {
      const [a, b] = [top[random.below(top.length)], top[random.below(top.length)]];
      if (intervals.isAbove(a, b) && ranks[a] < ranks[b] - TRUTH) count++;
    }
  }
  return count;
}

function pairs(pages: Uint32Array, isAbove: (a: number, b: number) => boolean): number {
  let count = 0;
  for (const a of pages) for (const b of pages) if (isAbove(a, b)) count++;
  return count;
}

function median(values: readonly number[]): number {
  return Float64Array.from(values).sort()[values.length >> 1];
}

function untilCertified(graph: Graph, trust: Trust, goal: number): number[] {
  const options = { links: linksOf(graph), pages: graph.pages, damping };
  const order = createOrder("rankmass", options);
  const watch = new CoverageWatch({ ...options, goal });
  for (const [page, weight] of trust) {
    order.trusted(page, weight);
    watch.trusted(page, weight);
  }
  const downloaded: number[] = [];
  for (let page = order.next(); page >= 0 && !watch.reached(); page = order.next()) {
    order.downloaded(page);
    watch.downloaded(page);
    downloaded.push(page);
  }
  return downloaded;
}
