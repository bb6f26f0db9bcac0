import type { Timers } from "../../src/base/index.ts";

/** Time passes only where somebody waits for it. */
export class PassingTimers implements Timers {
  now: number;
  constructor(now: number) {
    this.now = now;
  }
  nowMs(): number {
    return this.now;
  }
  wallMs(): number {
    return this.now;
  }
  after(delayMs: number, callback: () => void): () => void {
    setImmediate(() => {
      this.now += delayMs;
      callback();
    });
    return () => {};
  }
}
