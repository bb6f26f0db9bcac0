/** What has happened, in the words that the terminal, the dashboard's log and the report share. */
import { describe, expect, it } from "vitest";
import { type CrawlEvent } from "../../src/crawl/index.ts";
import {
  eventInWords,
  reasonInWords,
  refusalInWords,
  shortReason,
  sitemapFailureInWords,
} from "../../src/text/index.ts";
import { failureNames } from "../../src/fetch/index.ts";

const AT = { atMs: 0 } as const;

describe("reasons", () => {
  it("are words for every failure", () => {
    for (const name of failureNames) expect(reasonInWords(name)).not.toContain(name.replaceAll("-", " "));
    expect(reasonInWords("status-404")).toBe("responds with 404 (not found)");
    expect(reasonInWords("status-502")).toBe("responds with server error 502");
    expect(reasonInWords("status-418")).toBe("responds with status 418");
    expect(reasonInWords("redirect-loop")).toBe("redirects in a loop");
    expect(reasonInWords("new-thing")).toBe("failed: new thing");
    expect(reasonInWords("constructor")).toBe("failed: constructor");
  });

  it("of refusals say which failure or which rule", () => {
    expect(shortReason({ reason: "failed", detail: "connection-lost" })).toBe("connection lost");
    expect(shortReason({ reason: "trap", detail: "same-content" })).toBe("trap: same content");
    expect(shortReason({ reason: null, detail: "status-404" })).toBe("status 404");
    expect(shortReason({ reason: "limit", detail: null })).toBe("limit");
    expect(refusalInWords("robots", null)).toBe("is forbidden by robots.txt");
    expect(refusalInWords("failed", null)).toBe("could not be fetched");
    expect(refusalInWords("failed", "connect-refused")).toBe("refuses connections");
    expect(refusalInWords("out-of-scope", "redirect")).toBe("is out of scope: it redirects there");
    expect(refusalInWords("trap", "identical-content")).toBe("looks like a trap: identical content");
    expect(refusalInWords("failed", "whim:of-a-user")).toBe("failed: whim:of a user");
  });

  it("that are about the purpose do not blame a robots.txt for what a header forbids", () => {
    expect(refusalInWords("robots", "usage-header")).toBe(
      "may not be used for the --purpose of this crawl: its own header forbids it",
    );
    expect(refusalInWords("robots", "usage")).toBe(
      "may not be used for the --purpose of this crawl: robots.txt forbids it",
    );
    expect(shortReason({ reason: "robots", detail: "usage-header" })).toBe("purpose: its header");
    expect(shortReason({ reason: "robots", detail: "usage" })).toBe("purpose: robots.txt");
  });

  it("that nobody knows are short and printable, at most 60 characters of them", () => {
    expect(reasonInWords(`\u{1b}[2J${"x".repeat(57)}`)).toBe(`failed: ?[2J${"x".repeat(56)}...`);
    expect(refusalInWords("trap", "a\nb")).toBe("looks like a trap: a?b");
  });
});

describe("a sitemap that is not read", () => {
  it("is told with its whole reason, printable, and no longer than a few lines", () => {
    const whole = "not a sitemap: its root element is html; expected an XML sitemap, a feed or a list of URLs";
    const url = "https://a.example/s.xml";
    expect(sitemapFailureInWords({ url, reason: whole })).toBe(`the sitemap ${url} is not read: ${whole}`);
    const reason = `a\u{1b}[2J${"x".repeat(400)}`;
    expect(sitemapFailureInWords({ url, reason })).toMatch(/: a\ufffd\[2Jx{200,}…$/);
  });
});

describe("events", () => {
  it.each<[string, CrawlEvent]>([
    [
      "a.example responds with 503 (overloaded): paused for 30 s",
      { name: "host-paused", ...AT, host: "a.example", reason: "status-503", forMs: 30_000 },
    ],
    [
      "a.example refuses connections: paused for 1 s",
      { name: "host-paused", ...AT, host: "a.example", reason: "connect-refused", forMs: 20 },
    ],
    [
      "a.example is given up: it does not respond",
      { name: "host-given-up", ...AT, host: "a.example", reason: "connect-timeout" },
    ],
    [
      "the seed http://a/ is dead: it has a host that does not exist",
      { name: "seed-lost", ...AT, url: "http://a/", reason: "dead", detail: "host-not-found", weight: 1 },
    ],
    [
      "the seed http://a/ leads to http://b/, which is forbidden by robots.txt",
      { name: "seed-lost", ...AT, url: "http://b/", seed: "http://a/", reason: "robots", detail: null, weight: 1 },
    ],
    [
      "the seed http://a/ is dead: it redirects in a loop (some sites do so without --cookies)",
      { name: "seed-lost", ...AT, url: "http://a/", reason: "dead", detail: "redirect-loop", weight: 1 },
    ],
    ["paused: no new requests are sent", { name: "paused", ...AT }],
    ["resumed", { name: "resumed", ...AT }],
    ["new limits: 10 pages", { name: "limits-changed", ...AT, limits: { pages: 10 } }],
    ["new limits: 95% coverage", { name: "limits-changed", ...AT, limits: { coverage: 0.95 } }],
    ["stopping: page limit", { name: "stopping", ...AT, reason: "page-limit" }],
  ])("are shown as: %s", (words, event) => {
    expect(eventInWords(event)).toBe(words);
  });

  it("report the failure of a seed, of its host or of its robots.txt", () => {
    const trouble = {
      name: "seed-in-trouble",
      atMs: 0,
      url: "http://a/",
      reason: "connect-refused",
      isRobots: true,
      waitMs: 5000,
    } as const;
    expect(eventInWords(trouble)).toBe("the seed http://a/ refuses connections; next attempt in 5 s");
    expect(eventInWords({ ...trouble, seed: "http://b/" })).toBe(
      "the seed http://b/ leads to http://a/, which refuses connections; next attempt in 5 s",
    );
    expect(eventInWords({ ...trouble, reason: "status-503", waitMs: 30_000 })).toBe(
      "the robots.txt of the seed http://a/ responds with 503 (overloaded); next attempt in 30 s",
    );
    expect(eventInWords({ ...trouble, reason: "cut-off" })).toBe(
      "the robots.txt of the seed http://a/ was cut off; next attempt in 5 s",
    );
    expect(eventInWords({ ...trouble, reason: "redirect-loop" })).toBe(
      "the robots.txt of the seed http://a/ redirects in a loop; next attempt in 5 s",
    );
  });
});
