/** `tidemark refresh` */
import { type Command, Option } from "commander";
import { UsageError } from "../../base/index.ts";
import { isCrawlDirectory } from "../input/graph-file.ts";
import {
  type Answer,
  commonOptions,
  dampingOption,
  examples,
  graphOptions,
  notes,
  PAGES_HELP,
  perform,
} from "../options/command.ts";
import { wholeNumber } from "../options/numbers.ts";
import { checkOutputs } from "../output/output-file.ts";
import type { RefreshOptions } from "../refresh/graph.ts";
import type { Terminal } from "../terminal/terminal.ts";

export function declare(command: Command): void {
  graphOptions(command)
    .requiredOption(
      "--budget <n>",
      "for a crawl: pages to read now; for a graph: reads per unit of time",
      wholeNumber(1),
    )
    .option("--plan", "for a crawl: list what to read now, and why (default)")
    .addOption(new Option("--once", "for a crawl: read these pages now").conflicts("plan"))
    .option("--rates <file>", `for a graph: ${PAGES_HELP}, followed by its changes per unit of time`)
    .option("--top <n>", "how many pages to list", wholeNumber(1), 10)
    .option(
      "--out <file>",
      "write one line per planned read: URL, new or again, importance, changes per day, last read; " +
        "for a graph, one line per page: id, reads per unit of time, importance, changes per unit of time",
    );
  commonOptions(dampingOption(command)).action((path: string, options: RefreshOptions) =>
    perform(options, (terminal) => {
      // Some have defaults, so only their source tells whether the user gave them.
      const given = (name: string): boolean => command.getOptionValueSource(name) === "cli";
      return refresh(path, options, { terminal, given });
    }),
  );
  notes(command, NOTES);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo",
    "tidemark refresh demo --budget 20 --plan --out now.tsv",
    "tidemark graph generate --pages 1000 --out web.arcs",
    "seq 0 999 | awk '{ print $1, 1 / (1 + $1 % 30) }' > web.rates",
    "tidemark refresh web.arcs --rates web.rates --budget 50",
  ]);
}

const NOTES = [
  "With a crawl directory: which pages to read now, known ones again and new ones, so that as much importance as " +
    "possible is fresh. How often a page changes is estimated from earlier reads. --once reads them: an unchanged page " +
    "costs a conditional request; a page that is gone is not read again, and the table rereads has the reason.",
  "With a graph and change rates: how often to read each page.",
];

async function refresh(
  path: string,
  options: RefreshOptions,
  { terminal, given }: { readonly terminal: Terminal; readonly given: (option: string) => boolean },
): Promise<Answer> {
  checkOutputs([options.out]);
  if (await isCrawlDirectory(path)) {
    for (const [name, reason] of Object.entries(KNOWN_OF_CRAWL)) {
      if (given(name)) throw new UsageError(`${path} is a crawl${reason}: leave out --${name}`);
    }
    if (options.once === true && given("top")) {
      throw new UsageError("--top is for --plan; --once lists no pages: leave out --top");
    }
    const { refreshCrawl } = await import("../refresh/crawl.ts");
    return refreshCrawl(path, options, terminal);
  }
  for (const name of ["once", "plan"]) {
    if (given(name)) throw new UsageError(`--${name} is for a crawl; ${path} is a graph: leave out --${name}`);
  }
  if (options.rates === undefined) {
    throw new UsageError(`${path} is a graph: give the change rates of its pages with --rates FILE`);
  }
  const { scheduleReads } = await import("../refresh/graph.ts");
  return scheduleReads(path, options.rates, options, terminal);
}

/** Options of a graph, and why a crawl does not take them. */
const KNOWN_OF_CRAWL: Readonly<Record<string, string>> = {
  rates: " and sees how often pages change",
  urls: " and knows its URLs",
  by: " and knows its hosts",
  damping: " and has a damping of its own",
};
