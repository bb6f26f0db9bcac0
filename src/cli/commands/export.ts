/** `tidemark export`: its formats, and what each may be combined with. cli/output/ writes them. */
import { type Command, Option } from "commander";
import { counted, didYouMean, UsageError } from "../../base/index.ts";
import type { PageStateName } from "../../coverage/index.ts";
import type { FindingsFormat } from "../../findings/index.ts";
import type { TextForm } from "../../log/index.ts";
import { type Output, answerWith, type CommonOptions, examples, integer, nameList, notes } from "../options/command.ts";
import { checkOutputs, writeOutputs, writePieces } from "../output/output-file.ts";
import { atOption, checkMoment, type MomentOptions } from "../input/moment.ts";
import type { SqliteStore } from "../../store/index.ts";
import type { Terminal } from "../terminal/terminal.ts";

const TABLES = ["jsonl", "csv", "parquet"] as const;
const DOCUMENTS = ["markdown", "llms-txt"] as const;
const GRAPHS = ["arcs", "bv"] as const;
const FINDINGS: readonly FindingsFormat[] = ["broken-links", "redirects", "duplicates", "near-duplicates", "orphans"];

type TableFormat = (typeof TABLES)[number];
type DocumentFormat = (typeof DOCUMENTS)[number];
type GraphFormat = (typeof GRAPHS)[number];

interface ExportOptions extends CommonOptions, MomentOptions {
  readonly format: TableFormat | DocumentFormat | GraphFormat | FindingsFormat;
  readonly out: string;
  readonly urlsOut?: string;
  readonly states?: readonly string[];
  readonly content?: TextForm;
  readonly top?: number;
  readonly importance: boolean;
  readonly redirects?: "as-links" | "resolved";
}

export function declare(command: Command): void {
  command
    .argument("<dir>", "the directory of a crawl")
    .addOption(
      new Option(
        "--format <format>",
        "jsonl, csv and parquet write tables of pages; markdown and llms-txt their content; arcs and bv links; " +
          "the others findings",
      )
        .choices([...TABLES, ...DOCUMENTS, ...GRAPHS, ...FINDINGS])
        .default("jsonl"),
    )
    .option(
      "--out <file>",
      "where to write; - is standard output; for bv the name without .graph; for markdown a name that ends in / is a " +
        "folder, with one file per page",
      "-",
    )
    .option("--urls-out <file>", "arcs and bv: write the URL of page i to line i of this file")
    .option(
      "--states <names>",
      "jsonl, csv and parquet: only pages in these states, separated by commas: downloaded, waiting, dead, ...",
      nameList,
    )
    .addOption(
      new Option("--content <form>", "jsonl, csv and parquet: add a column with the text of each page").choices([
        "text",
        "markdown",
        "html",
      ]),
    )
    .option("--top <n>", "pages and content: only the n most important downloaded pages, in this order", integer(1))
    .option("--no-importance", "leave out rank and importance, which take time to compute")
    .addOption(
      new Option("--redirects <how>", "arcs and bv: keep redirects as links, or resolve them")
        .choices(["as-links", "resolved"])
        // No real default: with other formats the option is an error.
        .default(undefined, "as-links"),
    );
  atOption(command);
  answerWith(command, exportCrawl);
  notes(command, [
    {
      title: "Content of the downloaded pages, the most important first, of a crawl with --store or --warc",
      lines: [
        ["markdown", "the main part of each page, below its URL, title, language, time and rank"],
        ["llms-txt", "a list of pages for language models (llmstxt.org): title, URL and first sentence"],
      ],
    },
    {
      title: "Findings, one per row",
      lines: [
        [
          "broken-links",
          "links to URLs that are dead, failed or forbidden: source, text (of a crawl with --anchors), target, " +
            "status, chain of redirects",
        ],
        ["redirects", "URLs that redirect: the chain, where it ends, how many pages link there"],
        ["duplicates", "pages with the same content, in groups"],
        [
          "near-duplicates",
          "pages with nearly the same words (of a crawl with --near-duplicates), in groups: distance, from 0 to " +
            "3, to the first",
        ],
        ["orphans", "URLs that a sitemap lists and nothing links to"],
      ],
    },
    "Findings are CSV. With --json on standard output, or in a file whose name ends in .jsonl (or .ndjson), they are " +
      "JSON lines. Broken links, duplicates and near-duplicates come by importance, that of the most important " +
      "page first.",
  ]);
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo --no-serve",
    "tidemark export demo --format csv --out pages.csv",
    "tidemark export demo --format arcs --out links.arcs --urls-out links.urls",
    "tidemark export demo --states downloaded | head -n 3",
    "tidemark export demo --format broken-links --out broken.csv",
    "tidemark export demo --format markdown --top 50 --out corpus/",
    "tidemark export demo --format llms-txt --top 50 --out llms.txt",
    "tidemark export demo --format parquet --out pages.parquet",
  ]);
}

