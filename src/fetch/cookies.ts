/**
 * Cookies (RFC 6265, by tough-cookie): a jar for each site and port.
 *
 * A site is a registrable domain by the Public Suffix List, private suffixes included: no cookie is for more than that,
 * so jars need not know of each other. Ports make different hosts here, as everywhere in a crawl, though not for
 * browsers; the usual ports of http and https count as one.
 *
 * A cookie that came over https is never sent over http, whatever it says of itself. One that was given goes to https
 * on its usual port, and elsewhere only to origins that are named, until a host sets it: then it is the host's.
 *
 * Memory is bounded: jars that were not used for longest are dropped, except for those with cookies that were given.
 */
import { isIP } from "node:net";
import { getDomain } from "tldts";
import { Cookie, CookieJar, getPublicSuffix, MemoryCookieStore } from "tough-cookie";

/** A cookie that a crawl starts with. */
export interface GivenCookie {
  readonly name: string;
  readonly value: string;
  /** Without a dot at its start. */
  readonly domain: string;
  /** For this host alone, not for those below it. */
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** Unix time in milliseconds; null: for this run. */
  readonly expiresMs: number | null;
}

export interface CookieOptions {
  readonly given: readonly GivenCookie[];
  /** Where given cookies may go besides https on its usual port: http, and other ports. */
  readonly origins: readonly string[];
  /** All hosts have a jar, not only those of given cookies. */
  readonly keepsAll: boolean;
}

export const COOKIE_BYTES_MAX = 4096;
export const COOKIES_PER_JAR_MAX = 50;
export const JARS_MAX = 10_000;
/** Of all jars together, without those of given cookies. */
export const JAR_BYTES_MAX = 16 * 1024 * 1024;

interface Jar {
  readonly jar: CookieJar;
  readonly store: MemoryCookieStore;
  /** Names of given cookies, with domain and path: these are never dropped, whatever a host has set them to since. */
  readonly given: Set<string>;
  /** Given cookies as they were given: one that a host sets is another object. */
  readonly unchanged: WeakSet<Cookie>;
  bytes: number;
}

export class CookieJars {
  /** Those of hosts that set them, the one used last at the end. */
  readonly #jars = new Map<string, Jar>();
  readonly #givenJars = new Map<string, Jar>();
  readonly #origins: ReadonlySet<string>;
  readonly #keepsAll: boolean;
  #bytes = 0;

  constructor({ given, origins, keepsAll }: CookieOptions) {
    const places = origins.map((origin) => new URL(origin));
    this.#origins = new Set(places.map(({ origin }) => origin));
    this.#keepsAll = keepsAll;
    for (const cookie of given) this.#give(cookie, places);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#jars.size;
  }

  /** Whether cookies of this host are kept. */
  has(url: URL): boolean {
    return this.#keepsAll || this.#givenJars.has(keyOf(url));
  }

  /** The value of the header; empty if there are no cookies for this URL. */
  header(url: URL): string {
    const jar = this.#find(keyOf(url));
    if (jar === undefined) return "";
    return jar.jar
      .getCookiesSync(url.href)
      .filter((cookie) => !jar.unchanged.has(cookie) || this.#isForGiven(url))
      .map((cookie) => cookie.cookieString())
      .join("; ");
  }

  /** Takes the values of `Set-Cookie`; those that are against the rules are ignored, as browsers do. */
  take(url: URL, values: readonly string[]): void {
    if (values.length === 0 || !this.has(url)) return;
    const key = keyOf(url);
    const jar = this.#find(key) ?? newJar();
    for (const value of values) {
      if (value.length > COOKIE_BYTES_MAX) continue;
      const cookie = Cookie.parse(value, { loose: true });
      if (cookie === undefined) continue;
      if (url.protocol === "https:") cookie.secure = true;
      jar.jar.setCookieSync(cookie, url.href, { ignoreError: true });
    }
    if (jar.given.size > 0) return void sizeWithinBounds(jar);
    this.#jars.set(key, jar);
    this.#bytes -= jar.bytes;
    jar.bytes = sizeWithinBounds(jar);
    this.#bytes += jar.bytes;
    this.#dropOldest();
  }

  /** The jar of a key, which counts as used now. */
  #find(key: string): Jar | undefined {
    const jar = this.#jars.get(key);
    if (jar === undefined) return this.#givenJars.get(key);
    this.#jars.delete(key);
    this.#jars.set(key, jar);
    return jar;
  }

