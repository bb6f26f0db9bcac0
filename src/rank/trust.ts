/** Trust: where the surfer starts. One weight per page, not negative, at most 1 in sum. */
import { UsageError } from "../base/index.ts";
import { isShared, sharedFloat64 } from "../graph/index.ts";

/** Sums of decimal weights miss 1 by rounding; the excess allowed grows with the number of weights. */
const ROUNDING = 4 * Number.EPSILON;

/** The sum of the trust. If it is below 1, the rest is on pages outside the graph. */
export function trustTotal(trust: Float64Array, pages: number): number {
  if (trust.length !== pages) {
    throw new UsageError(`trust has ${trust.length} entries, expected one for each of the ${pages} pages`);
  }
  let total = 0;
  for (let page = 0; page < pages; page++) {
    const weight = trust[page];
    if (!(weight >= 0 && weight < Infinity)) {
      throw new UsageError(`trust of page ${page} is ${weight}, expected a finite number not below 0`);
    }
    total += weight;
  }
  if (total > 1 + ROUNDING * (pages + 1)) {
    throw new UsageError(`trust sums to ${total}, expected at most 1; divide the weights by their sum`);
  }
  if (total === 0) throw new UsageError("no page is trusted: give at least one page a trust above 0");
  return Math.min(1, total);
}

/** A copy that threads can read. */
export function sharedCopy(trust: Float64Array): Float64Array {
  if (isShared(trust)) return trust;
  const copy = sharedFloat64(trust.length);
  copy.set(trust);
  return copy;
}
