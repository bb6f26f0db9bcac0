/** Sitemaps: small files written out, bounds one past, and the recorded suite. */
import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGzip, parseSitemap, SITEMAP_BYTES_MAX, SITEMAP_URLS_MAX, type SitemapResult } from "../../src/web/index.ts";
import { sharedPath } from "../support/shared.ts";

const url = "https://example.org/maps/sitemap.xml";
const parse = (text: string | Uint8Array, contentType: string | null = null): SitemapResult =>
  parseSitemap(typeof text === "string" ? new TextEncoder().encode(text) : text, { url, contentType });
const urlsOf = (text: string): readonly string[] => {
  const result = parse(text);
  if (result.kind !== "urls") throw new Error(`got ${result.kind}`);
  return result.urls;
};

describe("an XML sitemap", () => {
  it("gives its locations, resolved, decoded, without fragment and white space, each once", () => {
    const text = `\ufeff
      <?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc>
        https://example.org/a?x=1&amp;y=2#part </loc><lastmod>2020-01-01</lastmod></url>
      <url><loc><![CDATA[https://example.org/b?x=1&y=2]]></loc></url>
      <url><loc>https://example.org/bare?x=1&y=2</loc></url>
      <url><loc>/relative</loc></url>
      <url><loc>example.org/without-scheme</loc></url>
      <url><loc>https://elsewhere.example/c</loc></url>
      <url><loc>/relative</loc></url>
      <url><loc>mailto:somebody@example.org</loc></url><url><loc></loc></url>
      </urlset>`;
    expect(urlsOf(text)).toEqual([
      "https://example.org/a?x=1&y=2",
      "https://example.org/b?x=1&y=2",
      "https://example.org/bare?x=1&y=2",
      "https://example.org/relative",
      "https://example.org/without-scheme",
      "https://elsewhere.example/c",
    ]);
  });

  it("says when its pages were modified, before or after their addresses", () => {
    const entries: [written: string, ms: number | null][] = [
      ["2026-11-16T09:30:15+01:00", Date.UTC(2026, 10, 16, 8, 30, 15)],
      ["2026-11-16T09:30:15.123456Z", Date.UTC(2026, 10, 16, 9, 30, 15, 123)],
      ["2026-11-16T09:30-0200", Date.UTC(2026, 10, 16, 11, 30)],
      ["2026-11-16 09:30:15", Date.UTC(2026, 10, 16, 9, 30, 15)],
      ["\n 2026-11-16 ", Date.UTC(2026, 10, 16)],
      ["2026-11", Date.UTC(2026, 10, 1)],
      ["2026", Date.UTC(2026, 0, 1)],
      ["2026-13-01", null],
      ["2026-02-31T25:00Z", null],
      ["16.11.2026", null],
      ["yesterday", null],
      ["0001-01-01T00:00:00Z", null],
      ["", null],
    ];
    const written = entries.map(([date], k) =>
      k % 2 === 0 ? `<loc>/${k}</loc><lastmod>${date}</lastmod>` : `<lastmod>${date}</lastmod><loc>/${k}</loc>`,
    );
    const result = parse(`<urlset><url>${written.join("</url><url>")}</url><url><loc>/none</loc></url></urlset>`);
    const expected = entries.flatMap(([, ms], k) => (ms === null ? [] : [[`https://example.org/${k}`, ms] as const]));
    expect(result).toMatchObject({ kind: "urls", modified: new Map(expected) });
  });

  it("dates no page by the date of another, of an image, of a link that is none, or of half a file", () => {
    const text = `<urlset xmlns:news="urn:n"><url><loc>/a</loc><news:news><news:lastmod>2026</news:lastmod><lastmod>2026
      </lastmod></news:news></url><url><lastmod>2025</lastmod><loc>mailto:a@example.org</loc></url>
      <url><lastmod>2024</lastmod></url><url><loc>/b</loc><lastmod>2023`;
    expect(parse(text)).toMatchObject({
      urls: ["https://example.org/a", "https://example.org/b"],
      modified: new Map(),
    });
  });

  it("may have any prefix, and other vocabularies inside that are not its own", () => {
    const text = `<s:urlset xmlns:s="urn:x" xmlns:image="urn:y"><s:url><s:loc>/a</s:loc>
      <image:image><image:loc>/a.jpg</image:loc></image:image></s:url></s:urlset>`;
    expect(urlsOf(text)).toEqual(["https://example.org/a"]);
  });

  it("is an index when its root says so", () => {
    const text =
      "<sitemapindex><sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>/two.xml.gz</loc></sitemap></sitemapindex>";
    const sitemaps = ["https://example.org/one.xml", "https://example.org/two.xml.gz"];
    expect(parse(text)).toEqual({ kind: "index", sitemaps, truncation: null });
  });

  it.each(["<url><loc>/b", "<url><loc>/b</lo", "<url>", "</ur", "", "<!-- ", "</urlset"])(
    "that is cut off after %j gives the locations that are whole, and says so",
    (rest) => {
      const a = "https://example.org/a";
      expect(parse(`<urlset><url><loc>/a</loc></url>${rest}`)).toMatchObject({ urls: [a], truncation: "cut-off" });
      const index = "<sitemapindex><sitemap><loc>/a</loc></sitemap>";
      expect(parse(`${index}${rest}`)).toMatchObject({ sitemaps: [a], truncation: "cut-off" });
    },
  );

  it.each(["<urlset/>", "<urlset></urlset>\n<!-- end", "<urlset><url></urlset>", "<URLSET></urlset >", "<rss></rss>"])(
    "is whole once its root element has ended: %j",
    (text) => {
      expect(parse(text)).toMatchObject({ urls: [], truncation: null });
    },
  );

  it("of which only a part came is cut off, and of a text the last line is not a URL", () => {
    const a = "https://example.org/a";
    const options = { url: "https://example.org/sitemap.txt", contentType: null, truncated: true };
    const part = (text: string) => parseSitemap(Buffer.from(text), options);
    expect(part(`${a}\r\n${a}bc`)).toMatchObject({ urls: [a], truncation: "cut-off" });
    expect(part(`${a}\n`)).toMatchObject({ urls: [a], truncation: "cut-off" });
    expect(part(a)).toMatchObject({ kind: "error" });
    expect(part(`<urlset><url><loc>${a}</loc></url></urlset>`)).toMatchObject({ urls: [a], truncation: "cut-off" });
  });

  it("in another encoding is read by its declaration", () => {
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="iso-8859-1"?><urlset><url><loc>/é</loc></url></urlset>',
      "latin1",
    );
    expect(parse(latin)).toMatchObject({ kind: "urls", urls: ["https://example.org/%C3%A9"] });
  });

  it("never resolves an entity of its own", () => {
    const text = `<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]>
      <urlset><url><loc>&x;</loc></url><url><loc>/a</loc></url></urlset>`;
    expect(urlsOf(text)).toEqual(["https://example.org/a"]);
  });

  it("gives at most 50,000 URLs, and what is past 50 MiB is not read", () => {
    const many = Array.from({ length: SITEMAP_URLS_MAX + 1 }, (_, page) => `<url><loc>/${page}</loc></url>`);
    const result = parse(`<urlset>${many.join("")}</urlset>`);
    expect(result).toMatchObject({ kind: "urls", truncation: "too-large" });
    if (result.kind !== "urls") return;
    expect(result.urls).toHaveLength(SITEMAP_URLS_MAX);
    expect(result.urls.at(-1)).toBe("https://example.org/49999");
    // So many are allowed, and some are there twice.
    const allowed = [...many.slice(0, SITEMAP_URLS_MAX), many[0]];
    expect(parse(`<urlset>${allowed.join("")}</urlset>`)).toMatchObject({ truncation: null });
    const lines = allowed.map((_, page) => `https://example.org/${page}\n`);
    expect(parse(lines.join(""))).toMatchObject({ truncation: "too-large" });
    expect(parse(lines.slice(1).join(""))).toMatchObject({ truncation: null });
    const long = Buffer.alloc(SITEMAP_BYTES_MAX + 30, " ");
    long.write("<urlset><url><loc>/a</loc></url>");
    const second = "<url><loc>/b</loc>";
    long.write(second, SITEMAP_BYTES_MAX - second.length + 1);
    expect(parse(long)).toMatchObject({ urls: ["https://example.org/a"], truncation: "too-large" });
    long.write(`${second} `, SITEMAP_BYTES_MAX - second.length);
    expect(parse(long)).toMatchObject({ urls: ["https://example.org/a", "https://example.org/b"] });
  });

  it("passes over a location of more than 4,096 characters, and stops where elements nest past 64", () => {
    const loc = (length: number): string => `<url><loc>/${"x".repeat(length - 1)}</loc></url>`;
    expect(urlsOf(`<urlset>${loc(4096)}${loc(4097)}</urlset>`)).toHaveLength(1);
    const nested = (depth: number): string =>
      `<urlset>${"<x>".repeat(depth)}${"</x>".repeat(depth)}<url><loc>/a</loc></url></urlset>`;
    expect(urlsOf(nested(63))).toHaveLength(1);
    expect(urlsOf(nested(64))).toHaveLength(0);
  });

  it("can be held to its own folder and to its namespace", () => {
    const own = "https://example.org/maps/a";
    const text = `<urlset xmlns="urn:x"><url><loc>${own}</loc></url><url><loc>/b</loc></url></urlset>`;
    const body = new TextEncoder().encode(text);
    expect(parseSitemap(body, { url, contentType: null, ownFolderOnly: true })).toMatchObject({
      kind: "urls",
      urls: [own],
    });
    // An index may name sitemaps anywhere.
    const index = "<sitemapindex><sitemap><loc>/other/s.xml</loc></sitemap></sitemapindex>";
    const options = { url, contentType: null, ownFolderOnly: true };
    expect(parseSitemap(new TextEncoder().encode(index), options)).toEqual({
      kind: "index",
      sitemaps: ["https://example.org/other/s.xml"],
      truncation: null,
    });
    expect(parseSitemap(body, { url, contentType: null, namespaceRequired: true })).toMatchObject({
      kind: "error",
      message: expect.stringContaining('"urn:x"'),
    });
  });
});

