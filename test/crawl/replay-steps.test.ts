/** A log is replayed in steps: other work has its turn in between, and the replay can be aborted. */
import { describe, expect, it } from "vitest";
import type { ProgressStep } from "../../src/base/index.ts";
import { type CrawlSettings, launchCrawl } from "../../src/crawl/index.ts";
import { openCrawl } from "../../src/store/index.ts";
import { makeLargeCrawl } from "../support/large-crawl.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const PAGES = 20_000;

describe("a crawl of many pages that is resumed", () => {
  it("says how far it is, and lets others have their turn", async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    const steps: ProgressStep[] = [];
    const crawl = await launch(steps);
    clearInterval(ticking);
    // Each 2048 of 20,010 URLs, then each 128 of 20,000 visits.
    expect(steps.map(({ done }) => done).slice(7, 11)).toEqual([16384, 18432, 128, 256]);
    expect(steps).toHaveLength(9 + Math.floor(PAGES / 128));
    expect(turns).toBeGreaterThan(5);
    crawl.stop("interrupted");
    expect(await crawl.run()).toMatchObject({ reason: "interrupted", status: { pages: PAGES } });
  });

  it("is given up where the user does not wait", async () => {
    const stop = new AbortController();
    const steps: ProgressStep[] = [];
    const launched = launch(steps, stop);
    await expect(launched).rejects.toThrow("enough");
    expect(steps).toHaveLength(3);
  });
});

async function launch(steps: ProgressStep[], stop?: AbortController) {
  const dir = `${temporaryDirectory()}/c`;
  makeLargeCrawl(dir, PAGES);
  const store = openCrawl(dir);
  try {
    return await launchCrawl({
      settings: { ...(JSON.parse(store.settings()) as CrawlSettings), limits: {} },
      store,
      fetcher: { fetch: () => {}, close: async () => {} },
      readers: 0,
      progress: (step) => {
        steps.push(step);
        if (steps.length === 3) stop?.abort(new Error("enough"));
      },
      ...(stop === undefined ? {} : { signal: stop.signal }),
    });
  } catch (error) {
    store.close();
    throw error;
  }
}
