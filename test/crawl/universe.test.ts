/** What may be fetched: crawls of small sites with forbidden, dead, failing and blocking parts. */
import { describe, expect, it } from "vitest";
import { certifyLog, type CrawlEvent, launchCrawl } from "../../src/crawl/index.ts";
import { eventInWords } from "../../src/text/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { InlineWeb, inlineSettings, type Served, type SettingsChanges } from "../support/inline-web.ts";

const SITE = "http://site.example/";
const links = (...urls: string[]) => urls.map((url) => `<a href="${url}">x</a>`).join("");
const ROBOTS: Served = { body: "User-agent: *\nDisallow: /login", headers: { "content-type": "text/plain" } };

async function crawl(serve: (path: string) => Served | undefined, changes: SettingsChanges = {}) {
  const settings = inlineSettings([SITE], changes);
  const store = new MemoryStore(JSON.stringify(settings));
  const events: CrawlEvent[] = [];
  const fetcher = new InlineWeb(({ pathname }) => serve(pathname));
  const running = await launchCrawl({ store, settings, fetcher, readers: 0, onEvent: (event) => events.push(event) });
  const end = await running.run();
  const { certificate, missing, ceiling } = certifyLog(store);
  return { end, certificate, missing, ceiling, events, fetcher };
}

/** A page of a site that has `/login` in the navigation of every page. */
const page = (...more: string[]): string => links("/", "/login", ...more);

it("a host shows how many of its URLs are dead, also after a resume", async () => {
  const serve = (path: string): Served | undefined => (path === "/" ? page("/1", "/2", "/3") : undefined);
  const settings = inlineSettings([SITE], {});
  const store = new MemoryStore(JSON.stringify(settings));
  const launch = () =>
    launchCrawl({ store, settings, fetcher: new InlineWeb(({ pathname }) => serve(pathname)), readers: 0 });
  const running = await launch();
  await running.run();
  const counts = { name: "site.example", pages: 1, dead: 4, errors: 0 };
  expect([...running.hosts]).toMatchObject([counts]);
  // They are plain copies, with the name.
  expect(JSON.parse(JSON.stringify([...running.hosts]))).toEqual([...running.hosts]);
  expect([...(await launch()).hosts]).toMatchObject([counts]);
});

describe("a site whose navigation links to a forbidden page", () => {
  const serve = (path: string): Served =>
    path === "/robots.txt" ? ROBOTS : page(`/${Number(path.slice(1)) + 1}`, "/2", "/3");

  it("is covered as far as it may be fetched, and the strict number stands beside", async () => {
    const { end, certificate, missing } = await crawl(serve, { limits: { coverage: 0.95 } });
    expect(end.reason).toBe("coverage-reached");
    expect(certificate.coverage).toBeGreaterThanOrEqual(0.95);
    expect(certificate.strict).toBeLessThan(0.8);
    expect(end.status.strict).toBeLessThan(0.8);
    expect(missing.map(({ reason }) => reason)).toEqual(["not-fetched"]);
  });

  it("is measured with what is forbidden as the worst, if the user wants that", async () => {
    const { end, certificate } = await crawl(serve, { limits: { pages: 40 }, web: { universe: "scope" } });
    expect(end.reason).toBe("page-limit");
    expect(certificate.coverage).toBe(certificate.strict);
    expect(certificate.coverage).toBeLessThan(0.8);
  });
});

describe("what is forbidden", () => {
  it.each([401, 403, 451])("is a page that answers with %i", async (status) => {
    const { certificate } = await crawl((path) => (path === "/" ? page() : path === "/login" ? { status } : undefined));
    expect(certificate).toMatchObject({ coverage: 1, downloaded: 1 });
    expect(certificate.strict).toBeLessThan(0.6);
  });

  it("is a link marked nofollow, but not its target, if another link leads there", async () => {
    const pages: Record<string, string> = {
      "/": `${links("/a")}<a rel=nofollow href="/b">b</a>`,
      "/a": links("/b"),
      "/b": links("/"),
    };
    const { certificate } = await crawl((path) => pages[path]);
    expect(certificate).toMatchObject({ coverage: 1, downloaded: 3 });
    const { certificate: partly } = await crawl((path) => (path === "/b" ? { status: 500 } : pages[path]), {
      limits: { timeMs: 300 },
    });
    expect(partly.coverage).toBeLessThan(0.9);
  });

  it.each<[string, Served]>([
    ["500", { status: 500 }],
    ["429", { status: 429, headers: { "retry-after": "1" } }],
  ])("is not a page that answers with %s: it is missing", async (_, answer) => {
    const { certificate, missing } = await crawl(
      (path) => (path === "/" ? page() : path === "/login" ? answer : undefined),
      {
        limits: { timeMs: 300 },
      },
    );
    expect(certificate.coverage).toBeLessThan(0.7);
    expect(missing.length).toBeGreaterThan(0);
  });
});

