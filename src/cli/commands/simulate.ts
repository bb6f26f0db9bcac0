/** `tidemark simulate` */
import { type Command, Option } from "commander";
import { counted, shellWord, systemClock, UsageError } from "../../base/index.ts";
import type { Chart, ExperimentResult, Simulation, SimulationInput } from "../../lab/index.ts";
import { isCrawlDirectory, type LoadedGraph, loadSurferGraph, noteSinks } from "../input/graph-file.ts";
import { equalTrust, readTrust, type Trust, trustEntries } from "../input/page-list.ts";
import { pageValues, VALUE_HELP } from "../input/page-values.ts";
import {
  type Output,
  answerWith,
  examples,
  type HelpList,
  level,
  nameList,
  notes,
  properFraction,
  type SurferOptions,
  surferOptions,
  TRUST_HELP,
  integer,
} from "../options/command.ts";
import { checkOutputs, expectSvg, type TextFile, writeTexts } from "../output/output-file.ts";
import { renderTable, type TextStyle, wrapped } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

const SEED_DEFAULT = 1;
const SEED_MAX = 2 ** 32 - 1;

interface SimulateOptions extends SurferOptions {
  readonly order: readonly string[];
  readonly experiment?: string;
  readonly trust?: string;
  readonly trustTop: number;
  readonly coverage?: number;
  readonly maxPages?: number;
  readonly value?: string;
  readonly confidence?: number;
  readonly seed?: number;
  readonly report?: string;
  readonly picture?: string;
  readonly out?: string;
}

export async function declare(command: Command): Promise<void> {
  surferOptions(command)
    .option("--order <names>", "orders to run, separated by commas", nameList, ["rankmass"])
    .addOption(
      new Option("--experiment <name>", "run an experiment from the papers instead").conflicts(["order", "coverage"]),
    )
    .option("--trust <file>", TRUST_HELP)
    .addOption(
      new Option("--trust-top <n>", "without --trust: trust the pages with the highest PageRank, this many")
        .argParser(integer(1))
        .default(160)
        .conflicts("trust"),
    )
    .option("--coverage <level>", "stop each order at this certified coverage", level)
    .option("--max-pages <n>", "stop each order after this many downloads", integer(1))
    .addOption(new Option("--value <file>", `also certify coverage of value; ${VALUE_HELP}`).conflicts("experiment"))
    .addOption(
      new Option("--confidence <p>", "also say when each level could be claimed by sampling, with this confidence")
        .argParser(properFraction)
        .conflicts("experiment"),
    )
    .option("--seed <n>", "with --confidence: random seed (default: 1)", integer(0, SEED_MAX))
    .option("--report <file>", "write the curves as one HTML page")
    .option("--picture <file>", "write the curves of coverage as an SVG picture")
    .option("--out <file>", "also write the JSON document to a file");
  answerWith(command, simulate);
  notes(command, [await orders(), EXPERIMENTS]);
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls",
    "tidemark simulate web.arcs --order rankmass,fpr,optimal --report report.html",
    "tidemark simulate web.arcs --urls web.urls --order fpr@20,random:7 --coverage 0.9 --json",
    "tidemark simulate web.arcs --coverage 0.98 --confidence 0.999 --seed 7",
    "tidemark simulate web.arcs --experiment rankmass-table2",
  ]);
}

async function simulate(path: string, options: SimulateOptions, terminal: Terminal): Promise<Output> {
  expectSvg(options.picture);
  if (options.seed !== undefined && options.confidence === undefined) {
    throw new UsageError("--seed is for sampling: give --confidence as well");
  }
  await checkNames(options, options.urls !== undefined || (await isCrawlDirectory(path)));
  checkOutputs([options.report, options.picture, options.out]);
  const loaded = await loadSurferGraph(path, options, terminal.progress);
  noteSinks(loaded, terminal.note);
  const trust = await trustFor(loaded, options, terminal);
  const { pages } = loaded.graph;
  const context = { pages, urls: loaded.urls, progress: terminal.progress };
  const values = options.value === undefined ? undefined : await pageValues(options.value, context);
  const input = {
    graph: loaded.graph,
    selfLinks: loaded.selfLinks,
    hosts: loaded.hosts,
    trust: [...trustEntries(trust)],
    damping: options.damping,
    maxPages: options.maxPages,
    values,
    clock: systemClock,
    progress: terminal.progress,
  };
  const { experiment } = options;
  const outcome = await (experiment === undefined ? runOrders(input, options) : runPaper(input, experiment));
  await writeTexts(await filesOf(path, outcome, options));
  if (options.report !== undefined) terminal.note(`the report is in ${options.report}`);
  return outcome;
}

