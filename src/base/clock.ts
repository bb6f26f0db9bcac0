/** Time is an argument: code that measures or waits is handed a clock or timers, real or simulated. */

/** A clock for measuring durations. */
export interface Clock {
  /** Milliseconds since an arbitrary origin; never goes back. */
  nowMs(): number;
}

/** A clock that can also wait. */
export interface Timers extends Clock {
  /** Unix time in milliseconds, for records that people read. */
  wallMs(): number;
  /** Calls back once, no earlier than `delayMs` from now. Returns a function that cancels the call. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The longest delay that the runtime's timers accept. A longer one is cut, so callers look at the clock again. */
const DELAY_MS_MAX = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = { nowMs: () => performance.now() };

/** A clock that all processes of this machine share; it begins again when the machine does. */
export const machineClock: Clock = { nowMs: () => Number(process.hrtime.bigint()) / 1e6 };

/** The timers of this machine. */
export const systemTimers: Timers = {
  nowMs: () => systemClock.nowMs(),
  wallMs: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(DELAY_MS_MAX, Math.max(0, Math.ceil(delayMs))));
    return () => clearTimeout(timer);
  },
};

/** Fulfilled no earlier than `forMs` from now. */
export function waited(timers: Timers, forMs: number): Promise<void> {
  return new Promise((resolve) => void timers.after(forMs, resolve));
}
