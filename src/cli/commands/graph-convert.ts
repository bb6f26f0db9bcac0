/** The arguments of `tidemark graph convert`. */
import type { Command } from "commander";
import { commonOptions, examples, GRAPH_HELP, perform } from "../options/command.ts";
import type { ConvertOptions } from "../actions/graph-convert.ts";

export function declare(command: Command): void {
  command
    .argument("<in>", GRAPH_HELP)
    .argument("<out>", "name that ends in .arcs, .tsv, .csv, .txt (then perhaps .gz), or in .graph for BV")
    .option("--transpose", "turn every arc round")
    .option("--allow-sparse", "accept an edge list with far more pages than arcs");
  commonOptions(command).action((from: string, to: string, options: ConvertOptions) =>
    perform(options, async (terminal) =>
      (await import("../actions/graph-convert.ts")).convert(from, to, options, terminal),
    ),
  );
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs.gz",
    "tidemark graph convert web.arcs.gz web.graph",
    "tidemark graph convert web web-transposed.tsv --transpose",
  ]);
}
