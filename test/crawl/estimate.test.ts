import fc from "fast-check";
import { expect, it } from "vitest";
import { pagesToGoal } from "../../src/crawl/forecast.ts";
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
    frontier: 1e15,
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

it("tells it for a frontier of equal pages as if all that is missing were gone with its last page", () => {
  const estimate = new Estimate({ coverage: 0.95 });
  estimate.add(status({ pages: 100, coverage: 0.2 }));
  estimate.add(status({ pages: 110, coverage: 0.6, frontier: 10 }));
  // Ten pages brought 0.4, the ten of the frontier bring the other 0.4: for 0.35 it takes 8.75 of them.
  expect(estimate.pagesLeft()).toBeCloseTo(8.75, 9);
});

it("tells at least the heaviest pages of the frontier that hold enough, and at most the frontier", () => {
  const estimate = new Estimate({ coverage: 0.95 });
  estimate.add(status({ pages: 100, coverage: 0.2 }));
  estimate.add(status({ pages: 110, coverage: 0.6, frontier: 10, pagesNeeded: 9.5 }));
  expect(estimate.pagesLeft()).toBe(9.5);
  estimate.add(status({ pages: 110, coverage: 0.6, frontier: 10, pagesNeeded: 11 }));
  expect(estimate.pagesLeft()).toBe(10);
});

it("tells nothing for a target at or above the ceiling, and aims at the ceiling below it", () => {
  const at = (coverage: number) => {
    const estimate = new Estimate({ coverage });
    estimate.add({ ...status({ pages: 100, coverage: 0.1 }), ceiling: 0.9 });
    estimate.add({ ...status({ pages: 110, coverage: 0.5 }), ceiling: 0.9 });
    return estimate.pagesLeft();
  };
  expect(at(0.95)).toBeUndefined();
  expect(at(0.9)).toBeUndefined();
  // Of the 0.8 that could be had half came with ten pages; 0.1 is left at 0.8 after two more halvings.
  expect(at(0.8)).toBeCloseTo(20, 6);
});

it("tells a number from 0 to the size of the frontier, larger for a larger target", () => {
  const share = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
  const count = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(share, share, share, share, count, count, count, (a, b, c, e, before, more, frontier) => {
      const [then, now, goal, ceiling] = [a, b, c, e].sort((x, y) => x - y);
      const left = (coverage: number) =>
        pagesToGoal(
          coverage,
          { pages: before, coverage: then, frontier },
          { pages: before + more, coverage: now, frontier, ceiling },
        );
      const pages = left(goal);
      if (pages === undefined) {
        expect(goal >= ceiling || now <= then || more === 0 || frontier === 0).toBe(true);
        return;
      }
      expect(pages).toBeGreaterThanOrEqual(0);
      expect(pages).toBeLessThanOrEqual(frontier);
      expect(left((now + goal) / 2) ?? 0).toBeLessThanOrEqual(pages + 1e-6);
    }),
  );
});

it("is not told where nothing moves", () => {
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
