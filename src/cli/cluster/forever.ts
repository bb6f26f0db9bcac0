/**
 * `tidemark cluster export --forever`: gathers a job while its workers crawl, and when it has ended, refreshes the
 * directory, in one process (docs/workers.md). It holds the job meanwhile (cluster/job-hold.ts), so no worker requests
 * the hosts that it requests.
 *
 * Which of the two it does follows from the directory: once it has pages of its own, it is refreshed.
 */
import { counted } from "../../base/index.ts";
import { type Board, type FactLog, isCrawl, reading } from "../../store/index.ts";
import { checkForever, dashboardOf, type ForeverFlags, goOnForever } from "../crawl/forever.ts";
import { plannerOf } from "../crawl/refresh.ts";
import { type SessionFlags, sessionFlags } from "../crawl/session.ts";
import type { Output } from "../options/command.ts";
import { expectOneVolume, expectServed } from "../options/settings.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { type Terminal, writeJsonLine, writeOut } from "../terminal/terminal.ts";
import { type ExportOptions, gatherJob, type GatheredJob, hasGoneOn, inWords } from "./export.ts";
import { withJob } from "./jobs.ts";
import { AGAIN, RefreshHold } from "./refresh-hold.ts";

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
      const hold = new RefreshHold(log, options, terminal.note, interrupt.signal);
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
          const around = { dashboard, permission: await hold.lasting(), again: () => hold.again };
          const output = await goOnForever(await planner(), options, terminal, around);
          if (!hold.isLost || interrupt.signal.aborted) return output;
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
