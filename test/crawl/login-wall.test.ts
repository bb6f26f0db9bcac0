/** A site that shows a login page instead of its pages is not complete, though nothing is missing. */
import { describe, expect, it } from "vitest";
import type { CrawlStatus } from "../../src/crawl/index.ts";
import { Surveyor } from "../../src/survey/surveyor.ts";
import { crawlInline, inlineSettings, InlineWeb, type Served, type SettingsChanges } from "../support/inline-web.ts";

const SITE = "https://app.example";

/** The status of a crawl from these paths; a survey of its log must say the same of a login page. */
async function crawled(
  paths: readonly string[],
  serve: (path: string) => Served | undefined,
  changes: SettingsChanges = {},
): Promise<CrawlStatus> {
  const seeds = paths.map((path) => `${SITE}${path}`);
  const web = new InlineWeb((url) => serve(url.pathname + url.search));
  const { end, store } = await crawlInline(web, seeds, changes);
  const surveyor = new Surveyor(inlineSettings(seeds, changes));
  let steps = 0;
  for (const _ of surveyor.read(store)) steps++;
  expect(steps).toBeGreaterThan(0);
  expect(surveyor.survey().facts.status.loginWall).toEqual(end.status.loginWall);
  return end.status;
}

const toLogin = (path: string): Served => ({ redirect: `/login?next=${encodeURIComponent(path)}` });
const isLogin = (path: string): boolean => path.startsWith("/login");
const LOGIN = '<form><input type="password"></form><a href="/privacy">privacy</a>';

/** A front page and thirty others, of which some are open: by the number of those that answered before. */
function thirty(isOpen: (answer: number) => boolean, login: string): (path: string) => Served | undefined {
  const links = Array.from({ length: 30 }, (_, k) => `<a href="/${k}">${k}</a>`).join("");
  let answers = 0;
  return (path) => {
    if (path.includes(".")) return undefined;
    if (path === "/") return links;
    if (path === "/privacy") return "privacy";
    if (isLogin(path)) return login;
    return isOpen(answers++) ? path : toLogin(path);
  };
}

describe("a login page that answers instead of the pages", () => {
  it("is found where the only seed leads there, whatever else that page links to", async () => {
    const serve = (path: string): Served => {
      if (path === "/privacy") return "privacy";
      return isLogin(path) ? LOGIN : path === "/" ? { redirect: "/home" } : toLogin(path);
    };
    const status = await crawled(["/"], serve);
    expect(status.loginWall).toEqual({ page: `${SITE}/login`, urls: 1, seeds: 1, last: 0 });
    expect(status.coverage).toBeGreaterThan(0.999);
  });

  it("is found where nearly all URLs lead there, each with a parameter of its own", async () => {
    const links = Array.from({ length: 9 }, (_, k) => `<a href="/${k}">${k}</a>`).join("");
    const serve = (path: string): Served => (path === "/" ? links : isLogin(path) ? "login" : toLogin(path));
    expect((await crawled(["/"], serve)).loginWall).toEqual({ page: `${SITE}/login`, urls: 9, seeds: 0, last: 0 });
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

  it("is none where the seed leads to a page that only sounds like one, and the site is seen", async () => {
    const links = Array.from({ length: 11 }, (_, k) => `<a href="/docs/${k}">${k}</a>`).join("");
    const site =
      (front: string) =>
      (path: string): Served =>
        path === front ? { redirect: `${front}/` } : path === `${front}/` ? links : "page";
    expect((await crawled(["/login"], site("/login"))).loginWall).toBeUndefined();
    expect((await crawled(["/docs/login-help/login"], site("/docs/login-help/login"))).loginWall).toBeUndefined();
    const moved = (path: string): Served =>
      path === "/" ? { redirect: "/login" } : path === "/login" ? links : "page";
    expect((await crawled(["/"], moved)).loginWall).toBeUndefined();
    const named = (path: string): Served => (path === "/login" ? { redirect: "/login/" } : "page");
    expect((await crawled(["/login"], named)).loginWall).toBeUndefined();
  });

  it("is found where it answers from some moment on, and not where other pages come in between", async () => {
    const wallOf = async (isOpen: (answer: number) => boolean) =>
      (await crawled(["/"], thirty(isOpen, "login"))).loginWall;
    const last = { page: `${SITE}/login`, seeds: 0 };
    expect(await wallOf((answer) => answer < 12)).toEqual({ ...last, urls: 18, last: 18 });
    expect(await wallOf((answer) => answer < 21)).toBeUndefined();
    expect(await wallOf((answer) => answer < 12 || answer === 25)).toBeUndefined();
  });

  it("is found at the end of a crawl that had a session by one redirect, whatever else that page links to", async () => {
    const loggedIn = { limits: {}, network: { session: ["cookies"] } };
    const wallOf = async (isOpen: (answer: number) => boolean) =>
      (await crawled(["/"], thirty(isOpen, LOGIN), loggedIn)).loginWall;
    const last = { page: `${SITE}/login`, seeds: 0 };
    expect(await wallOf((answer) => answer < 29)).toEqual({ ...last, urls: 1, last: 1 });
    expect(await wallOf((answer) => answer < 21)).toEqual({ ...last, urls: 9, last: 9 });
    expect(await wallOf((answer) => answer !== 9 && answer < 28)).toEqual({ ...last, urls: 3, last: 2 });
    // Somebody who sees pages after it has a session.
    expect(await wallOf((answer) => answer !== 28)).toBeUndefined();
  });

  it("is none where redirects lead to another page", async () => {
    const serve = (path: string): Served => (path === "/welcome" ? "page" : { redirect: "/welcome" });
    expect((await crawled(["/a", "/b", "/c"], serve)).loginWall).toBeUndefined();
  });
});
