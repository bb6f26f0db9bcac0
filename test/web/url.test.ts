/** URLs: the canonical form, by hand, by the parser as a second method, and on the recorded cases of other crawlers. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalUrl,
  hostOfOrigin,
  LinkResolver,
  registrableDomain,
  splitUrl,
  type UrlRules,
} from "../../src/web/index.ts";
import { cases } from "../support/cases.ts";
import { sharedPath } from "../support/shared.ts";

const STRIP: UrlRules = { stripParameters: true };

describe("the canonical form", () => {
  it.each<[what: string, text: string, expected: string | null]>([
    ["keeps a clean URL as it is", "https://a.example/b/c.html?d=e&f=g", "https://a.example/b/c.html?d=e&f=g"],
    ["adds the slash after the host", "http://a.example", "http://a.example/"],
    ["drops the fragment", "http://a.example/b#c?d", "http://a.example/b"],
    ["keeps a blank before the fragment, as browsers do", "http://a.example/b #c", "http://a.example/b%20"],
    ["drops credentials", "http://user:pass@a.example/b@c", "http://a.example/b@c"],
    ["drops the default port of http", "http://a.example:80/", "http://a.example/"],
    ["drops the default port of https", "https://a.example:443/", "https://a.example/"],
    ["keeps another port", "https://a.example:80/", "https://a.example:80/"],
    ["writes the host in lower case", "HTTP://A.Example/B", "http://a.example/B"],
    ["writes the host in Punycode", "http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"],
    ["drops the dot at the end of the host", "http://a.example./", "http://a.example/"],
    ["drops that dot before a port", "http://a.example.:81/", "http://a.example:81/"],
    ["refuses two such dots, which would turn into an address", "http://127.0.0.1../", null],
    ["refuses a host that is only a dot", "http://./", null],
    ["resolves dot segments", "http://a.example/b/./c/../d/..", "http://a.example/b/"],
    ["resolves encoded dot segments", "http://a.example/b/%2e%2E/d/.%2e/e", "http://a.example/e"],
    ["writes hex digits in upper case", "http://a.example/%c3%bc?%c3%bc", "http://a.example/%C3%BC?%C3%BC"],
    ["decodes unreserved characters", "http://a.example/%7Eb%2Dc%5f%2e?%41", "http://a.example/~b-c_.?A"],
    ["leaves reserved characters encoded", "http://a.example/a%2Fb%3f", "http://a.example/a%2Fb%3F"],
    ["leaves a percent sign that encodes nothing", "http://a.example/100%&%zz%", "http://a.example/100%&%zz%"],
    ["never completes it to an encoding", "http://a.example/%%36%31", "http://a.example/%%361"],
    ["never completes it half way", "http://a.example/%a%62", "http://a.example/%a%62"],
    ["drops an empty query", "http://a.example/b?#c", "http://a.example/b"],
    ["keeps a query that is a question mark", "http://a.example/b??", "http://a.example/b??"],
    ["keeps the order of the query", "http://a.example/?b=2&a=1&b=2", "http://a.example/?b=2&a=1&b=2"],
    ["keeps double slashes and index files", "http://a.example//b//index.html", "http://a.example//b//index.html"],
    ["writes numbers as addresses", "http://2130706433/", "http://127.0.0.1/"],
    ["shortens IPv6", "http://[2001:DB8:0:0::1]:80/", "http://[2001:db8::1]/"],
    ["skips line ends and tabs", " \thttp://a.exa\nmple/b\r\n", "http://a.example/b"],
    ["reads backslashes as slashes", "http:\\\\a.example\\b", "http://a.example/b"],
    ["refuses other schemes", "ftp://a.example/", null],
    ["refuses scripts", "javascript:void(0)", null],
    ["refuses data", "data:text/html,<a>", null],
    ["refuses a relative link without a base", "b/c", null],
    ["refuses a host in wrong Punycode", "http://xn--a/", null],
    ["refuses no host", "http://", null],
    ["refuses a port beyond 65535", "http://a.example:65536/", null],
  ])("%s", (_what, text, expected) => {
    expect(canonicalUrl(text)).toBe(expected);
  });

  it("takes a base that is not the URL of a web page as none", () => {
    for (const base of ["", "about:blank", "mailto:a@b.example", "http://"]) {
      expect(canonicalUrl("b", base)).toBeNull();
      expect(canonicalUrl("HTTP://a.example/", base)).toBe("http://a.example/");
    }
  });
});

describe("links of a page", () => {
  const base = "http://user@a.example:8080/b//c/d.html?e=f#g";

  it.each([
    ["", "http://a.example:8080/b//c/d.html?e=f"],
    ["#top", "http://a.example:8080/b//c/d.html?e=f"],
    ["?x", "http://a.example:8080/b//c/d.html?x"],
    ["?", "http://a.example:8080/b//c/d.html"],
    ["x.html", "http://a.example:8080/b//c/x.html"],
    ["./x.html#y", "http://a.example:8080/b//c/x.html"],
    ["../x/", "http://a.example:8080/b//x/"],
    ["../../x", "http://a.example:8080/b/x"],
    ["../../../../x", "http://a.example:8080/x"],
    ["..", "http://a.example:8080/b//"],
    [".", "http://a.example:8080/b//c/"],
    ["x/../y", "http://a.example:8080/b//c/y"],
    ["/x%7E", "http://a.example:8080/x~"],
    ["//y.example/x", "http://y.example/x"],
    ["mailto:x@y.example", null],
    ["x:y", null],
    ["./x:y", "http://a.example:8080/b//c/x:y"],
    [" x y ", "http://a.example:8080/b//c/x%20y"],
    ["\\x", "http://a.example:8080/x"],
  ])("%j leads to %j", (link, expected) => {
    expect(new LinkResolver(base).resolve(link)).toBe(expected);
    expect(canonicalUrl(link, new URL(base))).toBe(expected);
  });

  it("are what the parser makes of them, however they are written", () => {
    const piece = fc.constantFrom(
      ..."a|b|..|.|/|//|?|#|%|%2e|%41|%2F|:|;|=|&|'| |\\|é|@|http://|x.example|HTTPS:|.5|5.|xn--|_|~|\t|jsessionid=1".split(
        "|",
      ),
    );
    const link = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(""));
    const bases = fc.constantFrom("http://a.example/", "https://a.example/b/c/d?e", "http://a.example//b/../c");
    fc.assert(
      fc.property(link, bases, (link, base) => {
        const url = canonicalUrl(link, base);
        expect(url).toBe(byParser(link, base));
        if (url === null) return;
        expect(canonicalUrl(url)).toBe(url);
        const stripped = canonicalUrl(url, undefined, STRIP);
        expect(canonicalUrl(stripped ?? "")).toBe(stripped);
      }),
      { numRuns: cases(5000) },
    );
  });
});

describe("parameters of sessions and tracking", () => {
  it.each([
    ["http://a.example/?utm_source=x&b=1&UTM_Medium=y", "http://a.example/?b=1"],
    ["http://a.example/?gclid=1&fbclid=2", "http://a.example/"],
    ["http://a.example/?b&&gclid=1&c", "http://a.example/?b&&c"],
    ["http://a.example/?%75tm_source=x", "http://a.example/"],
    ["http://a.example/story?sid=07/11/15", "http://a.example/story?sid=07/11/15"],
    ["http://a.example/?ASPSESSIONIDQQRSTUVW=ABC", "http://a.example/"],
    ["http://a.example/b;jsessionid=1;v=2/c;JSESSIONID=3?d", "http://a.example/b;v=2/c?d"],
    ["http://a.example/..;jsessionid=1/b", "http://a.example/..;jsessionid=1/b"],
    ["http://a;jsessionid=1/b", "http://a;jsessionid=1/b"],
    ["http://a.example/?q=;jsessionid=1", "http://a.example/?q="],
    ["http://a.example/?a=1;jsessionid=2&b=3;c;PHPSESSID=4", "http://a.example/?a=1&b=3;c"],
    ["http://a.example/?jsessionid=2;d=4", "http://a.example/?d=4"],
    ["http://a.example/?a=;b", "http://a.example/?a=;b"],
  ])("%s becomes %s when they are stripped", (text, expected) => {
    expect(canonicalUrl(text, undefined, STRIP)).toBe(expected);
    expect(canonicalUrl(expected, undefined, STRIP)).toBe(expected);
  });

  it("stay by default", () => {
    const url = "http://a.example/b;jsessionid=1?utm_source=x";
    expect(canonicalUrl(url)).toBe(url);
  });
});

describe("parts of a canonical URL", () => {
  it("are the origin and the path with its query", () => {
    expect(splitUrl("https://a.example:8443/b?c=/d")).toEqual({
      origin: "https://a.example:8443",
      path: "/b?c=/d",
    });
    expect(splitUrl("http://a/")).toEqual({ origin: "http://a", path: "/" });
  });

  it("name a host the same for http and https", () => {
    expect(hostOfOrigin("https://a.example")).toBe("a.example");
    expect(hostOfOrigin("http://a.example")).toBe("a.example");
    expect(hostOfOrigin("http://[2001:db8::1]:81")).toBe("[2001:db8::1]:81");
  });

  it.each([
    ["www.example.co.uk:8080", "example.co.uk"],
    ["example.com", "example.com"],
    ["a.b.github.io", "github.io"],
    ["com", "com"],
    ["localhost:80", "localhost"],
    ["a.unknown-suffix", "a.unknown-suffix"],
    ["127.0.0.1:80", "127.0.0.1"],
    ["[2001:db8::1]:81", "[2001:db8::1]"],
  ])("%s has the registrable domain %s", (host, expected) => {
    expect(registrableDomain(host)).toBe(expected);
  });
});

const urls = sharedPath("suites/urls.json");
describe.skipIf(urls === undefined)("1,726 odd texts", () => {
  const texts: string[] = urls === undefined ? [] : JSON.parse(readFileSync(urls, "utf8"));

  it.each<[how: string, base: string | undefined, rules: UrlRules | undefined]>([
    ["alone", undefined, undefined],
    ["alone, stripped", undefined, STRIP],
    ["against a base", "https://base.example/a/b?c", undefined],
    ["against a base, stripped", "https://base.example/a/b?c", STRIP],
  ])("never throw and are canonical the second time: %s", (_how, base, rules) => {
    expect(texts.length).toBe(1726);
    let found = 0;
    for (const text of texts) {
      const url = canonicalUrl(text, base, rules);
      if (rules === undefined) expect(url).toBe(byParser(text, base));
      if (url === null) continue;
      found++;
      expect(canonicalUrl(url, undefined, rules)).toBe(url);
      expect(canonicalUrl(url, base, rules)).toBe(url);
      expect(new URL(url).href).toBe(url);
    }
    expect(found).toBeGreaterThan(300);
  });
});

describe("a link of a page in another encoding", () => {
  const resolve = (encoding: string, href: string) =>
    new LinkResolver("http://a.example/d/?old", undefined, encoding).resolve(href);

  // As browsers send them, which web-platform-tests has in url/resources/percent-encoding.json.
  it.each([
    ["utf-8", "?\u00e9", "?%C3%A9"],
    ["windows-1252", "?\u00e9", "?%E9"],
    ["windows-1251", "?\u043f\u0440\u0438", "?%EF%F0%E8"],
    ["shift_jis", "?q=\u65e5", "?q=%93%FA"],
    ["gb18030", "?q=\u65e5", "?q=%C8%D5"],
    ["big5", "?\u2020", "?%26%238224%3B"],
    ["windows-1252", "?\u2026\ud83d\ude00", "?%85%26%23128512%3B"],
    ["utf-16le", "?\u00e9", "?%C3%A9"],
    ["replacement", "?\u00e9", "?%C3%A9"],
  ])("has its query in %s: %s", (encoding, href, query) => {
    expect(resolve(encoding, href)).toBe(`http://a.example/d/${query}`);
  });

  it("has its path in UTF-8, its encodings as they are, and no fragment", () => {
    expect(resolve("windows-1252", "/\u00e9?\u00e9=%C3%A9&a b#\u00e9?\u00e9")).toBe(
      "http://a.example/%C3%A9?%E9=%C3%A9&a%20b",
    );
    expect(resolve("windows-1252", "\u00e9#?\u00e9")).toBe("http://a.example/d/%C3%A9");
    expect(resolve("windows-1252", "")).toBe("http://a.example/d/?old");
  });
});

/** The canonical form by the parser and a pass over its encodings, without any of the short cuts. */
function byParser(text: string, base?: string): string | null {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    return null;
  }
  if (!/^https?:$/.test(url.protocol) || /^\.?$|\.\.$/.test(url.hostname)) return null;
  const rest = url.pathname + url.search;
  const pieces: string[] = [];
  for (const piece of rest.match(/%[0-9A-Fa-f]{2}|[^]/g) ?? []) {
    const [before, last] = pieces.slice(-2);
    const afterStray = last === "%" || (before === "%" && last?.length === 1);
    const character = piece.length === 3 && !afterStray ? decodeOne(piece) : null;
    pieces.push(character ?? (piece.length === 3 ? piece.toUpperCase() : piece));
  }
  const host = url.hostname.replace(/\.$/, "") + (url.port && `:${url.port}`);
  return `${url.protocol}//${host}${pieces.join("").replace(/^([^?]*)\?$/, "$1")}`;
}

function decodeOne(encoding: string): string | null {
  const character = String.fromCharCode(Number.parseInt(encoding.slice(1), 16));
  return /[A-Za-z0-9._~-]/.test(character) ? character : null;
}
