/** `tidemark export` */
import { counted, didYouMean, type Progress, UsageError } from "../../base/index.ts";
import { certify, RankIntervals } from "../../coverage/index.ts";
import { ledgerOfLog } from "../../crawl/index.ts";
import {
  type CrawlGraph,
  crawlGraph,
  type PageRow,
  pagesAsCsv,
  pagesAsJsonLines,
  type SqliteStore,
} from "../../store/index.ts";
import { pageStates } from "../../log/index.ts";
import type { Answer, CommonOptions } from "../options/command.ts";
import { reading } from "../input/crawl-graph.ts";
import { ByteSink } from "../output/byte-sink.ts";
import { type GraphTarget, rowWriter } from "../output/graph-target.ts";
import { checkOutputs, nextTurn, type OutputFile, writeOutputs } from "../output/output-file.ts";
import { standardOutput, standardOutputDrained } from "../terminal/streams.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface ExportOptions extends CommonOptions {
  readonly format: "jsonl" | "csv" | "arcs" | "bv";
  readonly out: string;
  readonly urlsOut?: string;
  readonly states?: readonly string[];
  readonly importance: boolean;
  readonly redirects?: "as-links" | "resolved";
}

export async function exportCrawl(dir: string, options: ExportOptions, terminal: Terminal): Promise<Answer> {
  const isGraph = options.format === "arcs" || options.format === "bv";
  check(options, isGraph);
  return isGraph ? exportGraph(dir, options, terminal) : exportPages(dir, options, terminal);
}

async function exportPages(dir: string, options: ExportOptions, { progress }: Terminal): Promise<Answer> {
  const { format, out } = options;
  checkFiles([out]);
  const states = statesOf(options.states);
  return reading(dir, async (store) => {
    const rankOf = options.importance ? importanceOf(store, progress) : undefined;
    let pages = 0;
    const rows = counting(store.pages(), states, () => pages++);
    const settings = {
      ...(states === undefined ? {} : { states }),
      ...(rankOf === undefined ? {} : { rankOf }),
    };
    const chunks = format === "csv" ? pagesAsCsv(rows, settings) : pagesAsJsonLines(rows, settings);
    const bytes = await writeFiles([out], async ([file]) =>
      writeChunks(file, out, chunks, () => progress({ task: "writing", done: pages, unit: "pages" })),
    );
    return written(
      { format, out, pages, bytes, files: [out] },
      `${counted(pages, "page")}, ${counted(bytes, "byte")}`,
    );
  });
}

async function exportGraph(dir: string, options: ExportOptions, { progress }: Terminal): Promise<Answer> {
  const { format, out, urlsOut, redirects = "as-links" } = options;
  const target = targetOf(options);
  const paths = [...target.paths, ...(urlsOut === undefined ? [] : [urlsOut])];
  checkFiles(paths);
  return reading(dir, async (store) => {
    progress({ task: `reading ${dir}`, done: 0, unit: "pages" });
    const crawled = crawlGraph(store, { redirects });
    const { pages, arcs, offsets, targets } = crawled.graph;
    const bytes = await writeFiles(paths, async (files) => {
      const writer = rowWriter(target, files, crawled.graph);
      for (let page = 0; page < pages; page++) {
        if (page % PAGES_PER_STEP === 0) {
          progress({ task: "writing", done: page, total: pages, unit: "pages" });
          await givenWay();
        }
        writer.add(page, targets, offsets[page], offsets[page + 1]);
      }
      return writer.finish() + (urlsOut === undefined ? 0 : await writeUrls(files.at(-1)!, urlsOut, crawled));
    });
    const about = {
      format,
      out,
      pages,
      arcs,
      linksToSinks: crawled.linksToSinks,
      bytes,
      files: paths,
    };
    return written(about, `${counted(pages, "page")}, ${counted(arcs, "arc")}, ${counted(bytes, "byte")}`);
  });
}

