import { describe, expect, it } from "vitest";
import { type SiteShape, siteShapes } from "../../src/lab/sites/shapes.ts";
import type { Site, SiteUrlKind } from "../../src/lab/sites/site.ts";

const sites = new Map(siteShapes.map(({ name, generate }) => [name, generate(1)]));

function siteOf(name: string): Site {
  const site = sites.get(name);
  if (site === undefined) throw new Error(`no site is called ${name}`);
  return site;
}

function urlsOf(name: string, pattern: RegExp, kind: SiteUrlKind): number {
  return siteOf(name).urls.filter((url) => url.kind === kind && pattern.test(url.url)).length;
}

/** How many pages link to the URL. */
function linksTo(name: string, url: string): number {
  const { urls } = siteOf(name);
  const id = urls.findIndex((each) => each.url === url);
  return urls.filter(({ links }) => links.includes(id)).length;
}

describe.each(siteShapes)("$name", ({ name, generate }: SiteShape) => {
  const { urls } = siteOf(name);

  it("is the same for the same seed and another for another", () => {
    const text = JSON.stringify(urls);
    expect(JSON.stringify(generate(1).urls) === text).toBe(true);
    expect(JSON.stringify(generate(2).urls) === text).toBe(false);
  });

  it("has some hundred to twenty thousand URLs, each once, and most that may be fetched are pages", () => {
    expect(urls.length).toBeGreaterThan(500);
    expect(urls.length).toBeLessThanOrEqual(20_000);
    expect(new Set(urls.map(({ url }) => url)).size).toBe(urls.length);
    const pages = urls.filter(({ kind }) => kind === "page").length;
    expect(pages).toBeGreaterThan(0.7 * urls.filter(({ kind }) => kind !== "forbidden").length);
  });

  it("has only links that lead somewhere, each once, none to its own page, and none on what is no page", () => {
    const wrong = urls.filter(({ kind, links }, id) => {
      const distinct = new Set(links);
      if (distinct.size !== links.length || distinct.has(id) || links.some((link) => urls[link] === undefined))
        return true;
      return kind === "redirect" ? links.length !== 1 : kind !== "page" && links.length > 0;
    });
    expect(wrong).toEqual([]);
  });

  it("leads from its front page to every URL", () => {
    const reached = new Set([0]);
    for (const id of reached) for (const link of urls[id].links) reached.add(link);
    expect(reached.size).toBe(urls.length);
  });

  it("has redirects that end at a page", () => {
    for (const { kind, links } of urls) {
      if (kind !== "redirect") continue;
      let end = links[0];
      for (let steps = 0; urls[end].kind === "redirect" && steps < 5; steps++) end = urls[end].links[0];
      expect(urls[end].kind).toBe("page");
    }
  });
});

describe("site shapes are what their names say", () => {
  it("company: 600 pages, each with a link to the login, which is all that is forbidden", () => {
    expect(urlsOf("company", /./, "page")).toBe(600);
    expect(urlsOf("company", /./, "forbidden")).toBe(1);
    expect(linksTo("company", "/login")).toBe(600);
  });

  it("blog: tags, monthly archives, dead files, links to reply that are nofollow", () => {
    expect(urlsOf("blog", /^\/tag\/\d+$/, "page")).toBeGreaterThan(100);
    expect(urlsOf("blog", /^\/archive\/\d+/, "page")).toBeGreaterThan(100);
    expect(urlsOf("blog", /^\/files\//, "dead")).toBeGreaterThan(50);
    expect(siteOf("blog").urls.filter(({ nofollow }) => nofollow === 1).length).toBe(1500);
  });

  it("shop: filters, moved products, a cart that every page links to", () => {
    expect(urlsOf("shop", /colour=\d&size=\d/, "page")).toBeGreaterThan(1000);
    expect(urlsOf("shop", /^\/p\//, "redirect")).toBeGreaterThan(20);
    expect(urlsOf("shop", /sort=/, "forbidden")).toBe(144);
    expect(linksTo("shop", "/cart")).toBe(urlsOf("shop", /./, "page"));
  });

  it("docs: versions, a redirect to the latest, pages that older versions lack", () => {
    expect(urlsOf("docs", /^\/v6\/.+\/page/, "page")).toBe(288);
    expect(urlsOf("docs", /^\/v1\/.+\/page/, "page")).toBeLessThan(250);
    expect(urlsOf("docs", /^\/v1\//, "dead")).toBeGreaterThan(30);
    expect(urlsOf("docs", /^\/latest\/$/, "redirect")).toBe(1);
  });

  it("forum: a login of its own for every page, members that only members may see", () => {
    expect(urlsOf("forum", /^\/login/, "forbidden")).toBe(urlsOf("forum", /./, "page"));
    expect(urlsOf("forum", /^\/member/, "forbidden")).toBeGreaterThan(800);
    expect(urlsOf("forum", /^\/thread\/\d+\?page=/, "page")).toBeGreaterThan(1000);
  });

  it("wiki: articles, names that redirect, articles nobody wrote, histories that are forbidden", () => {
    expect(urlsOf("wiki", /Article_\d+$/, "page")).toBeGreaterThan(4000);
    expect(urlsOf("wiki", /Name_/, "redirect")).toBeGreaterThan(400);
    expect(urlsOf("wiki", /Unwritten_/, "dead")).toBeGreaterThan(500);
    expect(urlsOf("wiki", /action=history/, "forbidden")).toBe(urlsOf("wiki", /./, "page"));
  });

  it("news: a page for every day and month, articles that are gone", () => {
    expect(urlsOf("news", /^\/calendar\/\d+\/\d+$/, "page")).toBe(1080);
    expect(urlsOf("news", /^\/calendar\/\d+$/, "page")).toBe(36);
    expect(urlsOf("news", /^\/article/, "dead")).toBeGreaterThan(100);
  });

  it("university: forty-one hosts, one of them broken, papers without links", () => {
    const { urls } = siteOf("university");
    expect(new Set(urls.map(({ url }) => new URL(url).host)).size).toBe(41);
    expect(urlsOf("university", /./, "failed")).toBe(1);
    expect(urls.filter(({ url, links }) => url.endsWith(".pdf") && links.length === 0).length).toBeGreaterThan(1000);
  });

  it("navigation: at least 299 links on every page, for the page itself is one of the 300", () => {
    const pages = siteOf("navigation").urls.filter(({ kind }) => kind === "page");
    expect(Math.min(...pages.map(({ links }) => links.length))).toBeGreaterThanOrEqual(299);
  });

  it("help: a footer of six nofollow links on every page, dead links on a third of the questions", () => {
    expect(siteOf("help").urls.every(({ kind, nofollow }) => kind !== "page" || nofollow === 6)).toBe(true);
    expect(urlsOf("help", /attachment/, "dead")).toBeGreaterThan(1500);
  });
});
