/** Bugs in when a page is read again. */
import type { Mutant } from "../mutant.ts";

const plan = "test/refresh/plan.test.ts";
const freshness = "test/refresh/freshness.test.ts";
const rates = "test/refresh/change-rate.test.ts";

export const refresh: readonly Mutant[] = [
  {
    file: "src/refresh/plan.ts",
    find: "const rate = since === Infinity ? RATES[k] + 1 / HORIZON_MS : RATES[k];",
    replace: "const rate = RATES[k];",
    plants: "A new page counts for ever, not for a year.",
    killedBy: [plan],
  },
  {
    file: "src/refresh/plan.ts",
    find: "const HORIZON_MS = 365.25 * 86_400_000;",
    replace: "const HORIZON_MS = 36.525 * 86_400_000;",
    plants: "A new page counts for five weeks only.",
    killedBy: [plan],
  },
  {
    file: "src/refresh/plan.ts",
    find: "const rate = since === Infinity ? RATES[k] + 1 / HORIZON_MS : RATES[k];",
    replace: "const rate = RATES[k] + 1 / HORIZON_MS;",
    plants: "The horizon of new pages is applied to pages that were read.",
    killedBy: [plan],
  },
  {
    file: "src/refresh/plan.ts",
    find: "Math.max(0, nowMs - lastReadMs)",
    replace: "Math.abs(nowMs - lastReadMs)",
    plants: "A page that was read in the future, by a clock set back, counts as old.",
    killedBy: [plan],
  },
  {
    file: "src/refresh/plan.ts",
    find: ".filter((page) => saidGains[page] > 0)",
    replace: "",
    plants: "The budget is spent on pages that gain nothing.",
    killedBy: [plan],
  },
  {
    file: "src/refresh/plan.ts",
    find: "Math.ceil(budget / 2)",
    replace: "Math.floor(budget / 2) || 1",
    plants: "Of three reads, sitemaps choose two.",
    killedBy: [plan],
  },
  {
    file: "src/refresh/plan.ts",
    find: ".filter((page) => gains[page] > 0));",
    replace: ");",
    plants: "Reads are lost where half of the budget gains nothing by itself.",
    killedBy: [plan],
  },
  {
    file: "src/refresh/change-rate.ts",
    find: "modifiedMs > lastReadMs && listedMs - modifiedMs >= GENERATED_MS",
    replace: "modifiedMs > lastReadMs",
    plants: "A date in the future is believed.",
    killedBy: [plan],
  },
  {
    file: "src/refresh/change-rate.ts",
    find: "return ageMs >= GENERATED_MS ? ageMs : null;",
    replace: "return ageMs > GENERATED_MS ? ageMs : null;",
    plants: "A Last-Modified of exactly two minutes ago is not believed.",
    killedBy: [plan, rates],
  },
  {
    file: "src/refresh/change-rate.ts",
    find: "return ageMs >= GENERATED_MS ? ageMs : null;",
    replace: "return Math.abs(ageMs) >= GENERATED_MS ? Math.abs(ageMs) : null;",
    plants: "A Last-Modified in the future is believed.",
    killedBy: [plan, rates],
  },
  {
    file: "src/refresh/change-rate.ts",
    find: "const modified = ageMs === null ? 1 : rates[k] / SLOWEST;",
    replace: "const modified = 1;",
    plants: "That a page was modified is not taken for a change.",
    killedBy: [rates],
  },
  {
    file: "src/refresh/change-rate.ts",
    find: "const quietMs = unchangedMs + (ageMs ?? 0);",
    replace: "const quietMs = unchangedMs;",
    plants: "The time since a page was modified does not count as quiet.",
    killedBy: [rates],
  },
  {
    file: "src/refresh/change-rate.ts",
    find: "posterior[k] *= -Math.expm1(-rates[k] * afterMs);",
    replace: "posterior[k] *= rates[k] * afterMs;",
    plants: "A page that changed counts as changed once, not at least once.",
    killedBy: [rates],
  },
  {
    file: "src/refresh/host-priors.ts",
    find: "const crawl = guess.map((share) => GUESS_PAGES * share);",
    replace: "const crawl = guess.map((share) => share);",
    plants: "One page outweighs the guess.",
    killedBy: [rates],
  },
  {
    file: "src/refresh/host-priors.ts",
    find: "const stride = Math.max(1, Math.ceil(pages.count / PAGES_MAX));",
    replace: "const stride = Math.max(1, pages.count);",
    plants: "All is learnt from the first page.",
    killedBy: [plan, rates],
  },
  {
    file: "src/refresh/freshness.ts",
    find: "if (rate === 0) return sinceRead === Infinity ? (importance > 0 ? Infinity : 0) : 0;",
    replace: "if (rate === 0) return 0;",
    plants: "A new page that never changes is never read.",
    killedBy: [freshness],
  },
  {
    file: "src/refresh/freshness.ts",
    find: "if (x < 0.01) return x * x * (1 / 2 - x * (1 / 3 - x * (1 / 8 - x * (1 / 30 - x / 144))));",
    replace: "if (x < 0.01) return x * x * (1 / 2 - x * (1 / 2));",
    plants: "What a page gains soon after it was read is a little wrong.",
    killedBy: [freshness],
  },
  {
    file: "src/refresh/freshness.ts",
    find: "return rate > 0 && share < 1 ? rate / inverseStaleness(share) : 0;",
    replace: "return rate > 0 ? rate / inverseStaleness(Math.min(share, 0.999)) : 0;",
    plants: "Pages that change too fast to be kept fresh are read all the same.",
    killedBy: [freshness],
  },
  {
    file: "src/refresh/freshness.ts",
    find: "reads[page] += share * (atLow[page] - reads[page]);",
    replace: "reads[page] += 0;",
    plants: "A part of the budget is left over.",
    killedBy: [freshness],
  },
];
