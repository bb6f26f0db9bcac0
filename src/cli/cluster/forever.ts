/**
 * `tidemark cluster export --forever`: gathers a job while its workers crawl, and when it has ended, refreshes the
 * directory, in one process (docs/workers.md). It holds the job meanwhile (cluster/job-hold.ts), so no worker requests
 * the hosts that it requests.
 *
 * Which of the two it does follows from the directory: once it has pages of its own, it is refreshed.
 */
import { hostname } from "node:os";
import { resolve } from "node:path";
import { counted, systemTimers, UsageError } from "../../base/index.ts";
import { gatheredIn, holderName, holderOf, JobHold } from "../../cluster/index.ts";
import { type Board, type FactLog, isCrawl, isUnreachable, reading } from "../../store/index.ts";
import { checkForever, dashboardOf, type ForeverFlags, goOnForever } from "../crawl/forever.ts";
import { plannerOf } from "../crawl/refresh.ts";
import { type SessionFlags, sessionFlags } from "../crawl/session.ts";
import type { Output } from "../options/command.ts";
import { expectOneVolume, expectServed } from "../options/settings.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { type Terminal, writeJsonLine, writeOut } from "../terminal/terminal.ts";
import { type ExportOptions, FOLLOW_MS, gatherJob, type GatheredJob, hasGoneOn, inWords } from "./export.ts";
import { heldInWords, jobInWords, withJob } from "./jobs.ts";

export interface ForeverExportOptions extends ExportOptions, ForeverFlags, SessionFlags {
  readonly quiet?: boolean;
}

export async function exportForever(options: ForeverExportOptions, terminal: Terminal): Promise<Output> {
  await checkForever(options);
  expectServed(options);
  expectOneVolume(options);
  const planner = await plannerOf(options.dir, sessionFlags(options));
  const interrupt = new AbortController();
  const forget = onInterrupt(() => interrupt.abort());
  try {
    return await withJob(options, async (log) => {
      const hold = new Hold(log, options, terminal, interrupt.signal);
      const dashboard = dashboardOf(options.dir, options, terminal);
      const json = options.json === true;
      try {
        if (await isRefreshed(options.dir, log)) await dashboard?.open(json);
        else {
          const around = {
            signal: interrupt.signal,
            onOpen: async () => dashboard?.open(json),
            isClosed: (board: Board) => hold.take(board),
          };
          const gathered = await gatherJob(log, { ...options, follow: true }, terminal, around);
          const end = endOf(gathered, options);
          if (end !== undefined) return end;
          if (json) writeJsonLine({ type: "gathered", reason: gathered.stopped, ...gathered.document });
          else writeOut(inWords(gathered, `the job has ended: ${gathered.stopped}`));
        }
        for (;;) {
          const stop = await hold.lasting();
          const output = await goOnForever(await planner(), options, terminal, { dashboard, stop, again: AGAIN });
          if (!stop.aborted || interrupt.signal.aborted) return output;
          terminal.note("the refresh waits: without the log, nobody knows whether workers request these hosts");
        }
      } finally {
        await hold.release();
        await dashboard?.close();
      }
    });
  } finally {
    forget();
  }
}

const AGAIN = "run this command again";

async function isRefreshed(dir: string, log: FactLog): Promise<boolean> {
  if (!isCrawl(dir)) return false;
  const board = await log.board();
  return reading(dir, (store) => hasGoneOn(store, board));
}

/** Why the refresh does not begin, if it does not. */
function endOf(gathered: GatheredJob, { dir, budget = 1 }: ForeverExportOptions): Output | undefined {
  const { stopped, warc, document } = gathered;
  const isInterrupted = stopped === null || warc?.isInterrupted === true;
  const missing = warc?.missing.length ?? 0;
  if (!isInterrupted && missing === 0) return undefined;
  return {
    document: { type: "done", reason: isInterrupted ? "interrupted" : "failed", ...document },
    text: () => inWords(gathered, isInterrupted ? `to go on, ${AGAIN}` : "the job has ended"),
    // Files are added to what was gathered, not to what has been refreshed since.
    ...(isInterrupted
      ? {}
      : {
          failure:
            `${counted(missing, "WARC file")} of workers could not be brought, so the refresh has not begun: bring ` +
            `them and ${AGAIN}; or go on without them: tidemark refresh ${dir} --forever --budget ${budget}`,
        }),
  };
}

/** The hold of the job, which may be lost while the log cannot be reached, and is taken again. */
class Hold {
  readonly #log: FactLog;
  readonly #options: ForeverExportOptions;
  readonly #note: (text: string) => void;
  readonly #signal: AbortSignal;
  #hold: JobHold | undefined;

  constructor(log: FactLog, options: ForeverExportOptions, { note }: Terminal, signal: AbortSignal) {
    this.#log = log;
    this.#options = options;
    this.#note = note;
    this.#signal = signal;
  }

  /** Whether it is held. Throws if another directory is refreshed with this job. */
  async take(board: Board): Promise<boolean> {
    const name = holderName(resolve(this.#options.dir), hostname());
    const holder = holderOf(board);
    if (holder !== undefined && holder !== name) throw new UsageError(heldInWords(this.#options, holder));
    if (this.#hold?.lost.aborted === true) this.#hold = undefined;
    this.#hold ??= await JobHold.take({
      log: this.#log,
      name,
      onConnection: (problem) =>
        this.#note(
          problem === undefined
            ? "the log can be reached again"
            : `the log cannot be reached (${problem}): the refresh goes on for at most two minutes, and again when ` +
                "it is back",
        ),
      onDropped: () => this.#note(`${jobInWords(this.#options)} was deleted: the refresh goes on without it`),
    });
    return this.#hold !== undefined;
  }

  /** Until it is held; aborted when it is not any more. Throws if the job has gone on meanwhile. */
  async lasting(): Promise<AbortSignal> {
    while (!this.#signal.aborted) {
      try {
        const board = await this.#log.board();
        if (!(await this.take(board))) throw new UsageError(runsInWords(this.#options));
        // Nobody but us can write to it any more.
        await expectGathered(this.#options, await this.#log.board());
        break;
      } catch (error) {
        if (!isUnreachable(error)) throw error;
      }
      await new Promise<void>((go) => void systemTimers.after(FOLLOW_MS, go));
    }
    return this.#hold?.lost ?? this.#signal;
  }

  async release(): Promise<void> {
    await this.#hold?.release();
  }
}

function runsInWords(options: ForeverExportOptions): string {
  const { dir } = options;
  return (
    `${jobInWords(options)} was started again since ${dir} took it over, and no host is to be requested by both: to ` +
    `go on refreshing, stop the job (tidemark cluster stop), wait for its workers to end, and ${AGAIN}; what the job ` +
    "finds goes into another --dir"
  );
}

/** The directory has all that the job has, or the refresh would know less than the job. */
async function expectGathered(options: ForeverExportOptions, { shards }: Board): Promise<void> {
  const { dir, budget = 1 } = options;
  const positions = await reading(dir, (store) => gatheredIn(store)?.positions ?? []);
  if (shards.every(({ shard, position }) => position <= (positions[shard] ?? 0))) return;
  throw new UsageError(
    `${jobInWords(options)} has gone on since ${dir} took it over: gather it in another --dir, where nothing of it ` +
      `is lost. To refresh ${dir} as it is: tidemark refresh ${dir} --forever --budget ${budget}`,
  );
}
