/**
 * The pages that a refresh knows, numbered densely for its queue, with what a conditional request needs.
 *
 * URLs have numbers too, but most of them were never downloaded and are not worth a read; the arrays of the queue are
 * as long as the greatest number. Memory: 4 bytes per URL, 30 per page, and the texts of its validators.
 */
import { capacityFor, enlarged } from "../../base/index.ts";
import type { Reading } from "./reading.ts";

/** The visit that counts, what the last answer gave for the next request, and the digest of the body. */
export interface Copy extends Reading {
  /** Null for a page that was never downloaded. */
  readonly visit: number | null;
  readonly digest: Uint8Array | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export const NO_COPY: Copy = { visit: null, digest: null, etag: null, lastModified: null, readAs: "", isWhole: false };
/** A digest has so many bytes. */
const DIGEST_BYTES = 8;

export class PageBook {
  /** Pages have numbers below this. */
  count = 0;
  /** The number of the page plus 1, by URL; 0 for others. */
  #pageOf = new Uint32Array(1024);
  #urls = new Uint32Array(64);
  #importance = new Float64Array(64);
  /** 0 for none. */
  #visits = new Uint32Array(64);
  #digests = new Uint8Array(64 * DIGEST_BYTES);
  #hasDigest = new Uint8Array(64);
  readonly #etags: (string | null)[] = [];
  readonly #dates: (string | null)[] = [];
  /** Most pages are read by one of a few rules. */
  readonly #rules = new Map<string, number>();
  readonly #ruleTexts: string[] = [];
  #ruleOf = new Uint32Array(64);
  #isWhole = new Uint8Array(64);

  /** The number of a page, which it keeps. */
  add(url: number): number {
    const known = this.pageOf(url);
    if (known !== -1) return known;
    const page = this.count++;
    this.#grow(url);
    this.#pageOf[url] = page + 1;
    this.#urls[page] = url;
    this.setCopy(page, NO_COPY);
    return page;
  }

  /** -1 for a URL that is not here. */
  pageOf(url: number): number {
    return url < this.#pageOf.length ? this.#pageOf[url] - 1 : -1;
  }

  urlOf(page: number): number {
    return this.#urls[page];
  }

  importanceOf(page: number): number {
    return this.#importance[page];
  }

  setImportance(page: number, importance: number): void {
    this.#importance[page] = importance;
  }

  setCopy(page: number, { visit, digest, etag, lastModified, readAs, isWhole }: Copy): void {
    this.#visits[page] = visit ?? 0;
    this.#hasDigest[page] = Number(digest?.length === DIGEST_BYTES);
    if (digest?.length === DIGEST_BYTES) this.#digests.set(digest, page * DIGEST_BYTES);
    this.#etags[page] = etag;
    this.#dates[page] = lastModified;
    this.#ruleOf[page] = this.#ruleNumber(readAs);
    this.#isWhole[page] = Number(isWhole);
  }

  copyOf(page: number): Copy {
    const first = page * DIGEST_BYTES;
    return {
      visit: this.#visits[page] === 0 ? null : this.#visits[page],
      digest: this.#hasDigest[page] === 1 ? this.#digests.slice(first, first + DIGEST_BYTES) : null,
      etag: this.#etags[page],
      lastModified: this.#dates[page],
      readAs: this.#ruleTexts[this.#ruleOf[page]],
      isWhole: this.#isWhole[page] === 1,
    };
  }

  #ruleNumber(text: string): number {
    const known = this.#rules.get(text);
    if (known !== undefined) return known;
    this.#rules.set(text, this.#ruleTexts.length);
    return this.#ruleTexts.push(text) - 1;
  }

  #grow(url: number): void {
    if (url >= this.#pageOf.length) this.#pageOf = enlarged(this.#pageOf, capacityFor(url + 1, this.#pageOf.length));
    if (this.count <= this.#urls.length) return;
    const capacity = capacityFor(this.count, this.#urls.length);
    this.#urls = enlarged(this.#urls, capacity);
    this.#importance = enlarged(this.#importance, capacity);
    this.#visits = enlarged(this.#visits, capacity);
    this.#digests = enlarged(this.#digests, capacity * DIGEST_BYTES);
    this.#hasDigest = enlarged(this.#hasDigest, capacity);
    this.#ruleOf = enlarged(this.#ruleOf, capacity);
    this.#isWhole = enlarged(this.#isWhole, capacity);
  }
}
