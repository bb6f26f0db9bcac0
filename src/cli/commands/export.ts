/** `tidemark export` */
import { type Command, Option } from "commander";
import { counted, didYouMean, UsageError } from "../../base/index.ts";
import type { FindingsFormat } from "../../findings/index.ts";
import type { PageRow } from "../../store/index.ts";
import { type Output, answerWith, type CommonOptions, examples, nameList, notes } from "../options/command.ts";
import { checkOutputs, writeOutputs, writePieces } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

const PAGES = ["jsonl", "csv"] as const;
const GRAPHS = ["arcs", "bv"] as const;
const FINDINGS: readonly FindingsFormat[] = ["broken-links", "redirects", "duplicates", "near-duplicates", "orphans"];

interface ExportOptions extends CommonOptions {
  readonly format: (typeof PAGES)[number] | (typeof GRAPHS)[number] | FindingsFormat;
  readonly out: string;
  readonly urlsOut?: string;
  readonly states?: readonly string[];
  readonly importance: boolean;
  readonly redirects?: "as-links" | "resolved";
}

export function declare(command: Command): void {
  command
    .argument("<dir>", "the directory of a crawl")
    .addOption(
      new Option("--format <format>", "jsonl and csv write pages; arcs and bv write links; the others write findings")
        .choices([...PAGES, ...GRAPHS, ...FINDINGS])
        .default("jsonl"),
    )
    .option("--out <file>", "where to write; - is standard output; for bv the name without .graph", "-")
    .option("--urls-out <file>", "arcs and bv: write the URL of page i to line i of this file")
    .option(
      "--states <names>",
      "jsonl and csv: only pages in these states, separated by commas: downloaded, waiting, dead, ...",
      nameList,
    )
    .option("--no-importance", "leave out rank and importance, which take time to compute")
    .addOption(
      new Option("--redirects <how>", "arcs and bv: keep redirects as links, or resolve them")
        .choices(["as-links", "resolved"])
        // No real default: with jsonl and csv the option is an error.
        .default(undefined, "as-links"),
    );
  answerWith(command, exportCrawl);
  notes(command, [
    {
      title: "Findings, one per row",
      lines: [
        [
          "broken-links",
          "links to URLs that are dead, failed or forbidden: source, text (of a crawl with --anchors), target, status, chain of redirects",
        ],
        ["redirects", "URLs that redirect: the chain, where it ends, how many pages link there"],
        ["duplicates", "pages with the same content, in groups"],
        [
          "near-duplicates",
          "pages with nearly the same words (of a crawl with --near-duplicates), in groups: distance, from 0 to 3, to the first",
        ],
        ["orphans", "URLs that a sitemap lists and nothing links to"],
      ],
    },
    "Findings are CSV. With --json on standard output, or in a file whose name ends in .jsonl (or .ndjson), they are " +
      "JSON lines. Broken links, duplicates and near-duplicates come by importance, that of the most important page first.",
  ]);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo --no-serve",
    "tidemark export demo --format csv --out pages.csv",
    "tidemark export demo --format arcs --out links.arcs --urls-out links.urls",
    "tidemark export demo --states downloaded | head -n 3",
    "tidemark export demo --format broken-links --out broken.csv",
  ]);
}

async function exportCrawl(dir: string, options: ExportOptions, terminal: Terminal): Promise<Output> {
  const { format } = options;
  check(options);
  if (isFindings(format)) return exportTable(dir, { ...options, format }, terminal);
  return isGraph(format) ? exportGraph(dir, options, terminal) : exportPages(dir, options, terminal);
}

function isGraph(format: string): boolean {
  return GRAPHS.some((each) => each === format);
}

function isFindings(format: string): format is FindingsFormat {
  return FINDINGS.some((each) => each === format);
}

function check({ format, out, urlsOut, states, redirects, json }: ExportOptions): void {
  if (format === "bv" && out === "-") {
    throw new UsageError("a BV graph is three files; give their common name with --out NAME");
  }
  if (!isGraph(format) && urlsOut !== undefined) {
    throw new UsageError(`--urls-out is for --format arcs and bv; ${format} has the URL of every page`);
  }
  if (!isGraph(format) && redirects !== undefined) {
    throw new UsageError(`--redirects is for --format arcs and bv; ${format} has the target of every redirect`);
  }
  if (isGraph(format) && states !== undefined) {
    throw new UsageError("--states is for --format jsonl and csv; a graph has all pages");
  }
  if (isFindings(format) && states !== undefined) {
    throw new UsageError(`--states is for --format jsonl and csv; ${format} are found in any state`);
  }
  if (json === true && out === "-" && !isFindings(format)) {
    throw new UsageError("--json prints a summary on standard output; write the export to a file with --out FILE");
  }
}

