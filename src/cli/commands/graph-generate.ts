/** The arguments of `tidemark graph generate`. */
import type { Command } from "commander";
import { commonOptions, examples, perform } from "../options/command.ts";
import { positive, wholeNumber } from "../options/numbers.ts";
import type { GenerateOptions } from "../actions/graph-generate.ts";

export function declare(command: Command): void {
  command
    .requiredOption("--pages <n>", "number of pages", wholeNumber(1))
    .option("--degree <n>", "links a page on average (15.6 unless given)", positive)
    .option("--hosts <n>", "number of hosts (one for fifty pages unless given)", wholeNumber(1))
    .option("--seed <n>", "another seed gives another web", wholeNumber(0, 2 ** 32 - 1), 1)
    .requiredOption("--out <file>", "ends in .arcs, .tsv, .csv, .txt (then perhaps .gz), or in .graph for BV")
    .option("--urls-out <file>", "also write the URLs of the pages, line i for page i (perhaps .gz)");
  commonOptions(command).action((options: GenerateOptions) =>
    perform(options, async (terminal) =>
      (await import("../actions/graph-generate.ts")).generate(options, terminal),
    ),
  );
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark graph generate --pages 50000 --degree 20 --seed 7 --out large.graph",
  ]);
}
