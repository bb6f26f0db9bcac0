/** Our own experiment: how fresh a budget of reads keeps a web of known change rates, by policy. */
import { formatCount } from "../../base/index.ts";
import { withoutSelfLinks } from "../../graph/index.ts";
import { pagerank } from "../../rank/index.ts";
import { bestSchedule } from "../../refresh/index.ts";
import { averageFreshness, randomRates, REFRESH_POLICIES, type RefreshPolicy } from "../refresh/trial.ts";
import { type Experiment, verdict } from "./experiment.ts";

/** Reads per day, as a share of the pages. */
const BUDGETS = [0.01, 0.02, 0.05];
const ROUNDS = 200;
const WARM_UP = 200;
const SEED = 1;
/** Of larger graphs this many pages are used: choosing by learnt rates takes a while. */
const PAGES_MAX = 1000;

const NAMES: Readonly<Record<RefreshPolicy, string>> = {
  uniform: "in turn",
  importance: "by importance",
  rate: "by change rate",
  best: "by gain, rates known",
  learning: "by gain, rates learnt",
};

export const refreshFreshness: Experiment = {
  name: "refresh-freshness",
  title: "Refresh: importance kept fresh by a budget of reads",
  ownTrust: true,
  run(input) {
    const ranks = pagerank(withoutSelfLinks(input.graph), { damping: input.damping }).ranks;
    const stride = Math.ceil(ranks.length / PAGES_MAX);
    const importance = ranks.filter((_, page) => page % stride === 0);
    const pages = importance.length;
    const rates = randomRates(pages, { median: 1 / 20, spread: 1.5, seed: SEED });
    const found = BUDGETS.map((share) => {
      const readsPerRound = Math.max(1, Math.round(share * pages));
      const trial = { importance, rates, readsPerRound, rounds: ROUNDS, warmUp: WARM_UP };
      const fresh = Object.fromEntries(
        REFRESH_POLICIES.map((policy) => [policy, averageFreshness(trial, policy)]),
      ) as Record<RefreshPolicy, number>;
      return { ...fresh, limit: bestSchedule(importance, rates, readsPerRound).freshness };
    });
    const gains = (policy: RefreshPolicy): string =>
      found.map((each) => `${(100 * (each[policy] / each.uniform - 1)).toFixed(0)}%`).join(", ");
    return {
      paragraphs: [
        `${formatCount(pages)} of the pages of this graph, evenly spread over their ids, with their PageRank, change ` +
          "at random, half of them more often than once in 20 days (log-normal rates, standard deviation of the " +
          "logarithm 1.5). Each day 1%, 2% or 5% of these pages are read. The table shows the share of importance " +
          `that is fresh, averaged over ${ROUNDS} days after ${WARM_UP} days of warm-up.`,
      ],
      tables: [
        {
          heading: "Share of importance that is fresh",
          table: {
            columns: [
              { title: "pages chosen", kind: "text" },
              ...BUDGETS.map((share) => ({ title: `${100 * share}% per day`, kind: "number" }) as const),
            ],
            rows: [
              ...REFRESH_POLICIES.map((policy) => [NAMES[policy], ...found.map((each) => each[policy])]),
              ["best of all schedules", ...found.map((each) => each.limit)],
            ],
          },
        },
      ],
      verdicts: [
        verdict(
          "Our own claim: at 1% per day, a fifth more importance is fresh than by reading in turn.",
          `With 1%, 2% and 5% per day: ${gains("best")} more with known rates, ${gains("learning")} with learnt ones.`,
          found[0].best >= 1.2 * found[0].uniform,
        ),
        verdict(
          "Our own claim: more than by importance or by change rate alone.",
          `By importance alone ${gains("importance")} more than in turn, by change rate alone ${gains("rate")}.`,
          found.every(({ best, importance: first, rate }) => best > first && best > rate),
        ),
        verdict(
          "Our own claim: always reading what gains most comes within 2% of the best of all schedules.",
          `Here ${found.map((each) => `${(100 * (each.best / each.limit)).toFixed(1)}%`).join(", ")} of it.`,
          found.every((each) => each.best > 0.98 * each.limit),
        ),
      ],
    };
  },
};
