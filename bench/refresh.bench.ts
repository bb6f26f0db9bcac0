/**
 * Refresh: how fresh a budget of 1% of the pages per day keeps a web of known change rates, and how long planning
 * takes: the best schedule for all pages, and a plan of reads for pages with a few observations.
 */
import { Random, systemClock } from "../src/base/index.ts";
import { averageFreshness, randomRates, REFRESH_POLICIES } from "../src/lab/refresh/trial.ts";
import { bestSchedule, type KnownPage, planReads } from "../src/refresh/index.ts";

const DAY_MS = 86_400_000;

export interface RefreshFigures {
  readonly freshness: Readonly<Record<string, number>>;
  readonly schedule: { readonly pages: number; readonly seconds: number; readonly freshness: number };
  readonly plan: { readonly pages: number; readonly seconds: number };
}

export function benchRefresh(ranks: Float64Array, { tiny = false }: { readonly tiny?: boolean } = {}): RefreshFigures {
  const trialPages = Math.min(tiny ? 200 : 2000, ranks.length);
  const stride = Math.floor(ranks.length / trialPages);
  const importance = Float64Array.from({ length: trialPages }, (_, k) => ranks[k * stride]);
  const rates = randomRates(trialPages, { median: 1 / 20, spread: 1.5, seed: 1 });
  const trial = {
    importance,
    rates,
    readsPerRound: Math.max(1, Math.round(0.01 * trialPages)),
    rounds: 200,
    warmUp: 200,
  };
  const freshness = Object.fromEntries(REFRESH_POLICIES.map((policy) => [policy, averageFreshness(trial, policy)]));
  const allRates = randomRates(ranks.length, { median: 1 / 20, spread: 1.5, seed: 1 });
  const [schedule, scheduleSeconds] = timed(() => bestSchedule(ranks, allRates, 0.01 * ranks.length));
  const pages = knownPages(ranks);
  const [, planSeconds] = timed(() => planReads(pages, { nowMs: 400 * DAY_MS, budget: Math.ceil(ranks.length / 100) }));
  return {
    freshness,
    schedule: { pages: ranks.length, seconds: scheduleSeconds, freshness: schedule.freshness },
    plan: { pages: pages.length, seconds: planSeconds },
  };
}

/** Every page was read up to five times, at random times. */
function knownPages(ranks: Float64Array): KnownPage[] {
  const random = new Random(1);
  return Array.from(ranks, (importance) => ({
    importance,
    lastReadMs: random.below(400) * DAY_MS,
    changedAfterMs: Array.from({ length: random.below(3) }, () => (1 + random.below(100)) * DAY_MS),
    unchangedMs: random.below(300) * DAY_MS,
    ageMs: random.below(2) === 0 ? null : (1 + random.below(1000)) * DAY_MS,
  }));
}

function timed<T>(work: () => T): [result: T, seconds: number] {
  const startMs = systemClock.nowMs();
  const result = work();
  return [result, (systemClock.nowMs() - startMs) / 1000];
}
