/**
 * Our own experiment: how much importance a crawl that goes on keeps fresh for a year, with and without signals of
 * change, beside the plan of --once, simple policies and the best that is possible.
 */
import { formatCount } from "../../base/index.ts";
import { withoutSelfLinks } from "../../graph/index.ts";
import { pagerank } from "../../rank/index.ts";
import type { SignalQuality } from "../../refresh/index.ts";
import type { Chart, ClaimVerdict, Series } from "../exhibits.ts";
import { optimum } from "../refresh/optimum.ts";
import { allAlike, type ChangingPages, ChangingWeb, mixedRates, silent } from "../refresh/world.ts";
import {
  informed,
  inTurn,
  planned,
  proportional,
  queued,
  runYear,
  type Year,
  type YearPolicy,
} from "../refresh/year.ts";
import { type Experiment, type ExperimentInput, mean, solidCurves, verdict } from "./experiment.ts";

/** Reads per day, as a share of the pages. */
const BUDGET = 0.01;
/** No host gives more than this share of the budget, where hosts have limits. */
const HOST_SHARE = 0.1;
const SIGNALS: SignalQuality = { recall: 0.5, falseShare: 0.2 };
const YEAR = 365;
/** Change rates, changes and signals are drawn this often, with the seeds 1, 2, ... */
const DRAWS = 3;
/** Of larger graphs this many pages are used. */
const PAGES_MAX = 1000;
const DAYS_PER_POINT = 10;

const POLICIES = {
  uniform: "in turn",
  proportional: "by change rate",
  plan: "the plan of --once",
  planHearing: "the plan of --once, signals count as certain",
  queue: "refresh queue, all is learnt",
  informed: "refresh queue, all is known",
  optimum: "best possible",
  queueLimited: "limits per host: all is learnt",
  informedLimited: "limits per host: all is known",
  optimumLimited: "limits per host: best possible",
} as const;
type Policy = keyof typeof POLICIES;

/** Share of importance that is fresh, in the first and in the second year. */
interface Freshness {
  readonly first: number | null;
  readonly second: number;
  /** For each day; empty for what is computed, not simulated. */
  readonly byDay: readonly number[];
}

type Found = Readonly<Partial<Record<Policy, Freshness>>>;

export const refreshYear: Experiment = {
  name: "refresh-year",
  title: "Refresh: a year of reads, with and without signals",
  needsHosts: true,
  ownTrust: true,
  run(input) {
    const used = usedPages(input);
    const pages = used.hosts.length;
    const draws = Array.from({ length: DRAWS }, (_, k) => {
      const seed = k + 1;
      const changing = { ...used, rates: mixedRates(used.hosts, seed) };
      const quietYear = yearOf({ ...changing, qualityOf: silent }, seed);
      const signalledYear = yearOf({ ...changing, qualityOf: allAlike(SIGNALS) }, seed);
      const unheard = withoutHearing(quietYear);
      return {
        quiet: { ...unheard, ...outcomes(quietYear, false) },
        signalled: { ...unheard, ...outcomes(signalledYear, true) },
      };
    });
    const [quiet, signalled] = [average(draws.map((each) => each.quiet)), average(draws.map((each) => each.signalled))];
    const cell = (found: Found, policy: Policy, year: "first" | "second"): number | null =>
      found[policy]?.[year] ?? null;
    return {
      paragraphs: [
        `${formatCount(pages)} of the pages of this graph, evenly spread over their ids, with their PageRank and ` +
          "hosts, change at random. Rates are mixed: each host is of one of four kinds, after Cho and Garcia-Molina " +
          `(2000), from several changes per day to one in years. Each day ${100 * BUDGET}% of these pages are read. ` +
          `Where there are signals, ${100 * SIGNALS.recall}% of the changes are signalled, and ` +
          `${100 * SIGNALS.falseShare}% of the signals are false. At the start all copies are fresh and nothing is ` +
          `known; the second year is what counts. All figures are means over ${DRAWS} draws (seeds 1 to ${DRAWS}).`,
        "Best possible is the average over a long time of the best policy that knows all rates and reads at any " +
          `moment, while all others read once a day. With limits, at most ${100 * HOST_SHARE}% of the budget goes to ` +
          "one host.",
      ],
      charts: [
        chart("Importance kept fresh, with signals", signalled),
        chart("Importance kept fresh, without signals", quiet),
      ],
      tables: [
        {
          heading: "Share of importance that is fresh",
          table: {
            columns: [
              { title: "pages chosen", kind: "text" },
              { title: "first year", kind: "number", group: "without signals" },
              { title: "second year", kind: "number", group: "without signals" },
              { title: "first year", kind: "number", group: "with signals" },
              { title: "second year", kind: "number", group: "with signals" },
            ],
            rows: Object.entries(POLICIES).map(([policy, name]) => [
              name,
              ...[quiet, signalled].flatMap((found) => [
                cell(found, policy as Policy, "first"),
                cell(found, policy as Policy, "second"),
              ]),
            ]),
          },
        },
      ],
      verdicts: verdicts(quiet, signalled),
    };
  },
};

