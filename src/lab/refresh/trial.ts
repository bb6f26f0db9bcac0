/**
 * A web with known change rates, read again under a budget: how fresh does each policy keep the important pages?
 *
 * Time passes in rounds; in each, a fixed number of pages is read. Pages change at random (Poisson). The measure is the
 * expected share of importance that is fresh, averaged over time. It follows from the times of the reads alone: a page
 * read a time s ago is fresh with probability exp(-rate s). Only what the reads of `learning` find is drawn at random;
 * that policy knows no rates and estimates them from its reads.
 */
import { Random, UsageError } from "../../base/index.ts";
import { topPages } from "../../rank/index.ts";
import { learnPrior, planReads, readingGain } from "../../refresh/index.ts";

/** How pages are chosen: in turn, by importance or change rate alone, by gain with true rates or with learnt ones. */
export const REFRESH_POLICIES = ["uniform", "importance", "rate", "best", "learning"] as const;
export type RefreshPolicy = (typeof REFRESH_POLICIES)[number];

export interface RefreshTrial {
  readonly importance: Float64Array;
  /** Changes per round. */
  readonly rates: Float64Array;
  readonly readsPerRound: number;
  /** Rounds that count, after `warmUp` rounds that do not. */
  readonly rounds: number;
  readonly warmUp: number;
  readonly seed?: number;
}

/** The share of importance that is fresh, averaged over the rounds that count. */
export function averageFreshness(trial: RefreshTrial, policy: RefreshPolicy): number {
  const { importance, rates, readsPerRound, rounds, warmUp } = trial;
  if (readsPerRound < 1) throw new UsageError(`${readsPerRound} reads per round, expected at least 1`);
  const pages = importance.length;
  const lastRead = new Float64Array(pages);
  const choose = chooserOf(trial, policy, lastRead);
  let fresh = 0;
  const add = (page: number, until: number): void => {
    const from = Math.max(warmUp, lastRead[page]);
    if (until <= from) return;
    const chance = Math.exp(-rates[page] * (from - lastRead[page]));
    const span = until - from;
    const time = rates[page] > 0 ? -Math.expm1(-rates[page] * span) / rates[page] : span;
    fresh += importance[page] * chance * time;
  };
  const end = warmUp + rounds;
  for (let now = 1; now < end; now++) {
    for (const page of choose(now)) {
      add(page, now);
      lastRead[page] = now;
    }
  }
  for (let page = 0; page < pages; page++) add(page, end);
  return fresh / rounds / importance.reduce((sum, each) => sum + each, 0);
}

type Chooser = (now: number) => Iterable<number>;

function chooserOf(trial: RefreshTrial, policy: RefreshPolicy, lastRead: Float64Array): Chooser {
  const { importance, rates, readsPerRound } = trial;
  const pages = importance.length;
  const keys = new Float64Array(pages);
  const greatest =
    (keyOf: (page: number, since: number) => number): Chooser =>
    (now) => {
      for (let page = 0; page < pages; page++) keys[page] = keyOf(page, now - lastRead[page]);
      return topPages(keys, readsPerRound);
    };
  switch (policy) {
    case "uniform":
      return greatest((_, since) => since);
    case "importance":
      return greatest((page, since) => importance[page] * since);
    case "rate":
      return greatest((page, since) => rates[page] * since);
    case "best":
      return greatest((page, since) => readingGain(importance[page], rates[page], since));
    case "learning":
      return learner(trial, lastRead);
  }
}

/** A round is a day, so that the prior of change rates makes sense. */
const ROUND_MS = 86_400_000;
const ROUNDS_PER_PRIOR = 25;

function learner({ importance, rates, readsPerRound, seed = 1 }: RefreshTrial, lastRead: Float64Array): Chooser {
  const random = new Random(seed);
  const seen = Array.from(importance, (weight, page) => ({
    importance: weight,
    changedAfterMs: [] as number[],
    unchangedMs: 0,
    ageMs: null,
    get lastReadMs(): number {
      return lastRead[page] * ROUND_MS;
    },
  }));
  let prior = learnPrior(seen);
  return (now) => {
    if (now % ROUNDS_PER_PRIOR === 0) prior = learnPrior(seen);
    const reads = planReads(seen, { nowMs: now * ROUND_MS, budget: readsPerRound, prior });
    return reads.map(({ page }) => {
      const since = now - lastRead[page];
      if (random.float() < -Math.expm1(-rates[page] * since)) seen[page].changedAfterMs.push(since * ROUND_MS);
      else seen[page].unchangedMs += since * ROUND_MS;
      return page;
    });
  };
}

/** Realistic change rates, in changes per round: log-normal, with `spread` the standard deviation of the logarithm. */
export function randomRates(
  pages: number,
  { median, spread, seed }: { readonly median: number; readonly spread: number; readonly seed: number },
): Float64Array {
  const random = new Random(seed);
  return Float64Array.from({ length: pages }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float());
    return median * Math.exp(spread * normal);
  });
}
