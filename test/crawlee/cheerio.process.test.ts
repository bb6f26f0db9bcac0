/** The queue in a real CheerioCrawler, on the demo web. */
import { describe, expect, it } from "vitest";
import { realCrawl, ROUNDING } from "./real-crawl.ts";

describe("a CheerioCrawler with the queue of Tidemark", () => {
  it("proves 90% with at most half the requests that it makes until its own queue is empty", async () => {
    const proved = await realCrawl({ crawler: "cheerio", queue: "importance", coverage: 0.9 });
    expect(proved).toMatchObject({ hasEnded: true });
    expect(proved.coverage).toBeGreaterThanOrEqual(0.9);
    expect(proved.excess).toBeLessThanOrEqual(ROUNDING);
    const own = await realCrawl({ crawler: "cheerio", queue: "own", requestsMax: 2 * proved.requests });
    expect(own.hasEnded).toBe(false);
  });

  it("has 90% after fewer requests than with its own queue, with nearly as few pages as there can be", async () => {
    const own = await realCrawl({ crawler: "cheerio", queue: "own", held: 0.9 });
    const importance = await realCrawl({ crawler: "cheerio", queue: "importance", held: 0.9 });
    expect(importance.requests).toBeLessThan(own.requests);
    expect(importance.pages).toBeLessThan(1.25 * importance.fewest!);
  });

  it("never proves more than is true with a user's filter, and goes on when hooks and handlers throw", async () => {
    const task = { crawler: "cheerio", queue: "importance", filter: true, requestsMax: 400 } as const;
    const filtered = await realCrawl(task);
    expect(filtered.excess).toBeLessThanOrEqual(ROUNDING);
    expect(filtered.coverage).toBeGreaterThan(0.8);
    expect(filtered.strict).toBeLessThan(filtered.coverage);
    const throwing = await realCrawl({ ...task, throws: true });
    expect(throwing.excess).toBeLessThanOrEqual(ROUNDING);
    expect(throwing.failed).toBeGreaterThan(10);
    expect(throwing.pages).toBeGreaterThan(200);
  });
});
