/**
 * MAXSCC and ROOTSCC (Algorithm 2): the page of greatest depth-d weight in the heaviest strongly connected component,
 * or in the heaviest root of it: the heaviest component without parents that leads to it.
 *
 * Weights count what is not covered yet; components in which nothing of value is left (all zero) are not chosen again.
 * Ties: the component whose first page has the lower id.
 */
import { type Components, components, type Graph } from "../graph/index.ts";
import { DepthWeights } from "./depth-weights.ts";
import { type CheckedProblem, Residual } from "./problem.ts";

/** Components with their pages and their parents. */
export interface ComponentMap extends Components {
  /** Pages by component, ascending within each: those of c are `pages[offsets[c]]` to `pages[offsets[c + 1] - 1]`. */
  readonly pages: Uint32Array;
  readonly offsets: Uint32Array;
  /** Parents of c, perhaps repeated: `parents[parentOffsets[c]]` and so on. */
  readonly parents: Uint32Array;
  readonly parentOffsets: Uint32Array;
}

export function mapComponents(graph: Graph): ComponentMap {
  const found = components(graph);
  const { count, componentOf, sizes } = found;
  const offsets = new Uint32Array(count + 1);
  for (let c = 0; c < count; c++) offsets[c + 1] = offsets[c] + sizes[c];
  const pages = new Uint32Array(graph.pages);
  const next = offsets.slice();
  for (let page = 0; page < graph.pages; page++) pages[next[componentOf[page]]++] = page;
  return { ...found, pages, offsets, ...parentsOf(graph, componentOf, count) };
}

interface ComponentOptions {
  readonly root: boolean;
  readonly depth: number;
  readonly map?: ComponentMap;
  /** Upper bounds of the weights of depth `depth`, on the values of the problem. */
  readonly firstKeys?: Float64Array;
}

export function componentSeeds(problem: CheckedProblem, options: ComponentOptions): Uint32Array {
  return componentSeedsWithin(problem, options, Infinity).seeds;
}

/** The same, visiting hardly more than so many links; `isDone` is false if they did not suffice. */
export function componentSeedsWithin(problem: CheckedProblem, options: ComponentOptions, stepsMax: number) {
  const map = options.map ?? mapComponents(problem.graph);
  const residual = new Residual(problem);
  const weights = new DepthWeights(residual, options.depth, { keys: options.firstKeys, stepsMax });
  const totals = new Float64Array(map.count);
  const valued = new Uint32Array(map.count);
  while (!residual.isFull && !residual.isSpent) {
    weighComponents(map, residual.left, totals, valued);
    const heaviest = heaviestOf(map, totals, valued);
    const chosen = options.root ? heaviestRoot(map, totals, heaviest) : heaviest;
    const page = weights.best(map.pages, map.offsets[chosen], map.offsets[chosen + 1]);
    // Every page of the root may be a seed already, if the root is too far from the heaviest component.
    const other = page >= 0 ? page : weights.best(map.pages, map.offsets[heaviest], map.offsets[heaviest + 1]);
    if (other < 0) break;
    residual.choose(other);
  }
  const { steps } = residual.walk;
  return { seeds: residual.chosen(), steps, isDone: steps <= stepsMax };
}

function parentsOf({ pages, offsets, targets }: Graph, componentOf: Uint32Array, count: number) {
  const parentOffsets = new Uint32Array(count + 1);
  for (let page = 0; page < pages; page++) {
    const own = componentOf[page];
    for (let arc = offsets[page]; arc < offsets[page + 1]; arc++) {
      const other = componentOf[targets[arc]];
      if (other !== own) parentOffsets[other + 1]++;
    }
  }
  for (let c = 0; c < count; c++) parentOffsets[c + 1] += parentOffsets[c];
  const parents = new Uint32Array(parentOffsets[count]);
  const next = parentOffsets.slice();
  for (let page = 0; page < pages; page++) {
    const own = componentOf[page];
    for (let arc = offsets[page]; arc < offsets[page + 1]; arc++) {
      const other = componentOf[targets[arc]];
      if (other !== own) parents[next[other]++] = own;
    }
  }
  return { parents, parentOffsets };
}

function weighComponents(
  { componentOf }: ComponentMap,
  left: Float64Array,
  totals: Float64Array,
  valued: Uint32Array,
): void {
  totals.fill(0);
  valued.fill(0);
  for (let page = 0; page < left.length; page++) {
    if (left[page] === 0) continue;
    totals[componentOf[page]] += left[page];
    valued[componentOf[page]]++;
  }
}

function heaviestOf(map: ComponentMap, totals: Float64Array, valued: Uint32Array): number {
  let heaviest = -1;
  for (let c = 0; c < map.count; c++) {
    if (valued[c] > 0 && (heaviest < 0 || isHeavier(map, totals, c, heaviest))) heaviest = c;
  }
  return heaviest;
}

/** Searches backwards from a component, through all that lead to it. */
function heaviestRoot(map: ComponentMap, totals: Float64Array, from: number): number {
  const { parents, parentOffsets } = map;
  const seen = new Uint8Array(map.count);
  const queue = new Uint32Array(map.count);
  queue[0] = from;
  seen[from] = 1;
  let length = 1;
  let best = -1;
  for (let at = 0; at < length; at++) {
    const c = queue[at];
    if (parentOffsets[c] === parentOffsets[c + 1] && (best < 0 || isHeavier(map, totals, c, best))) best = c;
    for (let i = parentOffsets[c]; i < parentOffsets[c + 1]; i++) {
      if (seen[parents[i]] === 1) continue;
      seen[parents[i]] = 1;
      queue[length++] = parents[i];
    }
  }
  return best;
}

function isHeavier(map: ComponentMap, totals: Float64Array, a: number, b: number): boolean {
  return totals[a] > totals[b] || (totals[a] === totals[b] && map.pages[map.offsets[a]] < map.pages[map.offsets[b]]);
}