interface Outcome extends Output {
  readonly document: Simulation;
  readonly picture: Chart;
  readonly report: (about: { readonly subtitle: string; readonly command: string }) => Promise<string>;
}

async function runOrders(
  input: Omit<SimulationInput, "orders">,
  { order, coverage, confidence, seed = SEED_DEFAULT }: SimulateOptions,
): Promise<Outcome> {
  const lab = await import("../../lab/index.ts");
  const sampling = confidence === undefined ? undefined : { confidence, seed };
  const simulation = lab.simulate({ ...input, orders: order, coverage, sampling });
  const { columns, rows } = lab.simulationTable(simulation);
  return {
    document: simulation,
    picture: lab.coverageChart(simulation.runs, {
      measures: sampling === undefined ? ["actual", "certified"] : ["actual", "sampled", "certified"],
    }),
    text: (style) => renderTable(columns, rows, style),
    report: async (about) => {
      const { simulationReport } = await import("../../report/index.ts");
      return simulationReport(simulation, { title: "Crawl orders side by side", ...about });
    },
  };
}

async function runPaper(input: Omit<SimulationInput, "orders">, name: string): Promise<Outcome> {
  const { coverageChart, runExperiment } = await import("../../lab/index.ts");
  const result = runExperiment(name, input);
  return {
    document: result,
    picture: result.charts[0] ?? coverageChart(result.runs),
    text: (style) => describeFindings(result, style),
    report: async (about) => (await import("../../report/index.ts")).experimentReport(result, about),
  };
}

