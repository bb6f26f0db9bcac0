import { describe, expect, it } from "vitest";
import { runSteps } from "../../src/base/index.ts";
import { certifyLog, refreshForever, type RefreshStatus } from "../../src/crawl/index.ts";
import { DayBudget } from "../../src/crawl/refresh/day-budget.ts";
import { PageBook } from "../../src/crawl/refresh/page-book.ts";
import { FailedVisits } from "../../src/crawl/refresh/importance.ts";
import { readHistory } from "../../src/crawl/refresh/refresh-history.ts";
import { Retries } from "../../src/crawl/refresh/retries.ts";
import { ModifiedTrust, RefreshQueue } from "../../src/refresh/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { refreshTimed } from "../support/forever.ts";
import { fatesIn } from "../support/inline-web.ts";
import { EPOCH_MS } from "../support/simulation/timers.ts";
import { crawlTimed, inTime, TimedWeb, type TimedWebOptions } from "../support/timed-web.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SEED = "http://a.example/";
const PATHS = Array.from({ length: 20 }, (_, k) => `/${k}`);
const links = (...urls: string[]) => urls.map((url) => `<a href="${url}">x</a>`).join("");

/** A front page with twenty pages. */
function plain(path: string): string | undefined {
  if (path === "/") return links(...PATHS);
  return PATHS.includes(path) ? `page ${path}` : undefined;
}

async function crawledSite(serve: TimedWebOptions["serve"]) {
  const web = new TimedWeb({ serve });
  const { store, settings } = await crawlTimed(web, [SEED], { limits: {} });
  return { web, store, settings, startMs: web.timers.nowMs() };
}

/** Requests of pages from a time on, to a time. */
function reads({ requests }: TimedWeb, fromMs: number, toMs = Infinity) {
  return requests.filter(({ url, atMs }) => !/\.(?:txt|xml)$/.test(url) && atMs >= fromMs && atMs < toMs);
}

