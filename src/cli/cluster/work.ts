/** `tidemark cluster work`: one worker, with what happens on standard error. */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { counted, formatCount, percentAtLeast, systemTimers, timeStamp, UsageError } from "../../base/index.ts";
import { isHolder, jobOf, type JobProgress, work, type Worker, type WorkerEnd } from "../../cluster/index.ts";
import { type CommandOptions, liveProxy, type StopReason } from "../../crawl/index.ts";
import { expectWritable, isCrawl } from "../../store/index.ts";
import { eventInWords } from "../../text/index.ts";
import { readSecrets, sessionOf } from "../crawl/session.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { report, writeJsonLine, writeOut } from "../terminal/terminal.ts";
import { jobInWords, type JobOptions, withJob } from "./jobs.ts";

export interface WorkerOptions extends JobOptions {
  readonly name?: string;
  readonly warcDir?: string;
}

type WorkOptions = WorkerOptions & CommandOptions;

/** On standard error. */
const PROGRESS_MS = 10_000;

export async function workOnJob(options: WorkOptions): Promise<void> {
  const { json = false, quiet = false } = options;
  const say = (text: string): void => {
    if (!quiet) report(text);
  };
  if (options.name !== undefined && isHolder(options.name)) {
    throw new UsageError(`--name ${options.name} is how a refresh is called that holds a job: give another name`);
  }
  const secrets = await readSecrets(options);
  const end = await withJob(options, async (log) => {
    const { settings } = jobOf(await log.job());
    const { seeds, network } = settings.crawl;
    const session = sessionOf(options, secrets, seeds);
    session.notes.forEach(say);
    const warcDir = warcDirOf(options, network.warc, say);
    const name = options.name ?? `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
    say(`${name} works on ${jobInWords(options)}; Ctrl-C leaves it to the others`);
    return run((onJoined) =>
      work({
        log,
        name,
        place: hostname(),
        proxy: liveProxy(network, undefined, process.env),
        session: session.options,
        warcDir,
        onJoined,
        onProgress: progressPrinter({ json, quiet }),
        onEvent: (event) => {
          if (event.name === "host-blocked" || event.name === "seed-lost") say(eventInWords(event));
        },
        onConnection: (problem) =>
          say(
            problem === undefined
              ? "the log can be reached again"
              : `the log cannot be reached (${problem}): crawling pauses when the leases end, and goes on when ` +
                  "it is back",
          ),
      }),
    );
  });
  if (end.error !== undefined) throw end.error;
  if (json) writeJsonLine({ type: "done", reason: end.reason });
  else writeOut(`${endInWords(end.reason, end.hasLeft)}\n`);
}

/** Made and tried before the worker joins: with a shard it would take pages that it cannot store. */
function warcDirOf(options: WorkOptions, isWanted: boolean, say: (text: string) => void): string | undefined {
  const { warcDir } = options;
  if (!isWanted) {
    if (warcDir !== undefined) say(`${jobInWords(options)} stores no WARC files: --warc-dir has no effect`);
    return undefined;
  }
  if (warcDir === undefined) {
    throw new UsageError(
      `${jobInWords(options)} stores WARC files: give --warc-dir DIR, a folder for those that this worker writes; ` +
        "tidemark cluster export brings them together",
    );
  }
  // An export owns the archive of its crawl: it cuts files there.
  if (basename(resolve(warcDir)) === "warc" && isCrawl(dirname(resolve(warcDir)))) {
    throw new UsageError(`--warc-dir ${warcDir} is the archive of a crawl; expected a folder for workers only`);
  }
  expectWritable(warcDir, "for WARC files");
  return warcDir;
}

/** The first Ctrl-C gives the shards up; the second ends the process. */
async function run(
  start: (onJoined: (worker: Worker) => void) => Promise<WorkerEnd>,
): Promise<WorkerEnd & { readonly hasLeft: boolean }> {
  let joined: Worker | undefined;
  let isLeaving = false;
  const forget = onInterrupt(() => {
    isLeaving = true;
    report("giving the shards up; Ctrl-C again stops at once");
    joined?.leave();
  });
  try {
    const end = await start((worker) => {
      joined = worker;
      if (isLeaving) worker.leave();
    });
    return { ...end, hasLeft: isLeaving };
  } finally {
    forget();
  }
}

function endInWords(reason: StopReason, hasLeft: boolean): string {
  if (hasLeft) return "Left the job.";
  return reason === "interrupted" ? "The job was stopped." : `The job has ended: ${reason}.`;
}

function progressPrinter({ json, quiet }: { readonly json: boolean; readonly quiet: boolean }) {
  let printedMs = Number.NEGATIVE_INFINITY;
  return (progress: JobProgress, shards: number): void => {
    const nowMs = systemTimers.nowMs();
    if (quiet || nowMs - printedMs < PROGRESS_MS) return;
    printedMs = nowMs;
    const { coverage, strict, known, frontier, counts } = progress;
    if (json) return writeJsonLine({ type: "progress", shards, coverage, strict, known, frontier, ...counts });
    process.stderr.write(
      `${timeStamp(systemTimers.wallMs())} ${counted(shards, "shard")} here; the job: ` +
        `${counted(counts.pages, "page")}, ${percentAtLeast(coverage)} covered, ${formatCount(frontier)} URLs ` +
        "waiting\n",
    );
  };
}
