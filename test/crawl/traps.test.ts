/**
 * Endless webs, one of each kind that crawlers have met. Beside each trap stands an ordinary site; a crawl that asks
 * for a share of the importance ends, has nearly all of the site, and has spent little on the trap.
 */
import { describe, expect, it } from "vitest";
import { crawlInline, InlineWeb, type Served } from "../support/inline-web.ts";

const SITE = 30;
const SEED = "http://site.example/";

/** Thirty pages that link to each other, one of them to the trap as well. */
function ordinary(url: URL, trap: string): Served | undefined {
  if (url.host !== "site.example") return undefined;
  const number = url.pathname === "/" ? 0 : Number(/^\/page([1-9]\d*)$/.exec(url.pathname)?.[1] ?? Number.NaN);
  if (!(number < SITE)) return undefined;
  const links = [1, 2, 3, 5, 8].map((step) => `<a href="/page${1 + ((number + step) % (SITE - 1))}">x</a>`).join("");
  return `<title>${number}</title><a href="/">home</a>${links}${number === 17 ? `<a href="${trap}">trap</a>` : ""}`;
}

interface Trap {
  readonly kind: string;
  readonly entry: string;
  readonly serve: (url: URL) => Served | undefined;
}

let fresh = 0;
const n = (url: URL, name: string): number => Number(url.searchParams.get(name) ?? 0);

const traps: readonly Trap[] = [
  {
    kind: "a calendar with a next month for ever",
    entry: "/calendar?month=1",
    serve: (url) => `month ${n(url, "month")}<a href="?month=${n(url, "month") + 1}">next</a>`,
  },
  {
    kind: "a session in the path, new with every answer",
    entry: "/session/0/",
    serve: () => `<p>welcome</p><a href="/session/${fresh++}/">home</a><a href="/session/${fresh++}/news">news</a>`,
  },
  {
    kind: "a path that repeats by a relative link",
    entry: "/a/b/",
    serve: () => '<a href="a/b/">deeper</a>',
  },
  {
    kind: "a relative link that grows the path at every level",
    entry: "/grow/",
    serve: (url) => `${url.pathname}<a href="x${url.pathname.length}/">deeper</a>`,
  },
  {
    kind: "a query to which every page adds",
    entry: "/query?a=1",
    serve: (url) => `${url.search}<a href="${url.search}&a=${url.search.length}">more</a>`,
  },
  {
    kind: "filters in all combinations",
    entry: "/shop?",
    serve: (url) =>
      `${url.search}${["red", "new", "big", "sale", "cheap", "top", "eu"]
        .map((filter) => `<a href="/shop?${[...url.searchParams.keys(), filter].join("&")}">${filter}</a>`)
        .join("")}`,
  },
  {
    kind: "a site that answers every address with a page of links",
    entry: "/soft/start",
    serve: (url) => `<p>not found</p><a href="/soft/${fresh++}">maybe</a><a href="${url.pathname}/sub">or</a>`,
  },
  {
    kind: "subdomains without end",
    entry: "http://x1.site.example/",
    serve: (url) => `${url.host}<a href="http://x${fresh++}.site.example/">next</a>`,
  },
  {
    kind: "a redirect that changes a parameter every time",
    entry: "/redirect?n=1",
    serve: (url) => ({ redirect: `/redirect?n=${n(url, "n") + 1}` }),
  },
  {
    kind: "random links, no page seen twice",
    entry: "/random/0",
    serve: (url) => `${url.pathname}${[1, 2, 3].map(() => `<a href="/random/${fresh++}">x</a>`).join("")}`,
  },
  {
    kind: "variants of case and encoding of the same page",
    entry: "/variants/a",
    serve: () => '<a href="/v%61riants/a">1</a><a href="/variants/%61">2</a><a href="/Variants/A">3</a>',
  },
  {
    kind: "variants of fragment, slash and index",
    entry: "/slash/",
    serve: () => '<a href="#top">1</a><a href="./">2</a><a href="index.html">3</a><a href="../slash/?">4</a>',
  },
  {
    kind: "pages of a list past its end",
    entry: "/list?page=1",
    serve: (url) => `<a href="?page=${n(url, "page") + 1}">next</a>`,
  },
  {
    kind: "mirrors under many names",
    entry: "http://m1.site.example/0",
    serve: (url) =>
      `mirror ${url.pathname}<a href="/1">1</a><a href="http://m${1 + (fresh++ % 50)}.site.example/0">mirror</a>`,
  },
];