describe("a refresh that goes on", () => {
  it("spends its budget per day, evenly", async () => {
    const { web, store, settings, startMs } = await crawledSite(({ pathname }) => plain(pathname));
    const end = await refreshTimed(web, store, settings, { budget: 48, forMs: 4 * DAY });
    expect(end?.reason).toBe("interrupted");
    expect(end?.status).toMatchObject({ changed: 0, gone: 0, failed: 0, new: 0, left: 0, budget: 48, coverage: 1 });
    const days = [0, 1, 2, 3].map((day) => reads(web, startMs + day * DAY, startMs + (day + 1) * DAY));
    for (const { length } of days) {
      expect(length).toBeGreaterThanOrEqual(46);
      expect(length).toBeLessThanOrEqual(48);
    }
    const gaps = days[2].slice(1).map(({ atMs }, k) => atMs - days[2][k].atMs);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(61 * MINUTE);
    expect(end?.status.unchanged).toBe(reads(web, startMs).length);
  });

  it("does not spend a budget twice when it is started again and again", async () => {
    const { web, store, settings, startMs } = await crawledSite(({ pathname }) => plain(pathname));
    for (let start = 0; start < 40; start++) {
      await refreshTimed(web, store, settings, { budget: 24, forMs: 2 * HOUR - MINUTE, dies: start % 2 === 1 });
    }
    for (let fromMs = startMs; fromMs < startMs + 80 * HOUR - DAY; fromMs += HOUR) {
      expect(reads(web, fromMs, fromMs + DAY).length).toBeLessThanOrEqual(24);
    }
  });

  it("follows new links of changed pages, and takes new pages from the same budget", async () => {
    const since = { ms: Infinity };
    const { web, store, settings, startMs } = await crawledSite(({ pathname }, _, atMs) => {
      if (pathname === "/" && atMs > since.ms) return links(...PATHS, "/new");
      if (pathname === "/new" && atMs > since.ms) return `${links("/newer")}new`;
      return pathname === "/newer" ? "newer" : plain(pathname);
    });
    since.ms = startMs + 3 * HOUR;
    const end = await refreshTimed(web, store, settings, { budget: 240, forMs: DAY });
    expect(end?.status).toMatchObject({ changed: 1, new: 2, gone: 0 });
    const fates = fatesIn(store);
    expect(fates.get(`${SEED}new`)?.outcome).toBe("downloaded");
    expect(fates.get(`${SEED}newer`)?.outcome).toBe("downloaded");
    expect(fates.get(SEED)?.links).toHaveLength(21);
    expect(end?.status.coverage).toBe(certifyLog(store).certificate.coverage);
  });

  it("weighs pages anew within a round, without reading the index of all URLs again", async () => {
    const { web, store, settings } = await crawledSite(({ pathname }, _, atMs) =>
      pathname === "/" ? links(...PATHS, `/${Math.floor(atMs / HOUR)}`) : plain(pathname),
    );
    const counts = { rounds: 0, logReads: 0 };
    const robots = store.robots.bind(store);
    const visits = store.visits.bind(store);
    // Each round reads the rules of robots.txt once.
    store.robots = () => (counts.rounds++, robots());
    store.visits = (first) => (counts.logReads++, visits(first));
    const end = await refreshTimed(web, store, settings, { budget: 480, forMs: DAY });
    expect(end?.status.changed).toBeGreaterThan(12);
    expect(end?.status.coverage).toBe(certifyLog(store).certificate.coverage);
    // Sitemaps are due every six hours, which ends a round.
    expect(counts.rounds).toBeLessThanOrEqual(5);
    expect(counts.logReads - counts.rounds).toBeGreaterThan(12);
  });

  it("deletes earlier visits and condenses reads once a day, but for those that are kept", async () => {
    const { web, store, settings } = await crawledSite(({ pathname }, _, atMs) =>
      plain(pathname) === undefined ? undefined : `${plain(pathname)} ${Math.floor(atMs / HOUR)}`,
    );
    const options = { budget: 240, keptVisits: () => ({ newest: 2 }) };
    await refreshTimed(web, store, settings, { ...options, forMs: 3 * DAY });
    const end = await refreshTimed(web, store, settings, { ...options, forMs: MINUTE });
    expect(end?.status.reads).toBeLessThan(2);
    expect(store.generation).toBeGreaterThan(400);
    // Of the first day, reads and deleted visits are condensed to a few rows per page.
    expect(store.rereadCount).toBeGreaterThan(400);
    for (const rows of [[...store.rereads()], [...store.replacedVisits()]]) {
      const first = rows.filter(({ atMs }) => atMs < rows[0].atMs + 0.9 * DAY);
      expect(first.length).toBeLessThan(80);
      expect(rows.length).toBeGreaterThan(240);
    }
    // What is left to delete has been replaced since the last time.
    expect([...store.deletableVisits({ newest: 2 })].flat().length).toBeLessThan(3);
    expect([...store.deletableVisits({ newest: 1 })].flat().length).toBeGreaterThanOrEqual(21);
    expect(() => store.asOf(21)).toThrow("is no longer whole");
    expect(certifyLog(store).certificate.coverage).toBe(1);
  });

  it("can be stopped while it deletes earlier visits", async () => {
    const { web, store, settings } = await crawledSite(({ pathname }, _, atMs) =>
      plain(pathname) === undefined ? undefined : `${plain(pathname)} ${Math.floor(atMs / HOUR)}`,
    );
    await refreshTimed(web, store, settings, { budget: 240, forMs: 3 * DAY });
    const { timers } = web;
    const stop = new AbortController();
    const deleteVisits = store.deleteVisits.bind(store);
    store.deleteVisits = (numbers) => {
      deleteVisits(numbers);
      // As a signal of the operating system does: when the thread has a moment.
      timers.after(0, () => stop.abort());
    };
    const options = { budget: 240, keptVisits: () => ({ newest: 1 }), signal: stop.signal };
    const end = await inTime(timers, refreshForever({ store, settings, fetcher: web, timers, ...options }));
    expect(end.reason).toBe("interrupted");
    expect([...store.deletableVisits({ newest: 1 })].flat().length).toBeGreaterThan(0);
  });

  it("can be stopped while it condenses reads", async () => {
    const { web, store, settings } = await crawledSite(({ pathname }) => plain(pathname));
    await refreshTimed(web, store, settings, { budget: 240, forMs: 4 * DAY });
    const { timers } = web;
    const stop = new AbortController();
    const condenseReads = store.condenseReads.bind(store);
    const condensed: number[] = [];
    store.condenseReads = function* (untilMs) {
      for (const rows of condenseReads(untilMs)) {
        condensed.push(rows);
        timers.after(0, () => stop.abort());
        yield rows;
      }
    };
    const options = { budget: 240, keptVisits: () => ({ newest: 1 }), signal: stop.signal };
    const end = await inTime(timers, refreshForever({ store, settings, fetcher: web, timers, ...options }));
    expect(end.reason).toBe("interrupted");
    // The first of two steps, which is committed.
    expect(condensed).toEqual([expect.toSatisfy((rows: number) => rows > 100)]);
    store.crash();
    expect([...store.rereads()]).toHaveLength(store.rereadCount - condensed[0]);
  });

  it("tries a new page that fails no earlier because it was started again", async () => {
    const { web, store, settings, startMs } = await crawledSite(({ pathname }, _, atMs) => {
      if (pathname === "/" && atMs > HOUR) return links(...PATHS, "/new");
      return pathname === "/new" ? { status: 500 } : plain(pathname);
    });
    await refreshTimed(web, store, settings, { budget: 2400, forMs: 2 * HOUR });
    for (let start = 0; start < 24; start++) {
      await refreshTimed(web, store, settings, { budget: 2400, forMs: 10 * MINUTE, dies: start % 2 === 1 });
    }
    const times = web.times(`${SEED}new`);
    expect(times.length).toBeGreaterThan(1);
    expect(times.length).toBeLessThanOrEqual(5);
    const waits = times.slice(1).map((atMs, k) => atMs - times[k]);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(HOUR);
    expect(reads(web, startMs).length).toBeGreaterThan(100);
  });

  it("keeps quiet hours, across midnight and the change to winter time", async () => {
    // Quiet from 22:30 to 05:15 in Berlin: 20:30 to 03:15 UTC until the clock goes back on 29 October 2023.
    const quiet = { quietHours: "22:30-05:15", timeZone: "Europe/Berlin" };
    const { web, store, settings, startMs } = await crawledSite(({ pathname }) => plain(pathname));
    // Simulated time begins on 14 November; a year later the clock goes back on 27 October 2024.
    web.timers.after(Date.UTC(2024, 9, 25) - EPOCH_MS - startMs, () => {});
    while (web.timers.step());
    const fromMs = web.timers.nowMs();
    await refreshTimed(web, store, settings, { budget: 96, forMs: 4 * DAY, ...quiet });
    const times = reads(web, fromMs).map(({ atMs }) => new Date(EPOCH_MS + atMs));
    expect(times.length).toBeGreaterThan(4 * 80);
    const format = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: quiet.timeZone });
    const early = times.map((time) => format.format(time)).filter((time) => time >= "22:30" || time < "05:15");
    expect(early).toEqual([]);
  });

  it("keeps a rate per second", async () => {
    const { web, store, settings, startMs } = await crawledSite(({ pathname }) => plain(pathname));
    await refreshTimed(web, store, settings, { budget: 1_000_000, readsPerSecond: 0.5, forMs: 10 * MINUTE });
    const times = reads(web, startMs).map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThan(200);
    expect(Math.min(...times.slice(1).map((atMs, k) => atMs - times[k]))).toBeGreaterThanOrEqual(2000);
  });

  it("forgets no page of a site that answers 404 to everything for an hour", async () => {
    const outage = { fromMs: Infinity };
    const { web, store, settings, startMs } = await crawledSite(({ pathname }, _, atMs) =>
      atMs >= outage.fromMs && atMs < outage.fromMs + HOUR ? undefined : plain(pathname),
    );
    outage.fromMs = startMs + 30 * HOUR;
    const statuses: RefreshStatus[] = [];
    const end = await refreshTimed(web, store, settings, {
      budget: 120,
      forMs: 4 * DAY,
      onStatus: (status) => void statuses.push(status),
    });
    expect(end?.status.doubted).toBeGreaterThan(2);
    expect(end?.status).toMatchObject({ gone: 0, moved: 0 });
    expect([...fatesIn(store).values()].every(({ outcome }) => outcome === "downloaded")).toBe(true);
    expect(Math.min(...statuses.map(({ coverage }) => coverage))).toBe(1);
  });

  it("forgets a page that is gone, once a read some hours later says the same", async () => {
    const since = { ms: Infinity };
    const { web, store, settings, startMs } = await crawledSite(({ pathname }, _, atMs) =>
      pathname === "/7" && atMs > since.ms ? undefined : plain(pathname),
    );
    since.ms = startMs + HOUR;
    const end = await refreshTimed(web, store, settings, { budget: 120, forMs: 4 * DAY });
    expect(fatesIn(store).get(`${SEED}7`)?.outcome).toBe("dead");
    expect(end?.status).toMatchObject({ gone: 1, doubted: 1 });
    // The front page and nineteen others.
    expect(end?.status.pages).toBe(20);
    const times = web.times(`${SEED}7`).filter((atMs) => atMs > since.ms);
    expect(times).toHaveLength(2);
    expect(times[1] - times[0]).toBeGreaterThanOrEqual(6 * HOUR);
  });

  it("waits as long as a host asks (at most an hour), and reads others meanwhile", async () => {
    const since = { ms: Infinity };
    const web = new TimedWeb({
      serve: ({ hostname, pathname }, _, atMs) => {
        if (hostname === "b.example") {
          const busy = { status: 503, headers: { "retry-after": "1800" } };
          return atMs > since.ms && pathname === "/" ? busy : pathname === "/" ? "b" : undefined;
        }
        return pathname === "/" ? links(...PATHS, "http://b.example/") : plain(pathname);
      },
    });
    const { store, settings } = await crawlTimed(web, [SEED, "http://b.example/"], { limits: {} });
    since.ms = web.timers.nowMs();
    const end = await refreshTimed(web, store, settings, { budget: 300, forMs: DAY });
    const times = web.times("http://b.example/").filter((atMs) => atMs > since.ms);
    expect(times.length).toBeGreaterThan(1);
    expect(Math.min(...times.slice(1).map((atMs, k) => atMs - times[k]))).toBeGreaterThanOrEqual(HOUR / 2);
    expect(end?.status.left).toBe(times.length);
    expect(end?.status.unchanged).toBeGreaterThan(200);
    expect(fatesIn(store).get("http://b.example/")?.outcome).toBe("downloaded");
  });

  it("keeps to the crawl-delay of a host also when it reads its sitemaps and goes on", async () => {
    const delayMs = 30_000;
    const web = new TimedWeb({
      serve: ({ pathname }) => {
        if (pathname === "/robots.txt") return `User-agent: *\nCrawl-delay: 30\nSitemap: ${SEED}sitemap.xml`;
        if (pathname === "/sitemap.xml") return `<urlset><url><loc>${SEED}0</loc></url></urlset>`;
        return plain(pathname);
      },
    });
    const politeness = { delayMs: 100, concurrency: 8, perHost: 1, perAddress: 100, crawlDelayMsMax: 60_000 };
    const { store, settings } = await crawlTimed(web, [SEED], { politeness });
    const startMs = web.timers.nowMs();
    await refreshTimed(web, store, settings, { budget: DAY / delayMs, forMs: 13 * HOUR });
    const requests = web.requests.filter(({ atMs }) => atMs >= startMs);
    const rests = requests.slice(1).map(({ atMs }, k) => atMs - requests[k].atMs);
    expect(rests.filter((ms) => ms < delayMs)).toEqual([]);
    expect(requests.filter(({ url }) => url === `${SEED}sitemap.xml`).length).toBeGreaterThan(1);
  });

  it("leaves a server alone while its connection rests, also when it reads sitemaps and goes on with other hosts", async () => {
    const delayMs = 30_000;
    const web = new TimedWeb({
      serve: ({ hostname, pathname }) => {
        const isSlow = hostname === "a.example";
        if (pathname === "/robots.txt") return isSlow ? "User-agent: *\nCrawl-delay: 30" : "";
        if (pathname === "/sitemap.xml") return `<urlset><url><loc>http://${hostname}/0</loc></url></urlset>`;
        return plain(pathname);
      },
      addressOf: () => "192.0.2.1",
    });
    const politeness = { delayMs: 100, concurrency: 8, perHost: 1, perAddress: 1, crawlDelayMsMax: 60_000 };
    const { store, settings } = await crawlTimed(web, [SEED, "http://b.example/"], { politeness });
    const startMs = web.timers.nowMs();
    await refreshTimed(web, store, settings, { budget: (2 * DAY) / delayMs, forMs: 13 * HOUR });
    // By the first answers it learns that both hosts live there.
    const requests = web.requests.filter(({ atMs }) => atMs >= startMs + HOUR);
    const rests = requests.slice(1).map(({ atMs }, k) => [requests[k].url, atMs - requests[k].atMs] as const);
    expect(rests.filter(([url, ms]) => ms < (url.startsWith(SEED) ? delayMs : 100))).toEqual([]);
    expect(requests.filter(({ url }) => url === "http://b.example/sitemap.xml").length).toBeGreaterThan(1);
  });

  it("learns which pages change, and reads them more often", async () => {
    const { web, store, settings, startMs } = await crawledSite(({ pathname }, _, atMs) =>
      pathname === "/3" ? `news of day ${Math.floor(atMs / DAY)}` : plain(pathname),
    );
    const end = await refreshTimed(web, store, settings, { budget: 20, forMs: 60 * DAY });
    const late = reads(web, startMs + 30 * DAY);
    const often = late.filter(({ url }) => url === `${SEED}3`).length;
    const others = late.filter(({ url }) => url === `${SEED}4`).length;
    expect(often).toBeGreaterThan(2 * others);
    expect(end?.status.changed).toBeGreaterThan(30);
    expect(fatesIn(store).get(`${SEED}3`)?.atMs).toBeGreaterThan(EPOCH_MS + startMs + 55 * DAY);
  });

  it("knows as much of how often pages change after a restart as before, also by their dates", async () => {
    const html = { "content-type": "text/html" };
    /** A page says when it was last modified: at the last of such times. */
    const dated = (path: string, atMs: number, everyMs: number) => {
      const changedMs = Math.floor(atMs / everyMs) * everyMs;
      const headers = { ...html, "last-modified": new Date(EPOCH_MS + changedMs).toUTCString() };
      return { body: `${path} of ${changedMs}`, headers };
    };
    const LIAR = "http://b.example/";
    const web = new TimedWeb({
      serve: ({ href, pathname }, _, atMs) => {
        // These are generated every hour, and are the same for days.
        const body = `${links("/x", "/y", "/z")} ${pathname} ${Math.floor(atMs / (3 * DAY))}`;
        if (href.startsWith(LIAR)) return { ...dated(href, atMs, HOUR), body };
        if (pathname === "/") return links(...PATHS.slice(0, 15), LIAR);
        return pathname === "/3" || pathname === "/4" ? dated(pathname, atMs, 3 * HOUR) : plain(pathname);
      },
    });
    const { store, settings } = await crawlTimed(web, [SEED, LIAR], { limits: {} });
    // What is known of all pages together is learnt at the start, and once a week.
    const before = await refreshTimed(web, store, settings, { budget: 24, forMs: 7 * DAY + 2 * HOUR });
    const after = await refreshTimed(web, store, settings, { budget: 24, forMs: 2 * HOUR });
    const upcoming = (end: typeof before) => new Map(end!.status.upcoming.map((page) => [page.url, page]));
    const [live, restarted] = [upcoming(before), upcoming(after)];
    // Of pages that were read in between, more is known; one that is just being read does not come next.
    const both = [...live.keys()].filter((url) => restarted.get(url)?.lastReadMs === live.get(url)!.lastReadMs);
    expect(both.length).toBeGreaterThanOrEqual(6);
    const rateOf = (url: string): number => live.get(url)!.changesPerDay;
    // What is known of all pages together was learnt two hours earlier.
    for (const url of both) expect(restarted.get(url)!.changesPerDay / rateOf(url), url).toBeCloseTo(1, 1);
    // It was found changed on every day, which says once a day or more; its dates say several times.
    const lively = both.filter((url) => url === `${SEED}3` || url === `${SEED}4`);
    expect(lively.length).toBeGreaterThan(0);
    for (const url of lively) expect(rateOf(url)).toBeGreaterThan(4);
    const lying = both.filter((url) => url.startsWith(LIAR));
    expect(lying.length).toBeGreaterThan(0);
    for (const url of lying) expect(rateOf(url)).toBeLessThan(1);
    const [dates, nowMs] = [new ModifiedTrust(), web.timers.wallMs()];
    const queue = new RefreshQueue({ startMs: nowMs, readsPerDay: 24, dates });
    const [book, retries, budget] = [new PageBook(), new Retries(), new DayBudget(24, nowMs)];
    runSteps(readHistory({ store, queue, book, retries, budget, dates, failed: new FailedVisits() }, nowMs));
    expect([0, 1].map((host) => dates.isTrusted(host))).toEqual([true, false]);
  });

  it("goes on as before when the clock is set back, and hurries neither then nor after a restart", async () => {
    const { web, store, settings, startMs } = await crawledSite(({ pathname }) => plain(pathname));
    const behindMs = (): number => (web.timers.nowMs() > startMs + 30.5 * HOUR ? 10 * HOUR : 0);
    await refreshTimed(web, store, settings, { budget: 48, forMs: 60 * HOUR, behindMs });
    await refreshTimed(web, store, settings, { budget: 48, forMs: 36 * HOUR, behindMs });
    for (let fromMs = startMs; fromMs < startMs + 3 * DAY; fromMs += HOUR) {
      expect(reads(web, fromMs, fromMs + DAY).length).toBeLessThanOrEqual(48);
    }
    expect(reads(web, startMs + 24 * HOUR, startMs + 48 * HOUR).length).toBeGreaterThanOrEqual(46);
    expect(reads(web, startMs + 72 * HOUR).length).toBeGreaterThan(20);
  });

  it("loses and doubles nothing, at whatever write the disk fills up or fails", async () => {
    const changed = (path: string, nth: number): string | undefined => {
      if (path === "/") return nth === 1 ? links("/a", "/b") : links("/a", "/b", "/c");
      if (path === "/a") return nth === 1 ? "a" : `${links("/d")}another`;
      return path === "/b" ? (nth === 1 ? "b" : undefined) : path === "/c" || path === "/d" ? path : undefined;
    };
    const fresh = await crawlTimed(new TimedWeb({ serve: ({ pathname }) => changed(pathname, 2) }), [SEED], {});
    const wanted = new Map([...fresh.fates].map(([url, { digest, links: found }]) => [url, [digest, found?.length]]));
    let isDone = false;
    for (let write = 1; !isDone; write++) {
      const { web, store, settings } = await crawledSite(({ pathname }, nth) => changed(pathname, nth));
      store.failAt(store.writes + write, write % 2 === 0 ? "disk-full" : "failed");
      const end = await refreshTimed(web, store, settings, { budget: 36, forMs: 12 * HOUR });
      isDone = end?.reason === "interrupted";
      if (!isDone) expect(end?.reason).toBe(write % 2 === 0 ? "disk-full" : "failed");
      store.crash();
      const last = await refreshTimed(web, store, settings, { budget: 60, forMs: DAY });
      expect(last?.reason).toBe("interrupted");
      const fates = fatesIn(store);
      expect(fates.get(`${SEED}b`)?.outcome).toBe("dead");
      for (const [url, what] of wanted) {
        expect([fates.get(url)?.digest, fates.get(url)?.links?.length], `${url}, write ${write}`).toEqual(what);
      }
      expect(last?.status.coverage).toBe(certifyLog(store).certificate.coverage);
      expect(last?.status.coverage).toBeLessThanOrEqual(1);
    }
  });

  it("is refused without a budget, and with quiet hours that are no hours", async () => {
    const { web, settings } = await crawledSite(({ pathname }) => plain(pathname));
    const start = (options: object) =>
      refreshTimed(web, new MemoryStore(JSON.stringify(settings)), settings, { budget: 1, forMs: 1, ...options });
    await expect(start({ budget: 0 })).rejects.toThrow("the budget is 0 reads per day, expected a number above 0");
    await expect(start({ quietHours: "25:00-01:00" })).rejects.toThrow("25:00");
    await expect(start({ timeZone: "Atlantis" })).rejects.toThrow("Atlantis");
    await expect(start({ readsPerSecond: 0 })).rejects.toThrow("the rate is 0");
  });
});
