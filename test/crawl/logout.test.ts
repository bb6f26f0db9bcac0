/** A crawl that is logged in stays logged in. */
import { describe, expect, it } from "vitest";
import { certifyLog, checkSeeds, crawlSettings } from "../../src/crawl/index.ts";
import { crawlInline, InlineWeb, inlineSettings, type Served } from "../support/inline-web.ts";

const SITE = "http://site.example/";
const NAVIGATION = '<a href="/">home</a><a href="/logout">leave</a><a href="/bye">bye</a>';
const PAGES: Readonly<Record<string, Served>> = {
  "/": `${NAVIGATION}<a href="/a">a</a>`,
  "/a": NAVIGATION,
  "/bye": { redirect: "/user/sign-out" },
  "/logout": NAVIGATION,
  "/user/sign-out": NAVIGATION,
};
const webOf = (): InlineWeb => new InlineWeb(({ pathname }) => PAGES[pathname]);

describe("a crawl that has had cookies or credentials", () => {
  it("requests no URL that looks like logout, not even behind a redirect, and says why", async () => {
    const web = webOf();
    const { end, fates } = await crawlInline(web, [SITE], { skipsLogout: true });
    const paths = web.requested.map((url) => new URL(url).pathname).toSorted();
    expect(paths).toEqual(["/", "/a", "/bye", "/robots.txt", "/sitemap.xml"]);
    const refused = [...fates].filter(([, { outcome }]) => outcome === "refused");
    expect(refused.map(([url, { reason, detail }]) => [url, reason, detail]).toSorted()).toEqual([
      ["http://site.example/logout", "logout", null],
      ["http://site.example/user/sign-out", "logout", null],
    ]);
    expect(end.status).toMatchObject({ refused: 2, failed: 0, pages: 2 });
  });

  it("is covered without them, and the strict number counts them as the worst", async () => {
    const { store } = await crawlInline(webOf(), [SITE], { skipsLogout: true });
    const { certificate, missing, outside } = certifyLog(store);
    expect(certificate.coverage).toBe(1);
    // Of three links of each page one leads to the other page. What leaves by the others may never come back.
    const visits = (1 + 0.85 / 3) / (1 - (0.85 / 3) ** 2);
    expect(certificate.strict).toBeCloseTo(0.15 * visits, 9);
    expect(missing.filter(({ mass }) => mass > 0)).toEqual([]);
    expect(outside.map(({ reason }) => reason)).toEqual(["logout"]);
    const measured = await crawlInline(webOf(), [SITE], { skipsLogout: true, web: { universe: "scope" } });
    const { missing: scopeMissing, certificate: scope } = certifyLog(measured.store);
    expect(scopeMissing.map(({ reason }) => reason)).toEqual(["logout"]);
    expect(scope.coverage).toBeCloseTo(certificate.strict, 9);
  });

  it("does not request such a seed in a dry run either", async () => {
    const web = webOf();
    const settings = inlineSettings([SITE, `${SITE}logout`], { skipsLogout: true });
    const checks = await checkSeeds({ settings, seeds: settings.seeds, fetcher: web });
    expect(checks.map(({ status, problem }) => status ?? problem)).toEqual([200, { kind: "logout" }]);
    expect(web.requested).not.toContain(`${SITE}logout`);
  });
});

it("a crawl without a session fetches such pages like any other", async () => {
  const { end } = await crawlInline(webOf(), [SITE]);
  expect(end.status).toMatchObject({ refused: 0, pages: 4 });
});

describe("settings", () => {
  const urls = [SITE];

  it("keep that a run had a session, and skip logout once it could log out", () => {
    const first = crawlSettings({ urls }, { session: ["headers"] });
    expect([first.network.session, first.skipsLogout]).toEqual([["headers"], undefined]);
    const second = crawlSettings({}, { before: first, session: ["credentials"] });
    expect([second.network.session, second.skipsLogout]).toEqual([["headers", "credentials"], true]);
    expect(crawlSettings({}, { before: second })).toEqual(second);
    expect(crawlSettings({ urls, cookies: true }).skipsLogout).toBe(true);
    expect(crawlSettings({ urls })).not.toHaveProperty("skipsLogout");
  });

  it.each([
    ["https://me:hunter2@a.example/", "a.example"],
    ["me:hunter2@a.example/x", "a.example"],
    ["https://hunter2@a.example:80?x", "a.example:80"],
    ["  https:\\\\me:hunter2@a.example\\", "a.example"],
    ["https://me:hunter2@b@a.example/", "a.example"],
  ])("refuse credentials in a seed without repeating them: %s", (url, host) => {
    const make = (): unknown => crawlSettings({ urls: [url] });
    expect(make).toThrow(`the URL of "${host}" has a user name or password`);
    expect(make).not.toThrow("hunter2");
  });

  it("take a seed with @ in its path", () => {
    expect(crawlSettings({ urls: ["www.example.com/@me"] }).seeds).toMatchObject([
      { url: "https://www.example.com/@me" },
    ]);
  });
});
