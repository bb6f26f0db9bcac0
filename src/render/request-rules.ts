/** Which requests of a browser are fetched, and what of a response a browser may see. */
import type { Answer } from "../fetch/index.ts";
import { canonicalUrl, isVague } from "../web/index.ts";
import type { ResourceUse } from "./contract.ts";

/** By the browser's own words. Images, media, fonts, frames, event streams, beacons and reports are not fetched. */
const USES: ReadonlyMap<string, ResourceUse> = new Map([
  ["script", "script"],
  ["stylesheet", "style"],
  ["xhr", "data"],
  ["fetch", "data"],
]);

/** A request as a browser wants to send it. */
export interface BrowserRequest {
  readonly url: string;
  readonly method: string;
  /** "script", "image", "fetch" and so on. */
  readonly type: string;
  readonly accept?: string | undefined;
}

/** What the page uses it for; undefined if it is not fetched. */
export function useOfRequest({ url, method, type }: BrowserRequest): ResourceUse | undefined {
  return method === "GET" && isWebUrl(url) ? USES.get(type) : undefined;
}

/** Whether a script wants a response that does not end, as `EventSource` does, or a library in its place. */
export function isEventStream({ type, accept = "" }: Pick<BrowserRequest, "type" | "accept">): boolean {
  return type === "eventsource" || /\btext\/event-stream\b/i.test(accept);
}

/**
 * Whether a script waits for data that is not fetched though nobody forbids it: by POST, say, to an API of whatever
 * host. What it would have made of that is not known. Reports to which no script reads a response are not among these:
 * beacons and pings have types of their own, others never leave the page (document.ts).
 */
export function isMissedData({ url, method, type }: BrowserRequest): boolean {
  return method !== "GET" && USES.get(type) === "data" && isWebUrl(url);
}

/**
 * Whether a page that wants to go there would come back as another: it loads itself again, after a script has stored
 * something perhaps, or sends a form. A link to there leads to what is known already, or nowhere.
 */
export function isMadeAnew({ url, method }: Pick<BrowserRequest, "url" | "method">, pageUrl: string): boolean {
  return method !== "GET" || canonicalUrl(url) === canonicalUrl(pageUrl);
}

export function isWebUrl(url: string): boolean {
  return /^https?:/i.test(url);
}

/**
 * Not for the browser: cookies are kept by the fetcher, the body is decoded already, and nothing may start a download,
 * another request or another way to the server.
 */
const HIDDEN = new Set([
  "set-cookie",
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "content-disposition",
  "refresh",
  "link",
  "location",
  "alt-svc",
  "strict-transport-security",
  "clear-site-data",
  "report-to",
  "reporting-endpoints",
  "nel",
]);

export function shownHeaders({ headers }: Pick<Answer, "headers">): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HIDDEN.has(name)));
}

/** Of the page itself: it is HTML by what it looks like, where its type says nothing. */
export function documentHeaders(answer: Pick<Answer, "headers">): Record<string, string> {
  const headers = shownHeaders(answer);
  return isVague(headers["content-type"] ?? null) ? { ...headers, "content-type": "text/html" } : headers;
}

/**
 * Whether a script may see a response, by the rule of browsers (CORS). Playwright would let it see everything that is
 * supplied, so that one site could read another through the crawler.
 *
 * `origin` was sent as `Origin`; undefined where the rule does not apply: the same origin, a plain script or style.
 */
export function mayBeSeen(origin: string | undefined, { headers }: Pick<Answer, "headers">): boolean {
  if (origin === undefined) return true;
  const allowed = headers["access-control-allow-origin"]?.trim();
  return allowed === "*" || allowed === origin;
}
