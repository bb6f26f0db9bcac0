/**
 * What a read is worth where pages signal their changes, with mistakes (R. Busa-Fekete and others, A scalable crawling
 * algorithm utilizing noisy change-indicating signals, WWW 2025, arXiv 2502.02430; docs/refresh.md derives it).
 *
 * A page changes r times per unit of time (Poisson). A share of its changes (`recall`) is signalled at once. Other
 * signals are false: a share of all signals (`falseShare`), at random times. So signals come at the rate g = r recall /
 * (1 - falseShare), and changes without a signal at the rate a = r (1 - recall). A time t after a read, with n signals
 * since, the copy is still current with the probability
 *
 *     exp(-doubt)        doubt = a t + n b        b = -log(falseShare)
 *
 * The doubt is all that matters, and it is best to read a page when its doubt reaches some limit D. Between two reads
 * pass on average psi(D) units of time, of which the copy is current for w(D):
 *
 *     psi = 1/g      sum over i >= 0 of T(i, g s_i)                         s_i = (D - i b) / a, while positive
 *     w   =          sum over i >= 0 of nu^i / (r + nu)^(i+1) T(i, (r + nu) s_i)        nu = g falseShare
 *
 * where T(i, x) is the probability of more than i events of a Poisson distribution of mean x. One more read per unit of
 * time adds d(w/psi) / d(1/psi) to the share of time in which the copy is current. Since dw = exp(-D) dpsi, this is
 *
 *     gain(D) = importance (w - exp(-D) psi)
 *
 * Without signals psi = D / r and w = (1 - exp(-D)) / r: the gain of freshness.ts. The gain grows with the doubt, from
 * 0 to importance / r. It is r times smaller and r times faster for a page that changes r times as often, so it is
 * computed here for r = 1, as a function of the doubt and of the quality of the signals alone.
 *
 * Cost: one term per D / b.
 */

/** How well signals tell of changes. */
export interface SignalQuality {
  /** The share of changes that are signalled. */
  readonly recall: number;
  /** The share of signals that are false. */
  readonly falseShare: number;
}

/** No signals at all. */
export const SILENT: SignalQuality = { recall: 0, falseShare: 0 };

/** A page of change rate 1, read whenever its doubt reaches a limit: what happens between two reads, on average. */
export interface ReadCycle {
  /** How long it takes. */
  readonly time: number;
  /** For how long of it the copy is current. */
  readonly currentTime: number;
}

/** By how much one signal raises the doubt. */
export function doubtPerSignal({ falseShare }: SignalQuality): number {
  return -Math.log(falseShare);
}

/** The cycle of a page of change rate 1 that is read whenever its doubt reaches `limit`. */
export function readCycle(limit: number, quality: SignalQuality): ReadCycle {
  const { recall, falseShare } = quality;
  if (limit === Infinity) return { time: Infinity, currentTime: 1 };
  if (recall === 0) return { time: limit, currentTime: -Math.expm1(-limit) };
  const unsignalled = 1 - recall;
  const signals = recall / (1 - falseShare);
  const falseSignals = signals * falseShare;
  const leaving = 1 + falseSignals;
  const step = doubtPerSignal(quality);
  let time = 0;
  let currentTime = 0;
  let weight = 1 / leaving;
  for (let i = 0; i * step < limit; i++) {
    // If every change is signalled, doubt rises by signals only.
    const span = unsignalled > 0 ? (limit - i * step) / unsignalled : Infinity;
    time += poissonTail(i, signals * span) / signals;
    currentTime += weight * poissonTail(i, leaving * span);
    weight *= falseSignals / leaving;
  }
  return { time, currentTime };
}

/** The gain of a page of importance 1 and change rate 1, by its doubt: from 0 to 1. */
export function signalledGain(doubt: number, quality: SignalQuality): number {
  if (doubt === Infinity) return 1;
  const unsignalled = 1 - quality.recall;
  if (doubt < SMALL && doubt < doubtPerSignal(quality) && unsignalled > 0) {
    // The series at 0, since the difference below would lose all digits.
    const span = doubt / unsignalled;
    const signals = quality.recall / (1 - quality.falseShare);
    return doubt * span * (1 / 2 - doubt / 3 - (signals * span) / 6);
  }
  const { time, currentTime } = readCycle(doubt, quality);
  return Math.max(0, currentTime - Math.exp(-doubt) * time);
}

/** Below this doubt, a series is more exact. */
const SMALL = 1e-4;

/** The probability of more than `count` events where `mean` are expected. */
export function poissonTail(count: number, mean: number): number {
  if (mean === Infinity) return 1;
  // The probability of `count` + 1 events; by logarithms, since factors may be out of range.
  let term = Math.exp((count + 1) * Math.log(mean) - mean - logFactorial(count + 1));
  let sum = 0;
  if (mean < count + 2) {
    for (let k = count + 2; term > sum * Number.EPSILON; k++) {
      sum += term;
      term *= mean / k;
    }
    return sum;
  }
  for (let k = count + 1; k > 0; k--) {
    term *= k / mean;
    sum += term;
    if (term <= sum * Number.EPSILON) break;
  }
  return Math.max(0, 1 - sum);
}

/** Exact sums for small numbers, Stirling's series for others. */
function logFactorial(n: number): number {
  if (n < LOG_FACTORIALS.length) return LOG_FACTORIALS[n];
  return (n + 1 / 2) * Math.log(n) - n + Math.log(2 * Math.PI) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3);
}

const LOG_FACTORIALS = new Float64Array(64);
for (let n = 2; n < LOG_FACTORIALS.length; n++) LOG_FACTORIALS[n] = LOG_FACTORIALS[n - 1] + Math.log(n);
