/** `tidemark crawl --dry-run`: what a crawl would do, and how its seeds respond now. Nothing is created. */
import { counted, formatPercent } from "../../base/index.ts";
import {
  checkSeedHosts,
  checkSeeds,
  type CommandOptions,
  REDIRECTS_MAX,
  ruleInWords,
  type SeedCheck,
  type SeedCheckProblem,
  wholeRules,
} from "../../crawl/index.ts";
import type { Group } from "../../crawl/settings/index.ts";
import { reasonInWords, universeInWords } from "../../text/index.ts";
import { Scope } from "../../web/index.ts";
import { perform } from "../options/command.ts";
import { type TextStyle, wrapped } from "../terminal/layout.ts";
import { fetchPrinter, observed } from "./fetches.ts";
import { type CrawlPlan, fetcherOf } from "./plan.ts";
import { typedOptions } from "./typed.ts";

/** Seeds that are requested; the others of a longer list are only listed. */
const SEEDS_REQUESTED_MAX = 20;
const NAME_WIDTH = 12;

/** As JSON has it: the problem in words. */
type SeedLine = Omit<SeedCheck, "problem"> & { readonly problem?: string };

export async function dryRun(plan: CrawlPlan, options: CommandOptions): Promise<void> {
  await perform(options, async ({ progress, note }) => {
    plan.session.notes.forEach(note);
    const { settings, dir, isResumed } = plan;
    const fetcher = observed(fetcherOf(plan), fetchPrinter(options.verbose));
    const scope = new Scope(settings.web.scope);
    const checked = settings.seeds.slice(0, SEEDS_REQUESTED_MAX);
    const seeds: SeedLine[] = [...settings.seeds];
    try {
      const refused = await checkSeedHosts(settings, plan.proxy);
      if (refused !== undefined) note(refused);
      const onChecked = (done: number): void =>
        progress({ task: "requesting the seeds", done, total: checked.length, unit: "seeds" });
      onChecked(0);
      const checks = await checkSeeds({ settings, seeds: checked, fetcher, onChecked });
      for (const { leadsTo, status = 0 } of checks) {
        if (leadsTo !== undefined && status >= 200 && status < 300) scope.add(leadsTo);
      }
      seeds.splice(0, checks.length, ...checks.map(lineOf));
    } finally {
      await fetcher.close();
    }
    return {
      document: { dryRun: true, dir, resumed: isResumed, scope: scope.describe(), seeds, settings },
      text: (style) => describe(plan, scope, seeds, style),
    };
  });
}

function lineOf({ problem, ...check }: SeedCheck): SeedLine {
  return problem === undefined ? check : { ...check, problem: problemInWords(problem) };
}

function problemInWords(problem: SeedCheckProblem): string {
  switch (problem.kind) {
    case "robots":
      return (
        `robots.txt: not available (the server ${reasonInWords(problem.reason)}); ` +
        "nothing may be fetched until it is"
      );
    case "page":
      return problem.message ?? reasonInWords(problem.reason);
    case "rest":
      return `not requested now: its host asks for a delay of ${problem.restMs} ms`;
    case "out-of-scope":
      return "is out of scope";
    case "logout":
      return "looks like logout, so it is not requested with cookies or credentials";
    case "usage":
      return "robots.txt forbids the --purpose of this crawl, so it is not requested";
    case "usage-header":
      return "its own header forbids the --purpose of this crawl";
    case "bad-location":
      return "redirects to an invalid URL";
    case "too-many-redirects":
      return `redirects more than ${REDIRECTS_MAX} times`;
  }
}

function describe(plan: CrawlPlan, scope: Scope, seeds: readonly SeedLine[], { width }: TextStyle): string {
  const { dir, isResumed, settings } = plan;
  const flags = (group: Group): string => typedOptions(settings, (each) => each.group === group).join(" ");
  const measured = universeInWords(settings.web.universe);
  const lines: [name: string, value: string][] = [
    ["directory", `${dir} (${isResumed ? "resumed" : "new; not created now"})`],
    ["scope", `${scope.describe()}; coverage is measured over ${measured}`],
    ["robots.txt", `rules for ${settings.productToken}`],
    ["what", flags("what")],
    ["limits", flags("limits") || "none: until nothing is left to fetch"],
    ["politeness", flags("politeness")],
    ...Object.entries(wholeRules(settings)).map(([host, rule]): [string, string] => {
      return ["host", `${host}: ${ruleInWords(rule)}`];
    }),
    ["output", flags("output")],
    ["network", flags("network")],
    ["session", plan.described.join("; ")],
  ];
  return (
    `Nothing is created. This crawl would start at ${counted(seeds.length, "seed")}:\n\n` +
    seeds
      .slice(0, SEEDS_REQUESTED_MAX)
      .map((seed) => wrapped(describeSeed(seed), { width, indent: 2 }))
      .join("") +
    (seeds.length > SEEDS_REQUESTED_MAX
      ? `  and ${seeds.length - SEEDS_REQUESTED_MAX} more, not requested now\n`
      : "") +
    `\n${lines
      .filter(([, value]) => value !== "")
      .map(([name, value]) => wrapped(`${`${name}:`.padEnd(NAME_WIDTH)}${value}`, { width, hanging: NAME_WIDTH }))
      .join("")}`
  );
}

function describeSeed({ url, weight, leadsTo, robots, status, problem, crawlDelayMs }: SeedLine): string {
  const parts = [
    `${url} (trust ${formatPercent(weight)})`,
    ...(leadsTo === undefined ? [] : [`redirects to ${leadsTo}`]),
    // If it is unknown, the problem says why.
    ...(robots === undefined || robots === "unknown" ? [] : [`robots.txt: ${robots}`]),
    ...(crawlDelayMs == null ? [] : [`crawl-delay ${crawlDelayMs} ms`]),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(problem === undefined ? [] : [problem]),
  ];
  return parts.join(", ");
}
