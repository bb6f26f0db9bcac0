import { expect, it } from "vitest";
import { launchCrawl } from "../../src/crawl/index.ts";
import { MemoryStore } from "../../src/store/index.ts";
import { InlineWeb, inlineSettings } from "../support/inline-web.ts";

const SEED = "http://a.example/";

it.each([
  [true, { coverage: 0.5 }],
  [false, { pages: 1 }],
])(
  "whether limits are kept for the run alone (%s) shows in what is stored meanwhile",
  async (keepsSettings, expected) => {
    const before = inlineSettings([SEED], { limits: { coverage: 0.5 } });
    const store = new MemoryStore(JSON.stringify(before));
    const stored: unknown[] = [];
    const fetcher = new InlineWeb(() => {
      stored.push((JSON.parse(store.settings()) as { limits: unknown }).limits);
      return '<a href="/other">x</a>';
    });
    await launchCrawl({ store, settings: before, fetcher, readers: 0 });
    const settings = inlineSettings([SEED], { limits: { pages: 1 } });
    const crawl = await launchCrawl({ store, settings, fetcher, readers: 0, keepsSettings });
    const { reason, status } = await crawl.run();
    expect(reason).toBe("page-limit");
    expect(status.pages).toBe(1);
    expect(stored.length).toBeGreaterThan(0);
    for (const limits of stored) expect(limits).toEqual(expected);
  },
);
