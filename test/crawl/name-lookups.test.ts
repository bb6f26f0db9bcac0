/** Names are looked up ahead of requests: whoever waits for one holds no connection that another host could use. */
import { describe, expect, it } from "vitest";
import type { Fetcher } from "../../src/fetch/index.ts";
import { crawlTimed, TimedWeb, type TimedWebOptions } from "../support/timed-web.ts";

const MINUTE_MS = 60_000;
/** Pages that have come wait so long for other seeds. */
const SETTLED_MS = 10_000;

interface Names {
  /** How long it takes to look up a name. */
  readonly lookupMs: (host: string) => number;
  readonly validForMs?: number;
}

class NamedWeb extends TimedWeb implements Fetcher {
  readonly lookups: { readonly host: string; readonly atMs: number }[] = [];
  readonly #names: Names;

  constructor(options: TimedWebOptions, names: Names) {
    super(options);
    this.#names = names;
  }

  lookUp(url: string, done: (validForMs: number) => void): void {
    const { lookupMs, validForMs = Number.POSITIVE_INFINITY } = this.#names;
    const { host } = new URL(url);
    this.lookups.push({ host, atMs: this.timers.nowMs() });
    this.timers.after(lookupMs(host), () => done(validForMs));
  }

  requestsOf(host: string): readonly { readonly url: string; readonly atMs: number }[] {
    return this.requests.filter(({ url }) => new URL(url).host === host);
  }
}

const site = ({ pathname, host }: URL): string | undefined => {
  if (pathname === "/") return Array.from({ length: 20 }, (_, k) => `<a href="/${k}">${host} ${k}</a>`).join("");
  return /^\/\d+$/.test(pathname) ? `${host}${pathname}` : undefined;
};
const politeness = { delayMs: 0, concurrency: 2, perHost: 1, perAddress: 1, crawlDelayMsMax: 0 };
const seeds = ["http://slow1.example/", "http://slow2.example/", "http://slow3.example/", "http://quick.example/"];

describe("hosts whose names take a minute", () => {
  it("hold no connection of the crawl meanwhile, and are crawled in the end", async () => {
    const web = new NamedWeb({ serve: site }, { lookupMs: (host) => (host.startsWith("slow") ? MINUTE_MS : 1) });
    const { end } = await crawlTimed(web, seeds, { politeness });
    // A robots.txt, the usual place of a sitemap, and 21 pages.
    expect(web.requestsOf("quick.example")).toHaveLength(23);
    expect(Math.max(...web.requestsOf("quick.example").map(({ atMs }) => atMs))).toBeLessThan(SETTLED_MS + 1_000);
    expect(end.status.pages).toBe(4 * 21);
    // All at once, not one after the other.
    expect(web.requestsOf("slow3.example")[0].atMs).toBeLessThan(MINUTE_MS + 1_000);
    expect(web.requestsOf("slow3.example")[0].atMs).toBeGreaterThan(MINUTE_MS);
  });

  it("hold no connection of an address that they share", async () => {
    const web = new NamedWeb(
      { serve: site, addressOf: () => "192.0.2.1" },
      { lookupMs: (host) => (host.startsWith("slow") ? MINUTE_MS : 1), validForMs: 100 },
    );
    await crawlTimed(web, ["http://slow1.example/", "http://quick.example/"], { politeness });
    // Its name runs out and is looked up again and again; the other host has the address to itself then.
    expect(web.lookups.filter(({ host }) => host === "slow1.example").length).toBeGreaterThan(1);
    expect(Math.max(...web.requestsOf("quick.example").map(({ atMs }) => atMs))).toBeLessThan(SETTLED_MS + 1_000);
  });
});

describe("a name", () => {
  const one = ["http://a.example/"];

  it("is looked up once while it is valid", async () => {
    const web = new NamedWeb({ serve: site }, { lookupMs: () => 5 });
    await crawlTimed(web, one, { politeness });
    expect(web.lookups).toHaveLength(1);
  });

  it("that is valid for no time is looked up for every request, and serves it", async () => {
    const web = new NamedWeb({ serve: site }, { lookupMs: () => 5, validForMs: 0 });
    const { end } = await crawlTimed(web, one, { politeness });
    expect(end.status.pages).toBe(21);
    expect(web.lookups).toHaveLength(web.requests.length);
  });

  it("that is still looked up does not keep a crawl from stopping", async () => {
    const web = new NamedWeb({ serve: site }, { lookupMs: () => 10 * MINUTE_MS });
    const limits = { timeMs: 1_000 };
    const { end } = await crawlTimed(web, one, { politeness, limits });
    expect(end.reason).toBe("time-limit");
    expect(end.status.elapsedMs).toBeLessThan(MINUTE_MS);
  });
});
