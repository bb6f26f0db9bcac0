/**
 * What a crawl knows of its URLs, as columns for a comparison: read from the store, up to the last visit of a survey,
 * so that both are about the same moment of a crawl that may be running.
 *
 * A page that was read again counts as its newest visit says.
 */
import { type CrawlColumns, FingerprintColumn } from "../../compare/index.ts";
import { isDownloaded } from "../../coverage/index.ts";
import type { Fingerprinter } from "../../crawl/index.ts";
import type { SqliteStore } from "../../store/index.ts";
import type { Survey } from "../../survey/index.ts";

export function crawlColumns(store: SqliteStore, survey: Survey, fingerprinter: Fingerprinter): CrawlColumns {
  const { state } = survey;
  const pages = state.reduce((count, each) => count + (isDownloaded(each) ? 1 : 0), 0);
  const contents = new FingerprintColumn(pages);
  const titles = new FingerprintColumn(pages);
  for (const { url, digest, title, isCutOff } of store.contents(survey.facts.visits)) {
    const place = survey.place(url) - 1;
    if (place < 0) continue;
    if (!isCutOff) setDigest(contents, place, digest);
    fingerprinter.text(title ?? "");
    titles.set(place, fingerprinter.high, fingerprinter.low);
  }
  // Before version 0.2 a change was noted, and nothing else was learnt of it.
  const changed = new Map<number, Uint8Array | null>();
  for (const { url, outcome, digest, visit } of store.rereads()) {
    if (visit !== null) changed.delete(url);
    else if (outcome === "changed") changed.set(url, digest);
  }
  for (const [url, digest] of changed) {
    const place = url < state.length ? survey.place(url) - 1 : -1;
    if (place < 0) continue;
    setDigest(contents, place, digest);
    titles.forget(place);
  }
  const { byImportance } = survey;
  return {
    state,
    byImportance,
    contents,
    titles,
    place: (url) => survey.place(url),
    interval: (url) => survey.interval(url),
  };
}

/** An empty body has no digest. */
function setDigest(contents: FingerprintColumn, place: number, digest: Uint8Array | null): void {
  if (digest === null) return contents.set(place, 0, 0);
  const view = new DataView(digest.buffer, digest.byteOffset);
  contents.set(place, view.getUint32(0), view.getUint32(4));
}
