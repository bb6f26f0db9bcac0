/**
 * What the handler of a request is about to see: the status of a page, where it was found, and all of its links.
 *
 * Crawlee hands on only the links that the user's filter lets through; a certificate needs all of them. Crawlers
 * without a browser give the body (`CheerioCrawler`, `HttpCrawler`), those with one the page itself, whose links may
 * still grow while the handler waits, scrolls or clicks (`PlaywrightCrawler`).
 */
import { baseOf, canonicalUrl, type HtmlPage, isHtml, LinkResolver, readHtml, readHtmlBody } from "../web/index.ts";
import type { HandlerContext } from "./contract.ts";

/** What was seen of a page. */
export interface PageContent {
  /** Null where there was no answer to a request of its own. */
  readonly status: number | null;
  /** Its URL, behind all redirects. */
  readonly url: string;
  /** Canonical URLs, each once, without the page itself; null if they are not all known. */
  readonly links: ReadonlySet<string> | null;
}

/** Fields of contexts, of whichever crawler. */
interface ContextFields {
  readonly response?: unknown;
  readonly body?: unknown;
  readonly contentType?: { readonly type?: string; readonly encoding?: string };
  readonly page?: BrowserPage;
}

interface BrowserPage {
  content(): Promise<string>;
  url(): string;
  /** Playwright's looks into shadow roots, which `content` leaves out. */
  $$eval(selector: string, read: (elements: readonly { readonly href: unknown }[]) => unknown[]): Promise<unknown[]>;
}

/** Reads a page before its handler runs. */
export async function readContent(context: HandlerContext): Promise<PageContent> {
  const { request } = context;
  const fields = context as ContextFields;
  const url = request.loadedUrl ?? request.url;
  const status = statusOf(fields.response);
  if (fields.page !== undefined) {
    return { status, url, links: await browserLinks(fields.page, url) };
  }
  const html = bodyOf(fields);
  if (html === null) return { status, url, links: null };
  return { status, url, links: html === "no HTML" ? new Set() : linksOf(html, url) };
}

/**
 * Adds the links that a page in a browser has after its handler ran. If the handler has left the page, or closed it,
 * nobody knows which links came meanwhile.
 */
export async function readLateLinks(context: HandlerContext, content: PageContent): Promise<PageContent> {
  const { page } = context as ContextFields;
  if (page === undefined || content.links === null) return content;
  const isLeft = urlOf(page) !== canonicalUrl(content.url);
  const late = isLeft ? null : await browserLinks(page, content.url);
  return { ...content, links: late === null ? null : new Set([...content.links, ...late]) };
}

/** Node's response has a number, Playwright's a method. */
function statusOf(response: unknown): number | null {
  if (typeof response !== "object" || response === null) return null;
  if ("statusCode" in response && typeof response.statusCode === "number") return response.statusCode;
  if (!("status" in response)) return null;
  const status: unknown = typeof response.status === "function" ? response.status() : response.status;
  return typeof status === "number" ? status : null;
}

/** Null where there is no body: then nothing is known of the links. */
function bodyOf({ body, contentType }: ContextFields): HtmlPage | "no HTML" | null {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return null;
  const type = contentType?.type ?? null;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (!isHtml(type, bytes)) return "no HTML";
  const encoding = typeof body === "string" ? "utf-8" : contentType?.encoding;
  return readHtmlBody(bytes, encoding === undefined ? type : `${type ?? "text/html"}; charset=${encoding}`);
}

/** Null if they are not all known: the page is closed, has crashed or is on its way elsewhere. */
async function browserLinks(page: BrowserPage, url: string): Promise<ReadonlySet<string> | null> {
  try {
    const hrefs = await page.$$eval("a", (anchors) => anchors.map(({ href }) => href));
    // Those of pictures in SVG are objects.
    const written = hrefs.filter((href): href is string => typeof href === "string" && href !== "");
    return linksOf(readHtml(await page.content()), url, written);
  } catch {
    return null;
  }
}

/** Canonical: a handler that moves within a page does not leave it. */
function urlOf(page: BrowserPage): string | null {
  try {
    return canonicalUrl(page.url());
  } catch {
    return null;
  }
}

/** Null if they are not all known. Queries are written in UTF-8, as Crawlee does, whatever the page is written in. */
function linksOf(page: HtmlPage, url: string, further: readonly string[] = []): Set<string> | null {
  if (page.truncation !== null) return null;
  const resolver = new LinkResolver(baseOf(page.base, url));
  const written = [...page.links.map(({ href }) => href), ...further];
  if (page.refresh !== null) written.push(page.refresh);
  const links = new Set<string>();
  for (const href of written) {
    const link = resolver.resolve(href);
    if (link !== null) links.add(link);
  }
  links.delete(resolver.resolve(url) ?? "");
  return links;
}
