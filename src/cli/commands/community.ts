/** `tidemark community` */
import { type Command, Option } from "commander";
import { UsageError } from "../../base/index.ts";
import type { CommunityOptions } from "../community/world.ts";
import {
  type Output,
  answerWith,
  dampingOption,
  examples,
  graphOptions,
  type HelpList,
  notes,
  PAGES_HELP,
  integer,
} from "../options/command.ts";
import { checkOutputs } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

export function declare(command: Command): void {
  const scores = new Option("--scores", "only print the score of every page that the community links to");
  graphOptions(command)
    .requiredOption("--local <what>", `the community: host:NAME, or a file of pages, ${PAGES_HELP}`)
    .option("--select <how>", "how pages to crawl are chosen: sc, pf, outlinks or random", "sc")
    .option("--rounds <n>", "for a graph: rounds of crawling (default: 50)", integer(1))
    .option(
      "--pages <n>",
      "for a graph: pages per round (default: twice the size of the community, over all rounds); " +
        "for a crawl: URLs to fetch next (default: 100)",
      integer(1),
    )
    .addOption(scores.conflicts(["rounds", "pages", "out", "next"]))
    .option("--levels <c>", "compute SC scores with the paper's table of c values (default: exact)", integer(1))
    .option("--seed <n>", "with --select random: the seed of the choice", integer(0, 0xffffffff), 1)
    .option("--top <n>", "how many pages to list", integer(1), 10)
    .option(
      "--out <file>",
      "write one line per page of the community: id, local rank, estimate, true rank and URL where known",
    )
    .option("--next <file>", "for a crawl: write the URLs worth fetching next, best first");
  answerWith(dampingOption(command), community);
  notes(command, NOTES);
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark community web.arcs --urls web.urls --local host:host3.example --rounds 10",
    "tidemark community web.arcs --urls web.urls --local host:host3.example --scores --json",
  ]);
}

const NOTES: readonly (string | HelpList)[] = [
  "With a graph: estimates the PageRank that the community has in the whole web. Each round crawls some pages; the " +
    "distance of each estimate to the truth is printed. With a crawl directory: local rank and estimated global " +
    "rank, the pages with the greatest impact on the community, and the URLs outside it that are worth fetching next.",
  {
    title: "How pages are chosen (--select)",
    lines: [
      ["sc", "SC-SELECT: most influence on the ranks of the community, by stochastic complementation"],
      ["pf", "PF-SELECT: most PageRank flow"],
      ["outlinks", "OUTLINKCOUNT: most links"],
      ["random", "random pages"],
    ],
  },
];

async function community(path: string, given: CommunityOptions, terminal: Terminal): Promise<Output> {
  const { checkSelection } = await import("../../community/index.ts");
  const { scores, simulateCommunity } = await import("../community/simulation.ts");
  const { surveyCrawl } = await import("../community/survey.ts");
  const { loadWorld } = await import("../community/world.ts");
  const options = { ...given, select: checkSelection(given.select) };
  checkOutputs([options.out, options.next]);
  const world = await loadWorld(path, options, terminal.progress);
  if (options.scores === true) return scores(world, options);
  if (world.crawl !== undefined) {
    if (options.rounds !== undefined) {
      throw new UsageError(`--rounds is for a graph; ${path} is a crawl: leave out --rounds`);
    }
    return surveyCrawl(world, world.crawl, options, terminal);
  }
  if (options.next !== undefined) {
    throw new UsageError(`--next is for a crawl; ${path} is a graph: leave out --next`);
  }
  return simulateCommunity(world, options, terminal);
}
