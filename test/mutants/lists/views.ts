/** What people see of a crawl: its tide in surveys, on the dashboard and in reports. */
import type { Mutant } from "../mutant.ts";

const sampling = "test/crawl/sampling.test.ts";
const gauge = "test/survey/tide-gauge.test.ts";
const events = "test/dashboard/server-events.test.ts";
const report = "test/report/crawl.test.ts";

export const views: readonly Mutant[] = [
  {
    file: "src/crawl/sampling/sampled-tide.ts",
    find: "looksOf(facts, (url) => known.has(url))",
    replace: "looksOf(facts)",
    plants: "What walks show is drawn from the beginning of their round on, before they were followed.",
    killedBy: [sampling],
  },
  {
    file: "src/crawl/sampling/sampled-tide.ts",
    find: "if (isFinal(outcome)) known.add(url);",
    replace: "",
    plants: "Walks wait for ever at pages that were fetched.",
    killedBy: [sampling],
  },
  {
    file: "src/survey/tide-gauge.ts",
    find: "sinceMs = Math.max(sinceMs, steps[next].atMs);",
    replace: "",
    plants: "A sampled claim is drawn before it was made.",
    killedBy: [gauge],
  },
  {
    file: "src/survey/tide-gauge.ts",
    find: "if (joined.at(-1)?.[0] === point[0]) joined.pop();",
    replace: "",
    plants: "The tide has several points with the same pages.",
    killedBy: [gauge],
  },
  {
    file: "src/dashboard/server/event-stream.ts",
    find: " || (pages === last[0] && sampled !== last[4])",
    replace: "",
    plants: "A sampled claim that needed no page does not reach viewers.",
    killedBy: [events],
  },
  {
    file: "src/dashboard/server/running-crawl.ts",
    find: "if (last?.[0] === status.pages) this.#points.pop();",
    replace: "",
    plants: "Points of the live tide with the same pages pile up.",
    killedBy: [events],
  },
  {
    file: "src/report/crawl/tide.ts",
    find: "points.findLastIndex((point) => point[4] === null) + 1",
    replace: "0",
    plants: "A report draws sampled claims that became void.",
    killedBy: [report],
  },
];
