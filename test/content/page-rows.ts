/** Rows of pages for tests of what is made of them. */
import type { PageRow } from "../../src/store/index.ts";

export function downloadedRow(id: number, url: string, change: Partial<PageRow> = {}): PageRow {
  return {
    id,
    url,
    state: "downloaded",
    reason: null,
    status: 200,
    depth: 0,
    source: "link",
    contentType: "text/html",
    title: null,
    bytes: 10,
    fetchedAt: "2026-11-16T12:00:00.000Z",
    target: null,
    language: null,
    sitemap: null,
    sitemapModified: null,
    robotsTag: null,
    noindex: false,
    noarchive: null,
    usage: null,
    ...change,
  };
}
