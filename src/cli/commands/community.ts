/** The arguments of `tidemark community`. */
import { type Command, Option } from "commander";
import type { CommunityOptions } from "../actions/community.ts";
import { commonOptions, examples, graphOptions, perform } from "../options/command.ts";
import { properFraction, wholeNumber } from "../options/numbers.ts";

export function declare(command: Command): void {
  graphOptions(command)
    .requiredOption("--local <what>", "the community: host:NAME, or a file of pages, an id or URL a line")
    .addOption(
      new Option("--select <how>", "how pages to crawl are chosen: sc, pf, outlinks or random").default("sc"),
    )
    .option("--rounds <n>", "rounds of crawling on a graph (50 unless given)", wholeNumber(1))
    .option("--pages <n>", "pages a round (twice the community in all unless given)", wholeNumber(1))
    .addOption(
      new Option("--scores", "instead: the score of every page that the community links to").conflicts([
        "rounds",
        "pages",
        "out",
        "next",
      ]),
    )
    .option(
      "--levels <c>",
      "SC scores by the paper's table of so many values (exact unless given)",
      wholeNumber(1),
    )
    .option("--seed <n>", "for --select random", wholeNumber(0, 0xffffffff), 1)
    .option("--damping <d>", "chance to follow a link", properFraction, 0.85)
    .option("--top <n>", "how many pages to list", wholeNumber(1), 10)
    .option(
      "--out <file>",
      "write a line for every page of the community: id, local rank, estimate, true rank where known, URL",
    )
    .option("--next <file>", "of a crawl: write the URLs worth fetching next, best first");
  commonOptions(command).action((path: string, options: CommunityOptions) =>
    perform(options, async (terminal) =>
      (await import("../actions/community.ts")).community(path, options, terminal),
    ),
  );
  command.addHelpText("after", `\n${ABOUT}`);
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark community web.arcs --urls web.urls --local host:host3.example --rounds 10",
    "tidemark community web.arcs --urls web.urls --local host:host3.example --scores --json",
  ]);
}

/** `<graph>` may be a crawl here, which its one-line help does not say. */
const ABOUT = `On a graph: estimates the PageRank that the community has in the whole, crawling some pages a round, and tells how far
each estimate is from the truth. On the directory of a crawl: local rank beside estimated global rank, the pages of
greatest impact on the community, and the URLs outside it that are worth fetching next.

  sc        SC-SELECT: most influence on the ranks of the community, by stochastic complementation
  pf        PF-SELECT: most PageRank flow
  outlinks  OUTLINKCOUNT: most links
  random    any with equal chance`;
