/** The arguments of `tidemark serve`. */
import type { Command } from "commander";
import type { ServeOptions } from "../actions/serve.ts";
import { commonOptions, examples } from "../options/command.ts";
import { servingOptions } from "../serve/address.ts";

export function declare(command: Command): void {
  command.argument("<dir>", "the directory of a crawl, one that runs or one that has ended");
  servingOptions(command);
  commonOptions(command).action(async (dir: string, options: ServeOptions) => {
    const { serve } = await import("../actions/serve.ts");
    await serve(dir, options);
  });
  command.addHelpText("after", NOTES);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo",
    "timeout --preserve-status 3 tidemark serve demo",
  ]);
}

const NOTES = `
Open the address that is printed in a browser; Ctrl-C ends the dashboard. It reads the crawl and changes nothing in it but for a file
survey.bin, which keeps what was computed; to pause, stop or change a crawl that runs, begin it with tidemark crawl --serve. Prometheus
finds its figures under /metrics.`;