function verdicts(quiet: Found, signalled: Found): ClaimVerdict[] {
  const ratio = (found: Found, a: Policy, b: Policy, year: "first" | "second" = "second"): number =>
    (found[a]?.[year] ?? Number.NaN) / (found[b]?.[year] ?? Number.NaN);
  const times = (value: number): string => `${value.toFixed(3)} times`;
  const known = [quiet, signalled].flatMap((found) => [
    ratio(found, "informed", "optimum"),
    ratio(found, "informedLimited", "optimumLimited"),
  ]);
  return [
    verdict(
      "Our own claim: with signals, the queue keeps 1.15 times as much importance fresh as the plan of --once without.",
      `${times(ratio(signalled, "queue", "plan"))} as much; ` +
        `${times(ratio(signalled, "queue", "plan", "first"))} in the ` +
        "first year.",
      ratio(signalled, "queue", "plan") >= 1.15,
    ),
    verdict(
      "Our own claim: the same, compared with the plan of --once that takes signals for certain.",
      `${times(ratio(signalled, "queue", "planHearing"))} as much; the best possible is ` +
        `${times(ratio(signalled, "optimum", "planHearing"))} as much.`,
      ratio(signalled, "queue", "planHearing") >= 1.15,
    ),
    verdict(
      "Our own claim: without signals it is not below the plan of --once.",
      `${times(ratio(quiet, "queue", "plan"))} as much; ${times(ratio(quiet, "queue", "plan", "first"))} in the ` +
        "first year, in which it learns.",
      ratio(quiet, "queue", "plan") >= 1,
    ),
    verdict(
      "Our own claim: with known rates it comes within 5% of the best possible, also where hosts have limits.",
      `${known.map((value) => `${(100 * value).toFixed(1)}%`).join(", ")} of it (without signals, the same with ` +
        "limits per host, with signals, the same with limits).",
      known.every((value) => value >= 0.95),
    ),
    verdict(
      "Our own claim: it keeps more fresh than reading in turn or by change rate.",
      `${times(ratio(quiet, "queue", "uniform"))} and ${times(ratio(quiet, "queue", "proportional"))} as much, ` +
        "without signals.",
      ratio(quiet, "queue", "uniform") > 1 && ratio(quiet, "queue", "proportional") > 1,
    ),
  ];
}

function usedPages({ graph, hosts, damping, maxPages = PAGES_MAX }: ExperimentInput) {
  const ranks = pagerank(withoutSelfLinks(graph), { damping }).ranks;
  const stride = Math.ceil(ranks.length / Math.min(PAGES_MAX, maxPages));
  const isUsed = (_: number, page: number): boolean => page % stride === 0;
  const hostOf = (hosts?.hostOf ?? new Uint32Array(ranks.length)).filter(isUsed);
  return { importance: ranks.filter(isUsed), hosts: hostOf };
}

function yearOf(pages: ChangingPages, seed: number): Year {
  return {
    web: new ChangingWeb(pages, { days: 2 * YEAR, seed }),
    readsPerDay: BUDGET * pages.rates.length,
    warmUp: YEAR,
  };
}

/** Policies that hear no signals: the same with and without, because changes do not depend on signals. */
function withoutHearing(year: Year): Found {
  return {
    uniform: simulated(year, inTurn(year)),
    proportional: simulated(year, proportional(year)),
    plan: simulated(year, planned(year, { hearsSignals: false })),
  };
}

/** All others. */
function outcomes(year: Year, hearsSignals: boolean): Found {
  const { readsPerDay } = year;
  const { pages } = year.web;
  const hostReadsPerDay = HOST_SHARE * readsPerDay;
  return {
    ...(hearsSignals ? { planHearing: simulated(year, planned(year, { hearsSignals })) } : {}),
    queue: simulated(year, queued(year, { hearsSignals })),
    informed: simulated(year, informed(year, { hearsSignals })),
    optimum: computed(optimum(pages, { readsPerDay }).freshness),
    queueLimited: simulated(year, queued(year, { hearsSignals, hostReadsPerDay })),
    informedLimited: simulated(year, informed(year, { hearsSignals, hostReadsPerDay })),
    optimumLimited: computed(optimum(pages, { readsPerDay, hostReadsPerDay }).freshness),
  };
}

function simulated(year: Year, policy: YearPolicy): Freshness {
  const { byDay, freshness } = runYear(year, policy);
  return { first: mean(Array.from(byDay.subarray(0, YEAR))), second: freshness, byDay: Array.from(byDay) };
}

function computed(freshness: number): Freshness {
  return { first: null, second: freshness, byDay: [] };
}

/** The means over draws, of which all have the same policies. */
function average(draws: readonly Found[]): Found {
  return Object.fromEntries(
    (Object.keys(draws[0]) as Policy[]).map((policy) => {
      const all = draws.flatMap((found) => found[policy] ?? []);
      const firsts = all.flatMap(({ first }) => first ?? []);
      return [
        policy,
        {
          first: firsts.length === 0 ? null : mean(firsts),
          second: mean(all.map(({ second }) => second)),
          byDay: all[0].byDay.map((_, day) => mean(all.map(({ byDay }) => byDay[day]))),
        },
      ];
    }),
  );
}

function chart(title: string, found: Found): Chart {
  const groups = Object.entries(found).flatMap(([policy, { byDay }]): [string, Series["points"]][] =>
    byDay.length === 0 ? [] : [[POLICIES[policy as Policy], points(byDay)]],
  );
  return {
    title,
    description: `The share of importance that is fresh, by day, as means over ${DAYS_PER_POINT} days.`,
    groupLabel: "Pages chosen",
    x: { label: "Day", kind: "count", scale: "linear" },
    y: { label: "Fresh importance", kind: "number", scale: "linear" },
    series: solidCurves("fresh", groups),
  };
}

/** Means over some days each, at the last of them. */
function points(byDay: readonly number[]): [number, number][] {
  const count = Math.floor(byDay.length / DAYS_PER_POINT);
  return Array.from({ length: count }, (_, k) => {
    const from = k * DAYS_PER_POINT;
    return [from + DAYS_PER_POINT, mean(byDay.slice(from, from + DAYS_PER_POINT))];
  });
}
