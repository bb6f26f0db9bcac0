/** Hosts that asked to wait are left alone, also by whoever comes next. */
import { describe, expect, it } from "vitest";
import { defaultPoliteness, HostPauses, pausesIn, refreshFacts, refreshPages } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { refreshTimed } from "../support/forever.ts";
import type { Served } from "../support/inline-web.ts";
import { crawlTimed, inTime, TimedWeb } from "../support/timed-web.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BUSY = "http://busy.example/";
const QUICK = "http://quick.example/";
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">x</a>`).join("");

/** Requests of a host after a time. */
function after({ requests }: TimedWeb, host: string, fromMs: number): number[] {
  return requests.filter(({ url, atMs }) => url.startsWith(host) && atMs > fromMs).map(({ atMs }) => atMs);
}

/** Two hosts with pages; one asks to wait for half an hour when its second page is requested. */
function busyWeb() {
  const state = { busyMs: Infinity };
  const serve = ({ href, pathname }: URL, _nth: number, atMs: number): Served | undefined => {
    if (pathname === "/") return links("/1", "/2", "/3");
    if (!/^\/\d$/.test(pathname)) return undefined;
    if (!href.startsWith(BUSY) || state.busyMs < Infinity) return `page ${pathname}`;
    state.busyMs = atMs;
    return { status: 503, headers: { "retry-after": "1800" } };
  };
  return { web: new TimedWeb({ serve }), state };
}

/** Stopped as soon as a host is paused. */
async function crawledUntilBusy({ web, state }: ReturnType<typeof busyWeb>) {
  let stop = (): void => {};
  const crawled = await crawlTimed(web, [BUSY, QUICK], { limits: {} }, undefined, {
    onLaunch: (crawl) => (stop = () => crawl.stop("interrupted")),
    onEvent: ({ name }) => void (name === "host-paused" && stop()),
  });
  expect(state.busyMs).toBeLessThan(Infinity);
  return crawled;
}