describe("a crawl for 90% of the importance compared with", () => {
  it.each(traps)("$kind ends, with nearly all of the site and little of the trap", async ({ entry, serve }) => {
    const web = new InlineWeb((url) =>
      url.pathname === "/robots.txt" ? undefined : (ordinary(url, entry) ?? serve(url)),
    );
    const { end, fates } = await crawlInline(web, [SEED], { limits: { coverage: 0.9, pages: 2000 } });
    expect(["coverage-reached", "frontier-empty"]).toContain(end.reason);
    expect(end.status.coverage).toBeGreaterThanOrEqual(0.9);
    const pages = [...fates].filter(([, { outcome }]) => outcome === "downloaded").map(([url]) => url);
    const ofSite = pages.filter((url) => /^http:\/\/site\.example\/(page\d+)?$/.test(url)).length;
    expect(ofSite).toBeGreaterThan(0.9 * SITE);
    expect(pages.length - ofSite).toBeLessThan(2 * SITE);
  });
});

describe("rules against traps end a crawl that has no other end:", () => {
  const crawlAll = (entry: string, serve: Trap["serve"]) =>
    crawlInline(
      new InlineWeb((url) => (url.pathname === "/robots.txt" ? undefined : (ordinary(url, entry) ?? serve(url)))),
      [SEED],
      { limits: { pages: 2000 } },
    );
  const reasons = (fates: ReadonlyMap<string, { why: string | null }>) =>
    new Set([...fates.values()].flatMap(({ why }) => (why === null ? [] : [why])));

  it("a path that repeats is refused at its third repetition", async () => {
    const { end, fates } = await crawlAll("/a/b/", () => '<a href="a/b/">deeper</a>');
    expect(end.reason).toBe("frontier-empty");
    expect(fates.get("http://site.example/a/b/a/b/")?.outcome).toBe("downloaded");
    expect(fates.get("http://site.example/a/b/a/b/a/b/")?.why).toBe("trap:path-repeats");
  });

  it("a path that grows is refused beyond 20 segments", async () => {
    const { end, fates } = await crawlAll("/grow/", (url) => `${url.pathname}<a href="x${url.pathname.length}/">x</a>`);
    expect(end.reason).toBe("frontier-empty");
    expect(reasons(fates)).toContain("trap:path-too-deep");
  });

  it("a query that grows is refused beyond 20 parameters", async () => {
    const { end, fates } = await crawlAll(
      "/q?a",
      (url) => `${url.search}<a href="${url.search}&a${url.search.length}">x</a>`,
    );
    expect(end.reason).toBe("frontier-empty");
    expect(reasons(fates)).toContain("trap:too-many-parameters");
  });

  it("new addresses on the 21st copy of one content are refused", async () => {
    const { end, fates } = await crawlAll("/same/", (url) =>
      url.pathname.startsWith("/same/") ? '<a href="a/">a</a><a href="b/">b</a><a href="c/">c</a>' : undefined,
    );
    expect(end.reason).toBe("frontier-empty");
    expect(reasons(fates)).toContain("trap:identical-content");
    // Twenty copies may show three new addresses each.
    const copies = [...fates].filter(([url, { outcome }]) => url.includes("/same/") && outcome === "downloaded");
    expect(copies.length).toBeGreaterThan(20);
    expect(copies.length).toBeLessThanOrEqual(1 + 20 * 3);
  });

  it("a chain of redirects is followed ten times, and then it has failed", async () => {
    const { end, fates } = await crawlAll("/r?n=1", (url) =>
      url.pathname === "/r" ? { redirect: `/r?n=${n(url, "n") + 1}` } : undefined,
    );
    expect(end.reason).toBe("frontier-empty");
    expect(fates.get("http://site.example/r?n=10")?.outcome).toBe("redirected");
    expect(fates.get("http://site.example/r?n=11")?.why).toBe("failed:too-many-redirects");
  });
});
