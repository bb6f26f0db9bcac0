/**
 * Keys of an archive's index: URLs in the sort-friendly form (SURT) that the Internet Archive and pywb look up, by the
 * rules of the Python package `surt` 0.3 with its defaults (https://github.com/internetarchive/surt).
 *
 *     https://www.Example.com:8080/A/?b=2&a  ->  com,example:8080)/a?a&b=2
 *
 * Scheme, user, default port, `www` with any digits and dots at the ends of the host are dropped. Path and query are
 * unescaped as often as that changes them, escaped once, and in lower case. Empty and dotted segments, a slash at the
 * end, and session ids of well-known kinds go. Parameters are sorted by name, then by value. IPv4 addresses are
 * reversed like names; IPv6 addresses lose their brackets.
 */
import { hexDigit } from "../base/index.ts";

/** `url` is absolute and of http or https. */
export function surt(url: string): string {
  const { hostname, port, pathname, search } = new URL(url);
  const path = sortedPath(pathname);
  const query = sortedQuery(search.slice(1));
  return `${reversedHost(hostname)}${port === "" ? "" : `:${port}`})${path}${query === "" ? "" : `?${query}`}`;
}

/** Hosts arrive in lower case, in ASCII and, if numbers, as four of them: `URL` reads them as the package does. */
function reversedHost(hostname: string): string {
  const host = hostname
    .replaceAll("..", ".")
    .replace(/^\.+|\.+$/g, "")
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/^www\d*\./, "");
  return host.split(".").toReversed().join(",");
}

const PATH_SESSIONS = ["\\((?:[a-z]\\([0-9a-z]{24}\\))+\\)", "\\([0-9a-z]{24}\\)"].map(
  (session) => new RegExp(`^(.*/)${session}/([^?]+\\.aspx.*)$`),
);

function sortedPath(pathname: string): string {
  let path = escape(withoutDots(unescape(pathname))).toLowerCase();
  for (const session of PATH_SESSIONS) path = path.replace(session, "$1$2");
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Escaped dots and slashes count by now. Nothing is above the root, but `..` there stays. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/").slice(1)) {
    if (segment === ".") continue;
    if (segment === ".." && kept.length > 0) kept.pop();
    else kept.push(segment);
  }
  const last = kept.pop() ?? "";
  return `/${kept.map((segment) => (segment === "" ? "" : `${segment}/`)).join("")}${last}`;
}

const QUERY_SESSIONS = [
  "jsessionid=[0-9a-z]{32}",
  "phpsessid=[0-9a-z]{32}",
  "sid=[0-9a-z]{32}",
  "aspsessionid[a-z]{8}=[a-z]{24}",
  "cfid=[^&]+&cftoken=[^&]+",
].map((session) => new RegExp(`^(.*)${session}(?:&(.*))?$`));

function sortedQuery(given: string): string {
  let query = escape(unescape(given)).toLowerCase();
  for (const session of QUERY_SESSIONS) query = query.replace(session, "$1$2");
  return query
    .split("&")
    .map((parameter) => /^([^=]*)(=?.*)$/.exec(parameter) ?? [parameter, parameter, ""])
    .sort(([, name, value], [, otherName, otherValue]) => order(name, otherName) || order(value, otherValue))
    .map(([parameter]) => parameter)
    .join("&");
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const PERCENT = 0x25;

/**
 * The bytes, one per character, after every escape has been undone, also those that undoing others brings about.
 * Escapes never overlap, so the order does not matter: one pass with a stack does in linear time what the package
 * repeats.
 */
function unescape(text: string): string {
  if (!text.includes("%")) return text;
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    bytes.push(text.charCodeAt(i));
    for (let end = bytes.length; end >= 3 && bytes[end - 3] === PERCENT; end = bytes.length) {
      const high = hexDigit(bytes[end - 2]);
      const low = hexDigit(bytes[end - 1]);
      if (high < 0 || low < 0) break;
      bytes.splice(end - 3, 3, 16 * high + low);
    }
  }
  return Buffer.from(bytes).toString("latin1");
}

/** Blanks, controls, `#`, `%` and everything beyond ASCII. */
function escape(bytes: string): string {
  return bytes.replace(/[\0-\x20#%\x7f-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
