/** Robots.txt and sitemaps: what is requested when, and what a reply means for which host. */
import { describe, expect, it } from "vitest";
import { certifyLog } from "../../src/crawl/index.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";
const HOUR_MS = 3_600_000;
const text = (body: string) => ({ body, headers: { "content-type": "text/plain" } });
const sitemap = (...urls: string[]) => ({
  body: `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`,
  headers: { "content-type": "text/xml" },
});

describe("a robots.txt that has moved", () => {
  it("to a host that does not exist fails the pages of its own host, which does exist", async () => {
    const web = new TimedWeb({
      serve: ({ host, pathname }) => {
        if (host === "nowhere.example") return { failure: "host-not-found" };
        if (host === "b.site.example" && pathname === "/robots.txt") {
          return { redirect: "http://nowhere.example/robots.txt" };
        }
        return pathname === "/" ? '<a href="http://b.site.example/">b</a><a href="/x">x</a>' : undefined;
      },
    });
    const { fates, store } = await crawlTimed(web, [SITE]);
    expect(fates.get("http://b.site.example/")).toMatchObject({ outcome: "refused" });
    expect(fates.get("http://b.site.example/")?.why).toMatch(/^failed:robots-/);
    // x = 0.15; 0.85 x / 2 to the dead page /x, as much to b, which may lead on: R + F_open / 0.15 is the whole, and
    // F_dead too where everything counts.
    const flow = (0.85 * 0.15) / 2;
    const { coverage, strict } = certifyLog(store).certificate;
    expect(coverage).toBeCloseTo(0.15 / (0.15 + flow / 0.15), 10);
    expect(strict).toBeCloseTo(0.15 / (0.15 + flow / 0.15 + flow), 10);
  });

  it("to a host that asks us to wait makes that host wait, not its own", async () => {
    const web = new TimedWeb({
      serve: ({ host, pathname }, nth) => {
        if (host === "keeper.site.example" && pathname === "/robots-of-site") {
          return nth === 1 ? { status: 503, headers: { "retry-after": "600" } } : text("");
        }
        if (pathname === "/robots.txt") {
          return host === "site.example" ? { redirect: "http://keeper.site.example/robots-of-site" } : undefined;
        }
        return "page";
      },
    });
    const { fates } = await crawlTimed(web, [SITE, "http://keeper.site.example/page"]);
    expect(fates.get(SITE)?.outcome).toBe("downloaded");
    const [first, second] = web.times("http://keeper.site.example/robots-of-site");
    expect(second - first).toBeGreaterThanOrEqual(600_000);
    const ofKeeper = web.requests.filter(({ url, atMs }) => url.includes("keeper") && atMs > first);
    expect(Math.min(...ofKeeper.map(({ atMs }) => atMs))).toBeGreaterThanOrEqual(first + 600_000);
  });
});

describe("a robots.txt that redirects", () => {
  it.each<[where: string, targets: readonly string[]]>([
    ["to itself", ["/robots.txt"]],
    ["back, by another file", ["/other.txt", "/robots.txt"]],
    ["to a file that redirects to itself", ["/other.txt", "/other.txt"]],
  ])("%s is left for a while, not requested again and again", async (_where, targets) => {
    const files = ["/robots.txt", "/other.txt"];
    const web = new TimedWeb({
      serve: ({ pathname }) => {
        const place = files.indexOf(pathname);
        return place < 0 ? "page" : { redirect: targets[place] ?? "/robots.txt" };
      },
    });
    const { fates } = await crawlTimed(web, [SITE]);
    expect(fates.get(SITE)?.why).toMatch(/^failed:robots-/);
    const firstMinute = web.requests.filter(({ atMs }) => atMs < web.requests[0].atMs + 60_000);
    expect(firstMinute.length).toBeLessThanOrEqual(3 * targets.length);
    expect(web.requests.every(({ url }) => files.some((file) => url.endsWith(file)))).toBe(true);
  });
});

describe("a robots.txt", () => {
  it("is requested again after a day, and the new rules apply", async () => {
    // One page an hour: the rules of the first day allow all, those of the second nothing.
    const web = new TimedWeb({
      serve: ({ pathname }, nth) => {
        if (pathname !== "/robots.txt") return `${Array.from({ length: 40 }, (_, k) => `<a href="/${k}">`)}`;
        return text(nth === 1 ? "User-agent: *\nCrawl-delay: 3600" : "User-agent: *\nDisallow: /");
      },
    });
    const politeness = { delayMs: 0, concurrency: 8, perHost: 1, perAddress: 9, crawlDelayMsMax: HOUR_MS };
    const { fates, end } = await crawlTimed(web, [SITE], { politeness, web: { sitemaps: false } });
    expect(end.reason).toBe("frontier-empty");
    expect(web.times(`${SITE}robots.txt`)).toHaveLength(2);
    const outcomes = [...fates.values()].map(({ outcome }) => outcome);
    // Robots.txt at 0 h, pages from 1 h to 24 h; at 25 h the rules are too old.
    expect(outcomes.filter((outcome) => outcome === "downloaded")).toHaveLength(23);
    expect(outcomes.filter((outcome) => outcome === "refused")).toHaveLength(41 - 23);
  });

  it("longer than is obeyed does not break the crawl, no matter who fetched it", async () => {
    const long = `User-agent: *\nDisallow: /no\n${"# a comment\n".repeat(50_000)}`;
    const web = new TimedWeb({
      serve: ({ pathname }) => (pathname === "/robots.txt" ? text(long) : '<a href="/no">no</a>'),
    });
    const { fates, store } = await crawlTimed(web, [SITE]);
    expect(fates.get(`${SITE}no`)?.why).toBe("robots");
    expect([...store.robots()][0].body!.length).toBe(500 * 1024 + 4);
  });
});