describe("feeds and lists", () => {
  it("of RSS give the link of each item, or a guid that is a URL, and not that of the channel", () => {
    const text = `<rss><channel><link>/channel</link><atom:link href="/self"/>
      <item><link>/one</link><guid>https://example.org/guid-of-one</guid></item>
      <item><guid isPermaLink="true">https://example.org/two</guid></item>
      <item><guid>7bd204c6</guid></item></channel></rss>`;
    expect(urlsOf(text)).toEqual(["https://example.org/one", "https://example.org/two"]);
  });

  it("of Atom give the alternate link of each entry", () => {
    const text = `<feed><link href="/feed"/><entry><link rel="edit" href="/edit"/><link href="/one"/></entry>
      <entry><link rel="alternate" href="/two"/></entry></feed>`;
    expect(urlsOf(text)).toEqual(["https://example.org/one", "https://example.org/two"]);
  });

  it("of text give one URL per line, with any line ending, and skip what is not a URL", () => {
    expect(urlsOf("https://a.example/1\r\nhttps://a.example/2\rnot a URL\n\n HTTP://a.example/3 \n")).toEqual([
      "https://a.example/1",
      "https://a.example/2",
      "http://a.example/3",
    ]);
  });

  it("of text may leave out the scheme of URLs of their own host", () => {
    const options = { url: "https://www.a.example/urls.txt", contentType: "text/plain" };
    const body = "www.a.example/1\nWWW.A.EXAMPLE/2?x\nother.example/3\nwww.a.example is our host\nwww.a.example\n";
    expect(parseSitemap(new TextEncoder().encode(body), options)).toMatchObject({
      kind: "urls",
      urls: ["https://www.a.example/1", "https://www.a.example/2?x", "https://www.a.example/"],
    });
  });
});

