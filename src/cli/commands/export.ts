/** The arguments of `tidemark export`. */
import { type Command, Option } from "commander";
import type { ExportOptions } from "../actions/export.ts";
import { commonOptions, examples, perform } from "../options/command.ts";

export function declare(command: Command): void {
  command
    .argument("<dir>", "the directory of a crawl")
    .addOption(
      new Option("--format <format>", "jsonl and csv: pages; arcs and bv: links")
        .choices(["jsonl", "csv", "arcs", "bv"])
        .default("jsonl"),
    )
    .option("--out <file>", "where to write; - for standard output; of bv the name without .graph", "-")
    .option("--urls-out <file>", "arcs and bv: write the URL of page i to line i of this file")
    .option(
      "--states <names>",
      "pages in these states only, separated by commas: downloaded, waiting, dead, ...",
      stateList,
    )
    .option("--no-importance", "leave out the bounds of importance, which take time to compute")
    .addOption(
      new Option("--redirects <how>", "arcs and bv: redirects as links of their own, or stepped over")
        .choices(["as-links", "resolved"])
        // No default of its own: where pages are written it must not be given.
        .default(undefined, "as-links"),
    );
  commonOptions(command).action((dir: string, options: ExportOptions) =>
    perform(options, async (terminal) =>
      (await import("../actions/export.ts")).exportCrawl(dir, options, terminal),
    ),
  );
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo",
    "tidemark export demo --format csv --out pages.csv",
    "tidemark export demo --format arcs --out links.arcs --urls-out links.urls",
    "tidemark export demo --states downloaded | head -n 3",
  ]);
}

function stateList(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}