function describeFindings(result: ExperimentResult, style: TextStyle): string {
  const { title, paragraphs, tables, verdicts } = result;
  const { width } = style;
  return [
    `${title}\n`,
    ...paragraphs.map((paragraph) => wrapped(paragraph, { width })),
    ...tables.map(({ table }) => renderTable(table.columns, table.rows, style)),
    verdicts
      .map(
        ({ verdict, claim, measured }) =>
          wrapped(`${verdict}: ${claim}`, { width }) + wrapped(measured, { width, indent: 2 }),
      )
      .join(""),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

async function filesOf(
  path: string,
  { document, picture, report }: Outcome,
  options: SimulateOptions,
): Promise<TextFile[]> {
  const { graph, trust } = document;
  const subtitle =
    `${path}: ${counted(graph.pages, "page")}, ${counted(graph.arcs, "link")}, ` + counted(trust.pages, "trusted page");
  // As the user typed it.
  const command = ["tidemark", ...process.argv.slice(2).map(shellWord)].join(" ");
  const files: TextFile[] = [];
  if (options.report !== undefined) {
    files.push({ path: options.report, text: await report({ subtitle, command }) });
  }
  if (options.picture !== undefined) {
    const { renderChartSvg } = await import("../../report/index.ts");
    files.push({ path: options.picture, text: renderChartSvg(picture) });
  }
  if (options.out !== undefined) files.push({ path: options.out, text: `${JSON.stringify(document)}\n` });
  return files;
}

async function trustFor(
  { graph, trust: trustOfCrawl, urls }: LoadedGraph,
  options: SimulateOptions,
  { note, progress }: Terminal,
): Promise<Trust> {
  const { trust, normaliseTrust: normalise, trustTop, damping, experiment } = options;
  if (trust !== undefined) return readTrust(trust, { pages: graph.pages, urls, progress, normalise });
  if (trustOfCrawl !== undefined) return trustOfCrawl;
  const { experimentNames } = await import("../../lab/index.ts");
  const { pagerank, topPages } = await import("../../rank/index.ts");
  const chosen = topPages(pagerank(graph, { damping, progress }).ranks, trustTop);
  if (!experimentNames.find(({ name }) => name === experiment)?.ownTrust) {
    note(
      `no --trust given: trust is shared equally by the ${counted(chosen.length, "page")} with the highest PageRank`,
    );
  }
  return equalTrust(chosen, graph.pages);
}

/** A mistake in a name shows before the graph is read. */
async function checkNames({ order, experiment, trust }: SimulateOptions, hasUrls: boolean): Promise<void> {
  const { checkExperiment } = await import("../../lab/index.ts");
  const { checkOrder } = await import("../../order/index.ts");
  const check = (hasHosts: boolean): void => {
    if (experiment !== undefined) checkExperiment(experiment, { hasHosts, hasTrust: trust !== undefined });
    for (const name of order) checkOrder(name, { hasHosts });
  };
  check(true);
  if (hasUrls) return;
  try {
    check(false);
  } catch (error) {
    // Only hosts can be missing now.
    throw error instanceof UsageError ? new UsageError(`${error.message} Give URLs with --urls FILE.`) : error;
  }
}

async function orders(): Promise<HelpList> {
  const { orderNames } = await import("../../order/index.ts");
  return {
    title: "Orders",
    lines: orderNames.map(({ usage, summary, needsHosts }) => [
      usage,
      `${summary}${needsHosts ? " (needs --urls)" : ""}`,
    ]),
  };
}

/** Written out here: loading the experiments takes longer than printing this help. A test compares them. */
const EXPERIMENTS: HelpList = {
  title: "Experiments",
  lines: [
    ["rankmass-table2", "RankMass, Table 2: downloads required for 0.98"],
    ["rankmass-figure7", "RankMass, Figure 7: actual and guaranteed coverage of three algorithms"],
    ["rankmass-figure8", "RankMass, Figure 8: window sizes"],
    ["rankmass-table3", "RankMass, Table 3: time and iterations by window"],
    ["rankmass-figure9", "RankMass, Figure 9: overall trust of the seeds by their number"],
    ["rankmass-figure10", "RankMass, Figure 10: coverage by the number of seeds"],
    ["rankmass-theorems", "RankMass, Theorems 1 to 5: bounds and what they bound"],
    ["rankmass-spam", "RankMass, section 2: what a link farm gains, by who is trusted"],
    ["fpr-figure3", "FPR, Figure 3: running time by downloads (needs --urls)"],
    ["fpr-figure4", "FPR, Figure 4: cumulative PageRank by downloads (needs --urls)"],
    ["communities-figure1", "Communities, Figure 1: what a page is said to be worth, and what it is worth"],
    ["communities-table1", "Communities, Table 1: site-specific domains"],
    ["communities-table2", "Communities, Table 2: topic-specific domains"],
    ["communities-figure2", "Communities, Figure 2: L1 distance to the global PageRank by pages crawled"],
    ["seeds-figure2", "Seeds, Figure 2: pages covered by the number of seeds, over RANDOM"],
    ["seeds-figure3", "Seeds, Figure 3: value covered by the number of seeds, over RANDOM"],
    ["seeds-figure4", "Seeds, Figure 4: pages covered by the number of hops, over RANDOM"],
    ["seeds-figure5", "Seeds, Figure 5: value covered by the number of hops, over RANDOM"],
    ["opic-convergence", "OPIC: error by page reads"],
    ["opic-frequency", "OPIC: how often GREEDY reads a page, by its importance"],
    ["opic-windows", "OPIC: the size of the window under change"],
    ["opic-variants", "OPIC: FIXED, VARIABLE and BAO under change"],
    ["refresh-freshness", "Refresh: importance kept fresh by a budget of reads"],
    ["refresh-year", "Refresh: a year of reads, with and without signals (needs --urls)"],
  ],
};
