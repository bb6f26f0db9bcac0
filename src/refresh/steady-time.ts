/**
 * Time that never goes back, made of the time of a clock that may be set back: while the clock is behind, no time
 * passes at the jump, and from there on time passes as the clock says.
 */
export class SteadyTime {
  /** How far the clock is behind. */
  #behindMs = 0;
  #latestMs = Number.NEGATIVE_INFINITY;

  /** The steady time, when the clock says this. */
  at(clockMs: number): number {
    const steadyMs = clockMs + this.#behindMs;
    if (steadyMs < this.#latestMs) this.#behindMs += this.#latestMs - steadyMs;
    else this.#latestMs = steadyMs;
    return this.#latestMs;
  }

  /** The steady time of a moment in the past, by what the clock said then. */
  past(clockMs: number): number {
    return Math.min(clockMs, this.#latestMs);
  }

  /** What the clock will say at a steady time. */
  clockAt(steadyMs: number): number {
    return steadyMs - this.#behindMs;
  }
}
