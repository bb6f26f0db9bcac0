/** What owners say about the use of their pages: kept with each page, and obeyed by `--purpose`. */
import { describe, expect, it } from "vitest";
import { certifyLog, launchCrawl } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import type { Purpose } from "../../src/web/index.ts";
import { crawlInline, fatesIn, InlineWeb, inlineSettings, type Served } from "../support/inline-web.ts";

const SITE = "http://site.example/";
const html = (body: string, headers: Readonly<Record<string, string>> = {}): Served => ({
  body,
  headers: { "content-type": "text/html", ...headers },
});
const links = (...paths: string[]): string => paths.map((path) => `<a href="${path}">x</a>`).join("");
const robots = (...lines: string[]): Served => ({ body: ["User-agent: *", ...lines].join("\n"), headers: {} });

function webOf(pages: Readonly<Record<string, Served>>): InlineWeb {
  return new InlineWeb(({ pathname }) => pages[pathname]);
}

const forPurpose = (purpose: Purpose) => ({ web: { purpose, sitemaps: false } });

describe("what is said about the use of a page", () => {
  const pages = {
    "/robots.txt": robots("Content-Signal: search=yes, ai-train=no", "Content-Usage: /b ai-use=n"),
    "/": html(links("/a", "/b"), { "content-usage": "search=n" }),
    "/a": html("a"),
    "/b": html("b", { "content-signal": "ai-train=yes" }),
  };

  it("is kept with the page, by robots.txt and headers together, and forbids nothing by itself", async () => {
    const { fates } = await crawlInline(webOf(pages), [SITE]);
    expect([...fates].map(([url, { outcome, usage }]) => [url, outcome, usage])).toEqual([
      [SITE, "downloaded", "search=no, ai-train=no"],
      [`${SITE}a`, "downloaded", "search=yes, ai-train=no"],
      [`${SITE}b`, "downloaded", "search=yes, ai-input=no, ai-train=no"],
    ]);
  });

  it("is not there where nobody says anything", async () => {
    const { fates } = await crawlInline(webOf({ "/": html("page") }), [SITE]);
    expect(fates.get(SITE)).toMatchObject({ usage: null, robotsTag: null, noindex: false, noarchive: false });
  });
});

describe("a page that may not be used for the purpose", () => {
  const pages = {
    "/": html(links("/open", "/closed/", "/secret")),
    "/open": html(links("/")),
    "/closed/": html(links("/behind")),
    "/behind": html("behind"),
    "/secret": html(links("/behind"), { "content-usage": "train-ai=n" }),
  };
  const byUsage = robots("Content-Usage: /closed/ train-ai=n");

  it("is not requested if robots.txt says so, and counts as forbidden by it", async () => {
    const web = webOf({ ...pages, "/robots.txt": byUsage });
    const { fates } = await crawlInline(web, [SITE], forPurpose("ai-train"));
    expect(fates.get(`${SITE}closed/`)).toMatchObject({ outcome: "refused", why: "robots:usage", status: null });
    expect(fates.get(`${SITE}closed/`)?.usage).toBe("ai-train=no");
    expect(web.requested).not.toContain(`${SITE}closed/`);
  });

  it("is taken in as nothing if its header says so: no body, no links", async () => {
    const web = webOf({ ...pages, "/robots.txt": byUsage });
    const settings = inlineSettings([SITE], forPurpose("ai-train"));
    const store = new MemoryStore(JSON.stringify(settings));
    const kept: string[] = [];
    const archive = { keep: ({ request }: { request: { url: string } }) => void kept.push(request.url) };
    await (await launchCrawl({ store, settings, fetcher: web, readers: 0, archive })).run();
    const fates = fatesIn(store);
    expect(fates.get(`${SITE}secret`)).toMatchObject({ outcome: "refused", why: "robots:usage-header", status: 200 });
    expect(fates.get(`${SITE}secret`)?.usage).toBe("ai-train=no");
    expect(web.requested).toContain(`${SITE}secret`);
    expect(kept).toContain(`${SITE}open`);
    expect(kept).not.toContain(`${SITE}secret`);
    expect([...fates.keys()]).not.toContain(`${SITE}behind`);
  });

  it("leaves the certificate as if robots.txt forbade it", async () => {
    const certificateOf = async (rules: Served, purpose: Purpose) => {
      const { store } = await crawlInline(webOf({ ...pages, "/robots.txt": rules }), [SITE], forPurpose(purpose));
      const { coverage, strict } = certifyLog(store).certificate;
      return { coverage, strict };
    };
    const forbidden = await certificateOf(robots("Disallow: /closed/", "Disallow: /secret"), "search");
    expect(await certificateOf(byUsage, "ai-train")).toEqual(forbidden);
    expect(forbidden.coverage).toBeCloseTo(1, 12);
    expect(forbidden.strict).toBeLessThan(0.9);
    const all = await certificateOf(byUsage, "search");
    expect(all.strict).toBeCloseTo(1, 12);
  });

  it("is fetched for another purpose", async () => {
    const { fates } = await crawlInline(webOf({ ...pages, "/robots.txt": byUsage }), [SITE], forPurpose("ai-input"));
    expect([...fates.values()].map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => "downloaded"));
  });
});

describe("what a page asks of robots", () => {
  it("is kept: by its meta elements and its header, for everybody and for our name", async () => {
    const pages: Readonly<Record<string, Served>> = {
      "/": html(links("/1", "/2", "/3", "/4")),
      "/1": html('<meta name="robots" content="NOINDEX, noarchive">'),
      "/2": html("x", { "x-robots-tag": "otherbot: noindex, tidemark: noarchive" }),
      "/3": html('<meta name="tidemark" content="nocache"><meta name="otherbot" content="noindex">'),
      "/4": { body: "%PDF", headers: { "content-type": "application/pdf", "x-robots-tag": "none" } },
    };
    const { fates } = await crawlInline(webOf(pages), [SITE]);
    const asked = [...fates].map(([url, { noindex, noarchive, robotsTag }]) => [
      url.slice(SITE.length),
      noindex,
      noarchive,
      robotsTag,
    ]);
    expect(asked).toEqual([
      ["", false, false, null],
      ["1", true, true, null],
      ["2", false, true, "otherbot: noindex, tidemark: noarchive"],
      ["3", false, true, null],
      ["4", true, false, "none"],
    ]);
  });
});
