/** A crawl whose pages have texts, written directly: each page links to the first. */
import { makePlainTexts } from "../../src/content/index.ts";
import { NO_PAGE_METADATA } from "../../src/log/index.ts";
import { createCrawl, openCrawl, type SqliteStore } from "../../src/store/index.ts";
import { inlineSettings } from "./inline-web.ts";

export interface TextPage {
  readonly text: string | null;
  readonly title?: string;
  readonly path?: string;
  readonly host?: string;
}

const FIRST_MS = 1_700_000_000_000;

/** Makes the crawl, or adds pages to it. Page i has the id i. */
export function writeTexts(dir: string, pages: readonly TextPage[], { hashSeed = 1, isNew = true } = {}): void {
  const settings = inlineSettings(["http://a.example/"], {});
  const json = JSON.stringify({ ...settings, web: { ...settings.web, hashSeed } });
  const store = isNew ? createCrawl(dir, json) : openCrawl(dir);
  try {
    for (const page of pages) add(store, page);
  } finally {
    store.close();
  }
}

function add(store: SqliteStore, { text, title, path, host = "a.example" }: TextPage): void {
  const id = store.urlCount;
  const origins = [...store.origins()];
  const origin = `http://${host}`;
  if (!origins.includes(origin)) store.addOrigin(origins.length, origin);
  const number = store.nextVisit;
  store.addUrl({
    id,
    origin: origins.includes(origin) ? origins.indexOf(origin) : origins.length,
    path: path ?? (id === 0 ? "/" : `/p${id}`),
    depth: id === 0 ? 0 : 1,
    source: id === 0 ? "seed" : "link",
    discoveredAt: number - 1,
    reason: null,
  });
  if (id === 0) store.replaceTrust([{ url: 0, weight: 1 }]);
  store.addVisit({
    number,
    url: id,
    atMs: FIRST_MS + number,
    outcome: "downloaded",
    reason: null,
    detail: null,
    isRewritten: false,
    status: 200,
    wireBytes: 10,
    milliseconds: 1,
    contentType: "text/html",
    ...NO_PAGE_METADATA,
    title: title ?? null,
    value: null,
    etag: null,
    lastModified: null,
    location: null,
    target: null,
    links: Uint32Array.of(0),
  });
  if (text !== null) store.addTexts(number, makePlainTexts(text, ["text"]));
}
