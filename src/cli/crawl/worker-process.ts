/**
 * A worker of a crawl on one machine, in a process of its own. Its parent tells it what to do, and it ends with its
 * parent.
 */
import { join } from "node:path";
import { assert, FailureError, messageOf } from "../../base/index.ts";
import { work as workOn, type Worker, type WorkerControl, type WorkerFailure } from "../../cluster/index.ts";
import type { CrawlEvent } from "../../crawl/index.ts";
import type { ProxySettings, SessionOptions } from "../../fetch/index.ts";
import { FactLogError, openSqliteJob, StoreError } from "../../store/index.ts";

export interface WorkerTask {
  readonly kind: "work";
  /** Of the crawl. */
  readonly dir: string;
  readonly name: string;
  /** Secrets are told, never stored. */
  readonly proxy: ProxySettings;
  readonly session: SessionOptions;
}

export type ToWorker = WorkerTask | WorkerControl;

export type FromWorker =
  | { readonly kind: "event"; readonly event: CrawlEvent }
  | { readonly kind: "ended"; readonly failure?: WorkerFailure };

assert(process.send !== undefined, "worker-process is started by tidemark crawl --workers only");

let worker: Worker | undefined;
/** Told before the worker was ready. */
const early: WorkerControl[] = [];

process.on("message", (message: ToWorker) => {
  if (message.kind === "work") void workUntilEnd(message);
  else if (worker === undefined) early.push(message);
  else obey(worker, message);
});
// Ctrl-C reaches all processes of a terminal; the parent decides what it means.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.on("disconnect", () => (worker === undefined ? process.exit(1) : worker.leave()));

async function workUntilEnd({ dir, name, proxy, session }: WorkerTask): Promise<void> {
  try {
    const failure = await crawlShards(dir, name, { proxy, session });
    tell({ kind: "ended", ...(failure === undefined ? {} : { failure }) });
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    tell({ kind: "ended", failure: failureOf(error) });
  }
  if (process.connected) process.disconnect();
}

async function crawlShards(
  dir: string,
  name: string,
  secrets: Pick<WorkerTask, "proxy" | "session">,
): Promise<WorkerFailure | undefined> {
  const log = openSqliteJob(dir);
  try {
    const { error } = await workOn({
      ...secrets,
      log,
      name,
      place: `process ${process.pid}`,
      warcDir: join(dir, "warc"),
      onEvent: (event) => tell({ kind: "event", event }),
      onJoined: (joined) => {
        worker = joined;
        for (const control of early) obey(joined, control);
      },
    });
    return error && failureOf(error);
  } finally {
    await log.close();
  }
}

function obey(running: Worker, control: WorkerControl): void {
  switch (control.kind) {
    case "pause":
      return running.pause();
    case "resume":
      return running.resume();
    case "leave":
      return running.leave();
    case "change-limits":
      return running.changeLimits(control.limits);
  }
}

function failureOf(error: FailureError): WorkerFailure {
  const isFull = (error instanceof FactLogError || error instanceof StoreError) && error.kind === "disk-full";
  return { kind: isFull ? "disk-full" : "failed", message: messageOf(error) };
}

function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}
