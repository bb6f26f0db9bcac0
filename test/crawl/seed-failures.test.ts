/** What a user hears of a seed that does not answer: the first trouble at once, and only once. */
import { describe, expect, it } from "vitest";
import type { CrawlEvent, SeedFailing } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { SeedTrust } from "../../src/crawl/seed-trust.ts";
import type { Served } from "../support/inline-web.ts";
import { EPOCH_MS } from "../support/simulation/timers.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";

async function troublesOf(serve: (url: URL, nth: number) => Served | undefined, seeds = [SITE]) {
  const web = new TimedWeb({ serve });
  const told: SeedFailing[] = [];
  await crawlTimed(web, seeds, {}, new MemoryStore("{}"), {
    onEvent: (event) => void (event.name === "seed-in-trouble" && told.push(event)),
  });
  return { told, web };
}

describe("a seed", () => {
  it("whose server refuses connections is told of at the first attempt, with the time of the next", async () => {
    const { told, web } = await troublesOf(() => ({ failure: "connect-refused" }));
    expect(told).toEqual([
      {
        name: "seed-in-trouble",
        url: SITE,
        reason: "connect-refused",
        isRobots: true,
        waitMs: 5000,
        atMs: expect.any(Number),
      },
    ]);
    const [first, second] = web.times(`${SITE}robots.txt`);
    const toldMs = told[0].atMs - EPOCH_MS;
    expect(toldMs).toBeLessThan(first + 1000);
    expect(second).toBe(toldMs + told[0].waitMs);
  });

  it("that itself fails after its robots.txt is told of too, and what comes right is not told again", async () => {
    const { told } = await troublesOf(({ pathname }, nth) => {
      if (pathname === "/robots.txt") return undefined;
      return nth === 1 ? { status: 500 } : "page";
    });
    expect(told).toMatchObject([{ url: SITE, reason: "status-500", isRobots: false, waitMs: 5000 }]);
  });

  it("that redirects to a host in trouble is told of, other pages are not", async () => {
    const { told } = await troublesOf(
      ({ host, pathname }) => {
        if (host === "b.site.example") return { failure: "connect-timeout" };
        if (host === "c.site.example") return { failure: "connect-refused" };
        if (pathname === "/robots.txt") return undefined;
        return pathname === "/" ? { redirect: "http://b.site.example/" } : '<a href="http://c.site.example/">';
      },
      [SITE, `${SITE}other`],
    );
    expect(told).toMatchObject([{ url: "http://b.site.example/", reason: "connect-timeout", isRobots: true }]);
  });

  it("is one of ten that are told of when all are in trouble", () => {
    const told: string[] = [];
    const seeds = new SeedTrust({
      emit: (event) => void (event.name === "seed-in-trouble" && told.push(event.url)),
      textOf: (url) => String(url),
      originOf: (url) => url,
      ledger: { resolve: (url) => url, state: new Uint8Array(11) },
    });
    for (let url = 0; url < 11; url++) seeds.trusted(url, 1 / 11);
    const attempt = { atMs: 0, reason: "connect-refused", waitMs: 5000 };
    for (let url = 0; url < 11; url++) seeds.robotsDelayed(url, attempt);
    expect(told).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  });

  it.each<[string, Record<string, Served>, object]>([
    ["dead", {}, { url: `${SITE}late`, reason: "dead", detail: "redirect" }],
    ["forbidden", { "/robots.txt": robots }, { url: `${SITE}late`, reason: "robots", detail: "redirect" }],
    ["redirected to a dead one", { "/end": { redirect: "/gone" } }, { url: `${SITE}late`, reason: "dead" }],
  ])("that redirects to a URL known to be %s is lost", async (_, pages, loss) => {
    // The other seed has more trust, so it comes first.
    const served: Record<string, Served> = { "/first": { redirect: "/end" }, "/late": { redirect: "/end" }, ...pages };
    const lost = await lossesOf(({ pathname }) => served[pathname]);
    expect(lost).toMatchObject([{ weight: 0.75 }, { name: "seed-lost", weight: 0.25, ...loss }]);
  });

  it("that redirects to a redirect known before is lost when its end turns out to be dead", async () => {
    const served: Record<string, Served> = {
      "/robots.txt": "",
      "/first": '<a href="/hop">',
      "/hop": { redirect: "/end" },
      "/late": { redirect: "/hop" },
    };
    const lost = await lossesOf(({ pathname }, nth) =>
      pathname === "/end" ? { status: nth === 1 ? 500 : 404 } : served[pathname],
    );
    expect(lost).toMatchObject([{ url: `${SITE}end`, reason: "dead", weight: 0.25 }]);
  });
});

const robots = { body: "User-agent: *\nDisallow: /end", headers: {} };

async function lossesOf(serve: (url: URL, nth: number) => Served | undefined) {
  const lost: CrawlEvent[] = [];
  const seeds = [
    { url: `${SITE}first`, weight: 0.75 },
    { url: `${SITE}late`, weight: 0.25 },
  ];
  await crawlTimed(new TimedWeb({ serve }), [SITE], { seeds }, new MemoryStore("{}"), {
    onEvent: (event) => void (event.name === "seed-lost" && lost.push(event)),
  });
  return lost;
}
