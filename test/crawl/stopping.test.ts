/** How a crawl ends when it is stopped, when what it reports to breaks, and when a reader never answers. */
import { describe, expect, it } from "vitest";
import {
  CrawlModel,
  crawlOf,
  type CrawlStatus,
  Engine,
  Fingerprinter,
  InlineReader,
  launchCrawl,
  plantSeeds,
} from "../../src/crawl/index.ts";
import type { Fetcher } from "../../src/fetch/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { crawlInline, InlineWeb, inlineSettings, replyOf } from "../support/inline-web.ts";

const SITE = "http://site.example/";
const endless = (): InlineWeb =>
  new InlineWeb(({ pathname }) =>
    pathname === "/robots.txt" ? undefined : `<a href="${pathname}x">next</a>${pathname}`,
  );

async function launch(fetcher: Fetcher, onStatus?: (status: CrawlStatus) => void) {
  const settings = inlineSettings([SITE], { limits: { pages: 50 } });
  const store = new MemoryStore(JSON.stringify(settings));
  const crawl = await launchCrawl({
    settings,
    store,
    fetcher,
    readers: 0,
    ...(onStatus === undefined ? {} : { onStatus }),
  });
  return { crawl, store };
}

describe("a crawl", () => {
  it("that is stopped before it runs fetches nothing", async () => {
    const web = endless();
    const { crawl } = await launch(web);
    crawl.stop("interrupted");
    expect((await crawl.run()).reason).toBe("interrupted");
    expect(web.requested).toEqual([]);
  });

  it("that is stopped twice ends once, for the first reason", async () => {
    const { crawl } = await launch(endless());
    const ended = crawl.run();
    crawl.stop("interrupted");
    crawl.stop("failed");
    expect((await ended).reason).toBe("interrupted");
    crawl.stop("failed");
  });

  it("whose listener throws at the last report is rejected with that error, and does not hang", async () => {
    const { crawl, store } = await launch(endless(), () => {
      throw new Error("the pipe is closed");
    });
    await expect(crawl.run()).rejects.toThrow("the pipe is closed");
    // What was committed before it was reported stays.
    expect([...store.visits()]).toHaveLength(50);
  });

  it("gets what a fetcher answers at once", async () => {
    const atOnce: Fetcher = {
      fetch: ({ url }, done) =>
        done(replyOf(url.endsWith("robots.txt") ? { status: 404 } : `<a href="/${url.length}">${url}</a>`)),
      close: async () => {},
    };
    const { end, fates } = await crawlInline(atOnce, [SITE], { limits: { pages: 3 } });
    expect(end.reason).toBe("page-limit");
    expect([...fates.keys()]).toEqual([SITE, `${SITE}20`, `${SITE}22`]);
  });

  it("does not wait for a reader that never answers once it is to stop", async () => {
    const settings = inlineSettings([SITE], {});
    const store = new MemoryStore(JSON.stringify(settings));
    const parts = { store, settings, fingerprinter: await Fingerprinter.create(0) };
    plantSeeds(parts);
    const inline = await InlineReader.create(settings);
    let isBegun = (): void => {};
    const reading = new Promise<void>((resolve) => {
      isBegun = resolve;
    });
    const alarms: { delayMs: number; callback: () => void }[] = [];
    const model = new CrawlModel(parts);
    const engine = new Engine({ ...parts, model });
    for (const _ of engine.prepare(parts.store));
    const crawl = crawlOf(engine, {
      ...parts,
      model,
      readers: 0,
      fetcher: endless(),
      reader: { readPage: () => isBegun(), readSitemap: () => {}, close: () => inline.close() },
      timers: {
        nowMs: () => 0,
        wallMs: () => 0,
        after: (delayMs, callback) => {
          alarms.push({ delayMs, callback });
          return () => {};
        },
      },
    });
    const ended = crawl.run();
    await reading;
    crawl.stop("interrupted");
    for (const { callback } of alarms.filter(({ delayMs }) => delayMs < 1000)) callback();
    const end = await ended;
    expect(end.reason).toBe("interrupted");
    // The page that was being read waits for the next run.
    expect(end.status).toMatchObject({ pages: 0, frontier: 1 });
  });
});
