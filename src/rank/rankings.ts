/** The best pages of a ranking, and how far two rankings of the same pages are apart. */
import { UsageError } from "../base/index.ts";

/**
 * The ids of the k pages of highest rank, or of all if there are fewer; best first, the lower id first among equals.
 *
 * A bounded heap with the worst page at its root: O(n log k), in practice O(n), since most pages lose against the root
 * at once.
 */
export function topPages(ranks: Float64Array, k: number): Uint32Array {
  if (!Number.isInteger(k) || k < 1)
    throw new UsageError(`cannot list the top ${k} pages, expected a whole number above 0`);
  const size = Math.min(k, ranks.length);
  const heap = Uint32Array.from({ length: size }, (_, page) => page);
  for (let node = (size >>> 1) - 1; node >= 0; node--) sink(heap, ranks, node);
  for (let page = size; page < ranks.length; page++) {
    // Later pages have higher ids, so they lose against equals.
    if (ranks[page] > ranks[heap[0]]) {
      heap[0] = page;
      sink(heap, ranks, 0);
    }
  }
  return heap.sort((p, q) => ranks[q] - ranks[p] || p - q);
}

/** The sum of the absolute differences: at most 2 for rankings that sum to 1. */
export function l1Distance(a: Float64Array, b: Float64Array): number {
  checkLengths(a, b);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i] - b[i]);
  return sum;
}

/** The greatest absolute difference. */
export function lInfinityDistance(a: Float64Array, b: Float64Array): number {
  checkLengths(a, b);
  let greatest = 0;
  for (let i = 0; i < a.length; i++) greatest = Math.max(greatest, Math.abs(a[i] - b[i]));
  return greatest;
}

/** The share of the best k pages of `a` that are among the best k of `b`. Ties go to the lower id. */
export function topOverlap(a: Float64Array, b: Float64Array, k: number): number {
  checkLengths(a, b);
  const best = topPages(a, k);
  const other = new Set(topPages(b, k));
  let common = 0;
  for (const page of best) if (other.has(page)) common++;
  return common / best.length;
}

/**
 * Spearman's rank correlation: Pearson's correlation of the places of the pages in both rankings. Pages of equal value
 * share the mean of their places. NaN if one ranking is all ties, or has fewer than two pages.
 */
export function spearman(a: Float64Array, b: Float64Array): number {
  checkLengths(a, b);
  const [x, y] = [placesOf(a), placesOf(b)];
  const middle = (a.length - 1) / 2;
  let both = 0;
  let ofX = 0;
  let ofY = 0;
  for (let i = 0; i < a.length; i++) {
    both += (x[i] - middle) * (y[i] - middle);
    ofX += (x[i] - middle) ** 2;
    ofY += (y[i] - middle) ** 2;
  }
  return both / Math.sqrt(ofX * ofY);
}

function placesOf(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values.keys()).sort((p, q) => values[p] - values[q]);
  const places = new Float64Array(values.length);
  for (let first = 0; first < order.length; ) {
    let end = first + 1;
    while (end < order.length && values[order[end]] === values[order[first]]) end++;
    for (let i = first; i < end; i++) places[order[i]] = (first + end - 1) / 2;
    first = end;
  }
  return places;
}

/**
 * Kendall's tau: concordant pairs minus discordant pairs, divided by
 *
 *     a (default)  all pairs: a pair tied in either ranking counts as neither, and lowers the magnitude
 *     b            the geometric mean of the pairs not tied in `a` and those not tied in `b` (M. G. Kendall, The
 *                  treatment of ties in ranking problems, Biometrika 33, 1945); NaN if one ranking is all ties
 *
 * Fewer than two pages have no pairs: NaN. O(n log n) after W. R. Knight, A computer method for calculating Kendall's
 * tau with ungrouped data, JASA 61, 1966: sort by (a, b), then count the exchanges that merge sort makes on b. Memory:
 * 20 bytes per page.
 */
export function kendallTau(a: Float64Array, b: Float64Array, ties: "a" | "b" = "a"): number {
  checkLengths(a, b);
  const n = a.length;
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((i, j) => a[i] - a[j] || b[i] - b[j]);
  const values = new Float64Array(n);
  for (let i = 0; i < n; i++) values[i] = b[order[i]];
  const tiedInBoth = tiedPairs(n, (i) => a[order[i]] === a[order[i - 1]] && values[i] === values[i - 1]);
  const tiedInA = tiedPairs(n, (i) => a[order[i]] === a[order[i - 1]]);
  const discordant = sortCountingExchanges(values);
  const tiedInB = tiedPairs(n, (i) => values[i] === values[i - 1]);
  const pairs = (n * (n - 1)) / 2;
  const difference = pairs - tiedInA - tiedInB + tiedInBoth - 2 * discordant;
  return difference / (ties === "a" ? pairs : Math.sqrt((pairs - tiedInA) * (pairs - tiedInB)));
}

/** Moves the page at `node` down to where no child is worse than it. */
function sink(heap: Uint32Array, ranks: Float64Array, node: number): void {
  const page = heap[node];
  for (;;) {
    let child = 2 * node + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isWorse(ranks, heap[child + 1], heap[child])) child++;
    if (!isWorse(ranks, heap[child], page)) break;
    heap[node] = heap[child];
    node = child;
  }
  heap[node] = page;
}

function isWorse(ranks: Float64Array, p: number, q: number): boolean {
  return ranks[p] < ranks[q] || (ranks[p] === ranks[q] && p > q);
}

/** Pairs inside the runs of equal neighbours. */
function tiedPairs(n: number, sameAsBefore: (i: number) => boolean): number {
  let pairs = 0;
  let run = 0;
  for (let i = 1; i < n; i++) {
    run = sameAsBefore(i) ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

/** Sorts ascending, bottom-up and stable. Returns how many pairs were in the wrong order. */
function sortCountingExchanges(values: Float64Array): number {
  const n = values.length;
  let from = values;
  let to: Float64Array = new Float64Array(n);
  let exchanges = 0;
  for (let width = 1; width < n; width *= 2) {
    for (let low = 0; low < n; low += 2 * width) {
      exchanges += mergeCounting(from, to, low, Math.min(low + width, n), Math.min(low + 2 * width, n));
    }
    [from, to] = [to, from];
  }
  if (from !== values) values.set(from);
  return exchanges;
}

function mergeCounting(from: Float64Array, to: Float64Array, low: number, middle: number, high: number): number {
  let exchanges = 0;
  let left = low;
  let right = middle;
  for (let k = low; k < high; k++) {
    if (right === high || (left < middle && from[left] <= from[right])) {
      to[k] = from[left++];
    } else {
      exchanges += middle - left;
      to[k] = from[right++];
    }
  }
  return exchanges;
}

function checkLengths(a: Float64Array, b: Float64Array): void {
  if (a.length !== b.length) {
    throw new UsageError(`rankings of ${a.length} and ${b.length} pages cannot be compared, expected the same pages`);
  }
}
