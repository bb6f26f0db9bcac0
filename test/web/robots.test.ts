/**
 * robots.txt: the RFC's own examples, hostile files, recorded cases of other parsers, and another parser as a second
 * method.
 */
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import robotsParser from "robots-parser";
import { describe, expect, it } from "vitest";
import {
  allowAll,
  canonicalUrl,
  parseRobots,
  ROBOTS_BYTES_MAX,
  type RobotsRules,
  robotsOfStatus,
  rulesFor,
  splitUrl,
} from "../../src/web/index.ts";
import { STAR_RULES_MAX } from "../../src/web/robots-rules.ts";
import { cases } from "../support/cases.ts";
import { sharedPath } from "../support/shared.ts";

/** A CommonJS module, whose types call its function a default export. */
const otherParser = robotsParser as unknown as (
  url: string,
  body: string,
) => { isAllowed(url: string, agent: string): boolean | undefined };

function rulesOf(...lines: readonly string[]): RobotsRules {
  return rulesFor(parseRobots(lines.join("\n")), "tidemark", "http://a.example/robots.txt");
}

describe("rules", () => {
  it.each<[rule: string, path: string, matches: boolean]>([
    ["/", "/anything", true],
    ["/fish", "/fish.html", true],
    ["/fish", "/Fish.asp", false],
    ["/fish", "/catfish", false],
    ["/fish*", "/fishheads/yummy.html", true],
    ["/fish/", "/fish", false],
    ["/*.php", "/folder/any.php?x", true],
    ["/*.php", "/windows.PHP", false],
    ["/*.php$", "/a.php/b.php", true],
    ["/*.php$", "/a.php?x", false],
    ["/fish*.php", "/fishheads/catfish.php?x", true],
    ["/a$", "/a", true],
    ["/a$", "/ab", false],
    ["/a*$", "/abc", true],
    ["/a*b*c$", "/abcbc", true],
    ["/a*bc*c$", "/abc", false],
    ["*/private", "/a/private", true],
    ["private", "/private/a", true],
    ["private", "/a/private", false],
    ["/foo/bar/%62%61%7A", "/foo/bar/baz", true],
    ["/foo/bar?baz=https://foo", "/foo/bar?baz=https://foo.bar", true],
    ["/a%2fb", "/a%2Fb", true],
    ["/a%2Fb", "/a/b", false],
    ["/ツ", "/%E3%83%84", true],
    ["/システム", "/システム/a", true],
    ["/システム", "/システメ", false],
    ["*7", "/it's", false],
    ["*7", "/it's/7", true],
    ["*27s$", "/it's", false],
    ["*'s$", "/it%27s", true],
    ["/*2*7", "/it''s", false],
    ["/%e3%83%84", "/%E3%83%84", true],
    ["/a b", "/a%20b", true],
    ["/a{b}", "/a?{b}", false],
    ["/a?{b}", "/a?{b}", true],
    ["/a%2A", "/a*", true],
    ["/a%2A", "/ab", false],
    ["/a$b", "/a$b", true],
    ["/a%24", "/a$", true],
    ["/100%", "/100%", true],
  ])("%s and %s: %s", (rule, path, matches) => {
    expect(rulesOf("User-agent: *", `Disallow: ${rule}`).allows(path)).toBe(!matches);
    expect(rulesOf("User-agent: *", "Disallow: *", `Allow: ${rule}`).allows(path)).toBe(matches);
  });

  it("count by length, and allow when equally long", () => {
    const rules = rulesOf(
      "User-agent: *",
      "Disallow: /a/",
      "Allow: /a/b",
      "Disallow: /a/b*d",
      "Allow: /c",
      "Disallow: /c",
      "Disallow: /*x",
      "Allow: /?x",
      "Allow: /e$",
      "Disallow: /e",
    );
    expect(rules.allows("/a/")).toBe(false);
    expect(rules.allows("/a/b")).toBe(true);
    expect(rules.allows("/a/bcd")).toBe(false);
    expect(rules.allows("/c")).toBe(true);
    expect(rules.allows("/x")).toBe(false);
    expect(rules.allows("/?x")).toBe(true);
    expect(rules.allows("/e")).toBe(true);
    expect(rules.allows("/ef")).toBe(false);
    expect(rules.allows("/none")).toBe(true);
  });

  it("never forbid /robots.txt itself", () => {
    const none = rulesOf("User-agent: *", "Disallow: /");
    expect(none.allows("/robots.txt")).toBe(true);
    expect(none.allows("/robots.txt?a")).toBe(false);
    expect(allowAll.allows("/")).toBe(true);
  });

  it("are what trying every way to place the stars says", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "*", "/"), { maxLength: 8 }).map((all) => `/${all.join("")}`);
    const rule = fc.tuple(fc.boolean(), letters, fc.constantFrom("", "$"));
    const path = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 8 }).map((all) => `/${all.join("")}`);
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), path, (rules, path) => {
        const lines = rules.map(([allow, text, end]) => `${allow ? "Allow" : "Disallow"}: ${text}${end}`);
        const matching = rules.filter(([, text, end]) => matchesSlowly(text + end, path));
        const longest = Math.max(0, ...matching.map(([, text, end]) => text.length + end.length));
        const best = matching.filter(([, text, end]) => text.length + end.length === longest);
        const expected = best.length === 0 || best.some(([allow]) => allow);
        expect(rulesOf("User-agent: *", ...lines).allows(path)).toBe(expected);
      }),
      { numRuns: cases(3000) },
    );
  });

  it("are read as another parser reads them", () => {
    const path = fc.array(fc.constantFrom("a", "b", "/", "-", "?"), { maxLength: 6 }).map((all) => `/${all.join("")}`);
    const rule = fc.tuple(fc.constantFrom("Allow", "disallow"), path, fc.constantFrom("", "*", "*b", "*a*b"));
    const group = fc.tuple(fc.constantFrom("*", "tidemark", "other", "Tidemark/1.0"), fc.array(rule, { maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(group, { maxLength: 4 }), path, (groups, written) => {
        const { path } = splitUrl(canonicalUrl(`http://a.example${written}`) ?? "");
        // A rule that says nothing ends each group, so that none is empty.
        const lines = groups.flatMap(([agent, rules]) => [
          `User-agent: ${agent}`,
          ...rules.map(([key, path, rest]) => `${key}: ${path}${rest}`),
          "Disallow: /zzz",
        ]);
        const other = otherParser("http://a.example/robots.txt", lines.join("\n"));
        expect(rulesOf(...lines).allows(path)).toBe(other.isAllowed(`http://a.example${path}`, "tidemark") ?? true);
      }),
      { numRuns: cases(3000) },
    );
  });
});

