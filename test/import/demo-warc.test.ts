/** A crawl of ours into WARC files, imported again, is compared with the crawl itself. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { crawlSettings, launchCrawl, openArchive, parseSettings } from "../../src/crawl/index.ts";
import { DEMO_SEED } from "../../src/demo/index.ts";
import { demoReply } from "../../src/demo/pages.ts";
import type { Fetcher, FetchRequest, Reply } from "../../src/fetch/index.ts";
import { importCrawl } from "../../src/import/index.ts";
import { createCrawl, openCrawl } from "../../src/store/index.ts";
import { replyOf } from "../support/inline-web.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { readDirectory } from "./importing.ts";

describe("an archive of a crawl", () => {
  it("gives the pages and links of the crawl, and proves no more", async () => {
    const { dir, out } = await crawlAndImport(200);
    const [crawled, imported] = [readDirectory(dir), readDirectory(out)];
    const pages = [...crawled.fates].filter(([, { links }]) => links !== null);
    expect(pages.length).toBe(200);
    for (const [url, { outcome, title, digest, language }] of pages) {
      expect({ url, ...pick(imported.fates.get(url)) }).toEqual({ url, outcome, title, digest, language });
      expect(imported.linksOf(url)).toEqual(crawled.linksOf(url));
    }
    for (const [url, { outcome }] of crawled.fates) {
      // What robots.txt forbids was never requested, and no archive says why.
      if (outcome !== "refused") expect([url, imported.outcomes[url]]).toEqual([url, outcome]);
    }
    const extra = [...imported.fates.keys()].filter((url) => !crawled.fates.has(url));
    expect(extra).toEqual([]);
    expect(imported.coverage).toBeLessThanOrEqual(crawled.coverage + 1e-12);
    expect(imported.coverage).toBeGreaterThan(crawled.coverage / 2);
  });

  it("can be resumed: a crawl fetches what is missing", async () => {
    const { out } = await crawlAndImport(50);
    const store = openCrawl(out);
    const before = parseSettings(store.settings());
    const settings = crawlSettings({ maxPages: 60, delay: 0 }, { before });
    const crawl = await launchCrawl({ settings, store, fetcher: new DemoFetcher(), readers: 0 });
    const { reason, status } = await crawl.run();
    store.close();
    expect([reason, status.pages]).toEqual(["page-limit", 60]);
    expect(readDirectory(out).fates.size).toBeGreaterThanOrEqual(60);
  });
});

function pick(
  fate: { outcome: string; title: string | null; digest: Uint8Array | null; language: string | null } | undefined,
) {
  return { outcome: fate?.outcome, title: fate?.title, digest: fate?.digest, language: fate?.language };
}

async function crawlAndImport(maxPages: number): Promise<{ dir: string; out: string }> {
  const folder = temporaryDirectory();
  const dir = join(folder, "crawl");
  const options = { urls: [DEMO_SEED], warc: true, maxPages, delay: 0, concurrency: 4, scope: "domain" } as const;
  const settings = crawlSettings(options);
  const store = createCrawl(dir, JSON.stringify(settings));
  const archive = openArchive(dir, store, settings.network);
  const crawl = await launchCrawl({ settings, store, fetcher: new DemoFetcher(), readers: 0, archive });
  await crawl.run();
  store.close();
  const out = join(folder, "imported");
  const paths = [join(dir, "warc", "tidemark-00001.warc.gz")];
  await importCrawl({ paths, out, seeds: [DEMO_SEED], settings: { scope: "domain" } });
  return { dir, out };
}

class DemoFetcher implements Fetcher {
  readonly #counts = new Map<string, number>();

  fetch({ url }: FetchRequest, done: (reply: Reply) => void): void {
    const count = (this.#counts.get(url) ?? 0) + 1;
    this.#counts.set(url, count);
    const { hostname, pathname, search } = new URL(url);
    const { status, headers, body } = demoReply(hostname, pathname + search, count);
    const reply = replyOf({ body, headers: headers as Record<string, string> });
    setImmediate(() => done({ ...reply, status } as Reply));
  }

  async close(): Promise<void> {}
}
