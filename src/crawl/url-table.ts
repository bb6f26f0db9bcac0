/**
 * Every URL that a crawl knows, without its text: a dense number for each, found by fingerprint, with what the engine
 * asks of it all the time. The text is in the store.
 *
 * Life cycle of a URL, the engine's view (its fate as a page stands in the ledgers, coverage/facts.ts):
 *
 *     waiting ──> under way ──> final        handed out by the order: held until its host may be asked, being fetched,
 *        ^            │                      or waiting for another attempt; then a last word
 *        └────────────┘                      put back, to be fetched later
 *     waiting ───────────────> final         refused when it was first seen; a sink is born final
 *     under way ─────────────> too deep, or over the limit of its host: parked until a shorter way is found, or the next run
 *
 * Cost: 20 to 26 bytes a URL.
 */
import { capacityFor, enlarged, FingerprintTable } from "../base/index.ts";

export const UrlState = { Waiting: 0, UnderWay: 1, Final: 2, TooDeep: 3, OverHostLimit: 4 } as const;
export type UrlState = (typeof UrlState)[keyof typeof UrlState];

/** Greater depths are kept as this one. */
export const DEPTH_MAX = 255;

export class UrlTable {
  readonly #fingerprints = new FingerprintTable();
  #origins = new Uint32Array(1024);
  #depths = new Uint8Array(1024);
  #states = new Uint8Array(1024);

  get size(): number {
    return this.#fingerprints.size;
  }

  find(high: number, low: number): number {
    return this.#fingerprints.find(high, low);
  }

  reserve(capacity: number): void {
    if (capacity <= this.#states.length) return;
    this.#fingerprints.reserve(capacity);
    this.#enlarge(capacity);
  }

  add(high: number, low: number, origin: number, depth: number): number {
    const url = this.#fingerprints.add(high, low);
    if (url === this.#states.length) this.#enlarge(capacityFor(url + 1, url));
    this.#origins[url] = origin;
    this.#depths[url] = Math.min(DEPTH_MAX, depth);
    return url;
  }

  #enlarge(capacity: number): void {
    this.#origins = enlarged(this.#origins, capacity);
    this.#depths = enlarged(this.#depths, capacity);
    this.#states = enlarged(this.#states, capacity);
  }

  originOf(url: number): number {
    return this.#origins[url];
  }

  depthOf(url: number): number {
    return this.#depths[url];
  }

  setDepth(url: number, depth: number): void {
    this.#depths[url] = Math.min(DEPTH_MAX, depth);
  }

  stateOf(url: number): UrlState {
    return this.#states[url] as UrlState;
  }

  setState(url: number, state: UrlState): void {
    this.#states[url] = state;
  }
}