describe("groups", () => {
  it("of our token count together, and those of others do not", () => {
    const rules = rulesOf(
      "User-agent: tidemark",
      "Disallow: /a",
      "User-agent: other",
      "Disallow: /b",
      "",
      "User-agent: *",
      "Disallow: /c",
      "User-Agent: x",
      "Sitemap: /s.xml",
      "",
      "user-agent: TideMark/2.0 (crawler)",
      "Unknown: /",
      "Disallow: /d",
    );
    expect(["/a", "/b", "/c", "/d"].map((path) => rules.allows(path))).toEqual([false, true, true, false]);
  });

  it("of anyone count together where ours is missing", () => {
    const rules = rulesOf(
      "Disallow: /before-any-group",
      "User-agent: *",
      "Disallow: /a",
      "User-agent: tidemarks",
      "User-agent: tide",
      "Disallow: /b",
      "User-agent: * # all",
      "Disallow: /c",
    );
    const paths = ["/before-any-group", "/a", "/b", "/c"];
    expect(paths.map((path) => rules.allows(path))).toEqual([true, false, true, false]);
  });

  it("of a name that begins with ours are of another", () => {
    expect(rulesOf("User-agent: tidemark-images", "Disallow: /").allows("/a")).toBe(true);
    expect(rulesOf("User-agent: tidemark_2", "Disallow: /").allows("/a")).toBe(true);
    expect(rulesOf("User-agent: tidemark.org", "Disallow: /").allows("/a")).toBe(false);
  });

  it("end at a rule without a path, as at any rule", () => {
    const rules = rulesOf("User-agent: tidemark", "Disallow:", "User-agent: other", "Disallow: /");
    expect(rules.allows("/a")).toBe(true);
  });

  it("that name us without a rule free us from the rules for anyone", () => {
    expect(rulesOf("User-agent: *", "Disallow: /", "User-agent: tidemark", "Disallow:").allows("/a")).toBe(true);
  });
});

