/** The demonstration web has what it says: found by walking through all of it. */
import { describe, expect, it } from "vitest";
import { demoReply } from "../../src/demo/pages.ts";
import { DEMO_PAGES, DEMO_SEED, SITES } from "../../src/demo/sites.ts";
import { canonicalUrl, readHtml } from "../../src/web/index.ts";

interface Visited {
  readonly status: number;
  readonly type: string;
}

/**
 * All that can be reached from the seed and from the sitemap, but no month beyond the first and no copy under a
 * session.
 */
function walk(): Map<string, Visited> {
  const found = new Map<string, Visited>();
  const waiting = [
    DEMO_SEED,
    ...(demoReply("library.demo.test", "/sitemap.xml", 1).body.match(/(?<=<loc>)[^<]+/g) ?? []),
  ];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const { host, pathname, search } = new URL(url);
    const isEndless = (host === "calendar.demo.test" && pathname !== "/") || search.includes("sid=");
    if (found.has(url) || isEndless) continue;
    const { status, headers, body } = demoReply(host, pathname + search, 2);
    found.set(url, { status, type: headers["content-type"] ?? "" });
    const links = headers["location"] === undefined ? linksIn(body, headers["content-type"]) : [headers["location"]];
    for (const link of links) waiting.push(canonicalUrl(link, url) ?? "");
  }
  return found;
}

function linksIn(body: string, type = ""): string[] {
  return type.startsWith("text/html") ? [...body.matchAll(/href="([^"]+)"/g)].map((match) => match[1]) : [];
}

describe("the demonstration web", () => {
  const web = walk();
  const count = (status: number) => [...web.values()].filter((page) => page.status === status).length;

  it("has as many pages as it says, and the reading room", () => {
    expect(count(200)).toBe(DEMO_PAGES + 1);
    expect(DEMO_PAGES).toBeGreaterThan(2500);
    expect(new Set([...web.keys()].map((url) => new URL(url).host))).toEqual(new Set(SITES.map(({ host }) => host)));
  });

  it("has dead links, redirects in chains and in a loop, and files that are no pages", () => {
    expect(count(404)).toBeGreaterThan(20);
    expect(count(301)).toBeGreaterThan(20);
    expect(demoReply("news.demo.test", "/go/1", 1).headers["location"]).toBe("/go/2");
    expect(demoReply("news.demo.test", "/go/2", 1).headers["location"]).toBe("/go/3");
    expect(demoReply("news.demo.test", "/loop/a", 1).headers["location"]).toBe("/loop/b");
    expect(demoReply("news.demo.test", "/loop/b", 1).headers["location"]).toBe("/loop/a");
    expect([...web.values()].filter(({ type }) => type === "application/pdf")).toHaveLength(30);
  });

  it("has a calendar without end", () => {
    let path = "/2026/11";
    for (let month = 0; month < 200; month++) {
      const reply = demoReply("calendar.demo.test", path, 1);
      expect(reply.status).toBe(200);
      path = /href="([^"]+)">Next month/.exec(reply.body)?.[1] ?? "";
    }
    expect(path).toBe("/2043/7");
  });

  it("is overloaded now and then, for one request", () => {
    const path = /href="(\/goods\/80-[^"]+)"/.exec(demoReply("shop.demo.test", "/goods/?page=3", 1).body)?.[1] ?? "";
    expect(demoReply("shop.demo.test", path, 1)).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
    });
    expect(demoReply("shop.demo.test", path, 2).status).toBe(200);
  });

  it("passes session ids on, and marks some links nofollow", () => {
    const member = /href="(\/members\/1-[^"]+)"/.exec(demoReply("forum.demo.test", "/members/", 1).body)?.[1] ?? "";
    const sessions = new Set(demoReply("forum.demo.test", `${member}?sid=abc`, 1).body.match(/sid=\w+/g));
    expect(sessions).toEqual(new Set(["sid=abc"]));
    const bodies = [...web.keys()]
      .filter((url) => url.includes("/threads/"))
      .map((url) => demoReply("forum.demo.test", new URL(url).pathname, 2).body);
    expect(bodies.some((body) => body.includes('rel="nofollow"'))).toBe(true);
  });

  it("is readable: every page has a title of its own kind and text", () => {
    const { body } = demoReply("library.demo.test", "/", 1);
    expect(readHtml(body).title).toBe("The Tide Library");
  });
});
