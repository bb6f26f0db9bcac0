/** `tidemark refresh` */
import { type Command, Option } from "commander";
import { counted, formatPercent, UsageError } from "../../base/index.ts";
import { flagOf, type SettingsTable, settingsTable } from "../../crawl/settings/index.ts";
import type { ForeverFlags } from "../crawl/forever.ts";
import type { RefreshCrawlOptions } from "../crawl/refresh.ts";
import { isCrawlDirectory, loadGraph } from "../input/graph-file.ts";
import { readRates } from "../input/page-list.ts";
import { topPagesOf } from "../input/urls.ts";
import {
  type Output,
  answerWith,
  argument,
  dampingOption,
  examples,
  type GraphOptions,
  graphOptions,
  isGiven,
  notes,
  PAGES_HELP,
  integer,
} from "../options/command.ts";
import {
  declareSettings,
  expectNoSession,
  expectOneVolume,
  expectServed,
  sessionOptions,
} from "../options/settings.ts";
import { checkOutputs, writePageValues } from "../output/output-file.ts";
import { column, renderTable } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface RefreshOptions extends GraphOptions, Omit<ForeverFlags, "budget" | "json" | "verbose">, RefreshCrawlOptions {
  readonly forever?: boolean;
  readonly rates?: string;
  readonly damping: number;
}

export function declare(command: Command): void {
  graphOptions(command)
    .requiredOption(
      "--budget <n>",
      "for a crawl: pages to read now, with --forever per day; for a graph: reads per unit of time",
      integer(1),
    )
    .option("--plan", "for a crawl: list what to read now, and why (default)")
    .addOption(new Option("--once", "for a crawl: read these pages now").conflicts("plan"))
    .addOption(
      new Option("--forever", "for a crawl: go on reading, new pages and known ones again").conflicts(["plan", "once"]),
    )
    .option("--rates <file>", `for a graph: ${PAGES_HELP}, followed by its changes per unit of time`)
    .option(
      "--verbose",
      "with --once or --forever: print one line per fetch on standard error: time, status, bytes, milliseconds, URL",
    )
    .option(
      "--keep-visits <n|time>",
      "with --once, or once a day with --forever: delete earlier visits, but keep this many of each page (5, with " +
        "the newest), or those replaced within a time (90d) or since one (2026-11-18)",
      argument(settingsTable.keepVisits.kind),
    )
    .option("--top <n>", "how many pages to list", integer(1), 10)
    .option(
      "--out <file>",
      "write one line per planned read: URL, new or again, importance, changes per day, last read; " +
        "for a graph, one line per page: id, reads per unit of time, importance, changes per unit of time",
    );
  declareSettings(command, FOREVER);
  sessionOptions(command, "with --once or --forever");
  answerWith(dampingOption(command), refresh);
  notes(command, NOTES);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo --no-serve",
    "tidemark refresh demo --budget 20 --plan --out now.tsv",
    "tidemark refresh demo --forever --budget 5000 --quiet-hours 01:00-01:01",
    "tidemark refresh demo --forever --budget 5000 --keep-visits 90d",
    "tidemark graph generate --pages 1000 --out web.arcs",
    "seq 0 999 | awk '{ print $1, 1 / (1 + $1 % 30) }' > web.rates",
    "tidemark refresh web.arcs --rates web.rates --budget 50",
  ]);
}

const { budgetPerHost, rate, quietHours, timeZone, serve, listen, token } = settingsTable;
const FOREVER: SettingsTable = {
  budgetPerHost,
  rate,
  quietHours,
  timeZone,
  serve: { ...serve, help: "with --forever: show a dashboard in the browser" },
  listen,
  token,
};

const NOTES = [
  "With a crawl directory: which pages to read now, known ones again and new ones, so that as much importance as " +
    "possible is fresh. How often a page changes is estimated from earlier reads. --once reads them: an unchanged " +
    "page costs a conditional request; what is new replaces what was known, and links that were found compete for " +
    "the rest of the budget. A page that is gone is forgotten once that is certain, and one that failed is tried " +
    "again. Earlier visits stay: see --at of tidemark coverage, rank, export, report, search, pack, seeds, community " +
    "and serve. --keep-visits bounds how many; the file reuses the space, and WARC files stay as they are.",
  "--forever reads until Ctrl-C or SIGTERM: each day a budget of pages, evenly, those whose reads keep the most " +
    "importance fresh. Start it again at any time: what it has spent of the day's budget is in the log.",
  "With a graph and change rates: how often to read each page.",
];

async function refresh(path: string, options: RefreshOptions, terminal: Terminal, command: Command): Promise<Output> {
  checkOutputs([options.out]);
  if (await isCrawlDirectory(path)) {
    for (const [name, reason] of Object.entries(KNOWN_OF_CRAWL)) {
      if (isGiven(command, name)) throw new UsageError(`${path} is a crawl${reason}: leave out --${name}`);
    }
    const reads = options.once === true ? "--once" : options.forever === true ? "--forever" : undefined;
    if (reads !== undefined && isGiven(command, "top")) {
      throw new UsageError(`--top is for --plan; ${reads} lists no pages: leave out --top`);
    }
    if (reads === undefined) expectNoSession(options, "--once fetches pages: give it as well");
    if (options.keepVisits !== undefined && reads === undefined) {
      throw new UsageError(
        "--keep-visits deletes visits, and --plan changes nothing: leave it out, or give --once or --forever",
      );
    }
    if (options.verbose === true && reads === undefined) {
      throw new UsageError("--verbose is about fetching, and --plan fetches nothing: leave it out, or give --once");
    }
    if (options.forever !== true) expectNone(command, Object.keys(FOREVER), "--forever");
    expectOneVolume(options);
    const { plannerOf, refreshCrawl } = await import("../crawl/refresh.ts");
    const { sessionFlags } = await import("../crawl/session.ts");
    if (options.forever !== true) return refreshCrawl(path, options, terminal);
    if (isGiven(command, "out")) throw new UsageError("--out is for --plan and --once: leave it out");
    const { checkForever, goOnForever } = await import("../crawl/forever.ts");
    await checkForever(options);
    expectServed(options);
    return goOnForever(await (await plannerOf(path, sessionFlags(options)))(), options, terminal);
  }
  expectNoSession(options, `${path} is a graph, and nothing is fetched`);
  for (const [name, flag] of Object.entries(OF_CRAWL)) {
    if (!isGiven(command, name)) continue;
    throw new UsageError(`${flag} is for a crawl; ${path} is a graph: leave out ${flag}`);
  }
  expectNone(command, Object.keys(FOREVER), "--forever");
  if (options.rates === undefined) {
    throw new UsageError(`${path} is a graph: give the change rates of its pages with --rates FILE`);
  }
  return scheduleReads(path, options.rates, options, terminal);
}

/** An option that would be ignored is a mistake. */
function expectNone(command: Command, names: readonly string[], needed: string): void {
  const given = names.find((name) => isGiven(command, name));
  if (given === undefined) return;
  throw new UsageError(`${flagOf(given, FOREVER[given])} is for ${needed}: give that as well, or leave it out`);
}

/** Options of a crawl alone. */
const OF_CRAWL = {
  once: "--once",
  plan: "--plan",
  forever: "--forever",
  verbose: "--verbose",
  keepVisits: "--keep-visits",
};

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
