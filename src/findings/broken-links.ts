/**
 * Links that lead to nothing: to a URL that is dead (404, 410, no such host, a loop of redirects), that failed (any
 * other error, no answer) or that the server forbids, or to redirects that end at such a URL. What was not requested,
 * or waits for another attempt, is not known to be broken; nor is a page of a host that blocks the crawler: others may
 * get it.
 */
import { PageState, refusedState } from "../coverage/index.ts";
import { copiedRow } from "../graph/index.ts";
import { type CrawledSite, redirectsFrom } from "./crawled-site.ts";

export interface BrokenLink {
  readonly source: number;
  readonly target: number;
  /** Which link of the page it is, from 0. */
  readonly place: number;
}

const BROKEN: ReadonlySet<number> = new Set([PageState.Dead, refusedState("failed"), refusedState("forbidden")]);

/** One byte per URL: 1 where a link to it is broken. */
function brokenUrls(site: CrawledSite): Uint8Array {
  const { urls, state } = site;
  const broken = new Uint8Array(urls);
  for (let url = 0; url < urls; url++) {
    const end = state[url] === PageState.Redirected ? redirectsFrom(site, url).end : url;
    if (BROKEN.has(state[end])) broken[url] = 1;
  }
  return broken;
}

/** The broken links of the given pages, which were downloaded: page by page, as written, each target once per page. */
export function* brokenLinks(site: CrawledSite, pages: Iterable<number>): Generator<BrokenLink> {
  const broken = brokenUrls(site);
  const listed = new Set<number>();
  for (const source of pages) {
    for (const [place, target] of copiedRow(site.links, source).entries()) {
      if (broken[target] === 0 || listed.has(target)) continue;
      listed.add(target);
      yield { source, target, place };
    }
    listed.clear();
  }
}
