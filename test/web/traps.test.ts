/** Traps: each rule at its limit and one past it, and the recorded cases of BUbiNG and Nutch. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalUrl, defaultTrapLimits, splitUrl, trapIn } from "../../src/web/index.ts";
import { cases } from "../support/cases.ts";
import { sharedPath } from "../support/shared.ts";

const LIMITS = defaultTrapLimits;

describe("a URL is refused", () => {
  it("beyond 2,000 characters", () => {
    expect(trapIn(`/${"a".repeat(1999)}`, LIMITS)).toBeNull();
    expect(trapIn(`/${"a".repeat(2000)}`, LIMITS)).toBe("url-too-long");
    expect(trapIn(`/?${"a".repeat(1999)}`, LIMITS)).toBe("url-too-long");
  });

  it("beyond 20 segments", () => {
    const segments = Array.from({ length: 21 }, (_, i) => `s${i}`);
    expect(trapIn(`/${segments.slice(1).join("/")}/`, LIMITS)).toBeNull();
    expect(trapIn(`/${segments.join("/")}`, LIMITS)).toBe("path-too-deep");
    expect(trapIn(`/?${segments.join("/")}`, LIMITS)).toBeNull();
    expect(trapIn("/a/b", { ...LIMITS, pathSegmentsMax: 1 })).toBe("path-too-deep");
  });

  it("beyond 20 parameters", () => {
    const parameters = Array.from({ length: 21 }, (_, i) => `p${i}=${i}`);
    expect(trapIn(`/?${parameters.slice(1).join("&")}`, LIMITS)).toBeNull();
    expect(trapIn(`/?${parameters.join("&")}`, LIMITS)).toBe("too-many-parameters");
    expect(trapIn(`/${parameters.join("&")}`, LIMITS)).toBeNull();
  });

  it("with a block of segments three times in succession", () => {
    expect(trapIn("/a/b/a/b", LIMITS)).toBeNull();
    expect(trapIn("/x/a/b/a/b/a/b/y", LIMITS)).toBe("path-repeats");
    expect(trapIn("/a//a//a", LIMITS)).toBe("path-repeats");
    expect(trapIn("/a/b/c?d=/a/a/a/", LIMITS)).toBeNull();
    // "Aa" and "BB" have the same hash: 31 * 65 + 97 = 31 * 66 + 66.
    expect(trapIn("/Aa/BB/Aa", LIMITS)).toBeNull();
    expect(trapIn("/a/a/a", { ...LIMITS, repeatsMax: 3 })).toBeNull();
  });

  it("exactly where counting every block finds three copies", () => {
    const segments = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 14 });
    fc.assert(
      fc.property(segments, (segments) => {
        const expected = hasBlockThrice(segments) ? "path-repeats" : null;
        expect(trapIn(`/${segments.join("/")}`, LIMITS)).toBe(expected);
      }),
      { numRuns: cases(2000) },
    );
  });
});

const suite = sharedPath("suites/traps.json");
describe.skipIf(suite === undefined)("recorded cases", () => {
  interface Case {
    readonly url: string;
    readonly keep: boolean;
    readonly profile?: string;
  }
  const { bubingDuplicateSegments3, nutchUrlFilter }: Record<string, readonly Case[]> =
    suite === undefined ? {} : JSON.parse(readFileSync(suite, "utf8"));

  it("of BUbiNG are kept and dropped as there", () => {
    expect(bubingDuplicateSegments3).toHaveLength(27);
    const deep = { ...LIMITS, pathSegmentsMax: 100 };
    for (const { url, keep } of bubingDuplicateSegments3 ?? []) {
      expect([url, trapIn(pathOf(url) ?? "", deep)]).toEqual([url, keep ? null : "path-repeats"]);
    }
  });

  it("of Nutch are kept and dropped as there, but for what is no trap or contradicts BUbiNG", () => {
    const differing = (nutchUrlFilter ?? [])
      .filter(({ url, keep }) => {
        const path = pathOf(url);
        return (path !== null && trapIn(path, LIMITS) === null) !== keep;
      })
      .map(({ url }) => url);
    expect(differing).toEqual([
      // Only http and https are pages for us.
      "news://any.news.server/comp.lang.java",
      "whois:/nutch.org",
      // Which content is wanted is for scope and content type to say, not for trap rules.
      "http://www.nutch.org/nutch.gif",
      "http://www.nutch.org/nutch.eps",
      // Queries are allowed.
      "http://www.nutch.org/nutch?q=nutch",
      // Two and a half times is kept by BUbiNG ("/b/a/b/a/b/c/b/a/"), and so are copies that do not touch.
      "http://www.nutch.org/abcd/foo/bar/foo/bar/foo/",
      "http://www.nutch.org/abcd/foo/bar/xyz/foo/bar/foo/",
    ]);
  });
});

function pathOf(url: string): string | null {
  const canonical = canonicalUrl(url);
  return canonical === null ? null : splitUrl(canonical).path;
}

function hasBlockThrice(segments: readonly string[]): boolean {
  for (let from = 0; from < segments.length; from++) {
    for (let length = 1; from + 3 * length <= segments.length; length++) {
      const copies = [0, 1, 2].map((i) => segments.slice(from + i * length, from + (i + 1) * length).join("/"));
      if (new Set(copies).size === 1) return true;
    }
  }
  return false;
}
