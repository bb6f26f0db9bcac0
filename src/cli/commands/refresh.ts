/** The arguments of `tidemark refresh`. */
import { type Command, Option } from "commander";
import type { RefreshOptions } from "../actions/refresh.ts";
import { commonOptions, DEFAULT_DAMPING, examples, graphOptions, perform } from "../options/command.ts";
import { properFraction, wholeNumber } from "../options/numbers.ts";

export function declare(command: Command): void {
  graphOptions(command)
    .requiredOption("--budget <n>", "pages to read; of a graph: reads a unit of time", wholeNumber(1))
    .option("--plan", "of a crawl: list what to read now, and why (unless --once is given)")
    .addOption(
      new Option("--once", "of a crawl: read what is planned with the live crawler").conflicts("plan"),
    )
    .option("--rates <file>", "of a graph: an id or URL a line, then its changes a unit of time")
    .option("--damping <d>", "of a graph: chance to follow a link", properFraction, DEFAULT_DAMPING)
    .option("--top <n>", "how many pages to list", wholeNumber(1), 10)
    .option(
      "--out <file>",
      "write a line for every read: URL, new or again, importance, changes a day, last read; of a graph for every page",
    );
  commonOptions(command).action((path: string, options: Omit<RefreshOptions, "graphOnly">) =>
    perform(options, async (terminal) => {
      // These have defaults, so only their source tells whether somebody gave them.
      const graphOnly = ["damping", "by"].filter((name) => command.getOptionValueSource(name) === "cli");
      const { refresh } = await import("../actions/refresh.ts");
      return refresh(path, { ...options, graphOnly }, terminal);
    }),
  );
  command.addHelpText("after", `\n${ABOUT}`);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo",
    "tidemark refresh demo --budget 20 --plan --out now.tsv",
    "tidemark graph generate --pages 1000 --out web.arcs",
    "seq 0 999 | awk '{ print $1, 1 / (1 + $1 % 30) }' > web.rates",
    "tidemark refresh web.arcs --rates web.rates --budget 50",
  ]);
}

const ABOUT = `Of the directory of a crawl: which pages to read now, old ones again and new ones, so that as much importance as
possible is fresh. How often a page changes is estimated from what earlier readings found. --once reads them: unchanged
pages cost a conditional request, pages that are gone are forgotten, with the reason in the table rereads.

Of a graph with change rates: how often to read each page.`;
