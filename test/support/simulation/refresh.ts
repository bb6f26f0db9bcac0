/** A refresh of a crawl that was simulated, two days later, in the same web: its network is as strict about manners. */
import { refreshFacts, refreshPages, type RefreshResult } from "../../../src/crawl/index.ts";
import { SimulatedNetwork } from "./network.ts";
import type { SimulatedCrawl } from "./run.ts";
import { SimulatedTimers } from "./timers.ts";

const LATER_MS = 2 * 86_400_000;
const STEPS_MAX = 100_000;

export interface SimulatedRefresh {
  readonly planned: readonly number[];
  readonly result: RefreshResult;
  readonly trace: number;
}

/** `interruptAt`: after so many things that happen the user interrupts it. */
export async function simulateRefresh(
  { web, settings, store }: Pick<SimulatedCrawl, "web" | "settings" | "store">,
  seed: number,
  interruptAt = Number.POSITIVE_INFINITY,
): Promise<SimulatedRefresh> {
  const timers = new SimulatedTimers();
  timers.after(LATER_MS, () => {});
  timers.step();
  const network = new SimulatedNetwork(web, timers, settings.politeness, seed);
  const pages = refreshFacts(store).pages.filter(({ seenMs }) => seenMs !== null);
  const interruption = new AbortController();
  const outcome: { result?: RefreshResult; bug?: unknown } = {};
  refreshPages({ store, fetcher: network, settings, timers, pages, signal: interruption.signal }).then(
    (result) => (outcome.result = result),
    (bug: unknown) => (outcome.bug = bug),
  );
  while (outcome.result === undefined && outcome.bug === undefined) {
    if (timers.steps > STEPS_MAX) throw new Error(`no end after ${STEPS_MAX} steps`);
    if (timers.steps >= interruptAt) interruption.abort();
    if (!timers.step()) await new Promise((resolve) => setImmediate(resolve));
  }
  if (outcome.result === undefined) throw outcome.bug;
  return { planned: pages.map(({ url }) => url), result: outcome.result, trace: network.trace };
}
