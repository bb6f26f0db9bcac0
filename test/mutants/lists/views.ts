/** What people see of a crawl: its tide in surveys, on the dashboard and in reports. */
import type { Mutant } from "../mutant.ts";

const sampling = "test/crawl/sampling.test.ts";
const gauge = "test/survey/tide-gauge.test.ts";
const events = "test/dashboard/server-events.test.ts";
const report = "test/report/crawl.test.ts";
const words = "test/text/crawl.test.ts";
const steps = "test/cli/crawl-words.test.ts";
const settings = "test/crawl/settings/stored-settings.test.ts";
const risen = "test/survey/risen-tide.test.ts";
const line = "test/cli/progress-line.test.ts";
const answers = "test/dashboard/server-answers.test.ts";

export const views: readonly Mutant[] = [
  {
    file: "src/survey/surveyor.ts",
    find: "...(this.#risen === undefined ? {} : { isTideOfNow: true }),",
    replace: "",
    plants: "A tide of the newest facts passes for what was proven at each time.",
    killedBy: [risen],
  },
  {
    file: "src/text/next-steps.ts",
    find: 'reason !== "frontier-empty" || share === undefined',
    replace: "share !== undefined",
    plants: "Nobody is told how pages that failed are tried again.",
    killedBy: [steps],
  },
  {
    file: "src/survey/risen-tide.ts",
    find: "if (isTrueNow && number < this.#numbers[url])",
    replace: "if (isTrueNow && number > this.#numbers[url])",
    plants: "The tide is flat until the newest visit of the seed.",
    killedBy: [risen],
  },
  {
    file: "src/survey/risen-tide.ts",
    find: 'if (outcome === "dead") return state === PageState.Dead;',
    replace: 'if (outcome === "dead") return true;',
    plants: "A page that was dead at first counts as downloaded from then on.",
    killedBy: [risen],
  },
  {
    file: "src/cli/terminal/terminal.ts",
    find: "if (text.length + part.length + 2 > room) break;",
    replace: "if (text.length > room) break;",
    plants: "The line of progress is longer than the terminal is wide.",
    killedBy: [line],
  },
  {
    file: "src/dashboard/server/metrics.ts",
    find: 'overviews.isCounted || field === "known" ? ',
    replace: 'overviews.isCounted || field !== "known" ? ',
    plants: "Metrics begin at zero after each start.",
    killedBy: [answers],
  },
  {
    file: "src/dashboard/server/overview.ts",
    find: 'if (this.#options.isRefreshed()) return "refreshing";',
    replace: "",
    plants: "A refresh in this process is said to run elsewhere.",
    killedBy: [answers],
  },
  {
    file: "src/text/next-steps.ts",
    find: "if (!searchable) return",
    replace: "if (searchable) return",
    plants: "Commands for the text of pages are proposed where there is none.",
    killedBy: [steps],
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
    file: "src/crawl/sampling/sampler.ts",
    find: 'return this.#hasWalked ? "shown" : "shown-before";',
    replace: 'return "shown";',
    plants: "A sample that fetched nothing says that it has shown what was expected.",
    killedBy: [sampling],
  },
  {
    file: "src/crawl/sampling/sampler.ts",
    find: 'if (!this.#isAnythingOpen()) return "nothing-open";',
    replace: "",
    plants: "A sample with nothing to walk to says that its budget is spent.",
    killedBy: [sampling],
  },
  {
    file: "src/crawl/settings/crawl-settings.ts",
    find: "if (seed === undefined || confidence !== undefined || seed === before?.seed) return;",
    replace: "if (seed === undefined || confidence !== undefined) return;",
    plants: "A directory with a seed that was ignored cannot be resumed.",
    killedBy: [settings],
  },
  {
    file: "src/text/crawl.ts",
    find: 'reason === "blocked" && mass > 0',
    replace: "mass > 0",
    plants: "Every crawl that misses something is called blocked.",
    killedBy: [words, "test/text/summary.test.ts"],
  },
  {
    file: "src/report/crawl/tide.ts",
    find: "points.findLastIndex((point) => point[4] === null) + 1",
    replace: "0",
    plants: "A report draws sampled claims that became void.",
    killedBy: [report],
  },
];