describe("a sitemap", () => {
  const robots = text(`Sitemap: ${SITE}map.xml`);

  it("that fails for a time is requested again", async () => {
    const web = new TimedWeb({
      serve: ({ pathname }, nth) => {
        if (pathname === "/robots.txt") return robots;
        if (pathname === "/map.xml") return nth < 3 ? { status: 500 } : sitemap(`${SITE}only-here`);
        return "page";
      },
    });
    const { fates, end } = await crawlTimed(web, [SITE]);
    expect(end.reason).toBe("frontier-empty");
    expect(fates.get(`${SITE}only-here`)?.outcome).toBe("downloaded");
    const [first, second, third] = web.times(`${SITE}map.xml`);
    expect(second - first).toBeGreaterThanOrEqual(5_000);
    expect(third - second).toBeGreaterThanOrEqual(10_000);
  });

  it("that fails for good is given up after three attempts, and its host's pages do not wait for it", async () => {
    const web = new TimedWeb({
      serve: ({ pathname }) =>
        pathname === "/robots.txt" ? robots : pathname === "/map.xml" ? { status: 500 } : "page",
    });
    const { end, store } = await crawlTimed(web, [SITE]);
    expect(end.reason).toBe("frontier-empty");
    expect(web.times(`${SITE}map.xml`)).toHaveLength(3);
    expect(web.times(SITE)[0]).toBeLessThan(1000);
    expect([...store.robots()]).toHaveLength(1);
  });

  it("with 429 makes its host wait as long as it asks for", async () => {
    const web = new TimedWeb({
      serve: ({ pathname }, nth) => {
        if (pathname === "/robots.txt") return robots;
        if (pathname !== "/map.xml") return "page";
        return nth === 1 ? { status: 429, headers: { "retry-after": "300" } } : sitemap(`${SITE}more`);
      },
    });
    const { fates } = await crawlTimed(web, [SITE]);
    expect(fates.get(`${SITE}more`)?.outcome).toBe("downloaded");
    const [first] = web.times(`${SITE}map.xml`);
    const later = web.requests.filter(({ atMs }) => atMs > first);
    expect(Math.min(...later.map(({ atMs }) => atMs))).toBeGreaterThanOrEqual(first + 300_000);
  });

  it("does not lead out of the scope by a redirect", async () => {
    const web = new TimedWeb({
      serve: ({ pathname }) =>
        pathname === "/robots.txt"
          ? robots
          : pathname === "/map.xml"
            ? { redirect: "http://elsewhere.example/map.xml" }
            : "page",
    });
    await crawlTimed(web, [SITE]);
    expect(web.requests.filter(({ url }) => url.includes("elsewhere"))).toEqual([]);
  });

  it("is no longer requested from a host that was given up", async () => {
    const maps = Array.from({ length: 100 }, (_, k) => `Sitemap: ${SITE}map${k}.xml`).join("\n");
    const web = new TimedWeb({
      serve: ({ pathname }) => (pathname === "/robots.txt" ? text(maps) : { failure: "connect-refused" as const }),
    });
    const { end } = await crawlTimed(web, [SITE]);
    expect(end.reason).toBe("frontier-empty");
    // Eight failures in a row are the end of a host.
    expect(web.requests.length).toBeLessThanOrEqual(1 + 8);
  });
});

describe("a host that answers 503", () => {
  it("to many requests at once counts as one failure, and the host is not given up for it", async () => {
    const links = Array.from({ length: 40 }, (_, k) => `<a href="/${k}">${k}</a>`).join("");
    let troubledUntil = 0;
    const web = new TimedWeb({
      serve: ({ pathname }, _, atMs) => {
        if (pathname === "/robots.txt") return undefined;
        if (pathname === "/") {
          troubledUntil = atMs + 1000;
          return links;
        }
        return atMs < troubledUntil ? { status: 503 } : "page";
      },
    });
    const politeness = { delayMs: 0, concurrency: 32, perHost: 16, perAddress: 99, crawlDelayMsMax: 0 };
    const { fates } = await crawlTimed(web, [SITE], { politeness });
    expect([...fates.values()].filter(({ outcome }) => outcome === "downloaded")).toHaveLength(41);
  });

  it("and asks for a day is requested again after an hour, four times in all", async () => {
    const web = new TimedWeb({
      serve: ({ pathname }) =>
        pathname === "/robots.txt" ? undefined : { status: 503, headers: { "retry-after": "86400" } },
    });
    const { fates } = await crawlTimed(web, [SITE]);
    expect(fates.get(SITE)?.why).toBe("failed:status-503");
    const times = web.times(SITE);
    expect(times).toHaveLength(4);
    for (let k = 1; k < 4; k++) expect(times[k] - times[k - 1]).toBeGreaterThanOrEqual(HOUR_MS);
  });
});
