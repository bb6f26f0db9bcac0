/**
 * Whether the Last-Modified dates of a host can be believed: some servers date pages by the time at which their pages
 * were generated. A date later than our last read says that the page has changed; the read shows whether it has. Dates
 * are believed as long as `LEAST` of those that said so were right, of which a few are assumed at the start.
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

  /** A date said that a page has changed, and the read found it changed or not. */
  note(host: number, isRight: boolean): void {
    const dates = this.#hosts.get(host) ?? { said: ASSUMED, right: ASSUMED_RIGHT };
    dates.said++;
    if (isRight) dates.right++;
    this.#hosts.set(host, dates);
  }

  isTrusted(host: number): boolean {
    const dates = this.#hosts.get(host);
    return dates === undefined || dates.right >= LEAST * dates.said;
  }
}
