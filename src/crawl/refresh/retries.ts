/**
 * When a page is read again that could not be read: after an hour, and then after as long as it has failed so far, so
 * after 1, 1, 2, 4 hours and so on, up to a week. One that seems to be gone or to have moved is asked again as soon as
 * it may be believed (absence.ts).
 */
import type { Reread } from "../../log/index.ts";
import { CONFIRMED_AFTER_MS, type DoubtedAbsence, isSameAbsence } from "./absence.ts";

const FIRST_MS = 3_600_000;
const LONGEST_MS = 7 * 24 * FIRST_MS;

interface Failure {
  /** Of the first of all reads in a row that failed. */
  readonly firstMs: number;
  readonly retryMs: number;
  readonly absence: DoubtedAbsence | undefined;
  /** Of the last one. */
  readonly reason: string | null;
}

export class Retries {
  /** Pages whose last read failed. */
  readonly #failures = new Map<number, Failure>();

  /** A read failed. */
  failed(page: number, atMs: number, reason: string | null): void {
    const before = this.#failures.get(page);
    const firstMs = before?.firstMs ?? atMs;
    const waitMs = Math.min(LONGEST_MS, Math.max(FIRST_MS, atMs - firstMs));
    this.#failures.set(page, { firstMs, retryMs: atMs + waitMs, absence: before?.absence, reason });
  }

  /** A read found the page gone or moved, which is not believed yet. */
  absent(page: number, { atMs, target }: Pick<Reread, "atMs" | "target">, outcome: DoubtedAbsence["outcome"]): void {
    const before = this.#failures.get(page);
    const now: DoubtedAbsence = { outcome, target, sinceMs: atMs };
    const isSame = before?.absence !== undefined && isSameAbsence(before.absence, now);
    const absence = isSame ? before.absence : now;
    const firstMs = before?.firstMs ?? atMs;
    this.#failures.set(page, { firstMs, retryMs: atMs + CONFIRMED_AFTER_MS, absence, reason: null });
  }

  succeeded(page: number): void {
    this.#failures.delete(page);
  }

  /** When a page may be read; -Infinity for one whose last read has not failed. */
  retryMs(page: number): number {
    return this.#failures.get(page)?.retryMs ?? Number.NEGATIVE_INFINITY;
  }

  /** Why the last read failed; null if it did not. */
  failureOf(page: number): string | null {
    return this.#failures.get(page)?.reason ?? null;
  }

  absenceOf(page: number): DoubtedAbsence | undefined {
    return this.#failures.get(page)?.absence;
  }
}
