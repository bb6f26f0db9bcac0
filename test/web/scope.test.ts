/** Scope: what each kind contains, worked by hand; patterns; and what is said of bad ones. */
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { Scope, type ScopeKind, type ScopeOptions } from "../../src/web/index.ts";
import { HOSTS_REMEMBERED_MAX } from "../../src/web/scope.ts";

const SEEDS = ["https://www.a.example/b/c.html?d=/e", "http://10.0.0.1:8080/"];

/** Which kinds contain the URL, from the narrowest. */
const CONTAINED: readonly [url: string, kinds: readonly ScopeKind[]][] = [
  ["https://www.a.example/b/c.html?d=/e", ["page", "prefix", "host", "domain", "any"]],
  ["http://www.a.example/b/c.html?d=/e", ["prefix", "host", "domain", "any"]],
  ["https://www.a.example/b/", ["prefix", "host", "domain", "any"]],
  ["http://www.a.example/b/f/g", ["prefix", "host", "domain", "any"]],
  ["https://www.a.example/b", ["host", "domain", "any"]],
  ["https://www.a.example/", ["host", "domain", "any"]],
  ["https://www.a.example:444/b/", ["domain", "any"]],
  ["https://a.example/b/", ["domain", "any"]],
  ["https://x.y.a.example/", ["domain", "any"]],
  ["https://ba.example/", ["any"]],
  ["https://example/", ["any"]],
  ["http://10.0.0.1:8080/x", ["prefix", "host", "domain", "any"]],
  ["https://10.0.0.1:8080/x", ["prefix", "host", "domain", "any"]],
  ["http://10.0.0.1/x", ["domain", "any"]],
  ["http://10.0.0.2:8080/x", ["any"]],
];

describe("a scope", () => {
  it.each<ScopeKind>(["page", "prefix", "host", "domain", "any"])("%s contains what it says", (kind) => {
    const scope = new Scope({ kind, seeds: SEEDS });
    for (const [url, kinds] of CONTAINED) expect([url, scope.contains(url)]).toEqual([url, kinds.includes(kind)]);
  });

  it("takes hosts by themselves where the suffix is unknown or public", () => {
    const scope = new Scope({ kind: "domain", seeds: ["http://localhost/", "http://co.uk/"] });
    expect(scope.contains("http://localhost:81/")).toBe(true);
    expect(scope.contains("http://co.uk/a")).toBe(true);
    expect(scope.contains("http://bbc.co.uk/")).toBe(false);
  });

  it("reads seeds as they are written", () => {
    expect(new Scope({ kind: "page", seeds: ["HTTP://A.example:80#x"] }).contains("http://a.example/")).toBe(true);
  });

  it("gives the same answers when more hosts come than it remembers", () => {
    const scope = new Scope({ kind: "domain", seeds: ["http://a.example/"] });
    const others = Array.from({ length: HOSTS_REMEMBERED_MAX + 1 }, (_, i) => `http://h${i}.b.example/`);
    expect(others.filter((url) => scope.contains(url))).toEqual([]);
    expect(scope.contains("http://h0.b.example/")).toBe(false);
    expect(scope.contains("http://h0.a.example/")).toBe(true);
  });

  it("refuses a seed that is no URL", () => {
    expect(() => new Scope({ kind: "host", seeds: ["a.example"] })).toThrow(
      new UsageError('the seed "a.example" is not the URL of a web page; expected one such as https://host/path'),
    );
  });
});

describe("patterns", () => {
  const options: ScopeOptions = {
    kind: "host",
    seeds: ["http://a.example/"],
    include: ["/docs/", "^http://a\\.example/$"],
    exclude: ["\\.pdf$", "[?&]print="],
  };

  it.each([
    ["http://a.example/", true],
    ["http://a.example/docs/b", true],
    ["http://a.example/x/docs/b", true],
    ["http://a.example/docs", false],
    ["http://a.example/docs/b.pdf", false],
    ["http://a.example/docs/b.pdf?c", true],
    ["http://a.example/docs/?c&print=1", false],
    ["http://b.example/docs/b", false],
  ])("of the user decide about %s: %s", (url, inside) => {
    expect(new Scope(options).contains(url)).toBe(inside);
  });

  it("leave a seed out when they say so", () => {
    expect(new Scope({ ...options, exclude: ["example"] }).contains("http://a.example/")).toBe(false);
  });

  it.each([
    ["(?=a)", "(?=` "],
    ["(a", "missing closing )"],
    ["(a)\\1", "invalid escape sequence"],
    ["a{1001}", "invalid repeat count"],
  ])("that are invalid are a mistake of the user: %s", (pattern, why) => {
    for (const given of [{ include: [pattern] }, { exclude: [pattern] }]) {
      const make = () => new Scope({ kind: "any", seeds: [], ...given });
      expect(make).toThrow(UsageError);
      expect(make).toThrow(`the ${Object.keys(given)[0]} pattern "${pattern}" is invalid`);
      expect(make).toThrow(why.trim());
      expect(make).toThrow("without look-around and back-references");
    }
  });

  it("take time linear in the URL, however they are made", () => {
    const scope = new Scope({ kind: "any", seeds: [], exclude: ["(a*)*b", "(a|aa)+$"] });
    // A matcher that backtracks would need longer than the universe.
    expect(scope.contains(`http://a.example/${"a".repeat(50_000)}c`)).toBe(true);
  });
});

describe("in words, a scope", () => {
  it.each<[options: ScopeOptions, words: string]>([
    [{ kind: "any", seeds: [] }, "the whole web"],
    [{ kind: "page", seeds: ["http://a.example"] }, "the page http://a.example/"],
    [
      { kind: "host", seeds: ["http://a.example/", "https://a.example/b", "http://b.example/"] },
      "the hosts a.example and b.example",
    ],
    [{ kind: "domain", seeds: SEEDS }, "the domains a.example and 10.0.0.1"],
    [{ kind: "prefix", seeds: SEEDS }, "the directories www.a.example/b/ and 10.0.0.1:8080/"],
    [
      { kind: "host", seeds: ["a", "b", "c", "d", "e"].map((host) => `http://${host}/`) },
      "the hosts a, b, c and 2 more",
    ],
    [
      { kind: "any", seeds: [], include: ["a"], exclude: ["b", "c"] },
      "the whole web, URLs that match the include pattern, but none that match one of 2 exclude patterns",
    ],
  ])("%j is %s", (options, words) => {
    expect(new Scope(options).describe()).toBe(words);
  });
});
