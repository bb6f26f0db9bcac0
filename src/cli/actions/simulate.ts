/** `tidemark simulate` */
import { counted, systemClock, UsageError } from "../../base/index.ts";
import type { Graph } from "../../graph/index.ts";
import {
  type Chart,
  checkExperiment,
  coverageChart,
  experimentNames,
  type ExperimentResult,
  runExperiment,
  type Simulation,
  simulate,
  type SimulationInput,
  simulationTable,
} from "../../lab/index.ts";
import { experimentReport, renderChartSvg, renderTable, simulationReport } from "../../report/index.ts";
import { checkOrder } from "../../order/index.ts";
import { pagerank, topPages } from "../../rank/index.ts";
import type { Answer, SurferOptions } from "../options/command.ts";
import { isCrawlDirectory, type LoadedGraph, loadGraph, noteSinks, surfed } from "../input/graph-file.ts";
import { equalTrust, readTrust, type Trust, trustEntries } from "../input/page-list.ts";
import { ByteSink } from "../output/byte-sink.ts";
import { checkOutputs, writeOutputs } from "../output/output-file.ts";
import type { Terminal, TextStyle } from "../terminal/terminal.ts";
import { wrapped } from "../terminal/words.ts";

export interface SimulateOptions extends SurferOptions {
  readonly order: readonly string[];
  readonly experiment?: string;
  readonly trust?: string;
  readonly trustTop: number;
  readonly coverage?: number;
  readonly maxPages?: number;
  readonly report?: string;
  readonly picture?: string;
  readonly out?: string;
}

export async function runSimulation(
  path: string,
  options: SimulateOptions,
  terminal: Terminal,
): Promise<Answer> {
  checkNames(options, options.urls !== undefined || (await isCrawlDirectory(path)));
  const outputs = [options.report, options.picture, options.out].filter((each) => each !== undefined);
  checkOutputs(outputs);
  const loaded = await loadGraph(path, options, terminal.progress);
  noteSinks(loaded, terminal.note);
  const { graph, selfLinks } = surfed(loaded.graph, options.selfLinks);
  const trust = await trustFor(graph, loaded, options, terminal);
  const input = {
    graph,
    selfLinks,
    hosts: loaded.hosts,
    trust: [...trustEntries(trust)],
    damping: options.damping,
    maxPages: options.maxPages,
    clock: systemClock,
    progress: terminal.progress,
  };
  const outcome =
    options.experiment === undefined ? ofOrders(input, options) : ofExperiment(input, options.experiment);
  const contents: string[] = [];
  if (options.report !== undefined) {
    contents.push(outcome.report({ subtitle: subtitle(path, outcome.document), command: commandLine() }));
  }
  if (options.picture !== undefined) contents.push(renderChartSvg(outcome.picture));
  if (options.out !== undefined) contents.push(`${JSON.stringify(outcome.document)}\n`);
  await writeOutputs(outputs, async (files) => {
    for (const [i, file] of files.entries()) {
      const sink = new ByteSink(file);
      sink.writeText(contents[i]);
      sink.finish();
    }
  });
  if (options.report !== undefined) terminal.note(`the report is in ${options.report}`);
  return outcome;
}

interface Outcome extends Answer {
  readonly document: Simulation;
  readonly picture: Chart;
  readonly report: (about: { readonly subtitle: string; readonly command: string }) => string;
}

function ofOrders(input: Omit<SimulationInput, "orders">, { order, coverage }: SimulateOptions): Outcome {
  const simulation = simulate({ ...input, orders: order, coverage });
  const { columns, rows } = simulationTable(simulation);
  return {
    document: simulation,
    picture: coverageChart(simulation.runs, { measures: ["actual", "certified"] }),
    text: (style) => renderTable(columns, rows, style),
    report: (about) => simulationReport(simulation, { title: "Crawl orders side by side", ...about }),
  };
}

function ofExperiment(input: Omit<SimulationInput, "orders">, name: string): Outcome {
  const result = runExperiment(name, input);
  const { charts, ...document } = result;
  return {
    document,
    picture: charts[0] ?? coverageChart(result.runs),
    text: (style) => describeFindings(result, style),
    report: (about) => experimentReport(result, about),
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

async function trustFor(
  graph: Graph,
  loaded: LoadedGraph,
  options: SimulateOptions,
  { note, progress }: Terminal,
): Promise<Trust> {
  const { trust, normaliseTrust = false, trustTop, damping, experiment } = options;
  if (trust !== undefined)
    return readTrust(trust, { pages: graph.pages, urls: loaded.urls, progress, normalise: normaliseTrust });
  if (loaded.trust !== undefined) return loaded.trust;
  const chosen = topPages(pagerank(graph, { damping, progress }).ranks, trustTop);
  if (!experimentNames.find(({ name }) => name === experiment)?.ownTrust) {
    note(`no --trust: the ${counted(chosen.length, "page")} of highest PageRank are trusted, all alike`);
  }
  return equalTrust(chosen, graph.pages);
}

/** A mistake in a name shows before the graph is read. */
function checkNames({ order, experiment, trust, picture }: SimulateOptions, hasUrls: boolean): void {
  if (picture !== undefined && !picture.endsWith(".svg")) {
    throw new UsageError(`--picture ${picture}: pictures are SVG; give a name that ends in .svg`);
  }
  const check = (hasHosts: boolean): void => {
    if (experiment !== undefined) checkExperiment(experiment, { hasHosts, hasTrust: trust !== undefined });
    for (const name of order) checkOrder(name, { hasHosts });
  };
  check(true);
  if (hasUrls) return;
  try {
    check(false);
  } catch (error) {
    // Nothing but hosts can be missing now.
    throw error instanceof UsageError
      ? new UsageError(`${error.message} URLs are given with --urls FILE.`)
      : error;
  }
}

function subtitle(path: string, { graph, trust }: Simulation): string {
  return `${path}: ${counted(graph.pages, "page")}, ${counted(graph.arcs, "link")}, ${counted(trust.pages, "trusted page")}`;
}

/** The command as it was typed, quoted so that a shell reads it back. */
function commandLine(): string {
  const words = process.argv
    .slice(2)
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  return ["tidemark", ...words].join(" ");
}
