/**
 * A refresh of a crawl that was simulated, some days later: its network is as strict about manners, and the disk fails
 * and the process dies as in a crawl.
 */
import { Random } from "../../../src/base/index.ts";
import { type CrawlSettings, refreshFacts, refreshPages, type RefreshResult } from "../../../src/crawl/index.ts";
import { StoreError } from "../../../src/store/index.ts";
import { SimulatedNetwork, SimulatedServers } from "./network.ts";
import { SimulatedRenderer } from "./renderer.ts";
import type { SimulatedCrawl } from "./run.ts";
import { SimulatedTimers } from "./timers.ts";

export const LATER_MS = 2 * 86_400_000;
const STEPS_MAX = 100_000;
const RUNS_MAX = 4;

export interface RefreshRun {
  /** Rereads that were committed before. */
  readonly rereads: number;
  readonly planned: readonly number[];
  readonly result: RefreshResult;
  readonly isInterrupted: boolean;
}

export interface SimulatedRefresh {
  /** The last one, which no disaster ended. */
  readonly run: RefreshRun;
  readonly disasters: number;
  readonly trace: number;
}

export interface SimulatedRefreshOptions {
  readonly seed: number;
  /** From 1: how often it was refreshed before, and once more. */
  readonly round: number;
  readonly isRendered: boolean;
}

export async function simulateRefresh(
  { web, store }: Pick<SimulatedCrawl, "web" | "store">,
  { seed, round, isRendered }: SimulatedRefreshOptions,
): Promise<SimulatedRefresh> {
  const random = new Random(seed, 20 + round);
  const timers = new SimulatedTimers();
  timers.after(round * LATER_MS, () => {});
  timers.step();
  const settings = JSON.parse(store.settings()) as CrawlSettings;
  const servers = new SimulatedServers(web, timers, settings.politeness, seed);
  const network = new SimulatedNetwork(servers, { isScripted: isRendered });
  for (let disasters = 0; ; disasters++) {
    const mayFail = disasters < RUNS_MAX - 1;
    if (mayFail && random.below(3) === 0) {
      store.failAt(store.writes + 1 + random.below(40), random.below(2) === 0 ? "disk-full" : "failed");
    }
    // What dies before anything happened would start later, as nothing that it waits for is forgotten.
    const soon = (): number => timers.steps + 1 + random.below(80);
    const [diesAt, interruptAt] = [1, 2].map(() =>
      mayFail && random.below(4) === 0 ? soon() : Number.POSITIVE_INFINITY,
    );
    const run = await runOnce(diesAt, interruptAt);
    if (run !== undefined) return { run, disasters, trace: network.trace };
    timers.forget();
    network.forget();
    store.crash();
  }

  /** Undefined if the disk failed or the process died. */
  async function runOnce(diesAt: number, interruptAt: number): Promise<RefreshRun | undefined> {
    const rereads = store.rereadCount;
    const pages = refreshFacts(store).pages.filter(({ visit }) => visit !== null);
    const interruption = new AbortController();
    const outcome: { result?: RefreshResult; bug?: unknown } = {};
    const renderer = isRendered ? new SimulatedRenderer(timers) : undefined;
    refreshPages({ store, fetcher: network, settings, timers, pages, renderer, signal: interruption.signal }).then(
      (result) => (outcome.result = result),
      (bug: unknown) => (outcome.bug = bug),
    );
    while (outcome.result === undefined && outcome.bug === undefined) {
      if (timers.steps > STEPS_MAX) throw new Error(`no end after ${STEPS_MAX} steps`);
      if (timers.steps >= diesAt) return undefined;
      if (timers.steps >= interruptAt) interruption.abort();
      if (!timers.step()) await new Promise((resolve) => setImmediate(resolve));
    }
    const { result, bug } = outcome;
    if (bug instanceof StoreError) return undefined;
    if (result === undefined) throw bug;
    return { rereads, planned: pages.map(({ url }) => url), result, isInterrupted: interruption.signal.aborted };
  }
}
