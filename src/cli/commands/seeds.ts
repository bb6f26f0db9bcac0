/** The arguments of `tidemark seeds`. */
import { type Command, Option } from "commander";
import { UsageError } from "../../base/index.ts";
import type { SeedsOptions } from "../actions/seeds.ts";
import { commonOptions, examples, graphOptions, perform } from "../options/command.ts";
import { level, wholeNumber } from "../options/numbers.ts";

export function declare(command: Command): void {
  const valueRule = ["spam", "clicked", "crawled", "unique"];
  graphOptions(command)
    .requiredOption("-k, --seeds <k>", "how many seeds at most", wholeNumber(1))
    .option("--hops <h>", "how far a crawl goes from a seed", wholeNumber(1), 5)
    .option("--method <name>", "how they are chosen", "greedy")
    .option("--depth <d>", "how far maxweight, maxscc and rootscc look", wholeNumber(1), 2)
    .option("--random <n>", "seed of the method random", wholeNumber(0, 0xffffffff), 1)
    .addOption(
      new Option(
        "--weights <file>",
        "values of all pages: one a line, or id or URL and value (the paper's rule unless given)",
      ).conflicts(valueRule),
    )
    .option("--spam <file>", "pages worth -10, an id or URL a line")
    .option("--clicked <file>", "pages worth 10, an id or URL a line")
    .option("--crawled <file>", "of a graph: pages crawled, links to all others add value (all unless given)")
    .option("--unique <p>", "with --crawled: chance that a new page is unique (1 unless given)", level)
    .option("--per-site", "choose site by site, seeds shared out by importance")
    .addOption(
      new Option("--importance <what>", "of a site, with --per-site")
        .choices(["pagerank", "value"])
        .default("pagerank"),
    )
    .option("--trust-out <file>", "write the seeds as a trust file, for tidemark crawl --trust");
  commonOptions(command).action((path: string, options: SeedsOptions) =>
    perform(options, async (terminal) => {
      if (options.perSite !== true && command.getOptionValueSource("importance") === "cli") {
        throw new UsageError("--importance is for --per-site: give both, or leave it out");
      }
      return (await import("../actions/seeds.ts")).seeds(path, options, terminal);
    }),
  );
  command.addHelpText("after", `\n${METHODS}`);
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark seeds web.arcs --urls web.urls -k 10 --hops 3 --trust-out trust.txt",
    "tidemark seeds web.arcs --urls web.urls -k 10 --method maxweight --depth 3 --per-site --json",
    "tidemark simulate web.arcs --urls web.urls --trust trust.txt --order rankmass",
  ]);
}

/** Written out here, since loading what they name takes longer than showing this help. */
const METHODS = `Methods:
  greedy     the page that gains most, again and again, improved by swaps; never covers less than another method
  maxweight  most value within --depth hops, again without what is covered
  maxscc     the same inside the heaviest strongly connected component
  rootscc    the same inside the heaviest component without parents that leads to the heaviest
  maxout     most links to pages that are not covered
  outdegree  most links
  pagerank   highest PageRank
  random     any with equal chance

Without --weights a page is worth 1, spam -10, a clicked page 10, plus its links to pages not crawled times the chance
that a new page of its site is unique; a crawl directory knows both from its own records.`;
