/**
 * Many hosts, many pages of one host, hosts that move house: nobody is left waiting, and time grows with the work only.
 */
import { describe, expect, it } from "vitest";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const links = (urls: readonly string[]) => urls.map((url) => `<a href="${url}">x</a>`).join("");
const A = "http://a.site.example";
const B = "http://b.site.example";
const polite = { delayMs: 1000, concurrency: 64, perHost: 1, perAddress: 10, crawlDelayMsMax: 60_000 };

describe("hosts that share an address", () => {
  it("are requested again when the host that kept it busy has moved to another", async () => {
    // One connection per address. While a is requested, b waits for the address; then a answers from another one.
    const web = new TimedWeb({
      serve: ({ host, pathname }) => {
        if (pathname === "/robots.txt") return undefined;
        const urls = Array.from({ length: 20 }, (_, k) => `/${k}`);
        return pathname === "/" ? links(urls) : host;
      },
      addressOf: ({ host, pathname }, nth) =>
        host.startsWith("a.") && pathname === "/7" && nth === 1 ? "192.0.2.2" : "192.0.2.1",
    });
    const politeness = { ...polite, delayMs: 0, perAddress: 1 };
    for (const order of ["rankmass", "lneighbor", "opic"]) {
      const { end } = await crawlTimed(web, [`${A}/`, `${B}/`], { politeness, order });
      expect(end.reason).toBe("frontier-empty");
      expect(end.status).toMatchObject({ pages: 42, frontier: 0 });
    }
  });
});

describe("a thousand hosts at one address", () => {
  it("with a sitemap each are all requested", async () => {
    const urls = Array.from({ length: 1000 }, (_, k) => `http://h${k}.site.example/`);
    const web = new TimedWeb({
      serve: ({ host, pathname }) => {
        if (pathname === "/robots.txt") return { body: `Sitemap: http://${host}/map.xml`, headers: {} };
        return host === "site.example" ? links(urls) : pathname === "/" ? "page" : undefined;
      },
      addressOf: () => "192.0.2.1",
    });
    const { end } = await crawlTimed(web, ["http://site.example/"], {
      politeness: { ...polite, delayMs: 0 },
    });
    expect(end.reason).toBe("frontier-empty");
    expect(end.status).toMatchObject({ pages: 1001, frontier: 0 });
    expect(web.requests).toHaveLength(3 * 1001);
  });
});

describe("a host with thousands of good pages", () => {
  const many = Array.from({ length: 5000 }, (_, k) => `${A}/${k}`);
  const few = Array.from({ length: 30 }, (_, k) => `${B}/${k}`);

  it("that asks for an hour does not make others wait", async () => {
    const web = new TimedWeb({
      serve: ({ host, pathname }, _, atMs) => {
        if (pathname === "/robots.txt") return undefined;
        if (host === "site.example") return pathname === "/" ? links([...many, `${B}/`]) : undefined;
        if (host.startsWith("b.")) return pathname === "/" ? links(few) : "page";
        return atMs < 3_600_000 ? { status: 429, headers: { "retry-after": "3600" } } : "page";
      },
    });
    const { end } = await crawlTimed(web, ["http://site.example/"], {
      politeness: polite,
      limits: { timeMs: 600_000 },
    });
    expect(end.reason).toBe("time-limit");
    expect(end.status.pages).toBe(1 + 1 + few.length);
  });

  it("does not keep others waiting until it has given nearly all of them", async () => {
    const web = new TimedWeb({
      serve: ({ host, pathname }) => {
        if (pathname === "/robots.txt") return undefined;
        if (host === "site.example") return pathname === "/" ? links([...many, `${B}/`]) : undefined;
        return host.startsWith("b.") && pathname === "/" ? links(few) : "page";
      },
    });
    const { fates } = await crawlTimed(web, ["http://site.example/"], {
      politeness: polite,
      limits: { timeMs: 120_000 },
    });
    // A page a second of each host: in two minutes all of the small one.
    expect([...fates.keys()].filter((url) => url.startsWith(B))).toHaveLength(1 + few.length);
  });
});

describe("the work of a crawl", () => {
  it("with 10,000 pages of one host and one connection grows with them", async () => {
    const time = async (pages: number): Promise<number> => {
      const web = new TimedWeb({
        serve: ({ pathname }) => {
          if (pathname === "/robots.txt") return undefined;
          const number = Number(pathname.slice(1));
          const next = Array.from({ length: 10 }, (_, k) => 10 * number + k + 1).filter((k) => k < pages);
          return `${number}${links(next.map((k) => `/${k}`))}`;
        },
        latencyMs: () => 1,
      });
      const start = process.cpuUsage();
      const { end } = await crawlTimed(web, [`${A}/0`], { politeness: { ...polite, delayMs: 0 } });
      expect(end.status.pages).toBe(pages);
      return process.cpuUsage(start).user / 1000;
    };
    await time(500);
    const small = await time(1000);
    const large = await time(10_000);
    expect(large).toBeLessThan(10 * 3 * small);
  });
});