  #dropOldest(): void {
    for (const [key, { bytes }] of this.#jars) {
      if (this.#jars.size <= JARS_MAX && this.#bytes <= JAR_BYTES_MAX) return;
      this.#jars.delete(key);
      this.#bytes -= bytes;
    }
  }

  /** Whether given cookies may go there, as far as their domains allow. */
  #isForGiven({ protocol, port, origin }: URL): boolean {
    return (protocol === "https:" && port === "") || this.#origins.has(origin);
  }

  /** Into the jar of its site, and into those of other ports that are named. */
  #give(given: GivenCookie, named: readonly URL[]): void {
    const { domain, path } = given;
    const host = domain.includes(":") ? `[${domain}]` : domain;
    // RFC 6265, 5.3, step 5: a public suffix may have cookies of its own, but none for those below it.
    const hostOnly = given.hostOnly || isIP(domain) !== 0 || isPublicSuffix(domain);
    const places = named.filter(({ hostname }) => hostname === host || (!hostOnly && hostname.endsWith(`.${host}`)));
    const own = new URL(`https://${host}/`);
    const keys = new Set([own, ...places].map(keyOf));
    for (const key of keys) {
      const jar = this.#givenJars.get(key) ?? newJar();
      this.#givenJars.set(key, jar);
      const kept = jar.jar.setCookieSync(
        new Cookie({
          key: given.name,
          value: given.value,
          domain: hostOnly ? null : domain,
          path,
          secure: given.secure,
          httpOnly: given.httpOnly,
          ...(given.expiresMs === null ? {} : { expires: new Date(given.expiresMs) }),
        }),
        own.href,
      );
      if (kept === undefined) continue;
      jar.given.add(idOf(kept));
      jar.unchanged.add(kept);
    }
  }
}

function newJar(): Jar {
  const store = new MemoryCookieStore();
  // A browser may take http on this machine for secure. Here a Secure cookie needs https.
  const jar = new CookieJar(store, { looseMode: true, allowSecureOnLocal: false });
  return { jar, store, given: new Set(), unchanged: new WeakSet(), bytes: 0 };
}

function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, { allowSpecialUseDomain: true, ignoreError: true }) == null;
}

/** "example.co.uk" of "https://www.example.co.uk/", "example.co.uk:8443" with another port. */
function keyOf({ hostname, port }: URL): string {
  return `${getDomain(hostname, { allowPrivateDomains: true }) ?? hostname}${port === "" ? "" : `:${port}`}`;
}

/** A cookie with these three replaces the one before it (RFC 6265, 5.3, step 11). */
function idOf({ key, domain, path }: Cookie): string {
  return `${key};${domain};${path}`;
}

/**
 * Drops the cookies beyond the limit that were not sent for longest, and returns the bytes of the rest. Given ones are
 * not counted.
 */
function sizeWithinBounds({ store, given }: Jar): number {
  let all: Cookie[] = [];
  // The store is in memory: it answers at once.
  store.getAllCookies((_error, cookies = []) => (all = cookies.filter((cookie) => !given.has(idOf(cookie)))));
  all.sort((a, b) => usedMs(b) - usedMs(a) || b.creationIndex - a.creationIndex);
  for (const { domain, path, key } of all.splice(COOKIES_PER_JAR_MAX)) {
    if (domain !== null && path !== null) store.removeCookie(domain, path, key, () => {});
  }
  return all.reduce((sum, { key, value, domain, path }) => sum + `${key}${value}${domain}${path}`.length, 0);
}

function usedMs({ lastAccessed }: Cookie): number {
  return lastAccessed instanceof Date ? lastAccessed.getTime() : 0;
}
