/** What has happened, in the words that the terminal, the dashboard's log and the report share. */
import { describe, expect, it } from "vitest";
import { type CrawlEvent } from "../../src/crawl/index.ts";
import { eventInWords, reasonInWords, refusalInWords } from "../../src/text/index.ts";
import { failureNames } from "../../src/fetch/index.ts";

const AT = { atMs: 0 } as const;

describe("reasons", () => {
  it("are words for every failure", () => {
    for (const name of failureNames) expect(reasonInWords(name)).not.toContain(name.replaceAll("-", " "));
    expect(reasonInWords("status-404")).toBe("answers not found (404)");
    expect(reasonInWords("status-502")).toBe("answers with an error of the server (502)");
    expect(reasonInWords("status-418")).toBe("answers with status 418");
    expect(reasonInWords("redirect-loop")).toBe("redirects in a circle");
    expect(reasonInWords("new-thing")).toBe("has met new thing");
    expect(reasonInWords("constructor")).toBe("has met constructor");
  });

  it("of refusals say which failure or which rule", () => {
    expect(refusalInWords("robots")).toBe("is forbidden by robots.txt");
    expect(refusalInWords("failed")).toBe("could not be fetched");
    expect(refusalInWords("failed:connect-refused")).toBe("refuses connections");
    expect(refusalInWords("out-of-scope:redirect")).toBe("leads out of the scope: it redirects there");
    expect(refusalInWords("trap:identical-content")).toBe("looks like a trap: identical content");
    expect(refusalInWords("whim:of-a-user")).toBe("has met whim:of a user");
  });

  it("that nobody knows are short and printable, at most 60 characters of them", () => {
    expect(reasonInWords(`\u{1b}[2J${"x".repeat(57)}`)).toBe(`has met ?[2J${"x".repeat(56)}...`);
    expect(refusalInWords(`trap:a\nb`)).toBe("looks like a trap: a?b");
  });
});

describe("events", () => {
  it.each<[string, CrawlEvent]>([
    [
      "a.example answers that it is overloaded (503): left alone for 30 s",
      { name: "host-paused", ...AT, host: "a.example", reason: "status-503", forMs: 30_000 },
    ],
    [
      "a.example refuses connections: left alone for 1 s",
      { name: "host-paused", ...AT, host: "a.example", reason: "connect-refused", forMs: 20 },
    ],
    [
      "a.example is given up: it does not answer",
      { name: "host-given-up", ...AT, host: "a.example", reason: "connect-timeout" },
    ],
    [
      "the seed http://a/ is dead: it has a host that does not exist",
      { name: "seed-lost", ...AT, url: "http://a/", reason: "dead", detail: "host-not-found", weight: 1 },
    ],
    ["paused: nothing new is fetched", { name: "paused", ...AT }],
    ["goes on", { name: "resumed", ...AT }],
    ["limits were changed", { name: "limits-changed", ...AT, limits: { pages: 10 } }],
    [
      "limits were changed; the target is 95.00%",
      { name: "limits-changed", ...AT, limits: { coverage: 0.95 } },
    ],
    ["stopping: page limit", { name: "stopping", ...AT, reason: "page-limit" }],
  ])("are told as: %s", (words, event) => {
    expect(eventInWords(event)).toBe(words);
  });

  it("tell the trouble of a seed, of its host or of the robots.txt before it", () => {
    const trouble = {
      name: "seed-in-trouble",
      atMs: 0,
      url: "http://a/",
      reason: "connect-refused",
      isRobots: true,
      waitMs: 5000,
    } as const;
    expect(eventInWords(trouble)).toBe("the seed http://a/ refuses connections; it is tried again in 5 s");
    expect(eventInWords({ ...trouble, reason: "status-503", waitMs: 30_000 })).toBe(
      "the robots.txt before the seed http://a/ answers that it is overloaded (503); it is tried again in 30 s",
    );
  });
});
