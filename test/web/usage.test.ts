/** What robots.txt and headers say about the use of pages, by the grammars of both vocabularies. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRobots, rulesFor, type UsagePreferences, usageOfHeaders, usageText } from "../../src/web/index.ts";
import { combined, contentSignal, contentUsage, purposes } from "../../src/web/usage.ts";
import { USAGE_RULES_MAX } from "../../src/web/usage-rules.ts";

const usageIn = (file: string | Uint8Array, path: string, agent = "tidemark"): string | null =>
  usageText(rulesFor(parseRobots(file), agent).usageOf(path));

describe("Content-Usage", () => {
  it.each<[value: string, said: UsagePreferences]>([
    ["train-ai=n", { "ai-train": false }],
    ["train-ai=y, search=n", { "ai-train": true, search: false }],
    ["search=y,ai-use=n\t,\ttrain-ai=n", { search: true, "ai-input": false, "ai-train": false }],
    ["  train-ai=n  ", { "ai-train": false }],
    // Unknown labels and parameters are ignored, of whatever type.
    [
      'foo, bar="a, \\"b", baz=(1 2;x "c"), q=?1, d=@12, t=%"%c3%bc", b=:aGk=:, n=-1.5, train-ai=n;x=y;z',
      { "ai-train": false },
    ],
    ["train-ai;allow=n, train-ai=y", { "ai-train": true }],
    // The last value counts, also if it says nothing.
    ["train-ai=y, train-ai=n", { "ai-train": false }],
    ['train-ai=y, train-ai, search=n, search="n"', {}],
    ["train-ai=Y", {}],
    ["train-ai=no", {}],
    ["train-ai=?0", {}],
    // What is no dictionary says nothing at all.
    ["train-ai=n,", {}],
    ["train-ai=n,,search=n", {}],
    ["train-ai=n search=n", {}],
    ["Train-AI=n", {}],
    ["train-ai = n", {}],
    ["train-ai=n; ", {}],
    ["train-ai=(n", {}],
    ['train-ai="n', {}],
    ["", {}],
  ])("%j says %j", (value, said) => {
    expect(contentUsage(value)).toEqual(said);
  });

  it("is read in time for any text", () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => void contentUsage(text)));
    for (const piece of ["a=(", "a;", 'a="\\"', "a=1, ", "(((( ", "a;b;c=1 ", "%a"]) {
      contentUsage(piece.repeat(1000));
      contentUsage(piece.repeat(100_000));
    }
  });
});

describe("Content-Signal", () => {
  it.each<[value: string, said: UsagePreferences]>([
    ["search=yes, ai-input=no, ai-train=no", { search: true, "ai-input": false, "ai-train": false }],
    ["search=yes,ai-train=no,use=reference", { search: true, "ai-train": false }],
    ["AI-Train = NO", { "ai-train": false }],
    ["ai-train=yes, ai-train=no, ai-train=yes", { "ai-train": false }],
    ["ai-train=maybe, search", {}],
    ["train-ai=n", {}],
  ])("%j says %j", (value, said) => {
    expect(contentSignal(value)).toEqual(said);
  });
});

describe("statements together", () => {
  const statement = fc.record(
    { search: fc.boolean(), "ai-input": fc.boolean(), "ai-train": fc.boolean() },
    { requiredKeys: [] },
  );

  it("disallow what one of them disallows, and allow what one allows and none disallows", () => {
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 4 }), (statements) => {
        const result = combined(...statements);
        for (const purpose of purposes) {
          const said = new Set(statements.map((each) => each[purpose]));
          const expected = said.has(false) ? false : said.has(true) ? true : undefined;
          expect(result[purpose]).toBe(expected);
        }
      }),
    );
  });

  it("come from both headers, and from none if there is none", () => {
    expect(usageOfHeaders({ "content-type": "text/html" })).toBeNull();
    const both = { "content-usage": "train-ai=y, search=y", "content-signal": "ai-train=no" };
    expect(usageOfHeaders(both)).toEqual({ search: true, "ai-train": false });
  });
});

describe("rules about use in robots.txt", () => {
  it("are those of the draft's example", () => {
    const file = `User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: / train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: / train-ai=y
`;
    expect(usageIn(file, "/test")).toBe("ai-train=no");
    expect(usageIn(file, "/ai-ok/test")).toBe("ai-train=yes");
    expect(usageIn(file, "/test", "ExampleBot")).toBe("ai-train=yes");
    expect(rulesFor(parseRobots(file), "tidemark").allows("/never/test")).toBe(false);
  });

  it.each<[what: string, file: string]>([
    [
      "with CRLF, a byte order mark, blanks and comments",
      "\ufeffUSER-AGENT : *\r\n  content-usage\t:\t/a\ttrain-ai=n  # no\r\n",
    ],
    ["without a path", "User-agent: *\nContent-Usage: train-ai=n"],
    ["as signals", "User-agent: *\nContent-Signal: ai-train=no"],
    ["as signals with a path", "User-agent: *\nContent-Signal: /a ai-train=no"],
    ["before any user agent", "Content-Signal: ai-train=no\nUser-agent: other\nDisallow: /"],
    ["in two groups of the same robot", "User-agent: *\nDisallow: /x\nUser-agent: *\nContent-Usage: train-ai=n"],
    ["in a group of several", "User-agent: other\nUser-agent: Tidemark\nContent-Usage: / train-ai=n"],
    ["after rules", "User-agent: *\nAllow: /\nContent-Signal: ai-train=no"],
    ["by a pattern", "User-agent: *\nContent-Usage: /*$ train-ai=n"],
    [
      "twice with the same path, one of them against it",
      "User-agent: *\nContent-Usage: / train-ai=n\nContent-Usage: / train-ai=y",
    ],
    ["in one vocabulary against the other", "User-agent: *\nContent-Usage: /a train-ai=y\nContent-Signal: ai-train=no"],
  ])("are read %s", (_, file) => {
    expect(usageIn(file, "/a")).toBe("ai-train=no");
    expect(usageIn(new TextEncoder().encode(file), "/a")).toBe("ai-train=no");
  });

  it.each<[what: string, file: string]>([
    ["of another robot", "User-agent: other\nContent-Signal: ai-train=no\nUser-agent: *\nAllow: /"],
    [
      "of everybody, where there is a group for us",
      "User-agent: *\nContent-Signal: ai-train=no\nUser-agent: tidemark\nAllow: /",
    ],
    [
      "of the robots named before ours in a group",
      "User-agent: other\nContent-Signal: ai-train=no\nUser-agent: tidemark\nAllow: /",
    ],
    ["of another path", "User-agent: *\nContent-Usage: /b train-ai=n"],
    [
      "of a shorter path, where a longer one says something else",
      "User-agent: *\nContent-Usage: / train-ai=n\nContent-Usage: /a search=y",
    ],
    ["that cannot be read", "User-agent: *\nContent-Usage: / train-ai=n,"],
  ])("do not apply if they are %s", (_, file) => {
    expect(usageIn(file, "/a") ?? "").not.toContain("ai-train");
  });

  it("change nothing about what may be fetched", () => {
    const line = fc.constantFrom(
      "User-agent: *",
      "User-agent: tidemark",
      "User-agent: other",
      "Disallow: /a",
      "Allow: /a/b",
      "Disallow: /",
      "Crawl-delay: 3",
      "Sitemap: /s",
    );
    const signal = fc.constantFrom(
      "Content-Signal: ai-train=no",
      "Content-Usage: /a train-ai=n",
      "content-usage: search=n",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(line, signal), { maxLength: 12 }), (lines) => {
        const [withSignals, without] = [lines, lines.filter((each) => !/^content/i.test(each))].map((each) =>
          rulesFor(parseRobots(each.join("\n")), "tidemark", "http://a.example/robots.txt"),
        );
        for (const path of ["/", "/a", "/a/b", "/c"]) expect(withSignals.allows(path)).toBe(without.allows(path));
        expect(withSignals.crawlDelayMs).toBe(without.crawlDelayMs);
        expect(withSignals.sitemaps).toEqual(without.sitemaps);
        expect(without.speaksOfUsage).toBe(false);
      }),
    );
  });

  it("beyond a limit disallow everywhere what they disallow, and allow nothing", () => {
    const many = Array.from({ length: USAGE_RULES_MAX }, (_, k) => `Content-Usage: /${k} train-ai=y`);
    const file = (...more: string[]): string => ["User-agent: *", ...many, ...more].join("\n");
    expect(usageIn(file(), "/x")).toBeNull();
    expect(usageIn(file("Content-Usage: /only search=n, ai-use=y"), "/x")).toBe("search=no");
    expect(usageIn(file("Content-Usage: /only train-ai=n"), "/0")).toBe("ai-train=no");
  });
});
