/**
 * Headers that a script gives its request. Servers choose by them what they send, so those that are safe go along.
 * Where one does not, the response may be another than the script expects.
 *
 * The cookies of the browser go along too. All of them were set by scripts, for servers' cookies are hidden from it
 * (request-rules.ts); which ones a server gets is decided by the browser.
 */
import { splitUrl } from "../web/index.ts";

/** A browser sets these itself, and what they say is ours to say. Scripts cannot set them. */
const OF_BROWSER = new Set(["user-agent", "referer", "origin", "cookie", "upgrade-insecure-requests"]);
/** For any server: no browser asks first whether these are welcome. */
const SIMPLE = new Set(["accept", "accept-language"]);
/** By these, a request would pretend to come from elsewhere or to be another. */
const PRETENDING = /^x-(?:forwarded|original|rewrite|real|client|cluster|remote|proxy|host|http-method|method)/;
const HEADERS_MAX = 20;
const LENGTH_MAX = 4096;
const COOKIES_LENGTH_MAX = 16_384;

/** What of the headers of a request goes to the server. */
export interface ScriptHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Scripts set others too. */
  readonly isPartial: boolean;
}

/** `sent` are all headers of a request for data, as the browser would send them; names in lower case. */
export function scriptHeaders(
  { url, pageUrl }: { readonly url: string; readonly pageUrl: string },
  sent: Readonly<Record<string, string>>,
): ScriptHeaders {
  const isOwn = splitUrl(url).origin === splitUrl(pageUrl).origin;
  const set = Object.entries(sent).filter(([name, value]) => !isOfBrowser(name, value));
  const passed = set.filter(([name, value]) => isSafe(name, isOwn) && isText(value, LENGTH_MAX)).slice(0, HEADERS_MAX);
  const { cookie = "" } = sent;
  const hasCookie = cookie !== "" && isText(cookie, COOKIES_LENGTH_MAX);
  return {
    headers: { ...Object.fromEntries(passed), ...(hasCookie ? { cookie } : {}) },
    isPartial: passed.length < set.length || (cookie !== "" && !hasCookie),
  };
}

/**
 * Those that go to another origin, to which the server has sent the request on; undefined if one of a script would be
 * missing there. Cookies stay with their server.
 */
export function headersElsewhere(headers: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const others = Object.entries(headers).filter(([name]) => name !== "cookie");
  return others.every(([name]) => SIMPLE.has(name)) ? Object.fromEntries(others) : undefined;
}

function isOfBrowser(name: string, value: string): boolean {
  return OF_BROWSER.has(name) || name.startsWith("sec-") || (name === "accept" && value === "*/*");
}

function isSafe(name: string, isOwn: boolean): boolean {
  if (SIMPLE.has(name)) return true;
  return isOwn && (name === "content-type" || (name.startsWith("x-") && !PRETENDING.test(name)));
}

function isText(value: string, lengthMax: number): boolean {
  return value.length <= lengthMax && /^[\x20-\x7e]*$/.test(value);
}
