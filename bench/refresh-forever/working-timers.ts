/**
 * Simulated time in which waiting takes nothing and computing takes its time: the clock shows all waits, and the CPU
 * time of this process. So what a program does "at most a twentieth of the time" it does as often as it would on a
 * machine that is `slowness` times as slow as this one, and months pass in minutes.
 */
import type { Timers } from "../../src/base/index.ts";

interface Alarm {
  readonly atMs: number;
  readonly callback: () => void;
}

export class WorkingTimers implements Timers {
  slowness = 1;
  readonly #epochMs: number;
  /** In the order in which they were set; there are few. */
  readonly #alarms = new Set<Alarm>();
  #nowMs = 0;
  #cpuMs = cpuMs();

  /** `epochMs`: Unix time now. */
  constructor(epochMs: number) {
    this.#epochMs = epochMs;
  }

  nowMs(): number {
    const ms = cpuMs();
    this.#nowMs += this.slowness * (ms - this.#cpuMs);
    this.#cpuMs = ms;
    return this.#nowMs;
  }

  wallMs(): number {
    return this.#epochMs + this.nowMs();
  }

  after(delayMs: number, callback: () => void): () => void {
    const alarm = { atMs: this.nowMs() + Math.max(0, delayMs), callback };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** What was computed from here on has taken no time: for whoever measures. */
  untimed<T>(work: () => T): T {
    this.nowMs();
    const result = work();
    this.#cpuMs = cpuMs();
    return result;
  }

  /** Lets time pass until the next alarm; false if there is none. */
  step(): boolean {
    let next: Alarm | undefined;
    for (const alarm of this.#alarms) if (next === undefined || alarm.atMs < next.atMs) next = alarm;
    if (next === undefined) return false;
    this.#alarms.delete(next);
    this.#nowMs = Math.max(this.nowMs(), next.atMs);
    next.callback();
    return true;
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
