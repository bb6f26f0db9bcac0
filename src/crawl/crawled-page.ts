/** A page as a program sees it: as it came, and what can be made of it when somebody asks. */
import { pageMarkdown, pageText } from "../content/index.ts";
import { baseOf, decodeBody, isHtml, isPlainText, readHtml } from "../web/index.ts";
import type { DownloadedPage } from "./machine.ts";

/** A page of a crawl. What takes time (`html`, `text`, `markdown`, `links`) is made when it is first read. */
export class CrawledPage<Data = undefined> {
  /** The canonical URL at which it was found. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
  readonly title: string | null;
  /** A language tag, as the page has it. */
  readonly language: string | null;
  /** The share of all importance that it certainly has, as far as that was known when it came. */
  readonly importance: number;
  /** What the hook `extract` made of it. */
  data: Data;
  readonly #page: DownloadedPage;
  #html: string | null | undefined;
  #links: readonly string[] | undefined;
  #text: string | null | undefined;
  #markdown: string | null | undefined;

  /** `html` replaces the HTML of the page. */
  constructor(page: DownloadedPage, data: Data, html?: string) {
    const { url, answer, content, importance } = page;
    this.url = url;
    this.status = answer.status;
    this.headers = answer.headers;
    this.body = answer.body;
    this.title = content.facts.title;
    this.language = content.facts.language;
    this.importance = importance;
    this.data = data;
    this.#page = page;
    this.#html = html;
  }

  /** Its HTML, decoded; null for a page that is no HTML. */
  get html(): string | null {
    if (this.#html === undefined) this.#html = isHtml(this.#type, this.body) ? this.#decoded() : null;
    return this.#html;
  }

  /** Its main part as plain text; null for a page that has no text, such as a picture. */
  get text(): string | null {
    if (this.#text === undefined) this.#text = this.html === null ? this.#plain() : pageText(this.html);
    return this.#text;
  }

  /** Its main part as Markdown; null for a page that has no text. */
  get markdown(): string | null {
    if (this.#markdown !== undefined) return this.#markdown;
    const { html } = this;
    this.#markdown = html === null ? this.#plain() : pageMarkdown(html, baseOf(readHtml(html).base, this.url));
    return this.#markdown;
  }

  /** The URLs that it links to, in canonical form, each once and as written; without links to itself. */
  get links(): readonly string[] {
    const { text, ends } = this.#page.content.links;
    this.#links ??= Array.from(ends, (end, k) => text.slice(k === 0 ? 0 : ends[k - 1], end));
    return this.#links;
  }

  /** For `JSON.stringify`: all of it but the bytes, which are none of JSON, and the HTML that they are. */
  toJSON(): Omit<CrawledPage<Data>, "body" | "html" | "toJSON"> {
    const { url, status, headers, title, language, importance, links, text, markdown, data } = this;
    return { url, status, headers, title, language, importance, links, text, markdown, data };
  }

  get #type(): string | null {
    return this.headers["content-type"] ?? null;
  }

  #plain(): string | null {
    return isPlainText(this.#type) ? this.#decoded() : null;
  }

  #decoded(): string {
    return decodeBody(this.body, this.#type).text;
  }
}
