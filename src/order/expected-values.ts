/**
 * What a page that nobody has seen is expected to be worth, by the values of downloaded pages (C10): those of its host,
 * and those of the pages that link to it. Each level is shrunk to the one above it, as if that had been seen `WEIGHT`
 * times; with no value at all, everything is expected to be worth 1.
 *
 *     mean = (1 + sum of all values) / (1 + their number)
 *     host = (sum of the host's values + WEIGHT mean) / (their number + WEIGHT)
 *     page = (sum of the values of pages that link to it + WEIGHT host) / (their number + WEIGHT)
 *
 * An estimate is never 0, so no page is lost. It steers a crawl, and is no part of any certificate.
 *
 * All pages of a host depend on its mean, so hosts are estimated anew only when the number of values has grown by a
 * sixteenth: the caller orders its pages again then. Estimates depend on nothing but the values and links that were
 * told, and their order. Cost: 8 bytes per page, 20 per host.
 */
import { capacityFor, enlarged } from "../base/index.ts";

/** How many values a guess by the level above is worth. */
const WEIGHT = 4;
/** By how much the number of values grows until hosts are estimated anew, as a share of it. */
const GROWTH = 1 / 16;

export class ExpectedValues {
  readonly #hostOf: ((page: number) => number) | undefined;
  /** Of the pages that link to a page. */
  #parentSums: Float32Array;
  #parentCounts: Uint32Array;
  #hostSums = new Float64Array(0);
  #hostCounts = new Uint32Array(0);
  /** The estimate of each host, and of hosts that were not known when it was made. */
  #hosts = new Float64Array(0);
  #mean = 1;
  #sum = 0;
  #count = 0;
  /** The number of values at which hosts are estimated anew. */
  #renewAt = 1;

  /** Without hosts, all pages are shrunk to the mean. */
  constructor(pages: number, hostOf: ((page: number) => number) | undefined) {
    this.#hostOf = hostOf;
    this.#parentSums = new Float32Array(pages);
    this.#parentCounts = new Uint32Array(pages);
  }

  grow(pages: number): void {
    if (pages === this.#parentSums.length) return;
    this.#parentSums = enlarged(this.#parentSums, pages);
    this.#parentCounts = enlarged(this.#parentCounts, pages);
  }

  of(page: number): number {
    const host = this.#hostOf === undefined ? this.#mean : (this.#hosts[this.#hostOf(page)] ?? this.#mean);
    return (this.#parentSums[page] + WEIGHT * host) / (this.#parentCounts[page] + WEIGHT);
  }

  /** A page of this value links to `target`. */
  linked(target: number, value: number): void {
    this.#parentSums[target] += value;
    this.#parentCounts[target]++;
  }

  /** A page was downloaded. True if hosts were estimated anew, so that every estimate may have changed. */
  learn(page: number, value: number): boolean {
    this.#sum += value;
    this.#count++;
    if (this.#hostOf !== undefined) this.#learnOfHost(this.#hostOf(page), value);
    if (this.#count < this.#renewAt) return false;
    this.#renewAt = Math.ceil(this.#count * (1 + GROWTH));
    this.#renew();
    return true;
  }

  #learnOfHost(host: number, value: number): void {
    if (host >= this.#hostSums.length) {
      const capacity = capacityFor(host + 1, this.#hostSums.length);
      this.#hostSums = enlarged(this.#hostSums, capacity);
      this.#hostCounts = enlarged(this.#hostCounts, capacity);
    }
    this.#hostSums[host] += value;
    this.#hostCounts[host]++;
  }

  #renew(): void {
    const mean = (1 + this.#sum) / (1 + this.#count);
    this.#mean = mean;
    this.#hosts = this.#hostSums.map((sum, host) => (sum + WEIGHT * mean) / (this.#hostCounts[host] + WEIGHT));
  }
}
