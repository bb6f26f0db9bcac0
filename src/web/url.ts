/**
 * One spelling for every URL, so that every page is known only once.
 *
 * The canonical form is what the WHATWG parser (`URL`, https://url.spec.whatwg.org/) makes of the text, and then:
 *
 * - only http and https, with a host name; anything else is not a page for us: null;
 * - no fragment, no credentials, no default port (the last by the parser), no `?` without a query;
 * - the host without a dot at its end; one that ends in several dots is not a name: null;
 * - percent-encoding as in RFC 3986, section 6.2.2: hex digits in upper case, unreserved characters decoded. A `%` that
 *   encodes nothing stays, as browsers send it; the two characters after it are not decoded, so that it does not become
 *   an encoding;
 * - with `stripParameters`, without session and tracking parameters (parameters.ts).
 *
 * It is idempotent. What servers may treat differently stays different: `//` and `/`, `/index.html` and `/`, the order
 * and repetition of parameters, upper and lower case, http and https. Joining different pages would lose some; pages
 * that turn out to be equal cost one download each, and their content shows it.
 *
 * Cost: a page has about a hundred links, and most have a clean spelling. A regular expression recognises those,
 * several times faster than the parser; `LinkResolver` does so for relative links as well.
 */
// Importing it also makes the encodings of more than one byte known to the other.
import { labelToName } from "@exodus/bytes/encoding.js";
import { percentEncodeAfterEncoding } from "@exodus/bytes/whatwg.js";
import { getDomain } from "tldts";
import { withoutTracking } from "./parameters.ts";

/** How URLs are made canonical. */
export interface UrlRules {
  /** Remove session and tracking parameters (default: false). */
  readonly stripParameters?: boolean;
}

/** The canonical form of a URL on a page with this base; null if it is not the URL of a web page. Never throws. */
export function canonicalUrl(text: string, base?: string | URL, rules?: UrlRules): string | null {
  const written = withoutFragment(text);
  const plain = plainUrl(written);
  if (plain !== null) return withRules(plain, rules);
  if (base !== undefined) return new LinkResolver(base, rules).resolve(text);
  return withRules(canonicalByParser(written, undefined), rules);
}

/**
 * `canonicalUrl` for many links of one page. A base that is not the URL of a web page counts as none. Queries are sent
 * in the encoding of the page, as browsers do.
 */
export class LinkResolver {
  readonly #rules: UrlRules | undefined;
  readonly #encoding: string;
  /** Canonical, except for the parameters; null if relative links have no meaning. */
  readonly #base: string | null;
  readonly #origin: string = "";
  /** Without its query. */
  readonly #path: string = "";
  readonly #directory: string = "";