describe("hosts that asked to wait", () => {
  it("are kept with the longest of their pauses until these are over", () => {
    const store = new MemoryStore("{}");
    const pauses = new HostPauses(store);
    pauses.add("a", 1000);
    pauses.add("a", 500);
    pauses.add("b", 2000);
    expect(pausesIn(store)).toEqual(new Map());
    pauses.save(0);
    expect([...new HostPauses(store).left(999)]).toEqual([
      ["a", 1],
      ["b", 1001],
    ]);
    pauses.add("c", 3000);
    pauses.save(1000);
    expect(pausesIn(store)).toEqual(
      new Map([
        ["b", 2000],
        ["c", 3000],
      ]),
    );
    // A clock that was set back by years holds nobody up for years.
    expect([...pauses.left(-1e12)].map(([, forMs]) => forMs)).toEqual([HOUR, HOUR]);
    pauses.add("d", 5000);
    pauses.save(5000);
    expect(store.meta("pauses")).toBe(undefined);
  });

  it("are kept with the longest wait of several answers that came together", async () => {
    const waits: Readonly<Record<string, string>> = { "/1": "60", "/2": "1800", "/3": "120" };
    const web = new TimedWeb({
      serve: ({ pathname }) => {
        if (pathname === "/") return links("/1", "/2", "/3");
        const wait = waits[pathname];
        return wait === undefined ? undefined : { status: 503, headers: { "retry-after": wait } };
      },
      // In the order of their numbers.
      latencyMs: ({ pathname }) => 10 * Number(/\d/.exec(pathname)?.[0] ?? 1),
    });
    let stop = (): void => {};
    const { store } = await crawlTimed(
      web,
      [BUSY],
      { politeness: { ...defaultPoliteness, delayMs: 0, perHost: 3 }, limits: {} },
      undefined,
      {
        onLaunch: (crawl) => (stop = () => crawl.stop("interrupted")),
        onEvent: ({ name }) => void (name === "host-paused" && stop()),
      },
    );
    const untilMs = pausesIn(store).get("busy.example") ?? 0;
    expect(untilMs - web.timers.wallMs()).toBeGreaterThan(29 * MINUTE);
  });

  it("are left alone by the next run of a crawl", async () => {
    const site = busyWeb();
    const { store } = await crawledUntilBusy(site);
    await crawlTimed(site.web, [BUSY, QUICK], { limits: {} }, store);
    const { busyMs } = site.state;
    expect(Math.min(...after(site.web, BUSY, busyMs))).toBeGreaterThanOrEqual(busyMs + 30 * MINUTE);
    expect(after(site.web, BUSY, busyMs)).toHaveLength(3);
  });

  it("are left alone by a refresh that follows, which reads others meanwhile", async () => {
    const site = busyWeb();
    const { store, settings } = await crawledUntilBusy(site);
    const { busyMs } = site.state;
    await refreshTimed(site.web, store, settings, { budget: 2400, forMs: HOUR });
    expect(Math.min(...after(site.web, BUSY, busyMs))).toBeGreaterThanOrEqual(busyMs + 30 * MINUTE);
    expect(Math.min(...after(site.web, QUICK, busyMs))).toBeLessThan(busyMs + 10 * MINUTE);
  });

  it("are left for another time by a refresh of one round", async () => {
    const site = busyWeb();
    const { web, state } = site;
    const { store, settings } = await crawledUntilBusy(site);
    const { pages } = refreshFacts(store);
    const isBusy = (url: string): boolean => url.startsWith(BUSY);
    const round = refreshPages({ store, settings, fetcher: web, timers: web.timers, pages });
    const { left, leftWhy, busyHosts } = await inTime(web.timers, round);
    expect(web.requests.filter(({ url, atMs }) => isBusy(url) && atMs > state.busyMs)).toEqual([]);
    expect(after(web, QUICK, state.busyMs)).not.toEqual([]);
    expect(left).toBeGreaterThan(0);
    expect([leftWhy, busyHosts]).toEqual([{ "host-paused": left }, ["busy.example"]]);
  });

  it("are left alone by the pages that follow the sitemap for which they asked it", async () => {
    const busyMs: number[] = [];
    const web = new TimedWeb({
      serve: ({ href, pathname }, nth, atMs) => {
        if (pathname === "/" || /^\/\d$/.test(pathname)) return links("/1", "/2", "/3");
        if (href !== `${BUSY}sitemap.xml`) return undefined;
        const body = `<urlset><url><loc>${BUSY}1</loc></url></urlset>`;
        if (nth === 1) return { body, headers: { "content-type": "text/xml" } };
        busyMs.push(atMs);
        return { status: 503, headers: { "retry-after": "1800" } };
      },
    });
    const { store, settings } = await crawlTimed(web, [BUSY, QUICK], { limits: {} });
    await refreshTimed(web, store, settings, { budget: 24 * 600, forMs: 10 * HOUR });
    expect(busyMs).not.toEqual([]);
    for (const fromMs of busyMs) {
      expect(after(web, BUSY, fromMs).filter((atMs) => atMs < fromMs + 30 * MINUTE)).toEqual([]);
    }
    expect(after(web, BUSY, busyMs.at(-1) ?? Infinity)).not.toEqual([]);
  });

  it("rest for their delay before a refresh that follows at once", async () => {
    // A refresh reads sitemaps first, unless that was done lately.
    const sitemap = `<urlset><url><loc>${QUICK}1</loc></url></urlset>`;
    const web = new TimedWeb({
      serve: ({ pathname }) => {
        if (pathname === "/sitemap.xml") return { body: sitemap, headers: { "content-type": "text/xml" } };
        if (pathname === "/robots.txt") return undefined;
        return pathname === "/" ? links("/1", "/2", "/3") : `page ${pathname}`;
      },
    });
    const delayMs = 5 * MINUTE;
    const pace = { politeness: { ...defaultPoliteness, delayMs } };
    const { store, settings } = await crawlTimed(web, [QUICK], { ...pace, limits: { pages: 2 } });
    const endMs = web.timers.nowMs();
    await refreshTimed(web, store, settings, { budget: 24 * 600, forMs: HOUR });
    expect(Math.min(...after(web, QUICK, endMs - 1))).toBeGreaterThanOrEqual(endMs + delayMs);
  });

  it("are left alone by a refresh that is killed and started again", async () => {
    const site = busyWeb();
    site.state.busyMs = 0;
    const { store, settings } = await crawlTimed(site.web, [BUSY, QUICK], { limits: {} });
    site.state.busyMs = Infinity;
    const refresh = (forMs: number) => refreshTimed(site.web, store, settings, { budget: 2400, forMs, dies: true });
    while (site.state.busyMs === Infinity) await refresh(5 * MINUTE);
    const { busyMs } = site.state;
    for (let k = 0; k < 10; k++) await refresh(5 * MINUTE);
    expect(Math.min(...after(site.web, BUSY, busyMs))).toBeGreaterThanOrEqual(busyMs + 30 * MINUTE);
    expect(Math.min(...after(site.web, QUICK, busyMs))).toBeLessThan(busyMs + 10 * MINUTE);
  });
});
