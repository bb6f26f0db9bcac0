/** Headers: those that are sent with a request, which the archive records too, and those of a response. */
import type { FetchRequest } from "./contract.ts";

const accept: Readonly<Record<FetchRequest["purpose"], string>> = {
  page: "text/html,application/xhtml+xml,*/*;q=0.5",
  robots: "text/plain,*/*;q=0.5",
  sitemap: "application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5",
  requisite: "*/*",
};

/** Headers of which only one counts, because a list makes no sense: a Location of two URLs would be none. */
const last = new Set(["content-type"]);
const single = new Set(["location", "content-length", "etag", "last-modified", "date", "retry-after"]);

/** Headers that hold URLs, whose bytes beyond ASCII are UTF-8, or the server's own. */
const urls = new Set(["location", "content-location", "link", "refresh"]);

/**
 * All headers of a request, in the order in which they are sent over HTTP/1.1, Host first; but none of those that were
 * `withheld`.
 */
export function requestHeaders(
  request: FetchRequest,
  userAgent: string,
  withheld: readonly string[] = [],
): readonly (readonly [name: string, value: string])[] {
  const list = withoutNames(ownHeaders(request, userAgent), withheld);
  const pairs = list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1]] as const] : []));
  return [["host", new URL(request.url).host], ["connection", "keep-alive"], ...pairs];
}

/** Our own headers and those of a session, which go before ours where both have the same name. Cookies are joined. */
export function sentHeaders(request: FetchRequest, userAgent: string, ofSession: readonly string[]): string[] {
  const own = ownHeaders(request, userAgent);
  if (ofSession.length === 0) return own;
  const names = ofSession.filter((_, i) => i % 2 === 0);
  const { cookie } = request.headers ?? {};
  const session = ofSession.map((part, i) =>
    ofSession[i - 1] === "cookie" && i % 2 === 1 ? joined(part, cookie) : part,
  );
  return [...withoutNames(own, names), ...session];
}

/** Of two cookies with the same name, that of the session is sent. */
function joined(ofSession: string, given = ""): string {
  const names = new Set(ofSession.split("; ").map(cookieName));
  return [ofSession, ...given.split("; ").filter((cookie) => cookie !== "" && !names.has(cookieName(cookie)))].join(
    "; ",
  );
}

function cookieName(cookie: string): string {
  return cookie.split("=", 1)[0];
}

function withoutNames(list: string[], names: readonly string[]): string[] {
  return names.length === 0 ? list : list.filter((_, i) => !names.includes(list[i - (i % 2)]));
}

/** The headers that we set or were given, name and value alternating; Host and Connection are set by the connection. */
function ownHeaders(request: FetchRequest, userAgent: string): string[] {
  const headers = ["user-agent", userAgent, "accept", accept[request.purpose], "accept-encoding", "gzip, deflate, br"];
  if (sendable(request.etag)) headers.push("if-none-match", request.etag);
  if (sendable(request.lastModified)) headers.push("if-modified-since", request.lastModified);
  const given = Object.entries(request.headers ?? {});
  return [
    ...withoutNames(
      headers,
      given.map(([name]) => name),
    ),
    ...given.flat(),
  ];
}

/**
 * The headers of a response as they came, names and values alternating, one character per byte. Over HTTP/2 the library
 * has made text of the bytes, and UTF-8 of that.
 */
export function headerList(raw: readonly Buffer[], { http2 }: { readonly http2: boolean }): string[] {
  return raw.map((part) => part.toString(http2 ? "utf8" : "latin1"));
}

/**
 * The headers of a response: names in lower case, repeated ones joined by ", ". `raw` has names and values alternating.
 */
export function headerRecord(raw: readonly string[]): Record<string, string> {
  // No prototype: a header may be named "constructor".
  const headers: Record<string, string> = Object.create(null);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i].toLowerCase();
    const value = urls.has(name) ? urlText(raw[i + 1]) : raw[i + 1];
    const before = headers[name];
    if (before === undefined || last.has(name)) headers[name] = value;
    else if (!single.has(name)) headers[name] = `${before}, ${value}`;
  }
  return headers;
}

/** Servers send validators that no header may contain; those are not sent back. */
function sendable(validator: string | undefined): validator is string {
  return (
    validator !== undefined && /^[\x21-\x7e\x80-\xff]([\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/.test(validator)
  );
}

/** Reads UTF-8 whose bytes are the letters of a string. Other bytes are encoded, as a browser sends them back. */
function urlText(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    return utf8.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return bytes.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
