/** Redirects and canonical links of every shape, with the certificate they lead to. */
import { describe, expect, it } from "vitest";
import { certifyLog, type CrawlEvent, launchCrawl } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { crawlInline, InlineWeb, inlineSettings, type Served, type SettingsChanges } from "../support/inline-web.ts";

const SITE = "http://site.example/";
const D = 0.85;
const links = (...urls: string[]) => urls.map((url) => `<a href="${url}">${url}</a>`).join("");

async function crawl(pages: Record<string, Served>, seeds: readonly string[], changes: SettingsChanges = {}) {
  const web = new InlineWeb(({ href }) => pages[href]);
  const { end, fates, store } = await crawlInline(web, seeds, {
    ...changes,
    web: { universe: "scope", ...changes.web },
  });
  const shown = Object.fromEntries([...fates].map(([url, { outcome, why }]) => [url, why ?? outcome]));
  return { web, end, shown, ...certifyLog(store) };
}

const ORDERS = ["rankmass", "rankmass:literal", "windowed:10", "lneighbor", "fpr", "opic", "backlink", "pagerank"];

describe("a redirect", () => {
  it.each(ORDERS)("to itself is dead and ends (%s)", async (order) => {
    const { end, certificate } = await crawl(
      { [SITE]: links("/a", "/loop"), [`${SITE}a`]: "a", [`${SITE}loop`]: { redirect: "/loop" } },
      [SITE],
      { order },
    );
    expect(end.reason).toBe("frontier-empty");
    // x0 = 0.15, x1 = d x0 / 2; as much reaches the loop, which is dead: nothing is open.
    const x0 = 1 - D;
    const x1 = (D * x0) / 2;
    expect(certificate).toMatchObject({ downloaded: 2, flowOpen: 0 });
    expect(certificate.flowDead).toBeCloseTo(x1, 12);
    expect(certificate.coverage).toBeCloseTo((x0 + x1) / (x0 + 2 * x1), 10);
  });

  it.each(ORDERS)("of two seeds to one page gives it the trust of both, undamped (%s)", async (order) => {
    const { end, certificate, missing } = await crawl(
      {
        [`${SITE}a`]: { redirect: "/page" },
        [`${SITE}b`]: { redirect: "http://www.site.example/page" },
        "http://www.site.example/page": { redirect: `${SITE}page` },
        [`${SITE}page`]: links("/gone"),
      },
      [`${SITE}a`, `${SITE}b`],
      { order },
    );
    expect(end.reason).toBe("frontier-empty");
    expect(certificate.rankInside).toBeCloseTo(1 - D, 12);
    expect(certificate.coverage).toBeCloseTo(1 / (1 + D), 10);
    expect(missing.map(({ reason }) => reason)).toEqual(["dead"]);
  });

  it("of a seed to where the user does not want to go leaves all of its trust open", async () => {
    const scope = { kind: "domain", seeds: [SITE], exclude: ["elsewhere"] } as const;
    const { shown, certificate, missing } = await crawl({ [SITE]: { redirect: "http://elsewhere.example/" } }, [SITE], {
      web: { scope },
    });
    expect(shown).toEqual({ [SITE]: "out-of-scope:redirect" });
    expect(certificate.coverage).toBe(0);
    expect(missing).toEqual([
      { reason: "out-of-scope", mass: 1, hosts: [{ host: "site.example", mass: 1, pages: 1 }] },
    ]);
  });

  it("of a seed in a circle is reported as a lost seed", async () => {
    const pages: Record<string, Served> = {
      [`${SITE}one`]: { redirect: "/two" },
      [`${SITE}two`]: { redirect: "/one" },
    };
    const settings = inlineSettings([`${SITE}one`], {});
    const store = new MemoryStore(JSON.stringify(settings));
    const fetcher = new InlineWeb(({ href }) => pages[href]);
    const told: CrawlEvent[] = [];
    const onEvent = (event: CrawlEvent): void => void told.push(event);
    const launched = await launchCrawl({ settings, store, fetcher, readers: 0, onEvent });
    await launched.run();
    expect(told).toMatchObject([
      { name: "seed-lost", url: `${SITE}two`, reason: "dead", detail: "redirect-loop", weight: 1 },
      { name: "stopping", reason: "frontier-empty" },
    ]);
    expect(certifyLog(store).certificate.coverage).toBe(0);
  });

  it("with credentials, an odd port and an international name leads where a browser goes", async () => {
    const target = "http://xn--bcher-kva.site.example:8080/%C3%A4";
    const { shown } = await crawl(
      { [SITE]: { redirect: "http://user:secret@BÜCHER.site.example:8080/ä#top" }, [target]: "page" },
      [SITE],
    );
    expect(shown).toEqual({ [SITE]: "rewritten", [target]: "downloaded" });
  });
});

