/** The limits of a crawl: whether they make sense, and which of them is reached. */
import { quoted, UsageError } from "../base/index.ts";
import type { Limits } from "./settings/settings.ts";
import type { CrawlModel } from "./model.ts";
import type { StopReason } from "./stop-reasons.ts";

interface Rule {
  readonly holds: (value: number) => boolean;
  readonly expected: string;
}

const COUNT: Rule = {
  holds: (value) => Number.isSafeInteger(value) && value >= 1,
  expected: "a whole number of at least 1",
};

const RULES: Readonly<Record<keyof Limits, Rule>> = {
  coverage: { holds: (value) => value > 0 && value <= 1, expected: "a number above 0 and at most 1" },
  pages: COUNT,
  depth: {
    holds: (value) => Number.isSafeInteger(value) && value >= 0,
    expected: "a whole number of at least 0",
  },
  timeMs: {
    holds: (value) => value > 0 && value < Number.POSITIVE_INFINITY,
    expected: "milliseconds above 0",
  },
  bytes: COUNT,
  pagesPerHost: COUNT,
};

export const limitNames = Object.keys(RULES) as readonly (keyof Limits)[];

/** Limits that came from somewhere, without those that are undefined; the user is told of what is wrong with them. */
export function checkedLimits(limits: Limits): Limits {
  const checked: Record<string, number> = {};
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (value === undefined) continue;
    if (!isLimit(name)) {
      throw new UsageError(`there is no limit ${quoted(name)}, expected ${limitNames.join(", ")}`);
    }
    const { holds, expected } = RULES[name];
    if (typeof value !== "number" || !holds(value)) {
      throw new UsageError(
        `the limit ${name} is ${quoted(String(value))}, expected ${expected}, or leave it out`,
      );
    }
    checked[name] = value;
  }
  return checked;
}

function isLimit(name: string): name is keyof Limits {
  return Object.hasOwn(RULES, name);
}

/** The reason to stop, where a limit that ends a crawl is reached. */
export function limitReached(
  { coverage, pages, bytes, timeMs }: Limits,
  model: Pick<CrawlModel, "tally" | "watch" | "order">,
  elapsedMs: number,
): StopReason | undefined {
  if (coverage !== undefined && isCovered(model, coverage)) return "coverage-reached";
  if (pages !== undefined && model.tally.downloaded >= pages) return "page-limit";
  if (bytes !== undefined && model.tally.bytes >= bytes) return "byte-limit";
  if (timeMs !== undefined && elapsedMs >= timeMs) return "time-limit";
  return undefined;
}

/** The watch looks only now and then; what the order guarantees meanwhile is as good. */
function isCovered({ watch, order }: Pick<CrawlModel, "watch" | "order">, goal: number): boolean {
  return watch.reached() || (order.guaranteed() ?? 0) >= goal;
}
