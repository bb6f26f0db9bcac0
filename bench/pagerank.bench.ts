/**
 * PageRank to an L1 residual of 1e-10, uniform trust: ours with one thread and with two, a plain power iteration on
 * typed arrays, graphology-metrics and ngraph.pagerank, all in one run.
 *
 * The comparison is fair. With uniform trust all of them solve the same equation: graphology spreads dangling rank
 * uniformly, ngraph spreads whatever is missing to 1, which is the same, and so is our `restart`; the ranks are
 * compared at the end. The peers and the plain loop stop when two iterates differ by less than a bound in L1. The
 * residual of the last one is at most d times that, so their bound is 1e-10 / d. Not counted: building the peers'
 * graphs, the plain loop's transpose, starting our threads. Counted: what each call prepares (ours: the condensed
 * graph), and our final check. Our sweeps are over condensed components and cannot be compared with those of the plain
 * loop. Times are wall times, the best of several runs; the runs of a round follow each other directly.
 */
import { createRequire } from "node:module";
import { DirectedGraph } from "graphology";
import createNgraph from "ngraph.graph";
import { assert, systemClock } from "../src/base/index.ts";
import { type Graph, successors, transpose } from "../src/graph/index.ts";
import { startRankTeam } from "../src/lab/threads.ts";
import { l1Distance, pagerank, solo } from "../src/rank/index.ts";

const DAMPING = 0.85;
const RESIDUAL = 1e-10;
/** Each takes seconds. */
const PEER_RUNS = 2;

export interface PagerankFigures {
  readonly pages: number;
  readonly arcs: number;
  readonly seconds: Readonly<Record<"one" | "two" | "plain" | "graphology" | "ngraph", number>>;
  readonly sweeps: Readonly<Record<"one" | "two" | "plain", number>>;
  readonly plainArcsPerSecond: number;
  /** How many times as long as ours with one thread the others take. */
  readonly times: Readonly<Record<"plain" | "graphology" | "ngraph", number>>;
  /** The time of a sweep of the plain loop over that of ours, preparation included: above 1 ours is faster. */
  readonly sweepSpeedup: number;
  readonly twoThreadSpeedup: number;
}

/** The graph must have no self links. `peers: false` leaves out the slow peers (their figures are NaN). */
export async function benchPagerank(
  graph: Graph,
  { runs = 5, peers = true }: { readonly runs?: number; readonly peers?: boolean } = {},
): Promise<PagerankFigures> {
  const team = await startRankTeam(2);
  const sources = transpose(graph);
  const one = new Stopwatch(() => pagerank(graph, { damping: DAMPING, team: solo }));
  const two = new Stopwatch(() => pagerank(graph, { damping: DAMPING, team }));
  const plain = new Stopwatch(() => plainPagerank(graph, sources));
  for (let run = 0; run < runs; run++) for (const contender of [one, two, plain]) contender.run();
  await team.close();
  const graphology = peers ? new Stopwatch(prepareGraphology(graph)) : undefined;
  for (let run = 0; run < Math.min(runs, PEER_RUNS); run++) graphology?.run();
  const ngraph = peers ? new Stopwatch(prepareNgraph(graph)) : undefined;
  for (let run = 0; run < Math.min(runs, PEER_RUNS); run++) ngraph?.run();

  const { ranks, iterations } = one.result;
  for (const other of [two.result.ranks, plain.result.ranks, graphology?.result, ngraph?.result]) {
    if (other === undefined) continue;
    const distance = l1Distance(ranks, ranksByPage(other, graph.pages));
    assert(distance < (2 * RESIDUAL) / (1 - DAMPING), `rankings agree; they differ by ${distance}`);
  }
  const seconds = {
    one: one.best,
    two: two.best,
    plain: plain.best,
    graphology: graphology?.best ?? Number.NaN,
    ngraph: ngraph?.best ?? Number.NaN,
  };
  const sweeps = { one: iterations, two: two.result.iterations, plain: plain.result.iterations };
  return {
    pages: graph.pages,
    arcs: graph.arcs,
    seconds,
    sweeps,
    plainArcsPerSecond: (sweeps.plain * graph.arcs) / seconds.plain,
    times: {
      plain: seconds.plain / seconds.one,
      graphology: seconds.graphology / seconds.one,
      ngraph: seconds.ngraph / seconds.one,
    },
    sweepSpeedup: seconds.plain / sweeps.plain / (seconds.one / sweeps.one),
    twoThreadSpeedup: seconds.one / seconds.two,
  };
}

