/** Pages that failed in a crawl, in an outage of their host say: a refresh tries them again, and what it finds counts. */
import { describe, expect, it } from "vitest";
import { certifyLog } from "../../src/crawl/index.ts";
import { refreshFacts } from "../../src/crawl/refresh/refresh-facts.ts";
import { refreshPages } from "../../src/crawl/refresh/rounds.ts";
import { refreshTimed } from "../support/forever.ts";
import { fatesIn, type Served } from "../support/inline-web.ts";
import { crawlTimed, inTime, TimedWeb } from "../support/timed-web.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SEED = "http://a.example/";
const PATHS = Array.from({ length: 12 }, (_, k) => `/${k}`);
const links = (...urls: string[]) => urls.map((url) => `<a href="${url}">x</a>`).join("");

/** A front page whose pages cannot be had while the host is down, and one that is never to be had. */
async function crawledInOutage(after: (path: string) => Served | undefined = () => undefined) {
  const outage = { endMs: Number.POSITIVE_INFINITY };
  const web = new TimedWeb({
    serve: ({ pathname }, _, atMs) => {
      if (pathname === "/") return links(...PATHS, "/broken");
      if (pathname === "/robots.txt") return undefined;
      if (atMs < outage.endMs) return { failure: "connect-refused" };
      if (pathname === "/broken") return { status: 500 };
      return after(pathname) ?? (PATHS.includes(pathname) ? `page ${pathname}` : undefined);
    },
  });
  const { store, settings } = await crawlTimed(web, [SEED], { limits: {} });
  const fates = () => [...fatesIn(store).values()].map(({ outcome }) => outcome).sort();
  const startMs = web.timers.nowMs();
  const requestsOf = (path: string) =>
    web.requests.filter(({ url, atMs }) => url === `http://a.example${path}` && atMs >= startMs);
  return { web, store, settings, outage, fates, startMs, requestsOf };
}

const twelve = <T>(value: T): T[] => Array.from({ length: 12 }, () => value);

describe("pages that failed in a crawl", () => {
  it("are read by a refresh that goes on once their host is back, and what they are then replaces that", async () => {
    const { web, store, settings, outage, fates, startMs } = await crawledInOutage();
    expect(fates()).toEqual(["downloaded", ...twelve("refused"), "refused"]);
    const before = certifyLog(store);
    outage.endMs = startMs + 5 * HOUR;
    const during = await refreshTimed(web, store, settings, { budget: 480, forMs: 4 * HOUR });
    expect(during?.status).toMatchObject({ new: 0, gone: 0 });
    expect(certifyLog(store)).toEqual(before);
    // Also after a restart, and whoever was killed before.
    await refreshTimed(web, store, settings, { budget: 480, forMs: 30 * 60_000, dies: true });
    const end = await refreshTimed(web, store, settings, { budget: 480, forMs: DAY });
    expect(end?.status).toMatchObject({ new: 12, gone: 0, moved: 0 });
    expect(fates()).toEqual([...twelve("downloaded"), "downloaded", "refused"]);
    const made = certifyLog(store);
    expect(end?.status.coverage).toBe(made.certificate.coverage);
    expect(made.missing.map(({ reason, hosts }) => [reason, hosts[0].pages])).toEqual([["failed", 1]]);
    // What was believed then is still to be had.
    expect([...store.replacedVisits()].filter(({ outcome }) => outcome === "refused")).toHaveLength(12);
  });

  it("are tried again after an hour, and then after as long as they have failed, up to a week", async () => {
    const { web, store, settings, outage, fates, startMs, requestsOf } = await crawledInOutage();
    outage.endMs = startMs;
    for (let day = 0; day < 30; day++) {
      await refreshTimed(web, store, settings, { budget: 72, forMs: DAY, dies: day % 2 === 1 });
    }
    const times = requestsOf("/broken").map(({ atMs }) => (atMs - startMs) / HOUR);
    // The crawl itself has given up its host a moment before.
    expect(times[0]).toBeGreaterThan(0.8);
    const waits = times.slice(1).map((hours, k) => hours - times[k]);
    expect(times.length).toBeGreaterThanOrEqual(9);
    expect(times.length).toBeLessThanOrEqual(13);
    expect(Math.max(...waits)).toBeGreaterThan(100);
    expect(Math.max(...waits)).toBeLessThan(200);
    expect(fates()).toEqual([...twelve("downloaded"), "downloaded", "refused"]);
  });

  it("may be gone, moved or forbidden by then, like any other page", async () => {
    const { web, store, settings, outage, fates, startMs } = await crawledInOutage((path) => {
      if (path === "/0") return { status: 404 };
      if (path === "/1") return { status: 301, headers: { location: "/2" } };
      return path === "/3" ? { status: 403 } : undefined;
    });
    outage.endMs = startMs;
    await refreshTimed(web, store, settings, { budget: 480, forMs: DAY });
    expect(fates()).toEqual([
      "dead",
      ...Array.from({ length: 10 }, () => "downloaded"),
      "redirected",
      "refused",
      "refused",
    ]);
  });

  it("are read by one round as well, when they may be tried again", async () => {
    const { web, store, settings, outage, fates } = await crawledInOutage();
    const { timers } = web;
    const planned = () => refreshFacts(store, timers.wallMs()).pages.filter(({ hasFailed }) => hasFailed === true);
    expect(planned()).toEqual([]);
    await inTime(timers, new Promise<void>((resolve) => void timers.after(HOUR, resolve)));
    expect(planned()).toHaveLength(13);
    // The host is still down: one request tells, and all are left.
    const round = async () => inTime(timers, refreshPages({ store, settings, fetcher: web, timers, pages: planned() }));
    expect(await round()).toMatchObject({ left: 13 });
    outage.endMs = timers.nowMs();
    await inTime(timers, new Promise<void>((resolve) => void timers.after(HOUR, resolve)));
    expect((await round()).outcomes).toMatchObject({ changed: 12, failed: 1 });
    expect(fates()).toEqual([...twelve("downloaded"), "downloaded", "refused"]);
    expect(planned()).toEqual([]);
  });
});
