/** The arguments of `tidemark graph info`. */
import type { Command } from "commander";
import { commonOptions, examples, type GraphOptions, graphOptions, perform } from "../options/command.ts";

export function declare(command: Command): void {
  commonOptions(graphOptions(command)).action((path: string, options: GraphOptions) =>
    perform(options, async (terminal) =>
      (await import("../actions/graph-info.ts")).describeGraph(path, options, terminal),
    ),
  );
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark graph info web.arcs",
    "tidemark graph info web.arcs --urls web.urls --by domain --json",
  ]);
}
