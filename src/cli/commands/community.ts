/** `tidemark community` */
import { type Command, Option } from "commander";
import { UsageError } from "../../base/index.ts";
import type { CommunityOptions } from "../community/world.ts";
import { isCrawlDirectory } from "../input/graph-file.ts";
import {
  type Output,
  answerWith,
  dampingOption,
  examples,
  graphOptions,
  type HelpList,
  isGiven,
  notes,
  PAGES_HELP,
  integer,
} from "../options/command.ts";
import { checkOutputs } from "../output/output-file.ts";
import { atOption, checkMoment } from "../input/moment.ts";
import type { Terminal } from "../terminal/terminal.ts";

export function declare(command: Command): void {
  const live = new Option(
    "--live",
    "for a crawl of your own site: fetch the outside pages that matter most for its global rank, and estimate it",
  );
  const scores = new Option("--scores", "only print the score of every page that the community links to");
  graphOptions(command)
    .option(
      "--local <what>",
      `the community: host:NAME, or a file of pages, ${PAGES_HELP} (default with --live: all that was downloaded)`,
    )
    .addOption(live.conflicts(["scores", "next"]))
    .option(
      "--dir <dir>",
      "with --live: directory of what is fetched; resumes it if it exists (default: GRAPH-community)",
    )
    .option("--again", "with --live: fetch the pages of the community again, where the crawl has not stored them")
    .option("--select <how>", "how pages to crawl are chosen (default: auto for a graph and --live, leak for a crawl)")
    .option("--rounds <n>", "for a graph: rounds of crawling (default: 50); with --live: (default: 10)", integer(1))
    .option(
      "--pages <n>",
      "for a graph: pages per round (default: twice the size of the community, over all rounds); " +
        "with --live: pages per round (default: the size of the community, over all rounds); " +
        "for a crawl: URLs to fetch next (default: 100)",
      integer(1),
    )
    .addOption(scores.conflicts(["rounds", "pages", "out", "next", "fullDegrees"]))
    .option("--levels <c>", "compute SC scores with the paper's table of c values (default: exact)", integer(1))
    .option(
      "--full-degrees",
      "for a graph and --live: links to pages that were not crawled count too (default: as in the paper)",
    )
    .option("--seed <n>", "with --select auto or random: the seed of the choice", integer(0, 0xffffffff), 1)
    .option("--top <n>", "how many pages to list", integer(1), 10)
    .option(
      "--out <file>",
      "write one line per page of the community: id, local rank, estimate, true rank and URL where known; " +
        "with --live: id, local rank, estimate, proven lower and upper bound, URL",
    )
    .option("--next <file>", "for a crawl: write the URLs worth fetching next, best first");
  atOption(command);
  answerWith(dampingOption(command), community);
  notes(command, NOTES);
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark community web.arcs --urls web.urls --local host:host3.example --rounds 10",
    "tidemark community web.arcs --urls web.urls --local host:host3.example --scores --json",
    "tidemark crawl https://www.example.com/ --dir my-site --store html --max-pages 20",
    "tidemark community my-site --live --rounds 2 --pages 5 --out ranks.tsv",
  ]);
}

const NOTES: readonly (string | HelpList)[] = [
  "With a graph: estimates the PageRank that the community has in the whole web. Each round crawls some pages; the " +
    "distance of each estimate to the truth is printed. With a crawl directory: local rank and estimated global " +
    "rank, the pages with the greatest impact on the community, and the URLs outside it that are worth fetching next.",
  "With --live: fetches outside pages politely, round by round, into a directory of its own, and writes local rank " +
    "beside estimated global rank. The links that leave your site are read from the crawl that you have made with " +
    "--store html or --warc. Ctrl-C stops it; the same command resumes it.",
  {
    title: "How pages are chosen (--select)",
    lines: [
      ["sc", "SC-SELECT: most influence on the ranks of the community, by stochastic complementation"],
      ["pf", "PF-SELECT: most PageRank flow"],
      ["outlinks", "OUTLINKCOUNT: most links"],
      ["leak", "the pages to which the community loses most rank"],
      ["random", "random pages"],
      ["auto", "half by leak, half random; the estimate is chosen by a trial on what is known"],
    ],
  },
];

async function community(
  path: string,
  given: Omit<CommunityOptions, "select"> & { readonly select?: string },
  terminal: Terminal,
  command: Command,
): Promise<Output> {
  const { checkSelection } = await import("../../community/index.ts");
  const select = given.select === undefined ? undefined : checkSelection(given.select);
  checkOutputs([given.out, given.next]);
  if (given.live === true && given.at !== undefined) {
    throw new UsageError("--live fetches pages now, and --at is about an earlier time: leave one out");
  }
  if (given.live === true) return live(path, { ...given, select }, terminal, command);
  for (const name of ["dir", "again"]) {
    if (isGiven(command, name))
      throw new UsageError(`--${name} is about fetching: give --live as well, or leave it out`);
  }
  if (given.local === undefined)
    throw new UsageError(
      "required option '--local <what>' not specified: give host:NAME or a file of pages, or --live for a crawl",
    );
  await checkMoment(path, given, terminal);
  const { scores, simulateCommunity } = await import("../community/simulation.ts");
  const { surveyCrawl } = await import("../community/survey.ts");
  const { loadWorld } = await import("../community/world.ts");
  const options = { ...given, local: given.local, select };
  const world = await loadWorld(path, options, terminal.progress);
  if (options.scores === true) return scores(world, options);
  if (world.crawl !== undefined) {
    if (options.rounds !== undefined) {
      throw new UsageError(`--rounds is for a graph or --live; ${path} is a crawl: leave out --rounds, or give --live`);
    }
    if (options.fullDegrees === true) {
      throw new UsageError(`--full-degrees is for a graph or --live; ${path} is a crawl: leave it out, or give --live`);
    }
    return surveyCrawl(world, world.crawl, options, terminal);
  }
  if (options.next !== undefined) {
    throw new UsageError(`--next is for a crawl; ${path} is a graph: leave out --next`);
  }
  return simulateCommunity(world, options, terminal);
}

async function live(path: string, options: CommunityOptions, terminal: Terminal, command: Command): Promise<Output> {
  if (!(await isCrawlDirectory(path))) {
    throw new UsageError(`--live is for a crawl; ${path} is none: leave out --live, or crawl your site first`);
  }
  const { liveCommunity } = await import("../community/live.ts");
  const { FIXED_CHOICES } = await import("../community/rounds-file.ts");
  const given = new Set(FIXED_CHOICES.filter((name) => isGiven(command, name)));
  return liveCommunity(path, { ...options, given }, terminal);
}
