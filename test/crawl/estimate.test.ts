import { expect, it } from "vitest";
import { type CrawlStatus, Estimate } from "../../src/crawl/index.ts";

function status(change: Partial<CrawlStatus>): CrawlStatus {
  return {
    pages: 0,
    dead: 0,
    redirects: 0,
    refused: 0,
    failed: 0,
    retries: 0,
    bytes: 0,
    known: 0,
    frontier: 0,
    hosts: 1,
    coverage: 0,
    strict: 0,
    ceiling: 1,
    guaranteed: null,
    elapsedMs: 0,
    ...change,
  };
}

it("estimates what is left by the limit that comes first", () => {
  const estimate = new Estimate({ pages: 200, timeMs: 3_600_000 });
  estimate.add(status({}));
  expect(estimate.pagesPerSecond()).toBeUndefined();
  estimate.add(status({ pages: 50, elapsedMs: 5000 }));
  expect(estimate.pagesPerSecond()).toBe(10);
  expect(estimate.nextLimit()).toEqual({ limit: "pages", seconds: 15 });
});

it("estimates coverage as if the missing share fell by the same factor with as many pages", () => {
  const estimate = new Estimate({ coverage: 0.95 });
  estimate.add(status({ pages: 100, coverage: 0.2 }));
  estimate.add(status({ pages: 110, coverage: 0.6, elapsedMs: 10_000 }));
  // From 0.8 to 0.4 with ten pages: halved; from 0.4 to 0.05 it halves three times: thirty pages, one a second.
  expect(estimate.nextLimit()?.seconds).toBeCloseTo(30, 9);
});

it("measures the fall over the last quarter of the pages, for it slows down", () => {
  const estimate = new Estimate({ coverage: 1 - 0.1 / 16 });
  // Halved with every page up to 0.1, then with every ten; a page a second.
  estimate.add(status({ pages: 1, coverage: 0.2 }));
  for (let pages = 30; pages <= 100; pages++)
    estimate.add(status({ pages, elapsedMs: pages * 1000, coverage: 1 - 0.1 * 2 ** ((70 - pages) / 10) }));
  // At 100 pages 0.0125 are missing, and 0.00625 are wanted: one more halving, ten pages.
  expect(estimate.nextLimit()?.seconds).toBeCloseTo(10, 6);
});

it("gives no estimate where there is no progress", () => {
  const estimate = new Estimate({ coverage: 0.95 });
  for (const elapsedMs of [0, 5000, 10_000]) estimate.add(status({ pages: 5, coverage: 0.5, elapsedMs }));
  expect(estimate.nextLimit()?.seconds).toBeUndefined();
});

it("follows limits that change", () => {
  const estimate = new Estimate({ pages: 200 });
  estimate.add(status({}));
  estimate.add(status({ pages: 50, elapsedMs: 5000 }));
  estimate.limits = { pages: 100 };
  expect(estimate.nextLimit()?.seconds).toBe(5);
});
