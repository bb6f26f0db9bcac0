/**
 * Headers that a script gives its request. Servers choose by them what they send, so those that are safe go along.
 * Where one does not, the response may be another than the script expects.
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
  const passed = set.filter(([name, value]) => isSafe(name, isOwn) && isText(value)).slice(0, HEADERS_MAX);
  return { headers: Object.fromEntries(passed), isPartial: passed.length < set.length };
}

/** Whether these may go to another origin too, to which the server has sent the request on. */
export function areSimple(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).every((name) => SIMPLE.has(name));
}

function isOfBrowser(name: string, value: string): boolean {
  return OF_BROWSER.has(name) || name.startsWith("sec-") || (name === "accept" && value === "*/*");
}

function isSafe(name: string, isOwn: boolean): boolean {
  if (SIMPLE.has(name)) return true;
  return isOwn && (name === "content-type" || (name.startsWith("x-") && !PRETENDING.test(name)));
}

function isText(value: string): boolean {
  return value.length <= LENGTH_MAX && /^[\x20-\x7e]*$/.test(value);
}