  constructor(base: string | URL, rules?: UrlRules, encoding = "utf-8") {
    this.#rules = rules;
    // By the standard, what is not written in an encoding that extends ASCII is written in UTF-8.
    const name = labelToName(encoding) ?? "replacement";
    this.#encoding = /^(?:UTF-16|UTF-8|replacement)/.test(name) ? "utf-8" : name;
    this.#base = canonicalUrl(String(base));
    if (this.#base === null) return;
    const { origin, path } = splitUrl(this.#base);
    const query = path.indexOf("?");
    this.#origin = origin;
    this.#path = query === -1 ? path : path.slice(0, query);
    this.#directory = this.#path.slice(0, this.#path.lastIndexOf("/") + 1);
  }

  resolve(text: string): string | null {
    const address = withoutFragment(text);
    const written = this.#encoding === "utf-8" ? address : withQueryIn(this.#encoding, address);
    return withRules(
      plainUrl(written) ?? this.#plainRelative(written) ?? canonicalByParser(written, this.#base ?? undefined),
      this.#rules,
    );
  }

  /** Resolves clean relative links; null leaves the rest to the parser. */
  #plainRelative(written: string): string | null {
    if (this.#base === null) return null;
    if (written === "") return this.#base;
    const first = written.charCodeAt(0);
    if (first === SLASH) {
      return written.charCodeAt(1) === SLASH ? null : this.#joined("", written);
    }
    if (first === QUESTION_MARK) return this.#joined(this.#path, written);
    let directory = this.#directory;
    let start = 0;
    for (;;) {
      if (written.startsWith("../", start)) {
        start += 3;
        if (directory.length > 1) directory = directory.slice(0, directory.lastIndexOf("/", directory.length - 2) + 1);
      } else if (written.startsWith("./", start)) start += 2;
      else break;
    }
    if (written.charCodeAt(start) === DOT) return null;
    return this.#joined(directory, start === 0 ? written : written.slice(start));
  }

  #joined(before: string, rest: string): string | null {
    if (!PLAIN_PATH.test(rest) || DOT_SEGMENT.test(rest)) return null;
    return withPlainEncoding(this.#origin + before + rest);
  }
}

/** The two parts of a canonical URL: "https://a.example:8443" and "/path?query". */
export function splitUrl(url: string): { origin: string; path: string } {
  const end = url.indexOf("/", HTTPS_LENGTH);
  return { origin: url.slice(0, end), path: url.slice(end) };
}

/** "a.example:8443" of "https://a.example:8443". Http and https on their default ports give the same host. */
/** The path "/a/b" of "/a/b?c=d". */
export function withoutQuery(path: string): string {
  const query = path.indexOf("?");
  return query === -1 ? path : path.slice(0, query);
}

export function hostOfOrigin(origin: string): string {
  return origin.slice(origin.indexOf("//") + 2);
}

/** The host of an absolute URL, with its port where it has one. */
export function hostOfUrl(url: string): string {
  return hostOfOrigin(splitUrl(url).origin);
}

/**
 * The registrable domain by the ICANN part of the Public Suffix List, "example.co.uk" of "www.example.co.uk:8080"; of a
 * host that has none (an address, a public suffix) the host without its port.
 */
export function registrableDomain(host: string): string {
  const name = host.replace(/:[0-9]+$/, "");
  return getDomain(name) ?? name;
}

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const DOT = 0x2e;
const SPACE = 0x20;
const PERCENT = 0x25;
const HTTPS_LENGTH = "https://".length;

/** A path and query that the parser would not change but for dot segments; the encoding is checked afterwards. */
const PLAIN_PATH = /^[\w\-~!$&'()*+,;=@/.%]*(?:\?[\w\-~!$&()*+,;=:@/.?%]+)?$/;
/** The same after a host name without a port, whose last label begins with a letter, so that it is no IPv4 address. */
const PLAIN_URL =
  /^https?:\/\/(?:[a-z0-9_-]+\.)*[a-z][a-z0-9-]*\/[\w\-~!$&'()*+,;=:@/.%]*(?:\?[\w\-~!$&()*+,;=:@/.?%]+)?$/;
/** Possibly a dot segment: a dot after a slash, or an encoded dot. */
const DOT_SEGMENT = /\/\.|%2e/i;
/** Common on pages, and `data:` can be long. */
const OTHER_SCHEME = /^(?:data|javascript|mailto|tel|blob|about):/i;
/** An encoding that is not normalised: an unreserved character, or a hex digit in lower case. */
const ODD_ENCODING = /%(?:2[DEde]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee]|[0-9A-F][a-f]|[a-f][0-9A-Fa-f])/;
const ENCODING = /^%[0-9A-Fa-f]{2}$/;
const UNRESERVED = /^[\w\-.~]$/;

/** Of a URL that is certainly canonical except for percent-encoding; null leaves it to the parser. */
function plainUrl(written: string): string | null {
  // Labels in Punycode can be invalid.
  if (!PLAIN_URL.test(written) || DOT_SEGMENT.test(written) || written.includes("xn--")) return null;
  return withPlainEncoding(written);
}

function canonicalByParser(written: string, base: string | undefined): string | null {
  if (OTHER_SCHEME.test(written)) return null;
  const href = hrefOf(written, base);
  if (href === null) return null;
  const start = href.startsWith("https://") ? HTTPS_LENGTH : HTTPS_LENGTH - 1;
  if (start < HTTPS_LENGTH && !href.startsWith("http://")) return null;
  const end = href.indexOf("/", start);
  const host = canonicalHost(href.slice(href.lastIndexOf("@", end) + 1 || start, end));
  if (host === null) return null;
  const hash = href.indexOf("#", end);
  let pathEnd = hash === -1 ? href.length : hash;
  if (href.indexOf("?", end) === pathEnd - 1) pathEnd--;
  return withPlainEncoding(`${href.slice(0, start)}${host}${href.slice(end, pathEnd)}`);
}

function hrefOf(written: string, base: string | undefined): string | null {
  try {
    return new URL(written, base).href;
  } catch {
    return null;
  }
}

/** The host and port from the parser, without a dot at the end of the host. */
function canonicalHost(host: string): string | null {
  const port = host.search(/:[0-9]+$/);
  const name = port === -1 ? host : host.slice(0, port);
  if (!name.endsWith(".")) return host;
  if (name.length === 1 || name.endsWith("..")) return null;
  return name.slice(0, -1) + (port === -1 ? "" : host.slice(port));
}

/**
 * Removes the fragment, which the parser would copy. After a blank it stays: the parser drops blanks only at the end.
 */
function withoutFragment(text: string): string {
  const hash = text.indexOf("#");
  if (hash === -1) return text;
  return hash > 0 && text.charCodeAt(hash - 1) <= SPACE ? text : text.slice(0, hash);
}

/** Encodes the letters beyond ASCII of a query. Those that the encoding lacks become character references. */
function withQueryIn(encoding: string, address: string): string {
  const start = address.indexOf("?") + 1;
  if (start === 0 || !/[\u0080-\uffff]/.test(address.slice(start))) return address;
  return address.slice(0, start) + percentEncodeAfterEncoding(encoding, address.slice(start), "");
}

function withRules(url: string | null, rules: UrlRules | undefined): string | null {
  if (url === null || rules?.stripParameters !== true) return url;
  return withoutTracking(url);
}

/** Normalises percent-encoding. */
function withPlainEncoding(url: string): string {
  return url.includes("%") && ODD_ENCODING.test(url) ? normalEncoding(url) : url;
}

function normalEncoding(url: string): string {
  let out = "";
  /** The place in `out` of the last `%` that encodes nothing. */
  let stray = -3;
  for (let at = 0; at < url.length; at++) {
    if (url.charCodeAt(at) !== PERCENT) {
      out += url[at];
      continue;
    }
    const encoding = url.slice(at, at + 3);
    if (!ENCODING.test(encoding)) {
      stray = out.length;
      out += "%";
      continue;
    }
    const character = String.fromCharCode(Number.parseInt(encoding.slice(1), 16));
    out += UNRESERVED.test(character) && out.length - stray > 2 ? character : encoding.toUpperCase();
    at += 2;
  }
  return out;
}