describe("a host that blocks the crawler", () => {
  it("is reported at once, and its pages are missing", async () => {
    // A ban after a few pages: everything answers with 403 from then on.
    let answers = 0;
    const { end, certificate, missing, events } = await crawl((path) => {
      if (path === "/robots.txt") return undefined;
      const k = Number(path.slice(1));
      return ++answers > 5 ? { status: 403 } : links(...Array.from({ length: 12 }, (_, n) => `/${20 * k + n + 1}`));
    });
    expect(end.reason).toBe("frontier-empty");
    expect(certificate.coverage).toBeLessThan(0.7);
    expect(end.status.coverage).toBeLessThanOrEqual(certificate.coverage);
    expect(missing.map(({ reason }) => reason)).toEqual(["blocked"]);
    expect(events.filter(({ name }) => name === "host-blocked")).toMatchObject([{ host: "site.example" }]);
  });

  it("at its front page has covered nothing", async () => {
    const { certificate, events } = await crawl(() => ({ status: 403 }));
    expect(certificate).toMatchObject({ coverage: 0, downloaded: 0 });
    expect(events.map(({ name }) => name)).toContain("host-blocked");
  });

  it("where a seed of another host has led is missing", async () => {
    const entry = "http://other.example/entry";
    const serve = ({ href, pathname }: URL): Served | undefined => {
      if (pathname === "/robots.txt") return undefined;
      if (href === `${SITE}moved`) return { status: 301, headers: { location: entry } };
      return href === entry ? { status: 403 } : links(entry, "/moved");
    };
    const settings = inlineSettings([SITE, `${SITE}moved`], { web: { scope: { kind: "any", seeds: [SITE] } } });
    const store = new MemoryStore(JSON.stringify(settings));
    const running = await launchCrawl({ store, settings, fetcher: new InlineWeb(serve), readers: 0 });
    await running.run();
    const { certificate, missing } = certifyLog(store);
    expect(missing.map(({ reason }) => reason)).toEqual(["blocked"]);
    expect(certificate.coverage).toBeLessThan(0.7);
    expect([...store.visits()].map(({ reason }) => reason)).toContain("blocked");
  });

  it("with 401 at its door wants a user name and a password, and says so", async () => {
    const { events } = await crawl((path) => (path === "/robots.txt" ? undefined : { status: 401 }));
    expect(events.filter(({ name }) => name === "host-blocked").map(eventInWords)).toEqual([
      "site.example wants a user name and a password (401): give them, or correct them, in --auth-file; its pages count as missing",
    ]);
  });
});

describe("a universe in which nothing may be fetched", () => {
  it("has coverage 0, never 1", async () => {
    const { end, certificate, missing, ceiling } = await crawl((path) =>
      path === "/robots.txt" ? { body: "User-agent: *\nDisallow: /", headers: { "content-type": "text/plain" } } : "",
    );
    expect(end.status.coverage).toBe(0);
    expect(certificate).toMatchObject({ coverage: 0, strict: 0 });
    expect(ceiling.coverage).toBe(0);
    expect(missing).toEqual([]);
  });
});

describe("a target that is out of reach", () => {
  it("is reported as soon as that is known, with the reason, a page and its share", async () => {
    const serve = (path: string): Served => (path === "/broken" ? { status: 405 } : links("/", "/broken", `${path}x`));
    const { events, end } = await crawl(serve, {
      limits: { coverage: 0.95, pages: 100, depth: 3 },
      politeness: { delayMs: 0, concurrency: 1, perHost: 1, perAddress: 1, crawlDelayMsMax: 0 },
    });
    expect(end.status.ceiling).toBeLessThan(0.95);
    const told = events.filter(({ name }) => name === "target-unreachable");
    expect(told).toMatchObject([{ target: 0.95, losses: [{ reason: "failed", url: `${SITE}broken` }] }]);
  });

  it("is not reported where it can be reached", async () => {
    const { events, end } = await crawl((path) => (path === "/" ? links("/a") : links("/")), {
      limits: { coverage: 1 },
    });
    expect(end.reason).toBe("coverage-reached");
    expect(events.filter(({ name }) => name === "target-unreachable")).toEqual([]);
  });
});
