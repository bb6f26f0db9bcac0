/** `tidemark graph convert`. Nothing is lost: self links stay. */
import { counted, type Progress } from "../../base/index.ts";
import { type Graph, transpose } from "../../graph/index.ts";
import type { Answer, CommonOptions } from "../options/command.ts";
import { loadGraph } from "../input/graph-file.ts";
import { graphTarget, type RowWriter, rowWriter } from "../output/graph-target.ts";
import { checkOutputs, nextTurn, writeOutputs } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface ConvertOptions extends CommonOptions {
  readonly transpose?: boolean;
  readonly allowSparse?: boolean;
}

export async function convert(
  from: string,
  to: string,
  options: ConvertOptions,
  terminal: Terminal,
): Promise<Answer> {
  const { progress } = terminal;
  const target = graphTarget(to);
  checkOutputs(target.paths);
  const loaded = await loadGraph(from, { by: "host", ...options }, progress);
  const graph = options.transpose ? transpose(loaded.graph) : loaded.graph;
  const bytes = await writeOutputs(target.paths, async (files) => {
    const writer = rowWriter(target, files, graph);
    await writeRows(graph, writer, progress);
    return writer.finish();
  });
  const { pages, arcs } = graph;
  return {
    document: { pages, arcs, files: target.paths, bytes },
    text: () =>
      `${target.paths.join(", ")}: ${counted(pages, "page")}, ${counted(arcs, "arc")}, ` +
      `${counted(bytes, "byte")}, ${arcs === 0 ? 0 : ((8 * bytes) / arcs).toFixed(2)} bits an arc\n`,
  };
}

const PAGES_PER_STEP = 1 << 13;

async function writeRows(
  { pages, offsets, targets }: Graph,
  writer: RowWriter,
  progress: Progress,
): Promise<void> {
  for (let page = 0; page < pages; page++) {
    if (page % PAGES_PER_STEP === 0) {
      progress({ task: "writing", done: page, total: pages, unit: "pages" });
      await nextTurn();
    }
    writer.add(page, targets, offsets[page], offsets[page + 1]);
  }
}
