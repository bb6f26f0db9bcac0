/** What pages count: crawls with a function of the user, and crawls in which copies count nothing. */
import { describe, expect, it } from "vitest";
import { certify } from "../../src/coverage/index.ts";
import { certifyLog, type CrawlEvent, launchCrawl, ledgerOfLog, type ValueOfPage } from "../../src/crawl/index.ts";
import { createCrawl, type CrawlStore, MemoryStore, openCrawl } from "../../src/store/index.ts";
import { InlineWeb, inlineSettings, type Served, type SettingsChanges } from "../support/inline-web.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const SITE = "http://site.example/";
const HTML = "text/html; charset=utf-8";
const links = (...urls: string[]) => urls.map((url) => `<a href="${url}">x</a>`).join("");

/** The front page links to three others. `/copy` is the same as `/a`. */
const PAGES: Readonly<Record<string, Served>> = {
  "/": `<html lang=en><title>Front</title>${links("/a", "/b", "/copy")}`,
  "/a": "<html lang=de><title>A</title>",
  "/b": "<title>B</title>",
  "/copy": "<html lang=de><title>A</title>",
};

function fail(thrown: unknown): never {
  throw thrown;
}

interface CrawlOf {
  readonly valueOfPage?: ValueOfPage;
  readonly changes?: SettingsChanges;
  readonly store?: CrawlStore;
}

async function crawl({ valueOfPage, changes = {}, store: given }: CrawlOf) {
  const settings = inlineSettings([SITE], { damping: 0.5, ...changes });
  const store = given ?? new MemoryStore(JSON.stringify(settings));
  const events: CrawlEvent[] = [];
  const running = await launchCrawl({
    store,
    settings,
    fetcher: new InlineWeb(({ pathname }) => PAGES[pathname]),
    readers: 0,
    onEvent: (event) => events.push(event),
    ...(valueOfPage === undefined ? {} : { valueOfPage }),
  });
  const { status } = await running.run();
  const values = [...store.visits()].filter(({ outcome }) => outcome === "downloaded").map(({ value }) => value);
  return { status, values, events, store, ...certifyLog(store) };
}

describe("the value of a page", () => {
  it("is asked once per page with what is known of it, and stored with the visit", async () => {
    const asked: Parameters<ValueOfPage>[0][] = [];
    const { values, certificate } = await crawl({
      valueOfPage: (page) => {
        asked.push(page);
        return page.language === "de" ? 0.25 : 1;
      },
    });
    expect(asked.map(({ url }) => url).sort()).toEqual(["a", "b", "copy", ""].map((path) => SITE + path).sort());
    expect(asked[0]).toEqual({ url: SITE, title: "Front", language: "en", status: 200, contentType: HTML });
    expect(values.toSorted()).toEqual([0.25, 0.25, 1, 1]);
    expect(certificate.valued).toBe(1);
  });

  it("counts in the certificate of the log, by hand with d = 1/2, and in the status", async () => {
    // The front page has 1/2, each of its pages 1/12. The one that was not fetched may lead on, so it counts twice that.
    const { certificate, status, values } = await crawl({
      valueOfPage: ({ url }) => (url === SITE ? 0.5 : 0),
      changes: { limits: { pages: 3 } },
    });
    expect(values).toEqual([0.5, 0, 0]);
    expect(certificate.valued).toBeCloseTo(0.25 / (0.25 + 2 / 12), 9);
    expect(status.valued).toBeCloseTo(0.25 / (0.25 + 2 / 12), 9);
    expect(certificate.coverage).toBeGreaterThan(0.75);
  });

  it("is left out of certificate, status and log where nobody asks for it", async () => {
    const { certificate, status, values } = await crawl({});
    expect(certificate).not.toHaveProperty("valued");
    expect(status).not.toHaveProperty("valued");
    expect(values).toEqual([null, null, null, null]);
  });

  it.each<[string, () => unknown, string]>([
    ["throws", () => JSON.parse("{"), "JSON"],
    ["throws what has no text", () => fail(Object.create(null)), "an error without a message"],
    ["gives a promise that fails", () => Promise.reject(new Error("late")), "the value is a promise"],
    ["is above 1", () => 1.5, "the value is 1.5, expected a number from 0 to 1"],
    ["is not a number", () => Number.NaN, "the value is NaN"],
    ["is a text", () => "much", 'the value is "much"'],
  ])("is 0 where the function %s: the page is stored, and the event says so once", async (_, fails, message) => {
    const { values, events, status, certificate } = await crawl({
      valueOfPage: ({ url }) => (url === SITE ? 1 : (fails() as number)),
    });
    expect(status.pages).toBe(4);
    expect(values.toSorted()).toEqual([0, 0, 0, 1]);
    expect(certificate).toMatchObject({ coverage: 1, valued: 1 });
    const failed = events.filter(({ name }) => name === "value-failed");
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({
      url: expect.stringContaining(SITE) as string,
      message: expect.stringContaining(message) as string,
    });
  });

  it("survives on disk: a resumed crawl certifies what an uninterrupted one does", async () => {
    const valueOfPage: ValueOfPage = ({ url }) => (url.length % 7) / 10;
    const dir = temporaryDirectory();
    const settings = JSON.stringify(inlineSettings([SITE], { damping: 0.5 }));
    const first = createCrawl(dir, settings);
    await crawl({ valueOfPage, changes: { limits: { pages: 2 } }, store: first });
    first.close();
    const second = openCrawl(dir);
    const { certificate, values } = await crawl({ valueOfPage, changes: { limits: { pages: 3 } }, store: second });
    second.close();
    const whole = await crawl({ valueOfPage, changes: { limits: { pages: 3 } } });
    expect(values).toEqual(whole.values);
    expect(certificate.valued).toBeCloseTo(whole.certificate.valued ?? Number.NaN, 12);
  });
});

describe("copies that count nothing", () => {
  const inCrawl = { web: { duplicatesCountNothing: true } };

  it("are pages whose content was seen before on their host", async () => {
    // Of the front page and two leaves, the third leaf is the copy: it adds nothing, and it is not missing either.
    const { certificate, store, status } = await crawl({ changes: inCrawl });
    expect(certificate).toMatchObject({ coverage: 1, valued: 1 });
    expect(status.valued).toBe(1);
    expect(rankValued(store)).toBeCloseTo(1 / 2 + 2 / 12, 12);
  });

  it("are found in the log alone, also of a crawl without the setting", async () => {
    const { store, certificate } = await crawl({});
    expect(certificate).not.toHaveProperty("valued");
    expect(rankValued(store)).toBeCloseTo(1 / 2 + 3 / 12, 12);
    expect(rankValued(store, true)).toBeCloseTo(1 / 2 + 2 / 12, 12);
  });

  it("count nothing whatever their value; other pages count by theirs", async () => {
    const { store } = await crawl({ valueOfPage: () => 0.5, changes: inCrawl });
    expect(rankValued(store)).toBeCloseTo((1 / 2 + 2 / 12) / 2, 12);
  });
});

/** The rank of all downloaded pages, each counted with its value. */
function rankValued(store: CrawlStore, duplicatesCountNothing = false): number {
  const { ledger } = ledgerOfLog(store, {}, { duplicatesCountNothing });
  certify(ledger);
  return ledger.rankValued;
}
