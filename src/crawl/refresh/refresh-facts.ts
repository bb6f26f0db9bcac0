/** What a log says about fetching pages again: importance, when they were read, how often they changed. */
import { certify, isDownloaded, PageState } from "../../coverage/index.ts";
import { type Reread, type Visit } from "../../log/index.ts";
import { ageOf, type KnownPage, saysChanged } from "../../refresh/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import { ledgerOfLog } from "../certify-log.ts";

/** A page that may be read, with the validators for a conditional request. */
export interface RefreshPage extends KnownPage {
  readonly url: number;
  /** Unix time in milliseconds of the last answer that showed its content; null if there is none. */
  readonly seenMs: number | null;
  readonly digest: Uint8Array | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface RefreshFacts {
  /** Downloaded pages in the order of their visits, then new ones that are worth something. */
  readonly pages: readonly RefreshPage[];
  /** Downloaded pages, gone or not. */
  readonly downloaded: number;
  /** Downloaded pages that are known to be gone or to have moved: forgotten, with the reason in the log of rereads. */
  readonly gone: number;
}

type Draft = { -readonly [Key in keyof RefreshPage]: RefreshPage[Key] } & { changedAfterMs: number[] };

/** Importance is the share of the certificate: a lower bound of the true one, of new pages too. */
export function refreshFacts(store: CrawlStore): RefreshFacts {
  const byUrl = new Map<number, Draft>();
  const { ledger } = ledgerOfLog(store, {
    visited: (visit) => void (isDownloaded(visit.outcome) && byUrl.set(visit.url, draftOf(visit))),
  });
  certify(ledger);
  for (const page of byUrl.values()) page.importance = ledger.settled[page.url] + ledger.waiting[page.url];
  const downloaded = byUrl.size;
  let gone = 0;
  for (const reread of store.rereads()) {
    const page = byUrl.get(reread.url);
    if (page === undefined) continue;
    if (reread.outcome !== "gone" && reread.outcome !== "moved") takeIn(page, reread);
    else if (byUrl.delete(reread.url)) gone++;
  }
  for (const listed of store.listedUrls()) {
    const page = byUrl.get(listed.url);
    // A read that failed does not disprove what the sitemap says.
    if (page !== undefined && saysChanged(listed, page.seenMs ?? 0)) page.isSaidChanged = true;
  }
  const pages: RefreshPage[] = [...byUrl.values()];
  for (let url = 0; url < ledger.pages; url++) {
    if (ledger.state[url] === PageState.Open && ledger.waiting[url] > 0) pages.push(newPage(url, ledger.waiting[url]));
  }
  return { pages, downloaded, gone };
}

function draftOf({ url, atMs, digest, etag, lastModified }: Visit): Draft {
  return {
    url,
    importance: 0,
    lastReadMs: atMs,
    seenMs: atMs,
    changedAfterMs: [],
    unchangedMs: 0,
    ageMs: ageOf(lastModified, atMs),
    digest,
    etag,
    lastModified,
  };
}

function newPage(url: number, importance: number): RefreshPage {
  const unknown = { lastReadMs: null, seenMs: null, digest: null, etag: null, lastModified: null };
  return { url, importance, changedAfterMs: [], unchangedMs: 0, ageMs: null, ...unknown };
}

function takeIn(page: Draft, reread: Reread): void {
  // An attempt that failed tells nothing about changes, but is not made again at once.
  page.lastReadMs = reread.atMs;
  if (reread.outcome === "failed") return;
  const sinceMs = Math.max(0, reread.atMs - (page.seenMs ?? reread.atMs));
  if (reread.outcome === "changed") page.changedAfterMs.push(sinceMs);
  else page.unchangedMs += sinceMs;
  page.seenMs = reread.atMs;
  page.digest = reread.digest ?? page.digest;
  page.etag = reread.etag;
  page.lastModified = reread.lastModified;
}
