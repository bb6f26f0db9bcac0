/** What a dry run finds out about seeds, and how long it waits for it, in simulated time. */
import { describe, expect, it } from "vitest";
import { checkSeeds, type SeedCheck } from "../../src/crawl/index.ts";
import type { Fetcher } from "../../src/fetch/index.ts";
import type { Purpose } from "../../src/web/index.ts";
import { inlineSettings, type Served } from "../support/inline-web.ts";
import { inTime, TimedWeb } from "../support/timed-web.ts";

const WAIT_MS_MAX = 10_000;
const politeness = { delayMs: 0, concurrency: 8, perHost: 1, perAddress: 9, crawlDelayMsMax: 60_000 };
const busy: Served = { status: 503, headers: { "retry-after": "3600" } };
const text = (body: string): Served => ({ body, headers: { "content-type": "text/plain" } });

describe("a dry run", () => {
  it("does not wait for a host that answers a seed with a long Retry-After", async () => {
    const seeds = ["http://a.example/1", "http://a.example/2", "http://a.example/private"];
    const checks = await check(seeds, {
      "http://a.example/robots.txt": text("User-agent: *\nDisallow: /private"),
      "http://a.example/1": busy,
    });
    expect(checks).toMatchObject([
      { robots: "allowed", status: 503 },
      { robots: "allowed", problem: { kind: "rest", restMs: 3_600_000 } },
      { robots: "forbidden" },
    ]);
    expect(checks[2].problem).toBeUndefined();
  });

  it("waits for a host that asks for a short wait", async () => {
    const checks = await check(["http://a.example/1", "http://a.example/2"], {
      "http://a.example/1": { status: 503, headers: { "retry-after": "9" } },
      "http://a.example/2": "page",
    });
    expect(checks).toMatchObject([{ status: 503 }, { status: 200 }]);
  });

  it("does not wait where a redirect, of a seed or a robots.txt, leads to such a host", async () => {
    const checks = await check(["http://a.example/1", "http://b.example/1", "http://c.example/1"], {
      "http://a.example/1": busy,
      "http://b.example/1": { redirect: "http://a.example/2" },
      "http://c.example/robots.txt": { redirect: "http://a.example/robots-of-c" },
    });
    const problem = { kind: "rest", restMs: 3_600_000 };
    expect(checks[1]).toMatchObject({ leadsTo: "http://a.example/2", robots: "allowed", problem });
    expect(checks[2]).toMatchObject({ robots: "unknown", problem });
  });

  it("does not judge an origin by the robots.txt of another one of its host", async () => {
    const checks = await check(["http://a.example/x", "https://a.example/x", "http://a.example/y"], {
      "http://a.example/robots.txt": text("User-agent: *\nCrawl-delay: 30\nDisallow: /y"),
      "https://a.example/robots.txt": text("User-agent: *\nDisallow: /x"),
    });
    const problem = { kind: "rest", restMs: 30_000 };
    expect(checks).toMatchObject([
      { robots: "allowed", crawlDelayMs: 30_000, problem },
      { robots: "unknown", problem },
      { robots: "forbidden", crawlDelayMs: 30_000 },
    ]);
  });

  it("says how long a rest is, whatever the clock shows", async () => {
    for (let k = 0; k < 20; k++) {
      const served = { "http://a.example/robots.txt": text("User-agent: *\nCrawl-delay: 30") };
      const [checked] = await check(["http://a.example/x"], served, 36_000 + k / 7);
      expect(checked).toMatchObject({ problem: { kind: "rest", restMs: 30_000 } });
    }
  });

  it("does not blame an origin for a robots.txt that another one of its host does not give", async () => {
    const checks = await check(["http://a.example/x", "https://a.example/x"], { "http://a.example/robots.txt": busy });
    expect(checks).toMatchObject([
      { robots: "unknown", problem: { kind: "robots", reason: "status-503" } },
      { robots: "unknown", problem: { kind: "rest", restMs: 3_600_000 } },
    ]);
  });

  it("says that robots.txt forbids the purpose of the crawl, though not the page", async () => {
    const pages = { "http://a.example/robots.txt": text("User-agent: *\nContent-Signal: ai-train=no\nDisallow: /b") };
    const [unusable, forbidden] = await check(["http://a.example/", "http://a.example/b"], pages, 10, "ai-train");
    expect(unusable).toMatchObject({ robots: "allowed", problem: { kind: "usage" } });
    expect(unusable.status).toBeUndefined();
    expect(forbidden).toMatchObject({ robots: "forbidden" });
    expect(forbidden.problem).toBeUndefined();
  });

  it("says that a header forbids the purpose of the crawl", async () => {
    const page = { body: "page", headers: { "content-type": "text/html", "content-signal": "ai-train=no" } };
    const served = { "http://a.example/": page };
    const [forbidden] = await check(["http://a.example/"], served, 10, "ai-train");
    expect(forbidden).toMatchObject({ robots: "allowed", status: 200, problem: { kind: "usage-header" } });
    const [allowed] = await check(["http://a.example/"], served, 10, "search");
    expect(allowed.problem).toBeUndefined();
  });

  it("fails if nothing can be fetched at all", async () => {
    const { timers } = new TimedWeb({ serve: () => undefined });
    let down: (why: string) => void = () => {};
    const fetcher: Fetcher = {
      fetch: (_, done) => {
        down("the proxy does not work");
        done({ kind: "failure", failure: "aborted", message: "", address: null, milliseconds: 0 });
      },
      onDown: (listener) => void (down = listener),
      close: async () => {},
    };
    const settings = inlineSettings(["http://a.example/", "http://b.example/"], { politeness });
    const checks = inTime(timers, checkSeeds({ settings, seeds: settings.seeds, fetcher, timers }));
    await expect(checks).rejects.toThrow("the proxy does not work");
  });
});

async function check(
  urls: readonly string[],
  web: Readonly<Record<string, Served>>,
  latencyMs = 10,
  purpose: Purpose | "none" = "none",
): Promise<SeedCheck[]> {
  const fetcher = new TimedWeb({ serve: ({ href }) => web[href], latencyMs: () => latencyMs });
  const { timers } = fetcher;
  const settings = inlineSettings(urls, { politeness, web: { purpose } });
  const checks = await inTime(timers, checkSeeds({ settings, seeds: settings.seeds, fetcher, timers }));
  expect(timers.nowMs()).toBeLessThan(latencyMs + 2 * WAIT_MS_MAX);
  return checks;
}