type TableOptions = ExportOptions & { readonly format: FindingsFormat };

async function exportTable(dir: string, options: TableOptions, { progress, note }: Terminal): Promise<Output> {
  const { format, out, json = false, importance } = options;
  const { exportFindings } = await import("../output/findings.ts");
  const isJson = out === "-" ? json : /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(out);
  const { rows, bytes, text } = await exportFindings(dir, { format, out, isJson, importance, progress, note });
  if (out === "-") return { document: null, text: () => "" };
  return written({ format, out, rows, bytes, files: [out] }, `${text}, ${counted(bytes, "byte")}`);
}

async function exportPages(dir: string, options: ExportOptions, { progress }: Terminal): Promise<Output> {
  const { format, out } = options;
  checkOutputs([out]);
  const { asSeen } = await import("../../log/index.ts");
  const { pagesAsCsv, pagesAsJsonLines } = await import("../../store/index.ts");
  const { statesOfLog } = await import("../../crawl/index.ts");
  const { intervalsOf, rankOf, reading } = await import("../input/crawl-graph.ts");
  const wanted = await statesOf(options.states);
  return reading(dir, async (store) => {
    progress({ task: options.importance ? "certifying" : "reading", done: 0, unit: "pages" });
    const { intervals, state } = options.importance ? await intervalsOf(store) : { state: statesOfLog(store) };
    let pages = 0;
    const rows = function* (): Generator<PageRow> {
      for (const record of store.pages()) {
        const row = asSeen(record, state[record.id]);
        if (wanted !== undefined && !wanted.has(row.state)) continue;
        pages++;
        yield row;
      }
    };
    const ranks = intervals && rankOf(intervals);
    const pieces = format === "csv" ? pagesAsCsv(rows(), ranks) : pagesAsJsonLines(rows(), ranks);
    const bytes = await writeOutputs([out], ([file]) =>
      writePieces(file, pieces, () => progress({ task: "writing", done: pages, unit: "pages" })),
    );
    return written({ format, out, pages, bytes, files: [out] }, `${counted(pages, "page")}, ${counted(bytes, "byte")}`);
  });
}

async function exportGraph(dir: string, options: ExportOptions, { progress }: Terminal): Promise<Output> {
  const { format, out, urlsOut, redirects = "as-links" } = options;
  const { bvTarget, textTarget, writeGraph } = await import("../output/graph-target.ts");
  const { crawlGraph } = await import("../../store/index.ts");
  const { reading } = await import("../input/crawl-graph.ts");
  const target = format === "arcs" ? textTarget(out) : bvTarget(out);
  const paths = [...target.paths, ...(urlsOut === undefined ? [] : [urlsOut])];
  checkOutputs(paths);
  return reading(dir, async (store) => {
    progress({ task: `reading ${dir}`, done: 0, unit: "pages" });
    const crawled = crawlGraph(store, { redirects });
    const { pages, arcs } = crawled.graph;
    const bytes = await writeOutputs(paths, async (files) => {
      const graphBytes = await writeGraph(crawled.graph, { target, files, progress });
      return graphBytes + (urlsOut === undefined ? 0 : await writePieces(files.at(-1)!, linesOf(crawled.urls())));
    });
    return written(
      { format, out, pages, arcs, linksToSinks: crawled.linksToSinks, bytes, files: paths },
      `${counted(pages, "page")}, ${counted(arcs, "arc")}, ${counted(bytes, "byte")}`,
    );
  });
}

type Summary = Readonly<Record<string, unknown>> & { readonly out: string; readonly files: readonly string[] };

/** An export to standard output is itself the answer: nothing may follow it there. */
function written(document: Summary, text: string): Output {
  return { document, text: () => (document.out === "-" ? "" : `${document.files.join(", ")}: ${text}\n`) };
}

function* linesOf(urls: Iterable<string>): Generator<string> {
  for (const url of urls) yield `${url}\n`;
}

async function statesOf(names: readonly string[] | undefined): Promise<ReadonlySet<PageRow["state"]> | undefined> {
  if (names === undefined) return undefined;
  const { pageStates } = await import("../../coverage/index.ts");
  return new Set(
    names.map((name) => {
      const state = pageStates.find((each) => each === name);
      if (state !== undefined) return state;
      throw new UsageError(
        `--states ${name}: no such state.${didYouMean(name, pageStates)} States are: ${pageStates.join(", ")}.`,
      );
    }),
  );
}
