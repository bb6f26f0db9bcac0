/** `tidemark graph info`, `graph convert` and `graph generate`. */
import { on } from "node:events";
import { Worker } from "node:worker_threads";
import type { Command } from "commander";
import {
  compiledEntry,
  counted,
  FailureError,
  formatCount,
  formatPercent,
  type Progress,
  UsageError,
} from "../../base/index.ts";
import type { GeneratorOptions, GraphInfo } from "../../graph/index.ts";
import { loadGraph } from "../input/graph-file.ts";
import {
  type Output,
  answerWith,
  type CommonOptions,
  commonOptions,
  examples,
  GRAPH_HELP,
  type GraphOptions,
  graphOptions,
  perform,
  positiveNumber,
  summarise,
  integer,
} from "../options/command.ts";
import type { GenerateJob, GenerateMessage } from "../output/generate-worker.ts";
import { checkOutputs, type OutputFile, writeOutputs } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { facts } from "../terminal/layout.ts";

const OUT_HELP = "a name that ends in .arcs, .tsv, .csv, .txt (optionally with .gz), or in .graph for BV";
const GENERATE_EXAMPLE = "tidemark graph generate --pages 10000 --out web.arcs --urls-out web.urls";

export function declare(graph: Command): void {
  declareInfo(graph.command("info"));
  declareConvert(graph.command("convert"));
  declareGenerate(graph.command("generate"));
  examples(graph, [GENERATE_EXAMPLE, "tidemark graph info web.arcs --urls web.urls"]);
}

function declareInfo(command: Command): void {
  summarise(command, "describe a graph: pages, arcs, hosts, dangling pages, components");
  answerWith(graphOptions(command), info);
  examples(command, [
    GENERATE_EXAMPLE,
    "tidemark graph info web.arcs",
    "tidemark graph info web.arcs --urls web.urls --by domain --json",
  ]);
}

function declareConvert(command: Command): void {
  summarise(command, "write a graph in another format");
  command
    .argument("<in>", GRAPH_HELP)
    .argument("<out>", OUT_HELP)
    .option("--transpose", "reverse every arc")
    .option("--allow-sparse", "accept an edge list with far more pages than arcs");
  commonOptions(command).action((from: string, to: string, options: ConvertOptions) =>
    perform(options, (terminal) => convert(from, to, options, terminal)),
  );
  examples(command, [
    "tidemark graph generate --pages 10000 --out web.arcs.gz",
    "tidemark graph convert web.arcs.gz web.graph",
    "tidemark graph convert web web-transposed.tsv --transpose",
  ]);
}

function declareGenerate(command: Command): void {
  summarise(command, "generate a realistic web of any size");
  command
    .requiredOption("--pages <n>", "number of pages", integer(1))
    .option("--degree <n>", "average number of links per page (default: 15.6)", positiveNumber)
    .option("--hosts <n>", "number of hosts (default: one per 50 pages)", integer(1))
    .option("--seed <n>", "random seed; another seed gives another web", integer(0, 2 ** 32 - 1), 1)
    .requiredOption("--out <file>", OUT_HELP)
    .option("--urls-out <file>", "also write the URL of page i to line i of this file");
  commonOptions(command).action((options: GenerateOptions) =>
    perform(options, (terminal) => generate(options, terminal)),
  );
  examples(command, [GENERATE_EXAMPLE, "tidemark graph generate --pages 50000 --degree 20 --seed 7 --out large.graph"]);
}

async function info(path: string, options: GraphOptions, { progress }: Terminal): Promise<Output> {
  const { graph, hosts } = await loadGraph(path, options, progress);
  const { graphInfo } = await import("../../graph/index.ts");
  progress({ task: "finding components", done: 0, total: graph.pages, unit: "pages" });
  const found = graphInfo(graph, hosts);
  return { document: found, text: () => facts(factsOf(found, options.by)) };
}

