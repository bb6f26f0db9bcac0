/**
 * Compares what two crawls know, page by page, over columns of numbers: no object per page. It takes one pass over the
 * URLs of each crawl, most important first, so every list begins with the most important pages of its kind.
 *
 * Invariants: every page of A and every page of B is counted in exactly one kind of change. The pages of A are the
 * unchanged, changed, content-unknown, gone, redirected, failing and not-fetched ones; the pages of B the unchanged,
 * changed, content-unknown, recovered, first-fetched and new ones.
 */
import { sortDescending, zeroCounts } from "../base/index.ts";
import { type Interval, isDownloaded } from "../coverage/index.ts";
import {
  changeOfPageInB,
  changeOfPageLost,
  type NotFetchedReason,
  NOT_KNOWN,
  notFetchedReasons,
  type PageChange,
  pageChanges,
  reasonNotFetched,
} from "./changes.ts";
import type { FingerprintColumn } from "./fingerprint-column.ts";
import type { MatchedUrls } from "./match-urls.ts";

/** What one crawl knows of its URLs. */
export interface CrawlColumns {
  /** One `PageState` per URL: how it was found last. */
  readonly state: Uint8Array;
  /** All URLs except sinks, most important first. */
  readonly byImportance: Uint32Array;
  /** Rank of a downloaded page, from 1; 0 for other URLs. */
  place(url: number): number;
  /** The interval that contains a URL's share of all importance. */
  interval(url: number): Interval;
  /** By rank minus 1: the body, and the title. */
  readonly contents: FingerprintColumn;
  readonly titles: FingerprintColumn;
}

/** A URL by its ids in the two crawls; -1 where a crawl does not know it. */
export interface PagePair {
  readonly a: number;
  readonly b: number;
}

/** All lists are bounded. */
export interface Comparison {
  /** URLs that both crawls know. */
  readonly common: number;
  readonly counts: Readonly<Record<PageChange, number>>;
  readonly notFetched: Readonly<Record<NotFetchedReason, number>>;
  /** Most important first: in A of the pages that are no pages in B, else in B. None of what is unchanged. */
  readonly pages: Readonly<Record<PageChange, readonly PagePair[]>>;
  /** Pages of both crawls whose titles differ, most important first. */
  readonly titles: { readonly count: number; readonly pages: readonly PagePair[] };
  /** Pages of both crawls whose share of importance differs. */
  readonly moved: {
    /** The share has certainly risen or fallen: the intervals do not overlap. */
    readonly up: number;
    readonly down: number;
    /** The proven shares differ, but a crawl that has covered more can prove more: the intervals overlap. */
    readonly possible: number;
    /** Certain changes first; both by the difference of the proven shares, largest first. */
    readonly pages: readonly PagePair[];
  };
}

/** Smaller differences of a share are not counted: they would be shown as 0. */
const MOVED_MIN = 1e-6;

export interface CompareOptions {
  readonly a: CrawlColumns;
  readonly b: CrawlColumns;
  readonly matched: MatchedUrls;
  /** Whether the fingerprints of contents were made with the same seed. */
  readonly isContentComparable: boolean;
  /** Whether importance was measured in the same way: else no change of it is certain. */
  readonly isImportanceComparable: boolean;
  /** Pages per list, at most. */
  readonly top: number;
}

export function compareCrawls(options: CompareOptions): Comparison {
  const { a, b, matched, isContentComparable, top } = options;
  const counts = zeroCounts(pageChanges);
  const notFetched = zeroCounts(notFetchedReasons);
  const pages = Object.fromEntries(pageChanges.map((change) => [change, []])) as unknown as PageLists;
  const titles = { count: 0, pages: [] as PagePair[] };
  const count = (change: PageChange, inA: number, inB: number): void => {
    counts[change]++;
    if (change !== "unchanged") keep(pages[change], inA, inB, top);
  };
  for (const inB of b.byImportance) {
    if (!isDownloaded(b.state[inB])) continue;
    const inA = matched.ofB[inB] - 1;
    const stateInA = inA < 0 ? NOT_KNOWN : a.state[inA];
    if (!isDownloaded(stateInA)) {
      count(changeOfPageInB(stateInA, undefined), inA, inB);
      continue;
    }
    const [placeA, placeB] = [a.place(inA) - 1, b.place(inB) - 1];
    const isSame = isContentComparable ? b.contents.isSame(placeB, a.contents, placeA) : undefined;
    count(changeOfPageInB(stateInA, isSame), inA, inB);
    if (b.titles.isSame(placeB, a.titles, placeA) !== false) continue;
    titles.count++;
    keep(titles.pages, inA, inB, top);
  }
  for (const inA of a.byImportance) {
    if (!isDownloaded(a.state[inA])) continue;
    const inB = matched.ofA[inA] - 1;
    const stateInB = inB < 0 ? NOT_KNOWN : b.state[inB];
    if (isDownloaded(stateInB)) continue;
    const change = changeOfPageLost(stateInB);
    count(change, inA, inB);
    if (change === "not-fetched") notFetched[reasonNotFetched(stateInB)]++;
  }
  return { common: matched.common, counts, notFetched, pages, titles, moved: movedPages(options) };
}

type PageLists = Record<PageChange, PagePair[]>;

/** By ranks in B, which count up without a gap: arrays need no room for URLs that are no pages. */
function movedPages({ a, b, matched: { ofB }, isImportanceComparable, top }: CompareOptions): Comparison["moved"] {
  const ranked = b.byImportance.filter((url) => b.place(url) > 0);
  const keys = new Float64Array(ranked.length);
  const candidates = new Uint32Array(ranked.length);
  let [count, up, down] = [0, 0, 0];
  for (const [rank, url] of ranked.entries()) {
    const inA = ofB[url] - 1;
    if (inA < 0 || !isDownloaded(b.state[url]) || !isDownloaded(a.state[inA])) continue;
    const [before, after] = [a.interval(inA), b.interval(url)];
    const difference = Math.abs(after.low - before.low);
    if (difference < MOVED_MIN) continue;
    candidates[count++] = rank;
    const direction = isImportanceComparable ? certainDirection(before, after) : 0;
    if (direction > 0) up++;
    else if (direction < 0) down++;
    // No difference is above 1, so certain changes come first.
    keys[rank] = difference + (direction === 0 ? 0 : 1);
  }
  const sorted = candidates.subarray(0, count);
  sortDescending(sorted, keys);
  const pages = Array.from(sorted.subarray(0, top), (rank) => ({ a: ofB[ranked[rank]] - 1, b: ranked[rank] }));
  return { up, down, possible: count - up - down, pages };
}

/** 1 if a share has certainly risen, -1 if it has certainly fallen, 0 if its intervals overlap. */
export function certainDirection(before: Interval, after: Interval): -1 | 0 | 1 {
  if (after.low > before.high) return 1;
  return after.high < before.low ? -1 : 0;
}

function keep(list: PagePair[], a: number, b: number, top: number): void {
  if (list.length < top) list.push({ a, b });
}