describe("a file", () => {
  it("is read with any line ends, marks, blanks and comments", () => {
    const lines = ["user-agent : *# all", "\tDISALLOW:/a #b", "disallow /b", "Dissalow: /c", "nonsense", ":", "#"];
    for (const end of ["\n", "\r", "\r\n", "\n\n"]) {
      const text = `\uFEFF${lines.join(end)}`;
      const utf16 = Buffer.from(text, "utf16le");
      for (const body of [text, Buffer.from(text), utf16, Buffer.from(utf16).swap16()]) {
        const rules = rulesFor(parseRobots(body), "tidemark");
        expect(["/a", "/b", "/c", "/d"].map((path) => rules.allows(path))).toEqual([false, false, false, true]);
      }
    }
  });

  it("of any bytes is read without complaint", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const rules = rulesFor(parseRobots(bytes), "tidemark", "http://a.example/robots.txt");
        expect(typeof rules.allows("/")).toBe("boolean");
      }),
    );
    expect(rulesFor(parseRobots(Buffer.from("User-agent: *\nDisallow: /\xe9", "latin1")), "t").allows("/%E9")).toBe(
      false,
    );
  });

  it("is read up to 500 KiB, without the line that this cuts", () => {
    const head = "User-agent: *\nDisallow: /a\n";
    const last = "Disallow: /b";
    const filler = `#${"x".repeat(ROBOTS_BYTES_MAX - head.length - last.length - 2)}\n`;
    const body = head + filler + last;
    expect(body.length).toBe(ROBOTS_BYTES_MAX);
    for (const [longer, forbidden] of [
      [body, true],
      [`${body}\nDisallow: /c`, true],
      [`${body}c`, false],
    ] as const) {
      for (const form of [longer, Buffer.from(longer), Buffer.from(`\uFEFF${longer}`)]) {
        const rules = rulesFor(parseRobots(form), "tidemark");
        expect(["/a", "/b", "/c"].map((path) => !rules.allows(path))).toEqual([true, forbidden, false]);
      }
    }
  });

  it("with more rules with stars than are kept forbids more, never less", () => {
    const kept = Array.from({ length: STAR_RULES_MAX }, (_, i) => `Disallow: /k${i}/*x$`);
    const rules = rulesOf(
      "User-agent: *",
      ...kept,
      "Disallow: /over/*x$",
      "Allow: /over/allowed*",
      "Disallow: /plain$",
    );
    expect(rules.allows(`/k${STAR_RULES_MAX - 1}/y`)).toBe(true);
    expect(rules.allows(`/k${STAR_RULES_MAX - 1}/x`)).toBe(false);
    expect(rules.allows("/over/y")).toBe(false);
    expect(rules.allows("/over/allowed")).toBe(false);
    expect(rules.allows("/plain")).toBe(false);
    expect(rules.allows("/plainer")).toBe(true);
  });

  it("that is made to be slow is not", () => {
    const path = `/${"a".repeat(1999)}`;
    // Backtracking would take longer than the universe; the test's own time limit is the judge.
    expect(rulesOf("User-agent: *", `Disallow: /${"a*".repeat(900)}b`).allows(path)).toBe(true);
    expect(rulesOf("User-agent: *", `Disallow: /${"*".repeat(100_000)}b$`).allows(path)).toBe(true);
    const hostile = Array.from({ length: 500 }, () => `Disallow: /${"*a".repeat(490)}b`);
    expect(rulesOf("User-agent: *", ...hostile).allows(path)).toBe(true);
    expect(parseRobots("<".repeat(400_000)).groups).toEqual([]);
    expect(parseRobots(`a${" ".repeat(400_000)}b c`).groups).toEqual([]);
  });
});

