/** A site that shows a login page instead of its pages is not complete, though nothing is missing. */
import { describe, expect, it } from "vitest";
import type { CrawlStatus } from "../../src/crawl/index.ts";
import { Surveyor } from "../../src/survey/surveyor.ts";
import { crawlInline, inlineSettings, InlineWeb, type Served } from "../support/inline-web.ts";

const SITE = "https://app.example";

/** The status of a crawl from these paths; a survey of its log must say the same of a login page. */
async function crawled(paths: readonly string[], serve: (path: string) => Served | undefined): Promise<CrawlStatus> {
  const seeds = paths.map((path) => `${SITE}${path}`);
  const web = new InlineWeb((url) => serve(url.pathname + url.search));
  const { end, store } = await crawlInline(web, seeds);
  const surveyor = new Surveyor(inlineSettings(seeds, {}));
  let steps = 0;
  for (const _ of surveyor.read(store)) steps++;
  expect(steps).toBeGreaterThan(0);
  expect(surveyor.survey().facts.status.loginWall).toEqual(end.status.loginWall);
  return end.status;
}

const toLogin = (path: string): Served => ({ redirect: `/login?next=${encodeURIComponent(path)}` });
const isLogin = (path: string): boolean => path.startsWith("/login");
const LOGIN = '<form><input type="password"></form><a href="/privacy">privacy</a>';

describe("a login page that answers instead of the pages", () => {
  it("is found where the only seed leads there, whatever else that page links to", async () => {
    const serve = (path: string): Served => {
      if (path === "/privacy") return "privacy";
      return isLogin(path) ? LOGIN : path === "/" ? { redirect: "/home" } : toLogin(path);
    };
    const status = await crawled(["/"], serve);
    expect(status.loginWall).toEqual({ page: `${SITE}/login`, urls: 1, seeds: 1 });
    expect(status.coverage).toBeGreaterThan(0.999);
  });

  it("is found where nearly all URLs lead there, each with a parameter of its own", async () => {
    const links = Array.from({ length: 9 }, (_, k) => `<a href="/${k}">${k}</a>`).join("");
    const serve = (path: string): Served => (path === "/" ? links : isLogin(path) ? "login" : toLogin(path));
    expect((await crawled(["/"], serve)).loginWall).toEqual({ page: `${SITE}/login`, urls: 9, seeds: 0 });
  });

  it("is none where a public site has a members' area", async () => {
    const links = Array.from({ length: 8 }, (_, k) => `<a href="/${k}">${k}</a>`).join("");
    const serve = (path: string): Served => (path === "/" ? links : isLogin(path) ? "login" : toLogin(path));
    expect((await crawled(["/"], serve)).loginWall).toBeUndefined();
  });

  it("is none where one of two seeds leads there, or where the user named it", async () => {
    const serve = (path: string): Served => (path === "/a" ? toLogin(path) : "page");
    expect((await crawled(["/a", "/b"], serve)).loginWall).toBeUndefined();
    const named = (path: string): Served => (path === "/login" ? '<a href="/a">a</a>' : { redirect: "/login" });
    expect((await crawled(["/login"], named)).loginWall).toBeUndefined();
  });

  it("is none where redirects lead to another page", async () => {
    const serve = (path: string): Served => (path === "/welcome" ? "page" : { redirect: "/welcome" });
    expect((await crawled(["/a", "/b", "/c"], serve)).loginWall).toBeUndefined();
  });
});
