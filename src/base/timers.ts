import { type Clock, systemClock } from "./clock.ts";

/** Waiting is an argument too: whoever waits is handed timers, real or simulated. */
export interface Timers extends Clock {
  /** Unix time in milliseconds, for records that people read. */
  wallMs(): number;
  /** Calls back once, not before `delayMs` have passed. The answer cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The longest delay that the runtime's timers know; longer ones are cut and their callers look at the clock again. */
const DELAY_MS_MAX = 2 ** 31 - 1;

export const systemTimers: Timers = {
  nowMs: () => systemClock.nowMs(),
  wallMs: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(DELAY_MS_MAX, Math.max(0, Math.ceil(delayMs))));
    return () => clearTimeout(timer);
  },
};