describe("crawl-delay", () => {
  it.each<[value: string, delayMs: number | null]>([
    ["1", 1000],
    ["0.5", 500],
    [".25", 250],
    ["0", 0],
    ["10<br>", 10_000],
    ["86400000", 86_400_000_000],
    ["9".repeat(400), Number.MAX_SAFE_INTEGER],
    ["-1", null],
    ["1s", null],
    ["1e3", null],
    ["ten", null],
    ["", null],
  ])("%s", (value, delayMs) => {
    expect(rulesOf("User-agent: *", `Crawl-delay: ${value}`, "Disallow: /a").crawlDelayMs).toBe(delayMs);
  });

  it("belongs to the agents named before it, and the longest counts", () => {
    const lines = ["User-agent: tidemark", "Crawl-delay: 2", "User-agent: b", "Crawl-delay: 1", "Disallow: /"];
    const file = parseRobots(lines.join("\n"));
    expect(rulesFor(file, "tidemark").crawlDelayMs).toBe(2000);
    expect(rulesFor(file, "b").crawlDelayMs).toBe(1000);
    expect(rulesFor(file, "b").allows("/")).toBe(false);
    expect(rulesFor(file, "c").crawlDelayMs).toBeNull();
    const twice = ["User-agent: *", "Crawl-delay: 9", "Allow: /", "User-agent: *", "Crawl-delay: 3", "Allow: /"];
    expect(rulesOf(...twice).crawlDelayMs).toBe(9000);
  });
});

describe("sitemaps", () => {
  it("are absolute, canonical and named once, whatever the group", () => {
    const { sitemaps } = rulesOf(
      "Sitemap: /s.xml",
      "User-agent: other",
      "site-map: http://A.example:80/s.xml",
      "Sitemap: https://b.example/ü.xml",
      "Sitemap: mailto:a@b.example",
      "Sitemap:",
    );
    expect(sitemaps).toEqual(["http://a.example/s.xml", "https://b.example/%C3%BC.xml"]);
  });

  it("are left out where they are relative and the file's URL is not known", () => {
    expect(rulesFor(parseRobots("Sitemap: /s.xml\nSitemap: http://a.example/t.xml"), "tidemark").sitemaps).toEqual([
      "http://a.example/t.xml",
    ]);
  });
});

describe("the status of robots.txt", () => {
  it.each<[status: number | null, meaning: string]>([
    [200, "obey"],
    [206, "obey"],
    [404, "allow-all"],
    [403, "allow-all"],
    [429, "defer"],
    [301, "defer"],
    [100, "defer"],
    [500, "defer"],
    [599, "defer"],
    [null, "defer"],
  ])("%s means %s", (status, meaning) => {
    expect(robotsOfStatus(status)).toBe(meaning);
  });
});

interface RecordedCase {
  readonly id: number;
  readonly agent: string;
  readonly url: string;
  readonly body: string | null;
  readonly body_b64?: string;
  readonly allowed: boolean;
  readonly consensus: boolean;
}

/** Where we decide otherwise than the project that the case is from, and why. */
const OTHERWISE: Readonly<Record<number, string>> = {
  40: "a product token ends at a blank: the agent Foo Bar is Foo",
  278: "likewise",
  66: "the RFC decodes %62 before it compares",
  258: "likewise",
  86: "lines have no limit of their own",
  338: "/robots.txt is always allowed",
  344: "likewise",
  348: "likewise",
  346: "digits belong to a name: AB42bot is not AB",
  810: "a user-agent line names one agent",
  822: "likewise",
  914: "likewise",
  1018: "desallow is no known misspelling",
  1098: "a token is ours entirely or not at all: hedwig is not hedwig-new",
  1100: "likewise",
  1394: "lines that are not known never end a group",
  1396: "likewise",
  1406: "a star inside a name means nothing",
  1450: "a dollar at the end is the end",
};

