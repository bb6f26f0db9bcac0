/**
 * The inner loops of the solver on condensed graphs (pull-solver.ts): Gauss-Seidel in pull form, on typed arrays only.
 *
 * Letters as in condense.ts: s the shares, g the gains.
 */
import type { Condensed } from "./condensed.ts";

/** What comes into a component from outside. */
export interface Inflow {
  /** By class: what it receives from outside the component. */
  readonly known: Float64Array;
  /** By class: where its sources inside the component start. */
  readonly inner: Uint32Array;
}

/** Classes [from, to) of a component. Their changes start at this place of the thread's list. */
export interface Block {
  readonly from: number;
  readonly to: number;
  readonly place: number;
}

/** Sets `known` to what comes from b and components before that of the class `first`, and `inner`. */
export function pullKnown(
  { offsets, sources }: Condensed,
  { known, inner }: Inflow,
  { from, to }: Block,
  first: number,
  s: Float64Array,
  b: Float64Array,
): void {
  for (let i = from; i < to; i++) {
    const end = offsets[i + 1];
    let arc = offsets[i];
    let sum = b[i];
    for (; arc < end && sources[arc] < first; arc++) sum += s[sources[arc]];
    known[i] = sum;
    inner[i] = arc;
  }
}

/** One sweep over a block: new shares from the latest ones. Stores the changes of ranks, and returns their L1 norm. */
export function pullSweep(
  { offsets, sources, gains: g, costs }: Condensed,
  { known, inner }: Inflow,
  { from, to, place }: Block,
  s: Float64Array,
  changes: Float64Array,
): number {
  const shift = place - from;
  let total = 0;
  for (let i = from; i < to; i++) {
    const end = offsets[i + 1];
    let arc = inner[i];
    // Two sums, since an addition waits for the one before it.
    let even = known[i];
    let odd = 0;
    for (; arc + 1 < end; arc += 2) {
      even += s[sources[arc]];
      odd += s[sources[arc + 1]];
    }
    if (arc < end) even += s[sources[arc]];
    const value = (even + odd) * g[i];
    const change = (value - s[i]) * costs[i];
    changes[i + shift] = change;
    total += Math.abs(change);
    s[i] = value;
  }
  return total;
}

/** Takes back this much of a change of ranks. */
export function takeBack(
  { costs }: Condensed,
  { from, to, place }: Block,
  s: Float64Array,
  changes: Float64Array,
  weight: number,
): void {
  const shift = place - from;
  for (let i = from; i < to; i++) s[i] -= (weight * changes[i + shift]) / costs[i];
}

/**
 * Reduced rank extrapolation (R. P. Eddy 1979, M. Mesina 1977; A. Sidi, Vector Extrapolation Methods with Applications,
 * SIAM 2017, chapter 2). Of all affine combinations of the last iterates, take the one with the same combination of
 * their changes smallest, in the Euclidean norm. For a linear iteration this is restarted GMRES.
 *
 * With u_1 to u_k the changes that led to the iterates s_1 to s_k, and `G c = 1` for the Gram matrix G of the changes,
 * the weights are `c / sum(c)`. Since `s_j = s_k - u_(j+1) - ... - u_k`, the changes and the last iterate are all it
 * needs.
 */

/** The products of the first `length` entries of the changes, into the k x k matrix. */
export function fillProducts(changes: readonly Float64Array[], length: number, matrix: Float64Array): void {
  const k = changes.length;
  for (let a = 0; a < k; a++) {
    for (let b = 0; b <= a; b++) {
      const product = dotProduct(changes[a], changes[b], length);
      matrix[a * k + b] = product;
      matrix[b * k + a] = product;
    }
  }
}

/** How much of each change to take back; zeros if the matrix is singular. Overwrites the matrix. */
export function takeBackWeights(matrix: Float64Array, k: number): Float64Array {
  const c = new Float64Array(k).fill(1);
  for (let pivot = 0; pivot < k; pivot++) {
    // The changes tend to be linearly dependent; a larger diagonal keeps rounding from deciding.
    matrix[pivot * k + pivot] *= 1 + 1e-13;
  }
  for (let pivot = 0; pivot < k; pivot++) {
    for (let row = pivot + 1; row < k; row++) {
      const factor = matrix[row * k + pivot] / matrix[pivot * k + pivot];
      for (let column = pivot; column < k; column++) matrix[row * k + column] -= factor * matrix[pivot * k + column];
      c[row] -= factor * c[pivot];
    }
  }
  let sum = 0;
  for (let row = k - 1; row >= 0; row--) {
    for (let column = row + 1; column < k; column++) c[row] -= matrix[row * k + column] * c[column];
    c[row] /= matrix[row * k + row];
    sum += c[row];
  }
  const weights = new Float64Array(k);
  for (let j = 1; j < k; j++) weights[j] = weights[j - 1] + c[j - 1] / sum;
  return weights.every(Number.isFinite) ? weights : weights.fill(0);
}

function dotProduct(u: Float64Array, v: Float64Array, length: number): number {
  // Two sums, since an addition waits for the one before it.
  let even = 0;
  let odd = 0;
  for (let i = 1; i < length; i += 2) {
    even += u[i - 1] * v[i - 1];
    odd += u[i] * v[i];
  }
  return length % 2 === 0 ? even + odd : even + odd + u[length - 1] * v[length - 1];
}