const PAGES_PER_STEP = 1 << 13;

interface ExportedFiles {
  readonly format: ExportOptions["format"];
  readonly out: string;
  readonly files: readonly string[];
  readonly pages: number;
  readonly bytes: number;
}

function checkFiles(paths: readonly string[]): void {
  checkOutputs(paths.filter((path) => path !== "-"));
}

/** As `writeOutputs`; `-` is standard output. */
function writeFiles<T>(
  paths: readonly string[],
  work: (files: readonly OutputFile[]) => Promise<T>,
): Promise<T> {
  return writeOutputs(
    paths.filter((path) => path !== "-"),
    (files) => {
      const rest = [...files];
      return work(paths.map((path) => (path === "-" ? standardOutput : rest.shift()!)));
    },
  );
}

/** Lets signals through, and a slow reader of standard output catch up. */
async function givenWay(): Promise<void> {
  await nextTurn();
  await standardOutputDrained();
}

/** What goes to standard output is the answer itself: nothing may follow it there. */
function written(document: ExportedFiles, text: string): Answer {
  if (document.out === "-") return { document, text: () => "" };
  return { document, text: () => `${document.files.join(", ")}: ${text}\n` };
}

async function writeUrls(file: OutputFile, path: string, { urls }: CrawlGraph): Promise<number> {
  return writeChunks(file, path, linesOf(urls()), () => {});
}

function* linesOf(urls: Iterable<string>): Generator<string> {
  for (const url of urls) yield `${url}\n`;
}

async function writeChunks(
  file: OutputFile,
  path: string,
  chunks: Iterable<string>,
  step: () => void,
): Promise<number> {
  const sink = new ByteSink(file, { gzip: path.endsWith(".gz") });
  let count = 0;
  for (const chunk of chunks) {
    sink.writeText(chunk);
    if (++count % CHUNKS_PER_STEP !== 0) continue;
    step();
    await givenWay();
  }
  sink.finish();
  return sink.written;
}

const CHUNKS_PER_STEP = 64;

function importanceOf(store: SqliteStore, progress: Progress): (id: number) => { low: number; high: number } {
  progress({ task: "certifying", done: 0, unit: "pages" });
  const { ledger } = ledgerOfLog(store);
  const intervals = new RankIntervals(ledger, certify(ledger));
  return (id) => intervals.of(id);
}

function* counting(
  rows: Iterable<PageRow>,
  states: ReadonlySet<PageRow["state"]> | undefined,
  count: () => void,
): Generator<PageRow> {
  for (const row of rows) {
    if (states === undefined || states.has(row.state)) count();
    yield row;
  }
}

function statesOf(names: readonly string[] | undefined): ReadonlySet<PageRow["state"]> | undefined {
  if (names === undefined) return undefined;
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

function targetOf({ format, out }: ExportOptions): GraphTarget {
  if (format === "arcs") {
    return { format: "text", paths: [out], gzip: out.endsWith(".gz"), separator: " " };
  }
  const basename = out.replace(/\.graph$/, "");
  return { format: "bv", paths: [`${basename}.graph`, `${basename}.offsets`, `${basename}.properties`] };
}

function check({ format, out, urlsOut, states, redirects, json }: ExportOptions, isGraph: boolean): void {
  if (format === "bv" && out === "-")
    throw new UsageError("a BV graph is three files; give their name with --out NAME");
  if (!isGraph && urlsOut !== undefined)
    throw new UsageError("--urls-out goes with --format arcs or bv; pages have their URLs");
  if (!isGraph && redirects !== undefined)
    throw new UsageError("--redirects goes with --format arcs or bv; pages say where they redirect to");
  if (isGraph && states !== undefined)
    throw new UsageError("--states goes with --format jsonl or csv; a graph has all pages");
  if (json === true && out === "-")
    throw new UsageError("--json prints what was written, so the export itself needs --out FILE");
}