/** Keeps the best time and the last result. */
class Stopwatch<T> {
  best = Infinity;
  readonly #work: () => T;
  #result: T | undefined;

  constructor(work: () => T) {
    this.#work = work;
  }

  get result(): T {
    assert(this.#result !== undefined, "run before the result is read");
    return this.#result;
  }

  run(): void {
    const start = systemClock.nowMs();
    this.#result = this.#work();
    this.best = Math.min(this.best, (systemClock.nowMs() - start) / 1000);
  }
}

type Keyed = Readonly<Record<string, number>>;

/** Neither package can be imported with its types. */
const require = createRequire(import.meta.url);
type GraphologyPagerank = (graph: DirectedGraph, options: object) => Keyed;
type NgraphPagerank = (graph: unknown, damping: number, epsilon: number) => Keyed;

function ranksByPage(ranks: Float64Array | Keyed, pages: number): Float64Array {
  return ranks instanceof Float64Array ? ranks : Float64Array.from({ length: pages }, (_, page) => ranks[page]);
}

/** Power iteration as a careful programmer would write it: pull, shares divided once, two arrays swapped. */
function plainPagerank(graph: Graph, sources: Graph): { ranks: Float64Array; iterations: number } {
  const { pages } = graph;
  let x = new Float64Array(pages).fill(1 / pages);
  let next = new Float64Array(pages);
  const shares = new Float64Array(pages);
  let iterations = 0;
  for (let change = Infinity; change > RESIDUAL / DAMPING; iterations++) {
    const dangling = fillShares(graph.offsets, x, shares);
    const base = (1 - DAMPING + DAMPING * dangling) / pages;
    change = plainSweep(sources.offsets, sources.targets, shares, x, next, base);
    [x, next] = [next, x];
  }
  return { ranks: x, iterations };
}

function fillShares(offsets: Uint32Array, x: Float64Array, shares: Float64Array): number {
  let dangling = 0;
  for (let page = 0; page < x.length; page++) {
    const links = offsets[page + 1] - offsets[page];
    if (links === 0) dangling += x[page];
    else shares[page] = (DAMPING * x[page]) / links;
  }
  return dangling;
}

function plainSweep(
  offsets: Uint32Array,
  sources: Uint32Array,
  shares: Float64Array,
  x: Float64Array,
  next: Float64Array,
  base: number,
): number {
  let change = 0;
  for (let page = 0; page < x.length; page++) {
    let rank = base;
    const end = offsets[page + 1];
    for (let arc = offsets[page]; arc < end; arc++) rank += shares[sources[arc]];
    change += Math.abs(rank - x[page]);
    next[page] = rank;
  }
  return change;
}

function prepareGraphology(graph: Graph): () => Keyed {
  const peerPagerank: GraphologyPagerank = require("graphology-metrics/centrality/pagerank.js");
  const peer = new DirectedGraph();
  for (let page = 0; page < graph.pages; page++) peer.addNode(page);
  for (let page = 0; page < graph.pages; page++) {
    for (const target of successors(graph, page)) peer.addDirectedEdge(page, target);
  }
  const tolerance = RESIDUAL / DAMPING / graph.pages;
  const options = { alpha: DAMPING, maxIterations: 10_000, tolerance, getEdgeWeight: null };
  return () => peerPagerank(peer, options);
}

function prepareNgraph(graph: Graph): () => Keyed {
  const peerPagerank: NgraphPagerank = require("ngraph.pagerank");
  const peer = createNgraph();
  for (let page = 0; page < graph.pages; page++) peer.addNode(page);
  for (let page = 0; page < graph.pages; page++) {
    for (const target of successors(graph, page)) peer.addLink(page, target);
  }
  return () => peerPagerank(peer, DAMPING, RESIDUAL / DAMPING);
}
