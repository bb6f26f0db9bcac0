/** The thread in which `tidemark graph generate` works. */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import { GeneratedWeb, type GeneratorOptions } from "../../graph/index.ts";
import { ByteSink } from "../output/byte-sink.ts";
import { type GraphTarget, rowWriter } from "../output/graph-target.ts";
import type { OutputFile } from "../output/output-file.ts";

export interface GenerateJob {
  readonly web: GeneratorOptions;
  readonly target: GraphTarget;
  readonly graphFiles: readonly OutputFile[];
  readonly urls: { readonly file: OutputFile; readonly gzip: boolean } | undefined;
}

export type GenerateNews =
  | { readonly kind: "progress"; readonly pages: number }
  | { readonly kind: "done"; readonly arcs: number; readonly bytes: number };

const PAGES_PER_STEP = 1 << 14;

function work(
  { web: options, target, graphFiles, urls }: GenerateJob,
  tell: (news: GenerateNews) => void,
): void {
  const web = new GeneratedWeb(options);
  const writer = rowWriter(target, graphFiles, { pages: web.pages });
  const urlSink = urls && new ByteSink(urls.file, urls);
  const arcs = web.forEachRow((page, targets, count) => {
    if (page % PAGES_PER_STEP === 0) tell({ kind: "progress", pages: page });
    writer.add(page, targets, 0, count);
    urlSink?.writeText(`${web.urlOf(page)}\n`);
  });
  urlSink?.finish();
  tell({ kind: "done", arcs, bytes: writer.finish() + (urlSink?.written ?? 0) });
}

assert(parentPort !== null, "generate-worker runs as a worker thread only");
const port = parentPort;
work(workerData as GenerateJob, (news) => port.postMessage(news, []));
