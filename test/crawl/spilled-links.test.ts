/** Crawls that hold few of their links in memory are the same crawls, and stop where the file cannot be read. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { certifyLog, type CrawlEnd, launchCrawl } from "../../src/crawl/index.ts";
import { MemoryStore, StoreError } from "../../src/store/index.ts";
import { cases, LEAST_OF_LONG } from "../support/cases.ts";
import { ChunksInMemory } from "../support/chunk-file.ts";
import { inlineSettings, InlineWeb } from "../support/inline-web.ts";

const SEED = "http://a.example/0";
const PAGES = 60;
const SETTINGS = inlineSettings([SEED], { limits: { coverage: 1 } });

type Web = readonly (readonly number[])[];

/** Rows of up to 40 links. */
const web: fc.Arbitrary<Web> = fc.array(fc.array(fc.nat(PAGES - 1), { maxLength: 40, size: "max" }), {
  minLength: PAGES,
  maxLength: PAGES,
});

function storeWith(scratch?: () => ChunksInMemory): MemoryStore {
  const store = new MemoryStore(JSON.stringify(SETTINGS));
  return scratch === undefined ? store : Object.assign(store, { scratch });
}

/** The pages of the site, from 0 on, each linking to the next so that all are found. */
async function crawled(store: MemoryStore, rows: Web, order = "rankmass"): Promise<CrawlEnd> {
  const fetcher = new InlineWeb(({ pathname }) => {
    const page = Number(pathname.slice(1));
    const links = [...(rows[page] ?? []), ...(page + 1 < PAGES ? [page + 1] : [])];
    return page < PAGES ? links.map((link) => `<a href="/${link}">${link}</a>`).join("") : undefined;
  });
  const settings = { ...SETTINGS, order } as typeof SETTINGS;
  const crawl = await launchCrawl({ store, settings, keepsSettings: true, fetcher, readers: 0 });
  return crawl.run();
}

function toldBy(store: MemoryStore, { reason, status }: CrawlEnd): unknown {
  const visits = [...store.visits()].map(({ url, outcome, links }) => [url, outcome, links && [...links]]);
  const { coverage, strict, pages, known } = status;
  return { reason, coverage, strict, pages, known, visits, certificate: certifyLog(store).certificate };
}

it("a crawl is the same to the last page and the last digit, whatever order it has", async () => {
  await fc.assert(
    fc.asyncProperty(web, fc.constantFrom("rankmass", "opic", "fpr", "backlink"), async (rows, order) => {
      const file = new ChunksInMemory(64);
      const [plain, spilling] = [storeWith(), storeWith(() => file)];
      const [one, other] = [await crawled(plain, rows, order), await crawled(spilling, rows, order)];
      expect(toldBy(spilling, other)).toEqual(toldBy(plain, one));
      expect(file.length).toBeGreaterThan(0);
      expect(file.reads.length).toBeGreaterThan(0);
    }),
    { numRuns: cases(30, LEAST_OF_LONG) },
  );
});

it("a crawl whose links cannot be read ends as one whose disk has failed, and goes on in the next run", async () => {
  const rows = Array.from({ length: PAGES }, (_, page) => Array.from({ length: 30 }, (_, k) => (page * 7 + k) % PAGES));
  const broken = new ChunksInMemory(64);
  const append = broken.append.bind(broken);
  // It breaks in the middle of the crawl.
  broken.append = (bytes) => {
    if (broken.length > 600) broken.failure = new StoreError("failed", "the disk is gone");
    return append(bytes);
  };
  const files = [broken, new ChunksInMemory(64)];
  const store = storeWith(() => files.shift()!);
  const end = await crawled(store, rows);
  expect([end.reason, end.error?.message]).toEqual(["failed", "the disk is gone"]);
  expect(end.status.pages).toBeLessThan(PAGES);
  const resumed = await crawled(store, rows);
  const whole = storeWith();
  const { status } = await crawled(whole, rows);
  expect([resumed.status.pages, resumed.status.coverage]).toEqual([status.pages, status.coverage]);
  expect(certifyLog(store).certificate.coverage).toBe(1);
});
