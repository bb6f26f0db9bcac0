/**
 * The inner loops of the solver on condensed graphs (pull-solver.ts): Gauss-Seidel in pull form, on typed arrays only.
 *
 * Letters as in condense.ts: s the shares, g the gains. `known` is what a class receives from outside its component.
 */

/**
 * Adds the shares from earlier components to `known`, and sets `inner` to where the sources of the own component start.
 */
export function pullKnown(
  offsets: Uint32Array,
  sources: Uint32Array,
  s: Float64Array,
  b: Float64Array,
  known: Float64Array,
  inner: Uint32Array,
  component: number,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const end = offsets[i + 1];
    let arc = offsets[i];
    let sum = b[i];
    for (; arc < end && sources[arc] < component; arc++) sum += s[sources[arc]];
    known[i] = sum;
    inner[i] = arc;
  }
}

/**
 * One sweep over the classes [from, to): new shares from the latest ones. Stores the changes of their ranks, that of
 * `from` first, and returns their L1 norm.
 */
export function pullSweep(
  offsets: Uint32Array,
  sources: Uint32Array,
  s: Float64Array,
  known: Float64Array,
  inner: Uint32Array,
  g: Float64Array,
  costs: Float64Array,
  changes: Float64Array,
  from: number,
  to: number,
): number {
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
    changes[i - from] = change;
    total += Math.abs(change);
    s[i] = value;
  }
  return total;
}

/** Takes back this much of a change of ranks. */
export function takeBack(
  s: Float64Array,
  costs: Float64Array,
  changes: Float64Array,
  weight: number,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) s[i] -= (weight * changes[i - from]) / costs[i];
}
