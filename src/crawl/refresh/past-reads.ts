/**
 * What the reads of a log have shown, page by page: how often each page has changed, what was read last, and what has
 * failed since. Every refresh starts from here.
 *
 * The history of a page begins with its first visit, which may have been replaced; then come its rereads, in order. The
 * time in which a page has not changed is counted from the read that first showed its content to the last that did, so
 * reads in between that found nothing new make no difference.
 */
import { isDownloaded } from "../../coverage/index.ts";
import type { EarlierReads, QuietReads, ReplacedVisit, Reread, Visit } from "../../log/index.ts";
import { ageOf, type ModifiedTrust, type PastChange } from "../../refresh/index.ts";
import type { Copy, PageBook } from "./page-book.ts";
import { readingOfVisit } from "./reading.ts";
import type { Retries } from "./retries.ts";

export interface PageReads {
  /** Reads that found it changed, in their order. */
  readonly changes: readonly PastChange[];
  /** For how long it has not changed since. */
  readonly unchangedMs: number;
  /** How long before its first read it was last modified, according to the page; null if that is unknown. */
  readonly ageMs: number | null;
  /** When the content of now was first seen. */
  readonly sinceMs: number;
  /** Its date is later than that, so it is wrong. */
  readonly isMisdated: boolean;
  /** Unix time in milliseconds of the last answer that showed its content. */
  readonly seenMs: number;
  /** The same, of the last request, whatever came of it. */
  readonly triedMs: number;
}

export class PastReads {
  readonly #book: PageBook;
  readonly #retries: Retries;
  /** When the present content of a page was first seen. */
  readonly #sinceMs: number[] = [];
  readonly #seenMs: number[] = [];
  readonly #triedMs: number[] = [];
  /** Times without a change since the last one that counts, but for that of the present content. */
  readonly #quietMs: number[] = [];
  readonly #ageMs: (number | null)[] = [];
  /** Of pages that were found changed. */
  readonly #changes = new Map<number, PastChange[]>();
  readonly #isMisdated: boolean[] = [];
  /** How often other contents were misdated, of pages of which one was. */
  readonly #misdated = new Map<number, number>();
  /** Pages whose last change no visit shows: one of a version before 0.2. */
  readonly #unvisited = new Set<number>();

  constructor(book: PageBook, retries: Retries) {
    this.#book = book;
    this.#retries = retries;
  }

  /** All visits that count come first, then those that were replaced, then rereads. */
  visited(read: Visit): void {
    if (!isDownloaded(read.outcome)) return;
    const { number: visit, url, atMs, digest, etag, lastModified } = read;
    const page = this.#book.add(url);
    this.#sinceMs[page] = atMs;
    this.#seenMs[page] = atMs;
    this.#triedMs[page] = atMs;
    this.#quietMs[page] = 0;
    this.#isMisdated[page] = false;
    this.#ageMs[page] = ageOf(lastModified, atMs);
    this.#book.setCopy(page, { visit, digest, etag, lastModified, ...readingOfVisit(read) });
  }

  replaced({ url, atMs, outcome }: Pick<ReplacedVisit, "url" | "atMs" | "outcome">): void {
    const page = this.#book.pageOf(url);
    if (page === -1 || !isDownloaded(outcome)) return;
    this.#sinceMs[page] = Math.min(this.#sinceMs[page], atMs);
    this.#seenMs[page] = this.#sinceMs[page];
    // What counts now says nothing about its age at the first read.
    this.#ageMs[page] = null;
  }