const recorded = sharedPath("suites/robots-cases.json");
describe.skipIf(recorded === undefined)("recorded cases", () => {
  const cases: readonly RecordedCase[] = recorded === undefined ? [] : JSON.parse(readFileSync(recorded, "utf8"));

  it("on which all implementations agree are decided so", () => {
    const agreed = cases.filter(({ consensus }) => consensus);
    expect(agreed).toHaveLength(593);
    expect(agreed.filter((one) => decided(one) !== one.allowed).map(({ id }) => id)).toEqual([]);
  });

  it("on which they differ are decided as their own project does, but for our policy", () => {
    const open = cases.filter(({ consensus }) => !consensus);
    expect(open).toHaveLength(155);
    const otherwise = open.filter((one) => decided(one) !== one.allowed).map(({ id }) => id);
    expect(otherwise.sort((a, b) => a - b)).toEqual(Object.keys(OTHERWISE).map(Number));
  });
});

const delays = sharedPath("suites/robots-delay-sitemap.json");
describe.skipIf(delays === undefined)("recorded delays and sitemaps", () => {
  it("are read as there", () => {
    const cases: readonly {
      robotsUrl: string;
      body_b64: string;
      agent: string;
      crawlDelayMs: number | null;
      sitemaps: string[];
    }[] = delays === undefined ? [] : JSON.parse(readFileSync(delays, "utf8"));
    expect(cases).toHaveLength(16);
    for (const { robotsUrl, body_b64, agent, crawlDelayMs, sitemaps } of cases) {
      const rules = rulesFor(parseRobots(Buffer.from(body_b64, "base64")), agent, robotsUrl);
      expect({ crawlDelayMs: rules.crawlDelayMs, sitemaps: rules.sitemaps }).toEqual({
        crawlDelayMs,
        sitemaps,
      });
    }
  });
});

const statuses = sharedPath("suites/robots-status.json");
describe.skipIf(statuses === undefined)("recorded statuses", () => {
  it("mean what they mean there", () => {
    const { cases }: { cases: readonly { status: number; allowAll: boolean; defer: boolean }[] } =
      statuses === undefined ? { cases: [] } : JSON.parse(readFileSync(statuses, "utf8"));
    expect(cases).toHaveLength(22);
    for (const { status, allowAll, defer } of cases) {
      expect(allowAll !== defer).toBe(true);
      expect([status, robotsOfStatus(status)]).toEqual([status, defer ? "defer" : "allow-all"]);
    }
  });
});

function decided({ agent, url, body, body_b64 }: RecordedCase): boolean {
  const bytes = body_b64 === undefined ? (body ?? "") : Buffer.from(body_b64, "base64");
  // Some cases give a path only, or nothing, which means the root.
  const canonical = canonicalUrl(url, "http://a.example/") ?? "http://a.example/";
  return rulesFor(parseRobots(bytes), agent).allows(splitUrl(canonical).path);
}

/** By recursion over both texts. */
function matchesSlowly(rule: string, path: string): boolean {
  if (rule === "") return true;
  if (rule === "$") return path === "";
  if (rule.startsWith("*")) {
    return matchesSlowly(rule.slice(1), path) || (path !== "" && matchesSlowly(rule, path.slice(1)));
  }
  return path !== "" && rule[0] === path[0] && matchesSlowly(rule.slice(1), path.slice(1));
}

describe("rules that are kept", () => {
  it("do not keep the file in memory", () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const comments = `# a line about nothing\n`.repeat(20_000);
    const rule = "/a/path/of/more/than/a/dozen/characters";
    const file = `${comments}User-agent: *\nDisallow: ${rule}\nDisallow: /*${rule}$\nContent-Usage: ${rule} train-ai=n
      Sitemap: https://site.example${rule}.xml\n`;
    const heapBytes = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = heapBytes();
    const kept = Array.from({ length: 30 }, () => rulesFor(parseRobots(file), "tidemark"));
    expect(heapBytes() - before).toBeLessThan(2 * file.length);
    expect(kept.map(({ allows, speaksOfUsage, sitemaps }) => [allows(rule), speaksOfUsage, sitemaps.length])).toEqual(
      kept.map(() => [false, true, 1]),
    );
  });
});