describe("http and https of one host", () => {
  it("are two origins with a robots.txt each, and one host with one connection", async () => {
    const { web, shown } = await crawl(
      {
        "http://site.example/robots.txt": { body: "User-agent: *\nDisallow: /plain", headers: {} },
        "https://site.example/robots.txt": { body: "User-agent: *\nDisallow: /secure", headers: {} },
        "http://site.example/": links("https://site.example/secure", "https://site.example/plain", "/plain"),
        "https://site.example/plain": "page",
      },
      ["http://site.example/"],
    );
    expect(shown).toEqual({
      "http://site.example/": "downloaded",
      "https://site.example/secure": "robots",
      "https://site.example/plain": "downloaded",
      "http://site.example/plain": "robots",
    });
    expect(web.requested.filter((url) => !url.endsWith("/sitemap.xml"))).toHaveLength(4);
  });
});

describe("canonical links that are honoured", () => {
  const web = { honourCanonical: true };
  const canonical = (url: string, body = "") => `<link rel=canonical href="${url}">${body}`;

  it("move what arrives at a page to the one it names", async () => {
    const { shown, certificate } = await crawl(
      {
        [SITE]: links("/copy"),
        [`${SITE}copy`]: canonical("/page", links("/lost")),
        [`${SITE}page`]: "page",
      },
      [SITE],
      { web },
    );
    expect(shown).toEqual({
      [SITE]: "downloaded",
      [`${SITE}copy`]: "redirected",
      [`${SITE}page`]: "downloaded",
    });
    expect(certificate.coverage).toBe(1);
  });

  it("in a circle leave the last of it a page: it is there, and so are its links", async () => {
    const { shown, certificate } = await crawl(
      {
        [SITE]: links("/a"),
        [`${SITE}a`]: canonical("/b"),
        [`${SITE}b`]: canonical("/a", links("/c")),
        [`${SITE}c`]: "c",
      },
      [SITE],
      { web },
    );
    expect(shown).toMatchObject({
      [`${SITE}a`]: "redirected",
      [`${SITE}b`]: "downloaded",
      [`${SITE}c`]: "downloaded",
    });
    expect(certificate).toMatchObject({ downloaded: 3, coverage: 1 });
  });

  it("to a URL that redirects back do not make the page dead: it exists, with links that are not known", async () => {
    const { shown, certificate, missing } = await crawl(
      { [SITE]: links("/a"), [`${SITE}a`]: canonical("/b", links("/c")), [`${SITE}b`]: { redirect: "/a" } },
      [SITE],
      { web },
    );
    expect(shown[`${SITE}b`]).toBe("failed:redirect-loop");
    // x0 = 0.15; 0.85 x0 flows to what may lead on.
    expect(certificate.coverage).toBeCloseTo(1 / (1 + D / (1 - D)), 10);
    expect(missing.map(({ reason }) => reason)).toEqual(["failed"]);
  });

  it("that grow at every page are refused like links that do", async () => {
    const web = new InlineWeb(({ pathname }) => (pathname === "/robots.txt" ? undefined : canonical("x/", pathname)));
    for (const honourCanonical of [true, false]) {
      const { end } = await crawlInline(web, [SITE], { web: { honourCanonical }, limits: { pages: 200 } });
      expect(end.reason).toBe("frontier-empty");
    }
  });
});
