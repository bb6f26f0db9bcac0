/**
 * The text of the pages of a crawl, in any form: as it was stored (`--store`), or made of the page's HTML or of its
 * response in the archive (`--warc`).
 */
import { FailureError, messageOf } from "../base/index.ts";
import type { PageTexts, TextForm } from "../log/index.ts";
import { type CrawlStore, REVISIT, WarcReader } from "../store/index.ts";
import { baseOf, decodeBody, isHtml, isPlainText, readHtml } from "../web/index.ts";
import { markdownText } from "./markdown-text.ts";
import { pageMarkdown, pageText } from "./page-text.ts";
import { inflated } from "./texts.ts";

type IndexEntry = Parameters<WarcReader["body"]>[0];

/** Whether there is any text of the pages of the crawl in `dir`: stored with its log, or in its archive. */
export function hasTexts(dir: string, log: { readonly hasTexts: boolean }): boolean {
  return log.hasTexts || new WarcReader(dir).stamp !== "";
}

/** `isNow` and `untilMs`: which moment of the crawl is read (default: now). */
type TextStore = Pick<CrawlStore, "textsOf"> & { readonly isNow?: boolean; readonly untilMs?: number };

export class TextReader {
  readonly #store: TextStore;
  readonly #archive: WarcReader;
  readonly #onPlain: () => void;
  /** By URL; read when the first page needs it. */
  #responses: ReadonlyMap<string, IndexEntry> | undefined;

  /**
   * `dir` is the directory of the crawl whose log is `store`. `onPlain` is called for each page that was to be Markdown
   * and has plain text only.
   */
  constructor(dir: string, store: TextStore, onPlain: () => void = () => {}) {
    this.#store = store;
    this.#onPlain = onPlain;
    this.#archive = new WarcReader(dir);
  }

  /**
   * The text of a page, by its id and its URL. Plain text is made of whatever was stored, before the archive is asked;
   * Markdown is plain where only that is left. Undefined if nothing of the page was stored.
   */
  read(id: number, url: string, form: TextForm): string | undefined {
    const stored = this.#store.textsOf(id);
    const exact = stored?.[form];
    if (exact != null) return storedText(exact, url);
    const plain = form === "text" && stored !== undefined ? storedPlainText(stored, url) : undefined;
    if (plain !== undefined) return plain;
    const page = this.#page(url, stored);
    if (page !== undefined) return page.isHtml ? textOf(page.text, url, form) : page.text;
    if (form === "markdown" && stored?.text != null) {
      this.#onPlain();
      return storedText(stored.text, url);
    }
    return undefined;
  }

  /** The page as it came, decoded. */
  #page(url: string, stored: PageTexts | undefined): { readonly text: string; readonly isHtml: boolean } | undefined {
    if (stored?.html != null) return { text: storedText(stored.html, url), isHtml: true };
    const response = this.#response(url);
    if (response === undefined) return undefined;
    const archived = this.#archive.body(response);
    if (archived === undefined) return undefined;
    const { body, contentType } = archived;
    if (!isHtml(contentType, body) && !isPlainText(contentType)) return undefined;
    return { text: decodeBody(body, contentType).text, isHtml: isHtml(contentType, body) };
  }

  #response(url: string): IndexEntry | undefined {
    this.#responses ??= this.#pages();
    return this.#responses.get(url);
  }

  #pages(): ReadonlyMap<string, IndexEntry> {
    const { isNow = true, untilMs = Number.POSITIVE_INFINITY } = this.#store;
    const lastMs = isNow ? Number.POSITIVE_INFINITY : untilMs;
    const pages = new Map<string, IndexEntry>();
    for (const entry of this.#archive.entries()) {
      if (!isPage(entry) || entry.dateMs > lastMs) continue;
      const before = pages.get(entry.url);
      if (before === undefined || isLater(entry, before)) pages.set(entry.url, entry);
    }
    return pages;
  }
}

/** The plain text of a page by what was stored of it, in whichever form; undefined if nothing was. */
export function storedPlainText({ text, html, markdown }: PageTexts, url: string): string | undefined {
  if (text !== null) return storedText(text, url);
  if (html !== null) return pageText(storedText(html, url));
  return markdown === null ? undefined : markdownText(storedText(markdown, url));
}

function storedText(stored: Uint8Array, url: string): string {
  try {
    return inflated(stored);
  } catch (error) {
    throw new FailureError(
      `the stored text of ${url} is damaged (${messageOf(error)}): restore crawl.sqlite from a copy`,
      { cause: error },
    );
  }
}

/** The same "not found" for many pages is stored as revisits, too; a revisit may have no status. */
function isPage({ status, mime }: IndexEntry): boolean {
  return status === 200 || (mime === REVISIT && Number.isNaN(status));
}

/** The index knows seconds; within one, what was written later is later. */
function isLater(a: IndexEntry, b: IndexEntry): boolean {
  if (a.dateMs !== b.dateMs) return a.dateMs > b.dateMs;
  return a.filename === b.filename ? a.offset > b.offset : a.filename > b.filename;
}

function textOf(html: string, url: string, form: TextForm): string {
  if (form === "html") return html;
  return form === "text" ? pageText(html) : pageMarkdown(html, baseOf(readHtml(html).base, url));
}
