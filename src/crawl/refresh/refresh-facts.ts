/** What a log says about fetching pages again: importance, when they were read, how often they changed. */
import { certify, isDownloaded, PageState } from "../../coverage/index.ts";
import { type EarlierReads, earlierMs, type Reread, type Visit } from "../../log/index.ts";
import { ageOf, type KnownPage, saysChanged } from "../../refresh/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import { ledgerOfLog } from "../certify-log.ts";
import { type DoubtedAbsence, isSameAbsence } from "./absence.ts";
import { type Reading, readingOfVisit } from "./reading.ts";

/** A page that may be read, with the validators for a conditional request: those of the visit that counts. */
export interface RefreshPage extends KnownPage, Reading {
  readonly url: number;
  /** The visit that counts; null for a page that was never read. */
  readonly visit: number | null;
  /** Unix time in milliseconds of the last answer that showed its content; null if there is none. */
  readonly seenMs: number | null;
  readonly digest: Uint8Array | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** It was not found lately, which is not believed yet: it should be read again soon. */
  readonly absence?: DoubtedAbsence | undefined;
  /** Why the last read failed, if it did. */
  readonly failure?: string | null | undefined;
}

export interface RefreshFacts {
  /** Downloaded pages in the order of their visits, then new ones that are worth something. */
  readonly pages: readonly RefreshPage[];
  /** Downloaded pages, as far as they are not known to be gone. */
  readonly downloaded: number;
  /** Pages that were downloaded once, and are gone or have moved. */
  readonly gone: number;
}

type Draft = { -readonly [Key in keyof RefreshPage]: RefreshPage[Key] } & {
  changedAfterMs: number[];
  /** Whether what was read last is what the visit says. Before version 0.2, a change was noted without a visit. */
  isAsVisited: boolean;
};

/** Importance is the share of the certificate: a lower bound of the true one, of new pages too. */
export function refreshFacts(store: CrawlStore): RefreshFacts {
  const byUrl = new Map<number, Draft>();
  const { ledger } = ledgerOfLog(store, {
    visited: (visit) => void (isDownloaded(visit.outcome) && byUrl.set(visit.url, draftOf(visit))),
  });
  certify(ledger);
  for (const page of byUrl.values()) page.importance = ledger.settled[page.url] + ledger.waiting[page.url];
  const gone = takeInReads(store, byUrl);
  for (const listed of store.listedUrls()) {
    const page = byUrl.get(listed.url);
    // A read that failed does not disprove what the sitemap says.
    if (page !== undefined && saysChanged(listed, page.seenMs ?? 0)) page.isSaidChanged = true;
  }
  const pages: RefreshPage[] = [...byUrl.values()];
  for (let url = 0; url < ledger.pages; url++) {
    if (ledger.state[url] === PageState.Open && ledger.waiting[url] > 0) pages.push(newPage(url, ledger.waiting[url]));
  }
  return { pages, downloaded: byUrl.size, gone };
}

/** Returns how many pages are gone. */
function takeInReads(store: CrawlStore, byUrl: ReadonlyMap<number, Draft>): number {
  // What was found when begins with the first visit, which may have been replaced.
  const isBegun = new Set<number>();
  for (const { url, atMs, outcome } of store.replacedVisits()) {
    const page = isDownloaded(outcome) && !isBegun.has(url) ? byUrl.get(url) : undefined;
    isBegun.add(url);
    if (page !== undefined) page.seenMs = atMs;
  }
  const gone = new Set<number>();
  for (const reread of store.rereads()) {
    const page = byUrl.get(reread.url);
    if (page !== undefined) takeIn(page, reread);
    else if (reread.visit !== null && (reread.outcome === "gone" || reread.outcome === "moved")) gone.add(reread.url);
  }
  return gone.size;
}

function draftOf(visit: Visit): Draft {
  const { number, url, atMs, digest, etag, lastModified } = visit;
  return {
    url,
    visit: number,
    importance: 0,
    lastReadMs: atMs,
    seenMs: atMs,
    changedAfterMs: [],
    unchangedMs: 0,
    ageMs: ageOf(lastModified, atMs),
    digest,
    etag,
    lastModified,
    ...readingOfVisit(visit),
    isAsVisited: true,
  };
}

function newPage(url: number, importance: number): RefreshPage {
  const never = { visit: null, lastReadMs: null, seenMs: null, readAs: "", isWhole: false };
  const unknown = { ...never, digest: null, etag: null, lastModified: null };
  return { url, importance, changedAfterMs: [], unchangedMs: 0, ageMs: null, ...unknown };
}

function takeIn(page: Draft, reread: Reread): void {
  const { outcome, atMs, target } = reread;
  // An attempt that failed tells nothing about changes, but is not made again at once.
  page.lastReadMs = atMs;
  page.failure = outcome === "failed" ? reread.reason : undefined;
  if (outcome === "failed") return;
  if (outcome === "gone" || outcome === "moved") {
    const absence = { outcome, target, sinceMs: atMs };
    if (page.absence === undefined || !isSameAbsence(page.absence, absence)) page.absence = absence;
    page.isSaidChanged = true;
    return;
  }
  if (reread.earlier !== undefined) takeInEarlier(page, reread.earlier);
  const sinceMs = Math.max(0, atMs - (page.seenMs ?? atMs));
  if (outcome === "changed") page.changedAfterMs.push(sinceMs);
  else page.unchangedMs += sinceMs;
  page.seenMs = atMs;
  page.absence = undefined;
  page.isSaidChanged = false;
  page.isAsVisited = outcome === "changed" ? reread.visit === page.visit : page.isAsVisited;
  // A server may send new validators with the same content. Those of earlier content would let the page look unchanged
  // when it is as it was before.
  if (!page.isAsVisited) return;
  page.etag = reread.etag;
  page.lastModified = reread.lastModified;
}

/** Reads whose rows were folded into a later one. */
function takeInEarlier(page: Draft, earlier: EarlierReads): void {
  page.changedAfterMs.push(...earlier.changedAfterMs);
  page.unchangedMs += earlier.quietMs;
  if (page.seenMs !== null) page.seenMs += earlierMs(earlier);
}
