/** What a user learns about a seed that does not answer: the first failure at once, and only once. */
import { describe, expect, it } from "vitest";
import type { CrawlEvent, SeedFailing } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { SeedTrust } from "../../src/crawl/seed-trust.ts";
import type { Served } from "../support/inline-web.ts";
import { EPOCH_MS } from "../support/simulation/timers.ts";
import { crawlTimed, TimedWeb } from "../support/timed-web.ts";

const SITE = "http://site.example/";

async function failuresOf(serve: (url: URL, nth: number) => Served | undefined, seeds = [SITE]) {
  const web = new TimedWeb({ serve });
  const reported: SeedFailing[] = [];
  await crawlTimed(web, seeds, {}, new MemoryStore("{}"), {
    onEvent: (event) => void (event.name === "seed-in-trouble" && reported.push(event)),
  });
  return { reported, web };
}

describe("a seed", () => {
  it("whose server refuses connections is reported at the first attempt, with the time of the next", async () => {
    const { reported, web } = await failuresOf(() => ({ failure: "connect-refused" }));
    expect(reported).toEqual([
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
    const reportedMs = reported[0].atMs - EPOCH_MS;
    expect(reportedMs).toBeLessThan(first + 1000);
    expect(second).toBe(reportedMs + reported[0].waitMs);
  });

  it("that itself fails after its robots.txt is reported too, and a recovery is not reported again", async () => {
    const { reported } = await failuresOf(({ pathname }, nth) => {
      if (pathname === "/robots.txt") return undefined;
      return nth === 1 ? { status: 500 } : "page";
    });
    expect(reported).toMatchObject([{ url: SITE, reason: "status-500", isRobots: false, waitMs: 5000 }]);
  });

  it("that redirects to a failing host is reported, other pages are not", async () => {
    const { reported } = await failuresOf(
      ({ host, pathname }) => {
        if (host === "b.site.example") return { failure: "connect-timeout" };
        if (host === "c.site.example") return { failure: "connect-refused" };
        if (pathname === "/robots.txt") return undefined;
        return pathname === "/" ? { redirect: "http://b.site.example/" } : '<a href="http://c.site.example/">';
      },
      [SITE, `${SITE}other`],
    );
    const failure = { reason: "connect-timeout", isRobots: true };
    expect(reported).toMatchObject([{ url: "http://b.site.example/", seed: SITE, ...failure }]);
  });

  it("is one of ten that are reported when all fail", () => {
    const reported: string[] = [];
    const seeds = new SeedTrust({
      emit: (event) => void (event.name === "seed-in-trouble" && reported.push(event.url)),
      textOf: (url) => String(url),
      originOf: (url) => url,
      ledger: { resolve: (url) => url, state: new Uint8Array(11) },
    });
    for (let url = 0; url < 11; url++) seeds.trusted(url, 1 / 11);
    const attempt = { atMs: 0, reason: "connect-refused", waitMs: 5000 };
    for (let url = 0; url < 11; url++) seeds.robotsDelayed(url, attempt);
    expect(reported).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
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
    expect(lost).toMatchObject([{ url: `${SITE}end`, seed: `${SITE}late`, reason: "dead", weight: 0.25 }]);
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
