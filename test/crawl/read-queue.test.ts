import { expect, it } from "vitest";
import { CrawlModel, crawlOf, Engine, Fingerprinter, InlineReader, plantSeeds } from "../../src/crawl/index.ts";
import { AuxiliaryRequests } from "../../src/crawl/politeness/auxiliary-requests.ts";
import { EffectQueue } from "../../src/crawl/machine.ts";
import { HostSchedule } from "../../src/crawl/politeness/host-schedule.ts";
import { NameLookups } from "../../src/crawl/politeness/name-lookups.ts";
import type { PageReader } from "../../src/crawl/reader/contract.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { inlineSettings } from "../support/inline-web.ts";
import { inTime, TimedWeb } from "../support/timed-web.ts";

const HOUR_MS = 3_600_000;
/** What may be read at once, and what may be under way when there is as much. */
const READINGS_MAX = 256;
const CONCURRENCY = 8;
const politeness = { delayMs: 0, concurrency: CONCURRENCY, perHost: CONCURRENCY, perAddress: 9, crawlDelayMsMax: 0 };

it("no sitemap is started while too much is being read, and all of them are later", async () => {
  const seed = "http://a.example/";
  const sitemaps = Array.from({ length: 300 }, (_, k) => `${seed}${k}.xml`);
  const web = new TimedWeb({
    serve: ({ pathname }) => {
      if (pathname === "/robots.txt") return { body: sitemaps.map((url) => `Sitemap: ${url}\n`).join(""), headers: {} };
      return pathname === "/" ? "page" : { body: "<urlset></urlset>", headers: {} };
    },
  });
  const { timers } = web;
  const settings = inlineSettings([seed], { politeness });
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const store = new MemoryStore("{}");
  plantSeeds({ store, settings, fingerprinter });
  const model = new CrawlModel({ store, settings, fingerprinter });
  const engine = new Engine({ store, settings, model });
  for (const _ of engine.prepare(store));
  const inline = await InlineReader.create(settings);
  const slow: PageReader = {
    readPage: (job, done) => void timers.after(HOUR_MS, () => inline.readPage(job, done)),
    readSitemap: (job, done) => void timers.after(HOUR_MS, () => inline.readSitemap(job, done)),
    close: () => inline.close(),
  };
  const crawl = crawlOf(engine, { store, settings, model, timers, fetcher: web, reader: slow, readers: 0 });
  const { status } = await inTime(timers, crawl.run());
  const asked = web.requests.filter(({ url }) => url.endsWith(".xml"));
  expect(asked.filter(({ atMs }) => atMs < HOUR_MS).length).toBeLessThan(READINGS_MAX + CONCURRENCY);
  expect(asked).toHaveLength(sitemaps.length);
  expect(status.pages).toBe(1);
});

it("a robots.txt is requested meanwhile, past the sitemaps of its host", () => {
  const hosts = new HostSchedule(politeness);
  const requests = new AuxiliaryRequests(hosts, new NameLookups(hosts, new EffectQueue()));
  const now = { nowMs: 0, wallMs: 0 };
  hosts.lookedUp(hosts.named("a.example"), { nameMs: 1, reservedMs: 0 });
  const common = { origin: 0, hops: 0, attempt: 1 };
  const [sitemap, robots] = (["sitemap", "robots"] as const).map((purpose) => {
    const url = `http://a.example/${purpose}`;
    return { purpose, start: url, url, ...common };
  });
  requests.add(sitemap);
  requests.add(robots);
  expect(requests.next({ sitemaps: false, now })?.request).toBe(robots);
  expect(requests.next({ sitemaps: false, now })).toBeUndefined();
  expect(requests.next({ sitemaps: true, now })?.request).toBe(sitemap);
  expect(requests.count).toBe(0);
});
