/**
 * Which pages have dropped a link to which URL, for requests of which nobody knows who made them: a timer, an event, a
 * list that several handlers share. Such a request may be a link of any page that seems to have dropped it, or of none.
 * So the links of those pages are unknown, of pages that are counted already and of those that will be.
 *
 * URLs are known by the keys that Crawlee gives them. Each is kept once, and a number per link.
 */

/** The end of a chain. */
const NONE = -1;

export class DroppedLinks {
  /** The key of a URL to the last link to it; links form a chain per URL. */
  readonly #last = new Map<string, number>();
  readonly #before: number[] = [];
  readonly #pages: number[] = [];
  readonly #requested = new Set<string>();

  /** A page was counted without these links. */
  add(page: number, keys: Iterable<string>): void {
    for (const key of keys) {
      const link = this.#pages.push(page) - 1;
      this.#before.push(this.#last.get(key) ?? NONE);
      this.#last.set(key, link);
    }
  }

  /** Somebody requests a URL: yields the pages that were counted without a link to it. */
  *requested(key: string): Generator<number> {
    this.#requested.add(key);
    for (let link = this.#last.get(key) ?? NONE; link !== NONE; link = this.#before[link]) yield this.#pages[link];
  }

  /** Whether somebody has requested one of these URLs. */
  someRequested(keys: Iterable<string>): boolean {
    for (const key of keys) if (this.#requested.has(key)) return true;
    return false;
  }
}
