/**
 * Whether the Last-Modified dates of a host can be believed: some servers date pages by the time at which their pages
 * were generated. A date later than our last read is right if the page has changed since; one later than the read that
 * first showed the content of now is wrong, once, however often that content is read again. Dates are believed as long
 * as `LEAST` of them were right, of which a few are assumed at the start. The counts do not depend on the order of
 * reads of different pages, so that they follow from a log.
 */
const LEAST = 0.7;
const ASSUMED = 4;
const ASSUMED_RIGHT = 3;

interface Dates {
  said: number;
  right: number;
}

export class ModifiedTrust {
  readonly #hosts = new Map<number, Dates>();

  /** So many dates said that a page has changed, and it had, or it had not; a negative number takes them back. */
  note(host: number, { right = 0, wrong = 0 }: { readonly right?: number; readonly wrong?: number }): void {
    if (right === 0 && wrong === 0) return;
    const dates = this.#hosts.get(host) ?? { said: ASSUMED, right: ASSUMED_RIGHT };
    dates.said += right + wrong;
    dates.right += right;
    this.#hosts.set(host, dates);
  }

  isTrusted(host: number): boolean {
    const dates = this.#hosts.get(host);
    return dates === undefined || dates.right >= LEAST * dates.said;
  }
}