describe("what is no sitemap", () => {
  it.each([
    ["an HTML page", "<!doctype html><html><body>Not found</body></html>", "its root element is html"],
    ["prose", "Not found\nSorry", "a text of 2 lines, none of them a URL"],
    ["nothing", " \n", "it is empty"],
    ["XML without an element", "<?xml version='1.0'?>", "without a root element"],
  ])("is an error that says what it is: %s", (_what, text, words) => {
    expect(parse(text)).toMatchObject({ kind: "error", message: expect.stringContaining(words) });
  });

  it("is recognised as gzip, to be unpacked by the caller", () => {
    const packed = gzipSync("<urlset/>");
    expect(isGzip(packed)).toBe(true);
    expect(isGzip(gunzipSync(packed))).toBe(false);
    expect(parse(packed)).toMatchObject({ kind: "error", message: expect.stringContaining("gzip") });
  });

  it("never throws", () => {
    const piece = fc.constantFrom(
      "<urlset>",
      "<url>",
      "<loc>",
      "/a",
      "</loc>",
      "&x;",
      "<![CDATA[",
      "]]>",
      "http://[",
      "<",
      "\0",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.string(), (pieces, contentType) => {
        const body = new TextEncoder().encode(pieces.join(""));
        expect(parseSitemap(body, { url, contentType }).kind).toMatch(/urls|index|error/);
        expect(parseSitemap(body, { url: "no URL", contentType }).kind).toMatch(/urls|index|error/);
      }),
    );
  });
});

interface SuiteCase {
  readonly test: string;
  readonly type: string;
  readonly url: string;
  readonly strict: boolean;
  readonly strictNamespace: boolean;
  readonly body_b64: string;
  readonly error: string | null;
  readonly index: boolean | null;
  readonly urls: readonly { readonly loc: string }[] | null;
}

const path = sharedPath("suites/sitemaps.json");

describe.skipIf(path === undefined)("the suite of sitemaps", () => {
  it("has the same URLs, or an error, in every case", () => {
    const { cases } = JSON.parse(readFileSync(path!, "utf8")) as { cases: readonly SuiteCase[] };
    expect(cases.length).toBeGreaterThan(20);
    for (const each of cases) {
      const body = new Uint8Array(Buffer.from(each.body_b64, "base64"));
      const result = parseSitemap(isGzip(body) ? gunzipSync(body) : body, {
        url: each.url,
        contentType: each.type,
        ownFolderOnly: each.strict,
        namespaceRequired: each.strictNamespace,
      });
      const expected = each.urls?.map(({ loc }) => loc).sort() ?? [];
      const found = result.kind === "error" ? [] : result.kind === "urls" ? result.urls : result.sitemaps;
      expect([each.test, result.kind, [...found].sort()]).toEqual([
        each.test,
        each.error === null ? (each.index === true ? "index" : "urls") : "error",
        expected,
      ]);
    }
  });
});
