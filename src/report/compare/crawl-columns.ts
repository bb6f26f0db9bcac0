/**
 * What a crawl knows of its URLs, as columns for a comparison: read from the store, up to the last visit of a survey,
 * so that both are about the same moment of a crawl that may be running.
 *
 * A page that was read again counts as it was found last. An attempt to read it again that failed says nothing.
 */
import { type CrawlColumns, FingerprintColumn } from "../../compare/index.ts";
import { isDownloaded, PageState } from "../../coverage/index.ts";
import type { Fingerprinter } from "../../crawl/index.ts";
import type { SqliteStore } from "../../store/index.ts";
import type { Survey } from "../../survey/index.ts";

export function crawlColumns(store: SqliteStore, survey: Survey, fingerprinter: Fingerprinter): CrawlColumns {
  const crawled = survey.state;
  const state = crawled.slice();
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
  for (const { url, outcome, digest } of store.rereads()) {
    if (url >= state.length || outcome === "failed") continue;
    if (outcome === "gone") state[url] = PageState.Dead;
    else if (outcome === "moved") state[url] = PageState.Redirected;
    else state[url] = crawled[url];
    if (outcome !== "changed" || !isDownloaded(crawled[url])) continue;
    const place = survey.place(url) - 1;
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
