/** The thread of `tidemark graph generate`. */
import { parentPort, workerData } from "node:worker_threads";
import { assert } from "../../base/index.ts";
import { GeneratedWeb, type GeneratorOptions } from "../../graph/index.ts";
import { ByteSink, type OutputFile } from "./output-file.ts";
import { type GraphTarget, rowWriter } from "./graph-target.ts";

export interface GenerateJob {
  readonly web: GeneratorOptions;
  readonly target: GraphTarget;
  /** Opened by the main thread: threads of one process share descriptors. */
  readonly graphFiles: readonly OutputFile[];
  readonly urlsFile: OutputFile | undefined;
}

export type GenerateMessage =
  | { readonly kind: "progress"; readonly pages: number }
  | { readonly kind: "done"; readonly arcs: number; readonly bytes: number };

const PAGES_PER_STEP = 1 << 14;

function work({ web: options, target, graphFiles, urlsFile }: GenerateJob, post: Post): void {
  const web = new GeneratedWeb(options);
  const writer = rowWriter(target, graphFiles, { pages: web.pages });
  const urlSink = urlsFile && new ByteSink(urlsFile);
  const arcs = web.forEachRow((page, targets, count) => {
    if (page % PAGES_PER_STEP === 0) post({ kind: "progress", pages: page });
    writer.add(page, targets, 0, count);
    urlSink?.writeText(`${web.urlOf(page)}\n`);
  });
  urlSink?.finish();
  post({ kind: "done", arcs, bytes: writer.finish() + (urlSink?.written ?? 0) });
}

type Post = (message: GenerateMessage) => void;

assert(parentPort !== null, "generate-worker runs as a worker thread only");
const port = parentPort;
work(workerData as GenerateJob, (message) => port.postMessage(message, []));
