/** The user's limits: exactly as many pages as were allowed, and every page within reach. */
import { describe, expect, it } from "vitest";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join("");
const noRobots = (serve: (path: string) => ReturnType<TimedWebServe>): TimedWebServe => {
  return ({ pathname }) => (pathname === "/robots.txt" ? undefined : serve(pathname));
};
type TimedWebServe = ConstructorParameters<typeof TimedWeb>[0]["serve"];
const many = { delayMs: 0, concurrency: 32, perHost: 16, perAddress: 99, crawlDelayMsMax: 0 };

describe("a limit of pages a host", () => {
  const paths = Array.from({ length: 60 }, (_, k) => `/${k}`);

  it("is not exceeded, however many connections a host has", async () => {
    const web = new TimedWeb({ serve: noRobots((path) => (path === "/" ? links(...paths) : "page")) });
    const { end } = await crawlTimed(web, [SITE], { politeness: many, limits: { pagesPerHost: 10 } });
    expect(end.reason).toBe("page-limit");
    expect(end.status.pages).toBe(10);
    expect(end.status.frontier).toBe(61 - 10);
  });

  it("is reached although pages of the host are dead or lead elsewhere", async () => {
    const serve = noRobots((path) => {
      if (path === "/") return links(...paths);
      const number = Number(path.slice(1));
      return number % 3 === 0 ? undefined : number % 3 === 1 ? { redirect: `/t${number}` } : "page";
    });
    const web = new TimedWeb({
      serve: (url, nth, atMs) => (url.pathname.startsWith("/t") ? "target" : serve(url, nth, atMs)),
    });
    const { end } = await crawlTimed(web, [SITE], { politeness: many, limits: { pagesPerHost: 25 } });
    expect(end.reason).toBe("page-limit");
    expect(end.status.pages).toBe(25);
  });

  it("lets a host go on whose only page under way turned out to be none, once it was read", async () => {
    // Its second page is held back while the first may be the last one. The first, once read, names another as itself.
    const OTHER = "http://other.example/";
    const web = new TimedWeb({
      serve: ({ host, pathname }) => {
        if (pathname === "/robots.txt") return undefined;
        if (host === "other.example") return pathname === "/" ? links("/1", "/2", "/3") : "page";
        return pathname === "/a" ? `<link rel="canonical" href="${OTHER}a">` : "page";
      },
    });
    const { end, fates } = await crawlTimed(web, [`${SITE}a`, `${SITE}b`, OTHER], {
      web: { honourCanonical: true },
      politeness: many,
      limits: { pagesPerHost: 1 },
    });
    expect(fates.get(`${SITE}a`)?.outcome).toBe("redirected");
    expect(fates.get(`${SITE}b`)?.outcome).toBe("downloaded");
    expect(end.reason).toBe("page-limit");
  });

  it("that is raised lets a resumed crawl go on to the new one", async () => {
    const web = new TimedWeb({ serve: noRobots((path) => (path === "/" ? links(...paths) : "page")) });
    const { store } = await crawlTimed(web, [SITE], { limits: { pagesPerHost: 5 } });
    const { end } = await crawlTimed(web, [SITE], { limits: { pagesPerHost: 30 } }, store);
    expect(end.status.pages).toBe(30);
    const last = await crawlTimed(web, [SITE], {}, store);
    expect(last.end.reason).toBe("frontier-empty");
    expect(last.end.status.pages).toBe(61);
    expect(web.requests.filter(({ url }) => !/(?:robots.txt|sitemap.xml)$/.test(url))).toHaveLength(61);
  });
});

describe("a limit of pages", () => {
  it("counts pages only, and is met exactly", async () => {
    const paths = Array.from({ length: 60 }, (_, k) => `/${k}`);
    const serve = noRobots((path) =>
      path === "/" ? links(...paths) : Number(path.slice(1)) % 2 === 0 ? undefined : "page",
    );
    const { end } = await crawlTimed(new TimedWeb({ serve }), [SITE], {
      politeness: many,
      limits: { pages: 20 },
    });
    expect(end.reason).toBe("page-limit");
    expect(end.status.pages).toBe(20);
  });
});

describe("a limit of depth", () => {
  // / -> /a -> /b -> /deep is three links away; another way to it is found late.
  const crawlDepth = (serve: (path: string) => ReturnType<TimedWebServe>, depth: number, order = "lneighbor") =>
    crawlTimed(new TimedWeb({ serve: noRobots(serve) }), [SITE], { limits: { depth }, order });

  it("holds for pages that are reached by links alone", async () => {
    const { end, fates } = await crawlDepth((path) => {
      return { "/": links("/a"), "/a": links("/b"), "/b": links("/deep"), "/deep": "deep" }[path];
    }, 2);
    expect(end.reason).toBe("depth-limit");
    expect([...fates.keys()].sort()).toEqual(["", "a", "b"].map((path) => SITE + path));
  });

  it("does not hold back a page to which a shorter link is found later", async () => {
    // In this order /z is fetched last of its level, and shows that /deep is two links away.
    const { end, fates } = await crawlDepth((path) => {
      const page = { "/": links("/a", "/z"), "/a": links("/b"), "/b": links("/deep"), "/deep": "deep" };
      return path === "/z" ? links("/c", "/d", "/deep") : (page as Record<string, string>)[path];
    }, 2);
    expect(end.reason).toBe("frontier-empty");
    expect(fates.get(`${SITE}deep`)?.outcome).toBe("downloaded");
  });

  it("does not hold back a page to which a redirect leads from nearer by, though it was put aside before", async () => {
    // /m is a link away and answers late, with a redirect to /deep; by then /deep was found three links away, and put aside.
    const web = new TimedWeb({
      serve: ({ pathname }, nth) => {
        if (pathname === "/m") return nth < 3 ? { status: 500 } : { redirect: "/deep" };
        return { "/": links("/a", "/m"), "/a": links("/b"), "/b": links("/deep"), "/deep": links("/next") }[pathname];
      },
    });
    const { end, fates } = await crawlTimed(web, [SITE], { limits: { depth: 2 } });
    expect(fates.get(`${SITE}deep`)?.outcome).toBe("downloaded");
    // A link away as /m is, so its own links are two away.
    expect(fates.get(`${SITE}next`)?.outcome).toBe("dead");
    expect(end.reason).toBe("frontier-empty");
  });

  it("does not hold back what lies behind a redirect to which a shorter way is found later", async () => {
    // / -> /a -> /r, which redirects to /t -> /u -> /v; later a page one link away shows /r, so /v is four links away, not five.
    const web = new TimedWeb({
      serve: ({ pathname }, nth) => {
        if (pathname === "/r") return { redirect: "/t" };
        if (pathname === "/late") return nth < 3 ? { status: 500 } : links("/r");
        const pages = { "/": links("/late", "/a"), "/a": links("/b"), "/b": links("/r"), "/u": links("/v") };
        return pathname === "/t" ? links("/u") : (pages as Record<string, string>)[pathname];
      },
    });
    // /r is first found three links away, then two: /t 2, /u 3, /v 4.
    const { fates, end } = await crawlTimed(web, [SITE], { limits: { depth: 3 } });
    expect(fates.get(`${SITE}u`)?.outcome).toBe("downloaded");
    expect(fates.has(`${SITE}v`)).toBe(false);
    expect(end.reason).toBe("depth-limit");
    expect(end.status.frontier).toBe(1);
  });
});