  reread(reread: Reread): void {
    const { url, atMs, outcome, reason, visit, earlier } = reread;
    const page = this.#book.pageOf(url);
    if (page === -1) return;
    this.#triedMs[page] = atMs;
    if (outcome === "failed") return this.#retries.failed(page, atMs, reason);
    if (outcome === "gone" || outcome === "moved") return this.#retries.absent(page, reread, outcome);
    this.#retries.succeeded(page);
    if (earlier !== undefined) this.#earlier(page, earlier);
    const ageMs = ageOf(reread.lastModified, atMs);
    if (outcome === "changed") this.#changed(page, atMs, ageMs);
    else this.#unchanged(page, atMs, ageMs);
    if (outcome === "changed" && visit === null) this.#unvisited.add(page);
    else if (outcome === "changed") this.#unvisited.delete(page);
    // What was read then would let the next read look unchanged, though the visit that counts has the old content.
    if (!this.#unvisited.has(page)) this.#book.setCopy(page, renewedCopy(this.#book.copyOf(page), reread));
  }

  /** Notes which dates were right and which were wrong, once all reads are told. */
  noteDates(dates: ModifiedTrust, hostOf: (url: number) => number): void {
    for (let page = 0; page < this.#seenMs.length; page++) {
      const right = this.#changes.get(page)?.filter(({ ageMs }) => ageMs !== null).length ?? 0;
      const wrong = (this.#misdated.get(page) ?? 0) + Number(this.#isMisdated[page]);
      dates.note(hostOf(this.#book.urlOf(page)), { right, wrong });
    }
  }

  /** Unix time in milliseconds of the last answer that showed the content of a page. */
  seenMs(page: number): number {
    return this.#seenMs[page];
  }

  /** `areDatesTrusted`: those of its host. */
  of(page: number, areDatesTrusted: boolean): PageReads {
    const [seenMs, sinceMs] = [this.#seenMs[page], this.#sinceMs[page]];
    const changes = this.#changes.get(page) ?? [];
    return {
      changes: areDatesTrusted ? changes : changes.map((change) => ({ ...change, ageMs: null })),
      unchangedMs: this.#quietMs[page] + Math.max(0, seenMs - sinceMs),
      ageMs: areDatesTrusted ? this.#ageMs[page] : null,
      sinceMs,
      isMisdated: this.#isMisdated[page],
      seenMs,
      triedMs: this.#triedMs[page],
    };
  }

  /** Reads whose rows were folded into a later one, as if they had been told one by one. */
  #earlier(page: number, { changes, ...last }: EarlierReads): void {
    for (const { afterMs, ageMs, ...before } of changes) {
      this.#quiet(page, before);
      this.#changed(page, this.#seenMs[page] + afterMs, ageMs);
    }
    this.#quiet(page, last);
  }

  #quiet(page: number, { quietMs, quietAgeMs }: QuietReads): void {
    if (quietMs > 0) this.#unchanged(page, this.#seenMs[page] + quietMs, quietAgeMs);
  }

  #unchanged(page: number, atMs: number, ageMs: number | null): void {
    this.#isMisdated[page] = ageMs !== null && atMs - ageMs > this.#sinceMs[page];
    this.#seenMs[page] = atMs;
  }

  #changed(page: number, atMs: number, ageMs: number | null): void {
    const [seenMs, sinceMs] = [this.#seenMs[page], this.#sinceMs[page]];
    const quietMs = this.#quietMs[page] + Math.max(0, seenMs - sinceMs);
    if (this.#isMisdated[page]) this.#misdated.set(page, (this.#misdated.get(page) ?? 0) + 1);
    this.#isMisdated[page] = false;
    this.#sinceMs[page] = atMs;
    this.#seenMs[page] = atMs;
    const afterMs = atMs - seenMs;
    // A change within no time, by a clock that was set back, would be impossible at any rate.
    this.#quietMs[page] = afterMs > 0 ? 0 : quietMs;
    if (afterMs <= 0) return;
    const change = { quietMs, afterMs, ageMs: ageMs !== null && ageMs < afterMs ? ageMs : null };
    const changes = this.#changes.get(page);
    if (changes === undefined) this.#changes.set(page, [change]);
    else changes.push(change);
  }
}

/** A copy after a read. An unchanged page may have new validators; of changes, the visit that counts shows the last. */
export function renewedCopy(copy: Copy, { outcome, digest, etag, lastModified, visit }: Reread): Copy {
  if (outcome === "unchanged") return { ...copy, etag, lastModified };
  return visit === null || visit < (copy.visit ?? 0) ? copy : { ...copy, visit, digest, etag, lastModified };
}
