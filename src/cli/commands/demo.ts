/** The arguments of `tidemark demo`. */
import type { Command } from "commander";
import type { DemoOptions } from "../actions/demo.ts";
import { commonOptions, examples } from "../options/command.ts";
import { level, wholeNumber } from "../options/numbers.ts";
import { servingOptions } from "../options/serving.ts";

export function declare(command: Command): void {
  command
    .option("--coverage <level>", "stop when this share of all importance is certainly covered", level, 0.95)
    .option("--dir <dir>", "where the crawl is kept (a temporary directory unless given)")
    .option("--keep", "keep the web up after the crawl, until Ctrl-C, to go on with")
    .option(
      "--serve",
      "show a dashboard in the browser (the default on a terminal), which stays until Ctrl-C",
    )
    .option("--no-serve", "show none, and end when all is said")
    .option("--serve-only", "only put the web up, and say how to crawl it; Ctrl-C ends it")
    .option(
      "--port <n>",
      "the port of this machine for the web (any free one unless given)",
      wholeNumber(1, 65_535),
    );
  servingOptions(command);
  commonOptions(command).action(async (options: DemoOptions) => {
    const { demo } = await import("../actions/demo.ts");
    await demo(options);
  });
  examples(command, [
    "tidemark demo --coverage 0.9 --dir demo",
    "tidemark coverage demo",
    "tidemark demo --dir demo --json",
  ]);
}
