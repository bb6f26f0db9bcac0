import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { graphInfo, type Hosts, HostsDecoder, hostsOf, interHostArcs } from "../../src/graph/index.ts";
import { registrableDomain } from "../../src/web/index.ts";
import { cases } from "../support/cases.ts";
import { graphOf } from "./arbitrary.ts";

const named = ({ names, hostOf }: Hosts) => Array.from(hostOf, (host) => names[host]);

const scheme = fc.constantFrom("http", "https", "HTTP", "ftp", "hTTps");
const slashes = fc.constantFrom("//", "//", "//", "/", "///", "\\\\", "/\t/");
const userinfo = fc.constantFrom("", "", "", "user@", "user:pass@", "a@b@", ":@");
const name = fc.constantFrom(
  "a.example",
  "B.Example",
  "a.example.",
  "127.1",
  "[::1]",
  "bücher.example",
  "a\tb",
  "%61.b",
);
const port = fc.constantFrom("", "", ":", ":80", ":443", ":8080", ":0080");
const rest = fc.constantFrom("", "/", "/x?y#z", "?q", "#f", "\\x", "/@b", "?@b", "/ x", "//c.example/");
const url = fc
  .tuple(scheme, slashes, userinfo, name, port, rest)
  .map(([a, b, c, d, e, f]) => `${a}:${b}${c}${d}${e}${f}`);

/** Not URL.canParse, which in Node 20 sometimes denies what the parser accepts. */
function isParsable(text: string): boolean {
  try {
    return new URL(text).host !== "";
  } catch {
    return false;
  }
}

describe("hostsOf", () => {
  it("agrees with the WHATWG parser on every URL", () => {
    fc.assert(
      fc.property(fc.array(url, { maxLength: 20 }), (urls) => {
        const parsable = urls.filter((text) => isParsable(text));
        expect(named(hostsOf(parsable))).toEqual(parsable.map((text) => new URL(text).host));
      }),
      { numRuns: cases(2000) },
    );
  });

  it("numbers hosts by first appearance and shares the array", () => {
    const hosts = hostsOf(["http://b/1", "http://a/", "http://b/2", "https://B:443/?x"]);
    expect(hosts.names).toEqual(["b", "a"]);
    expect([...hosts.hostOf]).toEqual([0, 1, 0, 0]);
    expect(hosts.hostOf.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it("distinguishes a host from one whose name, or port, is longer", () => {
    const urls = ["http://a.example/", "http://a.example.org/", "http://a.example:81/", "http://a.exampl/"];
    expect(hostsOf(urls).names).toEqual(["a.example", "a.example.org", "a.example:81", "a.exampl"]);
    expect(hostsOf(urls.toReversed()).names).toEqual(["a.exampl", "a.example:81", "a.example.org", "a.example"]);
  });

  it("joins hosts of one registrable domain", () => {
    const urls = [
      "http://www.a.co.uk/",
      "http://b.a.co.uk:81/",
      "http://127.0.0.1:8080/",
      "http://localhost/",
      "http://c.de/",
    ];
    expect(named(hostsOf(urls, { siteOf: registrableDomain }))).toEqual([
      "a.co.uk",
      "a.co.uk",
      "127.0.0.1",
      "localhost",
      "c.de",
    ]);
  });

  it.each(["www.example.org/", "", "http://", "http:///", "mailto:someone@example.org", "/path"])(
    "refuses %j, which has no host, naming the line",
    (text) => {
      expect(() => hostsOf(["http://a/", text])).toThrow(UsageError);
      expect(() => hostsOf(["http://a/", text])).toThrow(`line 2: "${text}"`);
    },
  );

  it("takes what stands before the path as the host of a URL that the parser refuses", () => {
    const urls = ["http://WWW.example.org>/x", "http://a b/", "http://www.example.org>", "http://a:99999/"];
    expect(named(hostsOf(urls))).toEqual(["www.example.org>", "a b", "www.example.org>", "a:99999"]);
  });

  it("refuses more or fewer URLs than pages", () => {
    expect(() => hostsOf(["http://a/"], { pages: 2 })).toThrow(/got 1 URLs for 2 pages/);
    expect(() => hostsOf(["http://a/", "http://a/"], { pages: 1 })).toThrow(UsageError);
    expect(hostsOf([], { pages: 0 }).names).toEqual([]);
  });
});

describe("HostsDecoder", () => {
  it("reads the same from bytes as from lines, whatever the line endings and the cuts", () => {
    const line = fc.tuple(
      url.filter((text) => isParsable(text)),
      fc.constantFrom("\n", "\r\n", "\r"),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 1, max: 30 }), (lines, size) => {
        const bytes = new TextEncoder().encode(lines.flat().join(""));
        const decoder = new HostsDecoder();
        for (let at = 0; at < bytes.length; at += size) decoder.push(bytes.subarray(at, at + size));
        expect(decoder.finish()).toEqual(hostsOf(lines.map(([text]) => text)));
      }),
    );
  });

  it.each(["\n", "\r\n", "\r"])("reads two lines that end with %j wherever the file is cut in two", (ending) => {
    const bytes = new TextEncoder().encode(`http://a/${ending}http://b/${ending}`);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const decoder = new HostsDecoder();
      decoder.push(bytes.subarray(0, cut));
      decoder.push(bytes.subarray(cut));
      expect(decoder.finish().names).toEqual(["a", "b"]);
    }
  });

  it("names the line of a URL that does not parse", () => {
    const decoder = new HostsDecoder();
    expect(() => decoder.push(new TextEncoder().encode("http://a/\r\n\r\nhttp://b/\r\n"))).toThrow(/^line 2: ""/);
  });

  it("reads a last line without an ending", () => {
    const decoder = new HostsDecoder({ pages: 2 });
    decoder.push(new TextEncoder().encode("\ufeffhttp://a/\nhttp://b/"));
    expect(decoder.finish().names).toEqual(["a", "b"]);
  });
});

describe("graphInfo", () => {
  // Two hosts of two pages; 0 and 1 link to each other; 2 has only a self link, 3 no link at all.
  const graph = graphOf(
    [
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 3],
      [2, 2],
    ],
    4,
  );
  const hosts = hostsOf(["http://a/0", "http://a/1", "http://b/2", "http://b/3"]);

  it("counts what people want to know first", () => {
    expect(graphInfo(graph, hosts)).toEqual({
      pages: 4,
      arcs: 5,
      hosts: 2,
      interHostArcs: 2,
      dangling: 1,
      selfLinks: 1,
      largestScc: 2,
    });
  });

  it("says null for what only URLs could show", () => {
    expect(graphInfo(graph)).toMatchObject({ hosts: null, interHostArcs: null });
  });

  it("describes the empty graph", () => {
    expect(graphInfo(graphOf([]))).toMatchObject({
      pages: 0,
      arcs: 0,
      dangling: 0,
      selfLinks: 0,
      largestScc: 0,
    });
  });

  it("counts arcs between hosts as a walk over all arcs does", () => {
    expect(interHostArcs(graph, { names: ["x", "y"], hostOf: Uint32Array.of(0, 1, 0, 1) })).toBe(2);
  });
});
