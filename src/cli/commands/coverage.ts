/** The arguments of `tidemark coverage`. */
import { type Command, InvalidArgumentError } from "commander";
import { commonOptions, examples, perform, surferOptions, TRUST_HELP } from "../options/command.ts";
import type { CoverageOptions } from "../actions/coverage.ts";

export function declare(command: Command): void {
  surferOptions(command)
    .option("--trust <file>", `${TRUST_HELP} (required unless the graph is a crawl)`)
    .option("--pages <file>", "downloaded pages, an id or URL a line; repeated ones count once (likewise)")
    .option("--dead <file>", "pages known to lead nowhere, an id or URL a line")
    .option(
      "--dangling <rule>",
      "where pages without links lead: restart or none",
      certifiableRule,
      "restart",
    )
    .option("--no-redirects", "no page can turn out to be a redirect, which settles more of the order");
  commonOptions(command).action((path: string, options: CoverageOptions) =>
    perform(options, async (terminal) =>
      (await import("../actions/coverage.ts")).cover(path, options, terminal),
    ),
  );
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "seq 0 4999 > downloaded.txt",
    "echo http://host0.example/ > trust.txt",
    "tidemark coverage web.arcs --urls web.urls --trust trust.txt --pages downloaded.txt",
  ]);
}

function certifiableRule(text: string): "restart" | "none" {
  if (text === "restart" || text === "none") return text;
  throw new InvalidArgumentError(
    text === "uniform"
      ? "No certificate exists where dangling pages lead everywhere; it does for restart and none."
      : "Allowed choices are restart, none.",
  );
}
