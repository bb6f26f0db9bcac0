/** Time is an argument: whoever measures or waits is handed a clock. */
export interface Clock {
  /** Milliseconds from an arbitrary origin; never goes back. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => performance.now() };
