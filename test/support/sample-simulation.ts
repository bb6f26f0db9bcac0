/**
 * A made-up simulation with the shape of a real one: coverage after n downloads is 1 - 1 / (1 + (n / scale)^steepness),
 * with parameters that put RankMass near its reference numbers on cnr-2000.
 */
import {
  type CurvePoint,
  type Level,
  type Reached,
  type Simulation,
  type SimulationRun,
  LEVELS,
} from "../../src/lab/simulation.ts";

interface Rise {
  readonly scale: number;
  readonly steepness: number;
}

interface SampleOrder {
  readonly order: string;
  readonly actual: Rise;
  readonly guaranteed: Rise | null;
  readonly certified: Rise;
  readonly seconds: number;
}

const PAGES = 325_557;

/** The first `orders` of twelve, each with a curve of `points` points. */
export function sampleSimulation(orders = 4, points = 150): Simulation {
  return {
    graph: { pages: PAGES, arcs: 3_216_152, hosts: 722 },
    damping: 0.85,
    trust: { pages: 160, total: 1 },
    runs: ORDERS.slice(0, orders).map((order) => sampleRun(order, points)),
  };
}

function coverageOf({ scale, steepness }: Rise, downloads: number): number {
  return 1 - 1 / (1 + (downloads / scale) ** steepness);
}

function sampleRun({ order, actual, guaranteed, certified, seconds }: SampleOrder, points: number): SimulationRun {
  const downloads = Math.min(PAGES, Math.ceil(downloadsTo(certified, 0.99)));
  const grid = Array.from({ length: points }, (_, i) => Math.round(PAGES ** (i / (points - 1))));
  const at = new Set([...grid.filter((n) => n < downloads), downloads]);
  const point = (n: number): CurvePoint => [
    n,
    coverageOf(actual, n),
    guaranteed === null ? null : coverageOf(guaranteed, n),
    coverageOf(certified, n),
  ];
  const [, actualEnd, guaranteedEnd, certifiedEnd] = point(downloads);
  return {
    order,
    downloads,
    seconds,
    pushes: Math.round(downloads * 301.7),
    actual: reached(actual, downloads),
    guaranteed: guaranteed === null ? {} : reached(guaranteed, downloads),
    certified: reached(certified, downloads),
    final: { actual: actualEnd, guaranteed: guaranteedEnd, certified: certifiedEnd },
    curve: Array.from(at, point),
    cost: Array.from(at, (n) => [n, (seconds * n) / downloads, Math.round(n * 301.7)]),
    rounds: null,
  };
}

function downloadsTo({ scale, steepness }: Rise, level: number): number {
  return scale * (level / (1 - level)) ** (1 / steepness);
}

function reached(rise: Rise, downloads: number): Reached {
  const found: { [level in Level]?: number } = {};
  for (const level of LEVELS) {
    const needed = Math.ceil(downloadsTo(rise, level));
    if (needed <= downloads) found[`${level}`] = needed;
  }
  return found;
}

const ORDERS: readonly SampleOrder[] = [
  sample("rankmass", [128, 0.85], [4760, 2.18], [4731, 2.19], 0.14),
  sample("rankmass:literal", [131, 0.85], [5440, 1.95], [4800, 2.18], 1.62),
  sample("fpr", [152, 0.84], null, [5600, 2.1], 0.0132),
  sample("windowed:5", [149, 0.845], [6900, 2.1], [5900, 2.1], 0.83),
  sample("windowed:10", [161, 0.843], [13_800, 2.6], [6400, 2.1], 0.52),
  sample("opic", [144, 0.835], null, [5750, 2.05], 0.021),
  sample("optimal", [113, 0.84], null, [5200, 2.1], 0.0041),
  sample("lneighbor", [1200, 1.11], [190_000, 4.6], [42_000, 2.6], 0.31),
  sample("fpr@20", [178, 0.86], null, [6100, 2.08], 0.0155),
  sample("backlink", [400, 0.85], null, [16_000, 1.9], 0.094),
  sample("pagerank", [139, 0.842], null, [5650, 2.1], 2.41),
  sample("random:7", [9000, 1.5], null, [90_000, 3.4], 0.0067),
];

type Pair = readonly [scale: number, steepness: number];

function sample(order: string, actual: Pair, guaranteed: Pair | null, certified: Pair, seconds: number): SampleOrder {
  const rise = ([scale, steepness]: Pair): Rise => ({ scale, steepness });
  return {
    order,
    actual: rise(actual),
    guaranteed: guaranteed === null ? null : rise(guaranteed),
    certified: rise(certified),
    seconds,
  };
}
