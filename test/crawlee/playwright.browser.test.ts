/** The queue in a real PlaywrightCrawler with the Chromium of the system, on the demo web. */
import { describe, expect, it } from "vitest";
import { realCrawl, ROUNDING } from "./real-crawl.ts";

describe("a PlaywrightCrawler with the queue of Tidemark", () => {
  it("ends at a coverage that is proved", async () => {
    const proved = await realCrawl({ crawler: "playwright", queue: "importance", coverage: 0.5, requestsMax: 100 });
    expect(proved).toMatchObject({ hasEnded: true });
    expect(proved.coverage).toBeGreaterThanOrEqual(0.5);
    expect(proved.excess).toBeLessThanOrEqual(ROUNDING);
  });

  it("never proves more than is true with a user's filter, and goes on when hooks and handlers throw", async () => {
    const task = { crawler: "playwright", queue: "importance", filter: true, throws: true, requestsMax: 60 } as const;
    const figures = await realCrawl(task);
    expect(figures.excess).toBeLessThanOrEqual(ROUNDING);
    expect(figures.coverage).toBeGreaterThan(0.2);
    expect(figures.pages).toBeGreaterThan(20);
  });
});
