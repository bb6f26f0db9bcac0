/**
 * Simulated crawls that go on: the network throws where a request is impolite, also right after a shift has ended; and
 * no coverage may be above the truth about what was read.
 */
import { describe, expect, it } from "vitest";
import { isDownloaded } from "../../src/coverage/index.ts";
import { type RefreshEnd, refreshForever, type RefreshStatus } from "../../src/crawl/index.ts";
import { Scope } from "../../src/web/index.ts";
import { SimulatedNetwork, SimulatedServers } from "../support/simulation/network.ts";
import { type SimulatedCrawl, simulateCrawl } from "../support/simulation/run.ts";
import { SimulatedTimers } from "../support/simulation/timers.ts";
import { truthAllowed, truthOf } from "../support/truth.ts";

const HOUR = 3_600_000;
const STEPS_MAX = 200_000;
const ROUNDING = 1e-9;

async function simulateForever(crawl: SimulatedCrawl, seed: number, onStatus: (status: RefreshStatus) => void) {
  const { web, settings, store } = crawl;
  store.crash();
  const timers = new SimulatedTimers();
  timers.after(48 * HOUR, () => {});
  timers.step();
  const untilMs = timers.nowMs() + 8 * HOUR;
  const fetcher = new SimulatedNetwork(new SimulatedServers(web, timers, settings.politeness, seed));
  const stop = new AbortController();
  const outcome: { end?: RefreshEnd; bug?: unknown } = {};
  const options = { store, settings, fetcher, timers, budget: 3000, commitMs: 60_000, signal: stop.signal, onStatus };
  refreshForever(options).then(
    (end) => (outcome.end = end),
    (bug: unknown) => (outcome.bug = bug),
  );
  while (outcome.end === undefined && outcome.bug === undefined) {
    if (timers.steps > STEPS_MAX) throw new Error(`no end after ${STEPS_MAX} steps`);
    if ((timers.nextMs ?? 0) > untilMs) stop.abort();
    if (!timers.step()) await new Promise((resolve) => setImmediate(resolve));
  }
  if (outcome.end === undefined) throw outcome.bug;
  return outcome.end;
}

describe("a simulated refresh that goes on", () => {
  // When sitemaps were read, it was not known which hosts share an address (1011), and how long hosts rest (108).
  it.each([...Array.from({ length: 10 }, (_, k) => k + 1), 1011, 108])(
    "is polite, finds new pages and claims no more than the truth (seed %i)",
    async (seed) => {
      const crawl = await simulateCrawl(seed);
      const { web, settings, store } = crawl;
      const statuses: RefreshStatus[] = [];
      const end = await simulateForever(crawl, seed, (status) => void statuses.push(status));
      expect(end.reason).toBe("interrupted");
      const urls = [...store.urls()];
      const origins = [...store.origins()];
      const pageOf = (url: number): number => web.pageOf(origins[urls[url].origin] + urls[url].path);
      const visits = [...store.visits()];
      const isSentAway = visits.some(({ url, reason }) => reason === "out-of-scope" && urls[url].depth === 0);
      if (isSentAway) return;
      const { universe, scope } = settings.web;
      const inScope = new Scope(scope);
      const world = web.world({
        damping: 0.85,
        universe,
        contains: (url) => inScope.contains(url),
        sentAway: new Set(),
      });
      const { ranks, sum } = universe === "allowed" ? truthAllowed(world) : truthOf(world);
      const read = visits.filter(({ outcome }) => isDownloaded(outcome)).map(({ url }) => pageOf(url));
      expect(new Set(read).size).toBe(read.length);
      const had = read.reduce((total, page) => total + ranks[page], 0);
      for (const { coverage } of statuses) expect(coverage).toBeLessThanOrEqual(sum === 0 ? 0 : had / sum + ROUNDING);
    },
  );
});
