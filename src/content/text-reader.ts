/**
 * The text of the pages of a crawl, in any form: as it was stored (`--store`), or made of the page's HTML or of its
 * response in the archive (`--warc`).
 */
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

export class TextReader {
  readonly #store: Pick<CrawlStore, "textsOf">;
  readonly #archive: WarcReader;
  readonly #onPlain: () => void;
  /** By URL; read when the first page needs it. */
  #responses: ReadonlyMap<string, IndexEntry> | undefined;

  /**
   * `dir` is the directory of the crawl whose log is `store`. `onPlain` is called for each page that was to be Markdown
   * and has plain text only.
   */
  constructor(dir: string, store: Pick<CrawlStore, "textsOf">, onPlain: () => void = () => {}) {
    this.#store = store;
    this.#onPlain = onPlain;
    this.#archive = new WarcReader(dir);
  }

  /**
   * The text of a page, by its id and its URL. Where it was stored in the other form only, plain or Markdown, it is
   * made of that one; undefined if nothing of the page was stored.
   */
  read(id: number, url: string, form: TextForm): string | undefined {
    const stored = this.#store.textsOf(id);
    const exact = stored?.[form];
    if (exact != null) return inflated(exact);
    const page = this.#page(url, stored);
    if (page !== undefined) return page.isHtml ? textOf(page.text, url, form) : page.text;
    if (form === "markdown" && stored?.text != null) {
      this.#onPlain();
      return inflated(stored.text);
    }
    if (form === "text" && stored?.markdown != null) return markdownText(inflated(stored.markdown));
    return undefined;
  }

  /** The page as it came, decoded. */
  #page(url: string, stored: PageTexts | undefined): { readonly text: string; readonly isHtml: boolean } | undefined {
    if (stored?.html != null) return { text: inflated(stored.html), isHtml: true };
    const response = this.#response(url);
    if (response === undefined) return undefined;
    const { body, contentType } = this.#archive.body(response);
    if (!isHtml(contentType, body) && !isPlainText(contentType)) return undefined;
    return { text: decodeBody(body, contentType).text, isHtml: isHtml(contentType, body) };
  }

  #response(url: string): IndexEntry | undefined {
    this.#responses ??= this.#pages();
    return this.#responses.get(url);
  }

  #pages(): ReadonlyMap<string, IndexEntry> {
    const pages = new Map<string, IndexEntry>();
    for (const entry of this.#archive.entries()) {
      if (entry.status === 200 || entry.mime === REVISIT) pages.set(entry.url, entry);
    }
    return pages;
  }
}

function textOf(html: string, url: string, form: TextForm): string {
  if (form === "html") return html;
  return form === "text" ? pageText(html) : pageMarkdown(html, baseOf(readHtml(html).base, url));
}