async function exportCrawl(dir: string, options: ExportOptions, terminal: Terminal): Promise<Output> {
  const { format } = options;
  check(options);
  await checkMoment(dir, options, terminal);
  if (isOneOf(FINDINGS, format)) return exportFindings(dir, { ...options, format }, terminal);
  if (isOneOf(GRAPHS, format)) return exportGraph(dir, options, terminal);
  return exportPages(dir, { ...options, format }, terminal);
}

function isOneOf<Format extends string>(formats: readonly Format[], format: string): format is Format {
  return formats.some((each) => each === format);
}

function check(options: ExportOptions): void {
  const { format, out, urlsOut, states, content, top, importance, redirects, json } = options;
  if (format === "bv" && out === "-") {
    throw new UsageError("a BV graph is three files; give their common name with --out NAME");
  }
  if (format === "parquet" && (out === "-" || out.endsWith(".gz"))) {
    throw new UsageError("Parquet is a file that is compressed already; name it with --out FILE, without .gz");
  }
  if (json === true && out === "-" && !isOneOf(FINDINGS, format)) {
    throw new UsageError("--json prints a summary on standard output; write the export to a file with --out FILE");
  }
  const isGraph = isOneOf(GRAPHS, format);
  if (!isGraph && urlsOut !== undefined) {
    throw new UsageError(`--urls-out is for --format arcs and bv; ${format} has the URL of every page`);
  }
  if (!isGraph && redirects !== undefined) {
    throw new UsageError(`--redirects is for --format arcs and bv; ${format} has the target of every redirect`);
  }
  const isTable = isOneOf(TABLES, format);
  if (!isTable && states !== undefined) {
    throw new UsageError(`--states is for --format jsonl, csv and parquet; ${whatItHas(format)}`);
  }
  if (!isTable && content !== undefined) {
    throw new UsageError(`--content is for --format jsonl, csv and parquet; ${whatItHas(format)}`);
  }
  if (top === undefined) return;
  if (!isTable && !isOneOf(DOCUMENTS, format)) {
    throw new UsageError(`--top is for --format ${[...TABLES, ...DOCUMENTS].join(", ")}; ${whatItHas(format)}`);
  }
  if (states !== undefined) throw new UsageError("--top takes downloaded pages only; leave out --states");
  if (!importance) throw new UsageError("--top chooses by importance; leave out --no-importance");
}

function whatItHas(format: ExportOptions["format"]): string {
  if (isOneOf(GRAPHS, format)) return "a graph has all pages, and nothing but links";
  if (isOneOf(DOCUMENTS, format)) return `${format} has the text of downloaded pages`;
  return `${format} are findings, with columns of their own`;
}

type FindingsOptions = ExportOptions & { readonly format: FindingsFormat };

async function exportFindings(dir: string, options: FindingsOptions, { progress, note }: Terminal): Promise<Output> {
  const { format, out, json = false, importance } = options;
  const { exportFindings } = await import("../output/findings.ts");
  const isJson = out === "-" ? json : /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(out);
  const { rows, bytes, text } = await exportFindings(dir, {
    format,
    out,
    isJson,
    importance,
    progress,
    note,
    at: options.at,
  });
  if (out === "-") return { document: null, text: () => "" };
  return written({ format, out, rows, bytes, files: [out] }, `${text}, ${counted(bytes, "byte")}`);
}

type PagesOptions = ExportOptions & { readonly format: TableFormat | DocumentFormat };

async function exportPages(dir: string, options: PagesOptions, { progress, note }: Terminal): Promise<Output> {
  const { format, out, content, top, importance } = options;
  const states = await statesOf(options.states);
  const { exportLlmsTxt, exportMarkdown, exportTable } = await import("../output/pages.ts");
  const common = { out, top, importance, progress, note, at: options.at };
  const { text, ...summary } = await (format === "markdown"
    ? exportMarkdown(dir, common)
    : format === "llms-txt"
      ? exportLlmsTxt(dir, common)
      : exportTable(dir, { ...common, format, states, content }));
  return written({ format, out, ...summary, files: [out] }, text);
}

async function exportGraph(dir: string, options: ExportOptions, { progress }: Terminal): Promise<Output> {
  const { format, out, urlsOut, redirects = "as-links" } = options;
  const { bvTarget, textTarget, writeGraph } = await import("../output/graph-target.ts");
  const { crawlGraph, reading } = await import("../../store/index.ts");
  const target = format === "arcs" ? textTarget(out) : bvTarget(out);
  const paths = [...target.paths, ...(urlsOut === undefined ? [] : [urlsOut])];
  checkOutputs(paths);
  const read = async (store: SqliteStore) => {
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
  };
  return reading(dir, read, { atMs: options.at });
}

type Summary = Readonly<Record<string, unknown>> & { readonly out: string; readonly files: readonly string[] };

/** An export to standard output is itself the answer: nothing may follow it there. */
function written(document: Summary, text: string): Output {
  return { document, text: () => (document.out === "-" ? "" : `${document.files.join(", ")}: ${text}\n`) };
}

function* linesOf(urls: Iterable<string>): Generator<string> {
  for (const url of urls) yield `${url}\n`;
}

async function statesOf(names: readonly string[] | undefined): Promise<ReadonlySet<PageStateName> | undefined> {
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
