/** Simulated time: nothing happens but alarms, in the order of their times, then of their creation. */
import type { Timers } from "../../../src/base/index.ts";

interface Alarm {
  readonly atMs: number;
  readonly number: number;
  readonly callback: () => void;
}

/** Unix time when simulated time begins. */
export const EPOCH_MS = 1_700_000_000_000;

export class SimulatedTimers implements Timers {
  /** Things that have happened. */
  steps = 0;
  #nowMs = 1;
  #count = 0;
  readonly #alarms = new Set<Alarm>();

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return EPOCH_MS + this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const alarm = { atMs: this.#nowMs + Math.max(0, delayMs), number: this.#count++, callback };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** When the next thing happens; undefined when nothing is left. */
  get nextMs(): number | undefined {
    return this.#next()?.atMs;
  }

  #next(): Alarm | undefined {
    let next: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (next === undefined || alarm.atMs < next.atMs || (alarm.atMs === next.atMs && alarm.number < next.number))
        next = alarm;
    }
    return next;
  }

  /** Lets the next thing happen; false when nothing is left. */
  step(): boolean {
    const next = this.#next();
    if (next === undefined) return false;
    this.#alarms.delete(next);
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    this.steps++;
    next.callback();
    return true;
  }

  /** The process computes: what is due meanwhile happens afterwards. */
  block(forMs: number): void {
    this.#nowMs += forMs;
  }

  /** The process has died: nothing that was to happen happens. */
  forget(): void {
    this.#alarms.clear();
  }
}
