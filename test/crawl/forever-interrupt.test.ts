/** Ctrl-C while a refresh that goes on computes: with millions of pages it does so for minutes. */
import { describe, expect, it } from "vitest";
import { type CrawlSettings, type RefreshEnd, refreshForever } from "../../src/crawl/index.ts";
import { fatesIn } from "../support/inline-web.ts";
import { crawlTimed, inTime, TimedWeb } from "../support/timed-web.ts";

const SEED = "http://a.example/";
/** Enough for some steps of reading the log: each 128 visits are one. */
const PATHS = Array.from({ length: 1500 }, (_, k) => `/${k}`);
const COUNTED = 1501;

/** A front page that has one more link after a while. */
async function crawledSite() {
  const since = { ms: Infinity };
  const web = new TimedWeb({
    serve: ({ pathname }, _, atMs) => {
      if (pathname !== "/") return `page ${pathname}`;
      return [...PATHS, ...(atMs > since.ms ? ["/new"] : [])].map((path) => `<a href="${path}">x</a>`).join("");
    },
  });
  const { store, settings } = await crawlTimed(web, [SEED], { limits: {} });
  since.ms = web.timers.nowMs();
  return { web, store, settings };
}

type Site = Awaited<ReturnType<typeof crawledSite>>;

/**
 * Computing takes time, and is stopped at some visit of some reading of the log. `nowMs` counts the looks at the clock,
 * each after `tickMs` more.
 */
function refreshStoppedAt(site: Site, at: { reading: number; visit: number; tickMs: number }) {
  const { web, store, settings } = site;
  const stop = new AbortController();
  const counts = { readings: 0, visits: 0, skewMs: 0 };
  const visits = store.visits.bind(store);
  store.visits = function* (first) {
    const reading = ++counts.readings;
    for (const visit of visits(first)) {
      if (reading === at.reading) counts.visits++;
      if (reading === at.reading && counts.visits === at.visit) stop.abort(new Error("enough"));
      yield visit;
    }
  };
  const isSlow = () => counts.readings >= at.reading;
  const timers = {
    nowMs: () => web.timers.nowMs() + (isSlow() ? (counts.skewMs += at.tickMs) : 0),
    wallMs: () => web.timers.wallMs() + counts.skewMs,
    after: (delayMs: number, callback: () => void) => web.timers.after(delayMs, callback),
  };
  const options = { store, settings: settings satisfies CrawlSettings, fetcher: web, timers, signal: stop.signal };
  return { counts, ended: inTime(web.timers, refreshForever({ ...options, commitMs: 60_000, budget: 100_000 })) };
}

describe("whoever stops a refresh that goes on", () => {
  it("does not wait until the log was read at the start", async () => {
    const site = await crawledSite();
    const { counts, ended } = refreshStoppedAt(site, { reading: 1, visit: 200, tickMs: 0 });
    await expect(ended).rejects.toThrow("enough");
    expect(counts.visits).toBeLessThan(200 + 129);
    expect(site.store.rereadCount).toBe(0);
  });

  it("does not wait until a round of reads has read the index of all URLs", async () => {
    const site = await crawledSite();
    const { requests } = site.web;
    const before = requests.length;
    const { counts, ended } = refreshStoppedAt(site, { reading: 2, visit: 200, tickMs: 0 });
    expect(await ended).toMatchObject({ reason: "interrupted", status: { reads: 0, coverage: 1 } });
    expect(counts.visits).toBeLessThan(200 + 129);
    expect(requests).toHaveLength(before);
  });

  it("does not wait until all pages are weighed, and what was read is there", async () => {
    const site = await crawledSite();
    const { counts, ended } = refreshStoppedAt(site, { reading: 3, visit: 200, tickMs: 200 });
    const end: RefreshEnd = await ended;
    expect(end.reason).toBe("interrupted");
    // One more step per look at the clock, for a second.
    expect(counts.visits).toBeGreaterThan(200);
    expect(counts.visits).toBeLessThan(200 + 8 * 128);
    const { changed, coverage } = end.status;
    expect(changed).toBe(1);
    // As far as was known when pages were weighed.
    expect(coverage).toBe(1);
    expect(fatesIn(site.store).get(SEED)?.links).toHaveLength(PATHS.length + 1);
  });

  it("learns of the coverage of now where that takes less than a second", async () => {
    const site = await crawledSite();
    const { counts, ended } = refreshStoppedAt(site, { reading: 3, visit: 200, tickMs: 1 });
    const { status } = await ended;
    expect(counts.visits).toBe(COUNTED);
    expect(status.coverage).toBeLessThan(1);
  });
});
