/**
 * When a refresh that goes on stops to think: it works in shifts, and between two of them sitemaps are read and pages
 * are weighed anew by the facts of now. A shift ends
 *
 * - when facts have changed, and thinking takes at most a twentieth of the time;
 * - when sitemaps are to be read again, outside of quiet hours.
 *
 * Pages that were handed out are read to their end.
 */

/** What is read and written meanwhile: so much longer than the thinking before it. */
const WORK_PER_THOUGHT = 20;
const SHORTEST_MS = 60_000;

export interface ShiftOptions {
  /** By the clock that never jumps, as all times here. */
  readonly startMs: number;
  /** How long it took to weigh the pages before. */
  readonly thoughtMs: number;
  /** When sitemaps are to be read. */
  readonly sitemapsMs: number;
}

export class Shift {
  /** Pages that are new, changed or gone: they change what others are worth. */
  news = 0;
  readonly #newsMs: number;
  readonly #sitemapsMs: number;

  constructor({ startMs, thoughtMs, sitemapsMs }: ShiftOptions) {
    this.#newsMs = startMs + Math.max(SHORTEST_MS, WORK_PER_THOUGHT * thoughtMs);
    this.#sitemapsMs = sitemapsMs;
  }

  /** When it ends, as far as is known. */
  get endMs(): number {
    return this.news > 0 ? Math.min(this.#newsMs, this.#sitemapsMs) : this.#sitemapsMs;
  }
}
