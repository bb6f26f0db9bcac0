/**
 * A disk that fills up or fails at any write: the crawl stops and says so, and goes on later as if nothing had
 * happened.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CrawlEnd, defaultWebSettings, launchCrawl } from "../../src/crawl/index.ts";
import { fetcherOfGraph } from "../../src/fetch/index.ts";
import { GeneratedWeb, generateGraph } from "../../src/graph/index.ts";
import { createCrawl, openCrawl, type SqliteStore, StoreError, type StoreOptions } from "../../src/store/index.ts";
import { plainSettings } from "../support/plain-settings.ts";

const PAGES = 12;
const web = new GeneratedWeb({ pages: PAGES, seed: 3 });
const { graph } = generateGraph({ pages: PAGES, seed: 3 });
const seeds = [web.urlOf(0)];
const settings = plainSettings(seeds, {
  web: defaultWebSettings({ kind: "any", seeds }, 0),
  politeness: { delayMs: 0, concurrency: 2, perHost: 2, perAddress: 100, crawlDelayMsMax: 0 },
});

async function crawl(store: SqliteStore): Promise<CrawlEnd> {
  const fetcher = fetcherOfGraph(graph, (page) => web.urlOf(page));
  return (await launchCrawl({ store, settings, fetcher, readers: 0, commitMs: 1 })).run();
}

function pagesIn(store: SqliteStore): string[] {
  const paths = [...store.urls()].map(({ path, origin }) => `${origin}${path}`);
  return [...store.visits()].filter(({ outcome }) => outcome === "downloaded").map(({ url }) => paths[url]);
}

/** Closing commits, which may be what fails. */
function closeQuietly(store: SqliteStore): void {
  try {
    store.close();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
  }
}

/** Facts and commits that a whole crawl writes. */
async function writesOf(dir: string): Promise<number> {
  let writes = 0;
  const beforeWrite = (count: number): void => {
    writes = count;
  };
  const store = createCrawl(dir, JSON.stringify(settings), { beforeWrite });
  await crawl(store);
  store.close();
  return writes;
}

describe.each(["disk-full", "failed"] as const)("a disk that is %s", (kind) => {
  it("at any write stops the crawl with that reason, and loses nothing that was reported", async () => {
    const root = mkdtempSync(join(tmpdir(), "tidemark-disk-"));
    try {
      const writes = await writesOf(join(root, "undisturbed"));
      expect(writes).toBeGreaterThan(25);
      for (let failing = 1; failing <= writes; failing++) {
        const dir = join(root, String(failing));
        // How many commits there are depends on time, so the last writes may never come.
        let reached = 0;
        const options: StoreOptions = {
          beforeWrite: (count) => {
            reached = count;
            if (count >= failing) throw new StoreError(kind, "as planned");
          },
        };
        const broken = createCrawl(dir, JSON.stringify(settings), options);
        // Seeds are written before the crawl begins, and what fails there is thrown.
        const end = await crawl(broken).catch((error: unknown) => error);
        const hasFailed = failing <= reached;
        if (hasFailed && end instanceof StoreError) expect(end.kind).toBe(kind);
        else expect((end as CrawlEnd).reason).toBe(hasFailed ? kind : "frontier-empty");
        closeQuietly(broken);
        const mended = openCrawl(dir);
        const reported = end instanceof StoreError ? 0 : (end as CrawlEnd).status.pages;
        expect(pagesIn(mended).length).toBeGreaterThanOrEqual(reported);
        expect((await crawl(mended)).reason).toBe("frontier-empty");
        expect(pagesIn(mended).length).toBe(PAGES);
        expect(new Set(pagesIn(mended)).size).toBe(PAGES);
        mended.close();
      }
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
