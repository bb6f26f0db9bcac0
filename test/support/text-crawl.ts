/** A crawl whose pages have texts, written directly: each page links to the first. */
import { makePlainTexts } from "../../src/content/index.ts";
import { BLANK_VISIT, type Visit } from "../../src/log/index.ts";
import { createCrawl, openCrawl, openWarc, type SqliteStore } from "../../src/store/index.ts";
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
  addVisit(store, id, { text, ...(title === undefined ? {} : { title }) });
}

/** A page that was read again: the new visit replaces the one that counts. Without a text it is gone. */
export function changePage(dir: string, id: number, page: ChangedPage): void {
  changePages(dir, [{ id, page }]);
}

type ChangedPage = Pick<TextPage, "text" | "title"> | "gone";

export interface TextChange {
  readonly id: number;
  readonly page: ChangedPage;
}

export function changePages(dir: string, changes: readonly TextChange[]): void {
  const store = openCrawl(dir);
  try {
    const visits = new Map([...store.visits()].map(({ url, number }) => [url, number]));
    for (const { id, page } of changes) {
      const number = store.nextVisit;
      addVisit(store, id, page, visits.get(id));
      visits.set(id, number);
    }
  } finally {
    store.close();
  }
}

/** When this visit of such a crawl ended. */
export function visitMs(number: number): number {
  return FIRST_MS + number;
}

function addVisit(store: SqliteStore, url: number, page: ChangedPage, replaces?: number): void {
  const number = store.nextVisit;
  const isGone = page === "gone";
  const visit: Visit = {
    ...BLANK_VISIT,
    number,
    url,
    atMs: visitMs(number),
    outcome: isGone ? "dead" : "downloaded",
    status: isGone ? 404 : 200,
    wireBytes: 10,
    milliseconds: 1,
    contentType: "text/html",
    title: isGone ? null : (page.title ?? null),
    links: isGone ? null : Uint32Array.of(0),
  };
  store.addVisit(visit, replaces);
  if (!isGone && page.text !== null) store.addTexts(number, makePlainTexts(page.text, ["text"]));
}

/** Archives a response of a page, which no visit tells of. */
export function archivePage(dir: string, path: string, html: string, dateMs: number): void {
  const store = openCrawl(dir);
  openWarc(dir, store, { software: "tidemark/0.0" }).keep({
    url: `http://a.example${path}`,
    dateMs,
    address: null,
    requestHeaders: [],
    status: 200,
    headers: { "content-type": "text/html" },
    body: Buffer.from(html),
    truncated: false,
  });
  store.close();
}
