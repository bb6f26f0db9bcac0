/**
 * What crawler-commons, Nutch and Heritrix make of URLs: we do the same, but for the cases listed here with the reason.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonicalUrl } from "../../src/web/index.ts";
import { sharedPath } from "../support/shared.ts";

interface RecordedCase {
  readonly input: string;
  readonly expected: string | null;
  readonly removeParams?: readonly string[];
}

/** Reason, then each input with what we make of it. */
type Otherwise = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

const NORMALIZER: Otherwise = {
  "a text without a scheme is a relative link; whoever reads seeds may put one before it": {
    "www.example.com/": null,
    "foo.com/index.html": null,
  },
  "only http and https with a host are pages": {
    "file:///foo/bar.txt": null,
    "file:/path/index.html": null,
    "file:/var/www/html/////./bar/index.html": null,
    "http:////": null,
  },
  "servers may tell // and / apart": {
    "http://foo.com//aa/bb/foo.html": "http://foo.com//aa/bb/foo.html",
    "http://foo.com/aa/bb//foo.html": "http://foo.com/aa/bb//foo.html",
    "http://foo.com////aa////bb//foo.html": "http://foo.com////aa////bb//foo.html",
  },
  "browsers send a % that encodes nothing, and a ` in a query, as they are": {
    "http://www.example.com/a/c/../b/search?q=foobar%": "http://www.example.com/a/b/search?q=foobar%",
    "http://www.example.com/a/c/../b/search?q=foobar`": "http://www.example.com/a/b/search?q=foobar`",
    "http://www.example.com/p%zz%77%v": "http://www.example.com/p%zzw%v",
    "http://www.example.com/search?q=foobar%2": "http://www.example.com/search?q=foobar%2",
  },
  "the order and the spelling of parameters can mean something": {
    "http://example.com/?b=1&a=1": "http://example.com/?b=1&a=1",
    "http://foo.com/index?b=2&a=1#c": "http://foo.com/index?b=2&a=1",
    "http://foo.com/index?b=&a=1": "http://foo.com/index?b=&a=1",
    "http://foo.com/index?&b=1&a=1": "http://foo.com/index?&b=1&a=1",
    "http://foo.com/index?=1&b=1&a=1": "http://foo.com/index?=1&b=1&a=1",
    "https://example.org/p%2d1/p%2d2/?b=2&a=1": "https://example.org/p-1/p-2/?b=2&a=1",
  },
  "hosts are written as the URL standard has it: addresses in hex, names in Punycode that is valid": {
    "http://[::ffff:127.0.0.1]/": "http://[::ffff:7f00:1]/",
    "http://xn--schne-lua.xn--bcher-kva.de/": "http://xn--schne-lua.xn--bcher-kva.de/",
    "http://a.b.c.xn--pokxncvks": null,
    "http://a.b.c.XN--pokxncvks": null,
    "http://10.0.0.XN--pokxncvks": null,
  },
};

const DEFAULT_PAGES =
  "home/index.html index.htm index.aspx index.php3 default.htm default.aspx default.php3 index.phtml index.cgi index.Htm index.jsp " +
  "index.jspx index.jspa index.aspX index.PhP4 default.HTm default.AspX default.PHP3 index.cfm";

const SESSIONS: Otherwise = {
  "servers may tell an index file and its directory apart": Object.fromEntries(
    DEFAULT_PAGES.split(" ").map((path) => [`http://www.foo.com/${path}`, `http://www.foo.com/${path}`]),
  ),
  "a fragment goes on to the end": {
    "http://www.foo.com/foo.html#something?x=y": "http://www.foo.com/foo.html",
  },
  "what is not a session or tracking parameter stays as it is written": {
    "http://www.foo.com/foo.html?x=y&&&z=a": "http://www.foo.com/foo.html?x=y&&&z=a",
    "http://www.foo.com//path//foo.html": "http://www.foo.com//path//foo.html",
  },
  "only http and https are pages": { "file:///path//foo.html": null },
  "no ? or & is left behind": {
    "http://www.archive.org/index.html?jsessionid=0123456789abcdefghijklemopqrstuv":
      "http://www.archive.org/index.html",
    "http://www.archive.org/index.html?one=two&jsessionid=0123456789abcdefghijklemopqrstuv":
      "http://www.archive.org/index.html?one=two",
    "http://www.archive.org/index.html?one=two&phpsessid=0123456789abcdefghijklemopqrstuv":
      "http://www.archive.org/index.html?one=two",
    "http://www.archive.org/index.html?sid=9682993c8daa2c5497996114facdc805&jsessionid=0123456789abcdefghijklemopqrstuv":
      "http://www.archive.org/index.html",
  },
};

describe.each<[file: string, cases: number, same: number, otherwise: Otherwise]>([
  ["suites/url-normalizer.json", 148, 124, NORMALIZER],
  ["suites/url-session-ids.json", 40, 13, SESSIONS],
])("%s", (file, count, same, otherwise) => {
  const path = sharedPath(file);

  it.skipIf(path === undefined)("is followed, but for what is listed", () => {
    const { cases }: { cases: readonly RecordedCase[] } = JSON.parse(readFileSync(path ?? "", "utf8"));
    expect(cases).toHaveLength(count);
    const listed = new Map(Object.values(otherwise).flatMap((inputs) => Object.entries(inputs)));
    let followed = 0;
    for (const { input, expected, removeParams } of cases) {
      const url = canonicalUrl(input, undefined, { stripParameters: removeParams?.length !== 0 });
      const ours = listed.get(input);
      if (ours === undefined) {
        expect([input, url]).toEqual([input, expected]);
        followed++;
      } else {
        expect([input, url]).toEqual([input, ours]);
        expect(ours).not.toBe(expected);
      }
    }
    expect(followed).toBe(same);
  });
});
