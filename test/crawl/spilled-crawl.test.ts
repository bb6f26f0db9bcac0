/** Crawls that hold little in memory are the same crawls, and stop where a file cannot be read. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { certifyLog, type CrawlEnd, launchCrawl } from "../../src/crawl/index.ts";
import { MemoryStore, type ScratchUse, StoreError } from "../../src/store/index.ts";
import { cases, LEAST_OF_LONG } from "../support/cases.ts";
import { ChunksInMemory } from "../support/chunk-file.ts";
import { inlineSettings, InlineWeb } from "../support/inline-web.ts";

const SEED = "http://a.example/0";
const PAGES = 60;
const SETTINGS = inlineSettings([SEED], { limits: { coverage: 1 } });
const USES: readonly ScratchUse[] = ["links", "origins"];

type Files = Record<ScratchUse, ChunksInMemory>;
type Web = readonly (readonly number[])[];

/** Rows of up to 40 links. */
const web: fc.Arbitrary<Web> = fc.array(fc.array(fc.nat(PAGES - 1), { maxLength: 40, size: "max" }), {
  minLength: PAGES,
  maxLength: PAGES,
});

/** Files that take all that is full. */
function tinyFiles(): Files {
  return { links: new ChunksInMemory(64), origins: new ChunksInMemory(0) };
}

function storeWith(scratch?: (use: ScratchUse) => ChunksInMemory): MemoryStore {
  const store = new MemoryStore(JSON.stringify(SETTINGS));
  return scratch === undefined ? store : Object.assign(store, { scratch });
}

/** Pages on seven hosts, from 0 on, each linking to the next so that all are found. */
async function crawled(store: MemoryStore, rows: Web, order = "rankmass"): Promise<CrawlEnd> {
  const fetcher = new InlineWeb(({ pathname }) => {
    const page = Number(pathname.slice(1));
    const links = [...(rows[page] ?? []), ...(page + 1 < PAGES ? [page + 1] : [])];
    const urls = links.map((link) => `http://${link % 7 === 0 ? "" : `h${link % 7}.`}a.example/${link}`);
    return page < PAGES ? urls.map((url) => `<a href="${url}">${url}</a>`).join("") : undefined;
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
      const files = tinyFiles();
      const [plain, spilling] = [storeWith(), storeWith((use) => files[use])];
      const [one, other] = [await crawled(plain, rows, order), await crawled(spilling, rows, order)];
      expect(toldBy(spilling, other)).toEqual(toldBy(plain, one));
      for (const use of USES) {
        expect(files[use].length).toBeGreaterThan(0);
        expect(files[use].reads.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: cases(30, LEAST_OF_LONG) },
  );
});

/** Page k links to every seventh and every eleventh from k on. */
const REGULAR: Web = Array.from({ length: PAGES }, (_, page) =>
  Array.from({ length: 30 }, (__, k) => (page + (k % 2 === 0 ? 7 : 11) * k) % PAGES),
);

it.each(["fpr@20", "rankmass:valued"])(
  "a crawl by %s, which asks for hosts of any page, has origins in memory",
  async (order) => {
    const files = tinyFiles();
    const [plain, spilling] = [storeWith(), storeWith((use) => files[use])];
    const [one, other] = [await crawled(plain, REGULAR, order), await crawled(spilling, REGULAR, order)];
    expect(toldBy(spilling, other)).toEqual(toldBy(plain, one));
    expect(files.links.length).toBeGreaterThan(0);
    expect(files.origins.attempts).toBe(0);
  },
);

it.each(USES)("a crawl whose %s cannot be read ends as one whose disk has failed, and goes on later", async (use) => {
  const broken = tinyFiles();
  const file = broken[use];
  const append = file.append.bind(file);
  // It breaks in the middle of the crawl.
  file.append = (bytes) => {
    if (file.length > (use === "links" ? 600 : 30)) file.failure = new StoreError("failed", "the disk is gone");
    return append(bytes);
  };
  const first: Partial<Files> = { ...broken };
  const store = storeWith((each) => {
    const { [each]: given = tinyFiles()[each] } = first;
    delete first[each];
    return given;
  });
  const end = await crawled(store, REGULAR);
  expect([end.reason, end.error?.message]).toEqual(["failed", "the disk is gone"]);
  expect(end.status.pages).toBeLessThan(PAGES);
  const resumed = await crawled(store, REGULAR);
  const whole = storeWith();
  const { status } = await crawled(whole, REGULAR);
  expect([resumed.status.pages, resumed.status.coverage]).toEqual([status.pages, status.coverage]);
  expect(certifyLog(store).certificate.coverage).toBe(1);
});
