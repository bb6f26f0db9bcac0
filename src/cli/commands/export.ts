/** `tidemark export` */
import { type Command, Option } from "commander";
import { counted, didYouMean, UsageError } from "../../base/index.ts";
import type { PageRow } from "../../store/index.ts";
import { type Output, answerWith, type CommonOptions, examples, nameList } from "../options/command.ts";
import { checkOutputs, writeOutputs, writePieces } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface ExportOptions extends CommonOptions {
  readonly format: "jsonl" | "csv" | "arcs" | "bv";
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
      new Option("--format <format>", "jsonl and csv write pages; arcs and bv write links")
        .choices(["jsonl", "csv", "arcs", "bv"])
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
  examples(command, [
    "tidemark demo --coverage 0.5 --dir demo --no-serve",
    "tidemark export demo --format csv --out pages.csv",
    "tidemark export demo --format arcs --out links.arcs --urls-out links.urls",
    "tidemark export demo --states downloaded | head -n 3",
  ]);
}

async function exportCrawl(dir: string, options: ExportOptions, terminal: Terminal): Promise<Output> {
  const isGraph = options.format === "arcs" || options.format === "bv";
  check(options, isGraph);
  return isGraph ? exportGraph(dir, options, terminal) : exportPages(dir, options, terminal);
}

function check({ format, out, urlsOut, states, redirects, json }: ExportOptions, isGraph: boolean): void {
  if (format === "bv" && out === "-") {
    throw new UsageError("a BV graph is three files; give their common name with --out NAME");
  }
  if (!isGraph && urlsOut !== undefined) {
    throw new UsageError(`--urls-out is for --format arcs and bv; ${format} has the URL of every page`);
  }
  if (!isGraph && redirects !== undefined) {
    throw new UsageError(`--redirects is for --format arcs and bv; ${format} has the target of every redirect`);
  }
  if (isGraph && states !== undefined) {
    throw new UsageError("--states is for --format jsonl and csv; a graph has all pages");
  }
  if (json === true && out === "-") {
    throw new UsageError("--json prints a summary on standard output; write the export to a file with --out FILE");
  }
}

async function exportPages(dir: string, options: ExportOptions, { progress }: Terminal): Promise<Output> {
  const { format, out } = options;
  checkOutputs([out]);
  const { asSeen } = await import("../../log/index.ts");
  const { pagesAsCsv, pagesAsJsonLines } = await import("../../store/index.ts");
  const { statesOfLog } = await import("../../crawl/index.ts");
  const { intervalsOf, reading } = await import("../input/crawl-graph.ts");
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
    const places = intervals && placesOf(intervals.ranking());
    const rankOf = intervals && ((id: number) => ({ place: places?.get(id), ...intervals.of(id) }));
    const pieces = format === "csv" ? pagesAsCsv(rows(), rankOf) : pagesAsJsonLines(rows(), rankOf);
    const bytes = await writeOutputs([out], ([file]) =>
      writePieces(file, pieces, () => progress({ task: "writing", done: pages, unit: "pages" })),
    );
    return written({ format, out, pages, bytes, files: [out] }, `${counted(pages, "page")}, ${counted(bytes, "byte")}`);
  });
}

/** Places in a ranking, from 1. */
function placesOf(ranking: Uint32Array): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (const [k, page] of ranking.entries()) places.set(page, k + 1);
  return places;
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
