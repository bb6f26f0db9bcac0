/** `tidemark refresh` */
import { type Command, Option } from "commander";
import { counted, formatPercent, UsageError } from "../../base/index.ts";
import type { RefreshCrawlOptions } from "../crawl/refresh.ts";
import { isCrawlDirectory, loadGraph } from "../input/graph-file.ts";
import { readRates } from "../input/page-list.ts";
import { topPagesOf } from "../input/urls.ts";
import {
  type Output,
  answerWith,
  dampingOption,
  examples,
  type GraphOptions,
  graphOptions,
  isGiven,
  notes,
  PAGES_HELP,
  integer,
} from "../options/command.ts";
import { expectNoSession, sessionOptions } from "../options/settings.ts";
import { checkOutputs, writePageValues } from "../output/output-file.ts";
import { column, renderTable } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface RefreshOptions extends GraphOptions, RefreshCrawlOptions {
  readonly rates?: string;
  readonly damping: number;
}

export function declare(command: Command): void {
  graphOptions(command)
    .requiredOption("--budget <n>", "for a crawl: pages to read now; for a graph: reads per unit of time", integer(1))
    .option("--plan", "for a crawl: list what to read now, and why (default)")
    .addOption(new Option("--once", "for a crawl: read these pages now").conflicts("plan"))
    .option("--rates <file>", `for a graph: ${PAGES_HELP}, followed by its changes per unit of time`)
    .option(
      "--verbose",
      "with --once: print one line per fetch on standard error: time, status, bytes, milliseconds, URL",
    )
    .option("--top <n>", "how many pages to list", integer(1), 10)
    .option(
      "--out <file>",
      "write one line per planned read: URL, new or again, importance, changes per day, last read; " +
        "for a graph, one line per page: id, reads per unit of time, importance, changes per unit of time",
    );
  sessionOptions(command, "with --once");
  answerWith(dampingOption(command), refresh);
  notes(command, NOTES);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo --no-serve",
    "tidemark refresh demo --budget 20 --plan --out now.tsv",
    "tidemark graph generate --pages 1000 --out web.arcs",
    "seq 0 999 | awk '{ print $1, 1 / (1 + $1 % 30) }' > web.rates",
    "tidemark refresh web.arcs --rates web.rates --budget 50",
  ]);
}

const NOTES = [
  "With a crawl directory: which pages to read now, known ones again and new ones, so that as much importance as " +
    "possible is fresh. How often a page changes is estimated from earlier reads. --once reads them: an unchanged " +
    "page costs a conditional request; a page that is gone is not read again, and the table rereads has the reason.",
  "With a graph and change rates: how often to read each page.",
];

async function refresh(path: string, options: RefreshOptions, terminal: Terminal, command: Command): Promise<Output> {
  checkOutputs([options.out]);
  if (await isCrawlDirectory(path)) {
    for (const [name, reason] of Object.entries(KNOWN_OF_CRAWL)) {
      if (isGiven(command, name)) throw new UsageError(`${path} is a crawl${reason}: leave out --${name}`);
    }
    if (options.once === true && isGiven(command, "top")) {
      throw new UsageError("--top is for --plan; --once lists no pages: leave out --top");
    }
    if (options.once !== true) expectNoSession(options, "--once fetches pages: give it as well");
    if (options.verbose === true && options.once !== true) {
      throw new UsageError("--verbose is about fetching, and --plan fetches nothing: leave it out, or give --once");
    }
    if (options.verbose === true && options.quiet === true) {
      throw new UsageError("--quiet and --verbose contradict each other: leave one out");
    }
    const { refreshCrawl } = await import("../crawl/refresh.ts");
    return refreshCrawl(path, options, terminal);
  }
  expectNoSession(options, `${path} is a graph, and nothing is fetched`);
  for (const name of ["once", "plan", "verbose"]) {
    if (!isGiven(command, name)) continue;
    throw new UsageError(`--${name} is for a crawl; ${path} is a graph: leave out --${name}`);
  }
  if (options.rates === undefined) {
    throw new UsageError(`${path} is a graph: give the change rates of its pages with --rates FILE`);
  }
  return scheduleReads(path, options.rates, options, terminal);
}

/** Options of a graph, and why a crawl does not take them. */
const KNOWN_OF_CRAWL: Readonly<Record<string, string>> = {
  rates: " and sees how often pages change",
  urls: " with its own URLs",
  by: " with its own hosts",
  damping: " and has a damping of its own",
};

/** How often to read each page of a graph, given how often it changes. */
async function scheduleReads(
  path: string,
  ratesPath: string,
  options: RefreshOptions,
  { progress }: Terminal,
): Promise<Output> {
  const { budget, damping, out } = options;
  const { graph: whole, urls } = await loadGraph(path, options, progress);
  const { withoutSelfLinks } = await import("../../graph/index.ts");
  const { pagerank } = await import("../../rank/index.ts");
  const { bestSchedule, freshness, freshnessOf } = await import("../../refresh/index.ts");
  const graph = withoutSelfLinks(whole);
  const { pages } = graph;
  const rates = await readRates(ratesPath, { pages, urls });
  const importance = pagerank(graph, { damping, progress }).ranks;
  const { reads, freshness: fresh, marginalGain } = bestSchedule(importance, rates, budget);
  const uniform = freshnessOf(importance, rates, new Float64Array(pages).fill(budget / pages));
  if (out !== undefined) {
    const all = Uint32Array.from(reads.keys());
    await writePageValues(out, { pages: all, columns: [reads, importance, rates], urls: new Map() });
  }
  const best = await topPagesOf(reads, { count: options.top, urls });
  const top = best
    .filter(({ value }) => value > 0)
    .map(({ id, url, value }) => {
      const rate = rates[id];
      return { id, url, importance: importance[id], rate, reads: value, fresh: freshness(rate, 1 / value) };
    });
  const read = reads.reduce((count, each) => count + (each > 0 ? 1 : 0), 0);
  const summary =
    `${formatPercent(fresh)} of importance is fresh on average, ${formatPercent(uniform)} if all pages are read ` +
    `equally often; ${counted(read, "page")} of ${pages} ${read === 1 ? "is" : "are"} worth reading again.`;
  const columns = [
    column("page"),
    column("importance", 4),
    column("changes", 3),
    column("reads", 5),
    column("fresh", 2),
  ];
  return {
    document: { pages, budget, read, freshness: fresh, uniform, marginalGain, top },
    text: (style) =>
      renderTable(
        [...columns, ...(urls === undefined ? [] : [column("url", 1)])],
        top.map((page) => [
          String(page.id),
          formatPercent(page.importance),
          page.rate.toPrecision(3),
          page.reads.toPrecision(3),
          formatPercent(page.fresh),
          page.url ?? null,
        ]),
        style,
      ) + `\n${summary}\n`,
  };
}
