/** What walks have shown, in surveys: read once, and further as the crawl goes on, it is what the whole log shows. */
import { expect, it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { certifyLog, launchCrawl, parseSettings } from "../../src/crawl/index.ts";
import type { Visit } from "../../src/log/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import type { RefreshedLog } from "../../src/survey/risen-tide.ts";
import { Surveyor } from "../../src/survey/surveyor.ts";
import { InlineWeb, inlineSettings } from "../support/inline-web.ts";
import { upTo } from "../support/log-up-to.ts";

const SITE = "http://site.example/";
const PAGES = 800;

/** Counts how often the visits are read from the beginning. */
class CountingStore extends MemoryStore {
  readings = 0;

  override visits(first = 1): Iterable<Visit> {
    if (first === 1) this.readings++;
    return super.visits(first);
  }
}

/** A crawl whose coverage was sampled in several rounds. */
async function sampledCrawl(): Promise<CountingStore> {
  const random = new Random(2);
  const rows = Array.from({ length: PAGES }, (_, page) => {
    const popular = Array.from({ length: 6 }, () => Math.floor(PAGES * random.float() ** 4));
    return [...new Set([0, ...popular, 2 * page + 1, 2 * page + 2])].filter((to) => to < PAGES && to !== page);
  });
  const web = new InlineWeb(({ pathname }) =>
    rows[Number(pathname.slice(1) || "0")]?.map((to) => `<a href="/${to || ""}">${to}</a>`).join(""),
  );
  const settings = inlineSettings([SITE], { limits: { coverage: 0.95 }, confidence: 0.999, seed: 7 });
  const store = new CountingStore(JSON.stringify(settings));
  await (await launchCrawl({ store, settings, fetcher: web, readers: 0 })).run();
  expect([...store.rounds()].length).toBeGreaterThan(2);
  return store;
}

function readAll(surveyor: Surveyor, log: RefreshedLog): void {
  for (const _ of surveyor.read(log));
}

it("follows the looks of a log in the one reading that gives it everything else", async () => {
  const store = await sampledCrawl();
  store.readings = 0;
  const { sampled } = certifyLog(store);
  expect(sampled).toMatchObject({ coverage: 0.95, confidence: 0.999 });
  expect(store.readings).toBe(1);
  const settings = parseSettings(store.settings());
  const surveyor = new Surveyor(settings);
  readAll(surveyor, store);
  expect(surveyor.survey().facts.status.sampled).toEqual(sampled);
  expect(store.readings).toBe(2);
  const fetcher = { fetch: () => {}, close: async () => {} };
  const resumed = await launchCrawl({ store, settings, fetcher, readers: 0 });
  expect(resumed.status.sampled).toEqual(sampled);
  expect(store.readings).toBe(3);
});

it("shows the same after reading a log in pieces, which end where rounds begin", async () => {
  const store = await sampledCrawl();
  const { sampled } = certifyLog(store);
  const surveyor = new Surveyor(parseSettings(store.settings()));
  for (const { afterVisit } of store.rounds()) readAll(surveyor, upTo(store, afterVisit));
  readAll(surveyor, store);
  expect(surveyor.survey().facts.status.sampled).toEqual(sampled);
});
