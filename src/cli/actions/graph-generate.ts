/**
 * `tidemark graph generate`. Rows come from the generator without a pause, hence another thread makes and writes them,
 * into files that are open here; this one shows progress and removes the files if it is told to stop.
 */
import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { counted, FailureError, type Progress, UsageError } from "../../base/index.ts";
import { GeneratedWeb, type GeneratorOptions } from "../../graph/index.ts";
import type { Answer, CommonOptions } from "../options/command.ts";
import { graphTarget } from "../output/graph-target.ts";
import { checkOutputs, type OutputFile, writeOutputs } from "../output/output-file.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { GenerateJob, GenerateNews } from "./generate-worker.ts";

export interface GenerateOptions extends CommonOptions {
  readonly pages: number;
  readonly degree?: number;
  readonly hosts?: number;
  readonly seed: number;
  readonly out: string;
  readonly urlsOut?: string;
}

export async function generate(options: GenerateOptions, { progress }: Terminal): Promise<Answer> {
  const { pages, seed, degree, hosts, out, urlsOut } = options;
  const web: GeneratorOptions = {
    pages,
    seed,
    ...(degree === undefined ? {} : { averageDegree: degree }),
    ...(hosts === undefined ? {} : { hosts }),
  };
  // Refuses what cannot be generated before a file is opened.
  const { hosts: hostCount } = new GeneratedWeb(web);
  const target = graphTarget(out);
  const paths = [...target.paths, ...(urlsOut === undefined ? [] : [urlsOut])];
  checkOutputs(paths);
  const done = await writeOutputs(paths, (files) => {
    const graphFiles = files.slice(0, target.paths.length).map(openFile);
    const urlsFile = files[target.paths.length];
    const urls = urlsFile && { file: openFile(urlsFile), gzip: urlsFile.path.endsWith(".gz") };
    return workElsewhere({ web, target, graphFiles, urls }, progress);
  });
  return {
    document: { pages, arcs: done.arcs, hosts: hostCount, seed, files: paths, bytes: done.bytes },
    text: () =>
      `${paths.join(", ")}: ${counted(pages, "page")}, ${counted(done.arcs, "arc")}, ` +
      `${counted(hostCount, "host")}, seed ${seed}\n`,
  };
}

/** What another thread can be told about a file: it is the same process, so the descriptor is open there too. */
function openFile({ path, descriptor }: OutputFile): OutputFile {
  return { path, descriptor };
}

async function workElsewhere(
  job: GenerateJob,
  progress: Progress,
): Promise<GenerateNews & { readonly kind: "done" }> {
  const worker = new Worker(new URL("./generate-worker.js", import.meta.url), { workerData: job });
  try {
    for await (const [news] of on(worker, "message") as AsyncIterable<[GenerateNews]>) {
      if (news.kind === "done") return news;
      progress({ task: "generating", done: news.pages, total: job.web.pages, unit: "pages" });
    }
    throw new Error("the generating thread ended without a word");
  } catch (error) {
    throw recognised(error);
  } finally {
    await worker.terminate();
  }
}

/** An error from another thread has lost its class, not its name. */
function recognised(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const kind = [FailureError, UsageError].find(({ name }) => name === error.name);
  return kind === undefined ? error : new kind(error.message);
}
