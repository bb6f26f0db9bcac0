/** The arguments of `tidemark report`. */
import type { Command } from "commander";
import type { ReportOptions } from "../actions/report.ts";
import { commonOptions, examples, perform } from "../options/command.ts";

export function declare(command: Command): void {
  command
    .argument("<source>", "the directory of a crawl, or what tidemark simulate --json printed")
    .option("--out <file>", "where to write the page; - for standard output", "report.html")
    .option("--title <text>", "what stands at its top")
    .option("--picture <file>", "of a crawl: write its tide as an SVG picture as well");
  commonOptions(command).action((source: string, options: ReportOptions) =>
    perform(options, async (terminal) =>
      (await import("../actions/report.ts")).report(source, options, terminal),
    ),
  );
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo",
    "tidemark report demo --out demo.html",
    "tidemark graph generate --pages 2000 --out web.arcs",
    "tidemark simulate web.arcs --order rankmass,fpr --json > simulation.json",
    'tidemark report simulation.json --title "Which order suits us?"',
  ]);
}
