/** What a log says about fetching pages again: importance, when they were read, how often they changed. */
import { certify } from "../../coverage/index.ts";
import { type KnownPage, ModifiedTrust, saysChanged } from "../../refresh/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import { ledgerOfLog } from "../certify-log.ts";
import type { DoubtedAbsence } from "./absence.ts";
import { FailedVisits, unreadImportance } from "./importance.ts";
import { type Copy, NO_COPY, PageBook } from "./page-book.ts";
import { PastReads } from "./past-reads.ts";
import { Retries } from "./retries.ts";

/** A page that may be read, with the validators for a conditional request: those of the visit that counts. */
export interface RefreshPage extends KnownPage, Copy {
  readonly url: number;
  /** Unix time in milliseconds of the last answer that showed its content; null if there is none. */
  readonly seenMs: number | null;
  /** It was not found lately, which is not believed yet: it should be read again soon. */
  readonly absence?: DoubtedAbsence | undefined;
  /** Why the last read failed, if it did. */
  readonly failure?: string | null | undefined;
  /** It was never downloaded, because it failed. */
  readonly hasFailed?: boolean;
}

export interface RefreshFacts {
  /** Downloaded pages in the order of their visits, then new ones, and those that failed, that are worth something. */
  readonly pages: readonly RefreshPage[];
  /** Downloaded pages, as far as they are not known to be gone. */
  readonly downloaded: number;
  /** Pages that were downloaded once, and are gone or have moved. */
  readonly gone: number;
}

/**
 * Importance is the share of the certificate: a lower bound of the true one, of new pages too. Pages that failed before
 * are among them if they may be tried again at this time.
 */
export function refreshFacts(store: CrawlStore, nowMs = Number.POSITIVE_INFINITY): RefreshFacts {
  const book = new PageBook();
  const retries = new Retries();
  const past = new PastReads(book, retries);
  const dates = new ModifiedTrust();
  const failed = new FailedVisits();
  /** Of URLs that were never downloaded. */
  const unread = new Retries();
  const { ledger, urls } = ledgerOfLog(store, {
    visited: (visit) => {
      const { url, atMs, outcome, reason, detail } = visit;
      past.visited(visit);
      failed.visited(visit);
      if (outcome === "try-again" || reason === "failed") unread.failed(url, atMs, detail);
    },
  });
  certify(ledger);
  for (const visit of store.replacedVisits()) past.replaced(visit);
  const gone = new Set<number>();
  for (const reread of store.rereads()) {
    past.reread(reread);
    const isAbsent = reread.outcome === "gone" || reread.outcome === "moved";
    const hasFailed = reread.outcome === "failed" && failed.of(reread.url) !== undefined;
    if (hasFailed) unread.failed(reread.url, reread.atMs, reread.reason);
    if (isAbsent && reread.visit !== null && book.pageOf(reread.url) === -1) gone.add(reread.url);
  }
  past.noteDates(dates, (url) => urls.hostOf(url));
  const saidChanged = new Set<number>();
  for (const listed of store.listedUrls()) {
    const page = book.pageOf(listed.url);
    // A read that failed does not disprove what the sitemap says.
    if (page !== -1 && saysChanged(listed, past.seenMs(page))) saidChanged.add(page);
  }
  const downloaded = book.count;
  const pages = Array.from({ length: downloaded }, (_, page): RefreshPage => {
    const url = book.urlOf(page);
    const host = urls.hostOf(url);
    const { changes, unchangedMs, ageMs, seenMs, triedMs } = past.of(page, dates.isTrusted(host));
    const absence = retries.absenceOf(page);
    return {
      url,
      host,
      importance: ledger.settled[url] + ledger.waiting[url],
      // An attempt that failed tells nothing about changes, but is not made again at once.
      lastReadMs: triedMs,
      seenMs,
      changedAfterMs: changes.map(({ afterMs }) => afterMs),
      unchangedMs: changes.reduce((sum, { quietMs }) => sum + quietMs, unchangedMs),
      ageMs,
      ...book.copyOf(page),
      isSaidChanged: absence !== undefined || saidChanged.has(page),
      absence,
      failure: retries.failureOf(page),
    };
  });
  for (let url = 0; url < ledger.pages; url++) {
    const importance = unreadImportance(ledger, url);
    const visit = failed.of(url) ?? null;
    if (importance === 0 || (visit !== null && unread.retryMs(url) > nowMs)) continue;
    const page = { ...NEVER_READ, url, host: urls.hostOf(url), importance };
    pages.push(visit === null ? page : { ...page, visit, hasFailed: true });
  }
  return { pages, downloaded, gone: gone.size };
}

const NEVER_READ = {
  ...NO_COPY,
  lastReadMs: null,
  seenMs: null,
  changedAfterMs: [],
  unchangedMs: 0,
  ageMs: null,
} as const;
