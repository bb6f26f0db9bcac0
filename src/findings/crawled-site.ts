/**
 * A crawl as findings see it: what became of each URL, the links of its pages, and where URLs redirect. Ids alone: ten
 * million URLs take a few bytes each, and only what is shown is looked up.
 */
import { isDownloaded, PageState } from "../coverage/index.ts";
import type { LinkTable } from "../graph/index.ts";

export interface CrawledSite {
  readonly urls: number;
  /** One `PageState` per URL, or more. */
  readonly state: Uint8Array;
  readonly links: LinkTable;
  /** Where a URL redirects; undefined for one that does not, and for one whose redirect closes a loop. */
  targetOf(url: number): number | undefined;
}

/** The URLs that redirect one to the next, from `url` on, and the one at which they end. */
export function redirectsFrom(
  site: CrawledSite,
  url: number,
): { readonly hops: readonly number[]; readonly end: number } {
  const hops: number[] = [];
  let end = url;
  for (let target = targetOf(site, url); target !== undefined; target = targetOf(site, end)) {
    hops.push(end);
    end = target;
  }
  return { hops, end };
}

function targetOf({ state, targetOf }: CrawledSite, url: number): number | undefined {
  return state[url] === PageState.Redirected ? targetOf(url) : undefined;
}

/** The downloaded pages in the order of their discovery. */
export function downloadedPages({ urls, state }: CrawledSite): Uint32Array {
  let count = 0;
  for (let url = 0; url < urls; url++) if (isDownloaded(state[url])) count++;
  const pages = new Uint32Array(count);
  for (let url = 0, k = 0; url < urls; url++) if (isDownloaded(state[url])) pages[k++] = url;
  return pages;
}

/** How many pages link to each URL, without links of a page to itself. */
export function linksInto(site: CrawledSite): Uint32Array {
  const counts = new Uint32Array(site.urls);
  const lastSource = new Uint32Array(site.urls);
  for (const page of downloadedPages(site)) {
    const { targets, start, end } = site.links.row(page);
    for (let k = start; k < end; k++) {
      const target = targets[k];
      // Numbers of pages from 1, since 0 stands for none.
      if (target === page || lastSource[target] === page + 1) continue;
      lastSource[target] = page + 1;
      counts[target]++;
    }
  }
  return counts;
}
