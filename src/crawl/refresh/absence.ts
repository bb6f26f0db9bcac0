/**
 * When to believe that a page is gone or has moved: the one rule.
 *
 * A server that has a bad hour answers 404 to everything, or sends everybody to its front page or to a login. So a page
 * is forgotten at once only if its host looks healthy: of its known pages that were read in this round, most are there,
 * the last answers were not all absences, and the redirect is a lasting one to a place of its own. Otherwise the page
 * stays, and is forgotten when a later read, some hours after the first, says the same.
 */

/** What a read of a known page said that did not find it. */
export interface Absence {
  readonly outcome: "gone" | "moved";
  /** Where it has moved to; null if it is gone. */
  readonly target: string | null;
}

/** The first of the reads in a row that said the same and were not believed. */
export interface DoubtedAbsence extends Absence {
  /** Unix time in milliseconds. */
  readonly sinceMs: number;
}

/** How long after the first read another must say the same. */
export const CONFIRMED_AFTER_MS = 6 * 3_600_000;
/** Absences in a row at the end of a round: one more, and an outage may have begun. */
export const LAST_ABSENCES_MAX = 2;
/** Pages of a host that move to one place in one round. */
export const SAME_PLACE_MAX = 1;

/** What a host answered to reads of its known pages, in one round. */
export class HostAnswers {
  #present = 0;
  #absent = 0;
  #lastAbsences = 0;
  readonly #places = new Map<string, number>();

  /** A page is there, changed or not. */
  present(): void {
    this.#present++;
    this.#lastAbsences = 0;
  }

  absent({ target }: Absence): void {
    this.#absent++;
    this.#lastAbsences++;
    if (target === null) return;
    const place = placeOf(target);
    this.#places.set(place, (this.#places.get(place) ?? 0) + 1);
  }

  get isHealthy(): boolean {
    return this.#absent < this.#present && this.#lastAbsences <= LAST_ABSENCES_MAX;
  }

  /** Whether so many pages move to this place that they were rather sent there. */
  isCrowded(target: string): boolean {
    return (this.#places.get(placeOf(target)) ?? 0) > SAME_PLACE_MAX;
  }
}

export interface AbsenceContext {
  /** With this one counted. */
  readonly host: HostAnswers;
  /** Whether the redirect is one for good (RFC 9110, 15.4); behind any other the page may be back tomorrow. */
  readonly isLasting: boolean;
  readonly before?: DoubtedAbsence | undefined;
  readonly nowMs: number;
}

export function isBelieved(absence: Absence, { host, isLasting, before, nowMs }: AbsenceContext): boolean {
  if (before !== undefined && isSameAbsence(absence, before) && nowMs - before.sinceMs >= CONFIRMED_AFTER_MS)
    return true;
  return isLasting && host.isHealthy && (absence.target === null || !host.isCrowded(absence.target));
}

/** A login has another query for each page. */
export function isSameAbsence(a: Absence, b: Absence): boolean {
  return a.outcome === b.outcome && placeOf(a.target ?? "") === placeOf(b.target ?? "");
}

function placeOf(target: string): string {
  return target.split("?", 1)[0];
}
