/** One time at which to be called; setting another takes it away. */
import type { Timers } from "../base/index.ts";

export class Alarm {
  readonly #timers: Timers;
  #cancel: () => void = () => {};
  #atMs = Number.POSITIVE_INFINITY;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Infinity is never. The same time again changes nothing: whoever is called for it does what is due then. */
  set(atMs: number, ring: () => void): void {
    if (atMs === this.#atMs) return;
    this.cancel();
    this.#atMs = atMs;
    if (atMs === Number.POSITIVE_INFINITY) return;
    this.#cancel = this.#timers.after(atMs - this.#timers.nowMs(), () => {
      this.#atMs = Number.POSITIVE_INFINITY;
      ring();
    });
  }

  cancel(): void {
    this.#cancel();
    this.#atMs = Number.POSITIVE_INFINITY;
  }
}