function factsOf(found: GraphInfo, by: string): [string, string][] {
  const { pages, arcs, hosts, interHostArcs, dangling, selfLinks, largestScc } = found;
  const share = (part: number, whole: number): string =>
    `${formatCount(part)} (${formatPercent(whole === 0 ? 0 : part / whole)})`;
  return [
    ["pages", formatCount(pages)],
    ["arcs", formatCount(arcs)],
    ...(hosts === null ? [] : [[`${by}s`, formatCount(hosts)] as [string, string]]),
    ...(interHostArcs === null ? [] : [[`arcs between ${by}s`, share(interHostArcs, arcs)] as [string, string]]),
    ["pages without links", share(dangling, pages)],
    ["self links", share(selfLinks, arcs)],
    ["largest strongly connected component", share(largestScc, pages)],
  ];
}

interface ConvertOptions extends CommonOptions {
  readonly transpose?: boolean;
  readonly allowSparse?: boolean;
}

/** Nothing is lost: self links stay. */
async function convert(from: string, to: string, options: ConvertOptions, { progress }: Terminal): Promise<Output> {
  const { graphTarget, writeGraph } = await import("../output/graph-target.ts");
  const target = graphTarget(to);
  checkOutputs(target.paths);
  const loaded = await loadGraph(from, { by: "host", ...options }, progress);
  const { transpose } = await import("../../graph/index.ts");
  const graph = options.transpose ? transpose(loaded.graph) : loaded.graph;
  const bytes = await writeOutputs(target.paths, (files) => writeGraph(graph, { target, files, progress }));
  const { pages, arcs } = graph;
  return {
    document: { pages, arcs, files: target.paths, bytes },
    text: () =>
      `${target.paths.join(", ")}: ${counted(pages, "page")}, ${counted(arcs, "arc")}, ` +
      `${counted(bytes, "byte")}, ${arcs === 0 ? 0 : ((8 * bytes) / arcs).toFixed(2)} bits per arc\n`,
  };
}

interface GenerateOptions extends CommonOptions {
  readonly pages: number;
  readonly degree?: number;
  readonly hosts?: number;
  readonly seed: number;
  readonly out: string;
  readonly urlsOut?: string;
}

/**
 * The generator produces rows without a pause, so another thread runs it and writes the files, which are opened here.
 * This thread shows progress and removes the files on Ctrl-C.
 */
async function generate(options: GenerateOptions, { progress }: Terminal): Promise<Output> {
  const { pages, seed, degree, hosts, out, urlsOut } = options;
  const { GeneratedWeb } = await import("../../graph/index.ts");
  const { graphTarget } = await import("../output/graph-target.ts");
  const web: GeneratorOptions = {
    pages,
    seed,
    ...(degree === undefined ? {} : { averageDegree: degree }),
    ...(hosts === undefined ? {} : { hosts }),
  };
  // Throws for what cannot be generated, before a file is opened.
  const { hosts: hostCount } = new GeneratedWeb(web);
  const target = graphTarget(out);
  const paths = [...target.paths, ...(urlsOut === undefined ? [] : [urlsOut])];
  checkOutputs(paths);
  const { arcs, bytes } = await writeOutputs(paths, (files) => {
    const opened = files.map(({ path, descriptor }): OutputFile => ({ path, descriptor }));
    const graphFiles = opened.slice(0, target.paths.length);
    return generateInThread({ web, target, graphFiles, urlsFile: opened[graphFiles.length] }, progress);
  });
  return {
    document: { pages, arcs, hosts: hostCount, seed, files: paths, bytes },
    text: () =>
      `${paths.join(", ")}: ${counted(pages, "page")}, ${counted(arcs, "arc")}, ` +
      `${counted(hostCount, "host")}, seed ${seed}\n`,
  };
}

async function generateInThread(
  job: GenerateJob,
  progress: Progress,
): Promise<GenerateMessage & { readonly kind: "done" }> {
  const worker = new Worker(compiledEntry("cli/output/generate-worker.js"), { workerData: job });
  try {
    for await (const [message] of on(worker, "message") as AsyncIterable<[GenerateMessage]>) {
      if (message.kind === "done") return message;
      progress({ task: "generating", done: message.pages, total: job.web.pages, unit: "pages" });
    }
    throw new Error("the generating thread ended without a result");
  } catch (error) {
    throw recognised(error);
  } finally {
    await worker.terminate();
  }
}

/** An error from another thread has lost its class, but not its name. */
function recognised(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const kind = [FailureError, UsageError].find(({ name }) => name === error.name);
  return kind === undefined ? error : new kind(error.message);
}
