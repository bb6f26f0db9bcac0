/** A crawl that goes on: reads known pages again and new ones, until it is stopped. */
import { counted, formatPercent, formatSeconds, shellWord, systemTimers, UsageError } from "../../base/index.ts";
import { type CommandOptions, type RefreshEnd, refreshForever, type RefreshStatus } from "../../crawl/index.ts";
import { RefreshCalendar } from "../../refresh/index.ts";
import { clockInWords } from "../../text/index.ts";
import type { Output } from "../options/command.ts";
import { expectFree } from "../options/settings.ts";
import { programName } from "../terminal/layout.ts";
import { Interruption } from "../terminal/interrupts.ts";
import { type Terminal, writeJsonLine } from "../terminal/terminal.ts";
import { keptAt, keptNow } from "./compaction.ts";
import { fetchPrinter, type Permission } from "./fetches.ts";
import { type CrawlParts, withCrawl } from "./opened-crawl.ts";
import type { CrawlPlan } from "./plan.ts";
import { countsInWords, doubtInWords } from "./refresh.ts";
import { RefreshDashboard } from "./refresh-dashboard.ts";

export type ForeverFlags = Pick<
  CommandOptions,
  | "budget"
  | "budgetPerHost"
  | "rate"
  | "quietHours"
  | "timeZone"
  | "serve"
  | "listen"
  | "token"
  | "json"
  | "verbose"
  | "readers"
  | "keepVisits"
>;

/** In a log, one line of progress per minute is enough. */
const PLAIN_MS = 60_000;

/** Throws before anything is fetched if the options make no sense. */
export async function checkForever(flags: ForeverFlags): Promise<void> {
  if (flags.budget === undefined) {
    throw new UsageError("--forever spends a budget: give the pages to read per day with --budget N");
  }
  if (flags.timeZone !== undefined && flags.quietHours === undefined) {
    throw new UsageError("--time-zone is about quiet hours: give --quiet-hours as well, or leave it out");
  }
  void new RefreshCalendar({ ...calendarOf(flags), startMs: 0 });
  if (flags.keepVisits !== undefined) keptNow(flags.keepVisits);
  if (flags.serve === true) await expectFree(flags.listen);
  if (flags.token !== undefined) (await import("../../dashboard/index.ts")).checkToken(flags.token);
}

/** What there is before a refresh begins, or ends it. */
export interface AroundForever {
  /** Open already, and closed by whoever opened it (default: one of its own, if the flags want it). */
  readonly dashboard?: RefreshDashboard | undefined;
  /** Its end is one as by Ctrl-C (default: nobody else wants to request these hosts). */
  readonly permission?: Permission;
  /** How to go on when it was stopped (default: the command that refreshes the directory). */
  readonly again?: () => string | undefined;
}

/** Ends with Ctrl-C or SIGTERM, or when the disk or the network ends it. */
export async function goOnForever(
  plan: CrawlPlan,
  flags: ForeverFlags,
  terminal: Terminal,
  around: AroundForever = {},
): Promise<Output> {
  const { dir } = plan;
  const { budget = 1, json = false, keepVisits } = flags;
  plan.session.notes.forEach(terminal.note);
  const shows = new StatusLines(terminal, json);
  const own = around.dashboard === undefined ? dashboardOf(dir, flags, terminal) : undefined;
  const dashboard = around.dashboard ?? own;
  const again = (): string => around.again?.() ?? commandOf(dir, budget);
  const refresh = async (parts: CrawlParts): Promise<RefreshEnd> => {
    terminal.note(`refreshing ${dir}: ${counted(budget, "page")} per day; Ctrl-C stops it`);
    await own?.open(json);
    dashboard?.show(null);
    return refreshForever({
      ...parts,
      ...calendarOf(flags),
      budget,
      hostBudget: flags.budgetPerHost,
      keptVisits: keepVisits && ((nowMs) => keptAt(keepVisits, nowMs)),
      readers: flags.readers ?? 0,
      onStatus: (status) => {
        dashboard?.show(status);
        shows.show(status);
      },
    });
  };
  try {
    const end = await withCrawl(plan, fetchPrinter(flags.verbose), refresh, around.permission);
    const { reason, status, error } = end;
    return {
      document: { type: "done", reason, ...documentOf(status), dir },
      text: () => closingText(status, again()),
      ...(error === undefined ? {} : { failure: error.message }),
    };
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    return {
      document: { type: "done", reason: "interrupted", dir },
      text: () => `Stopped before anything was read: it was still reading the log.\nTo go on: ${again()}\n`,
    };
  } finally {
    await own?.close();
  }
}

/** Undefined if none is wanted. */
export function dashboardOf(dir: string, flags: ForeverFlags, { note }: Terminal): RefreshDashboard | undefined {
  return flags.serve === true ? new RefreshDashboard(dir, flags, note) : undefined;
}

function calendarOf({ rate, quietHours, timeZone }: ForeverFlags) {
  return { readsPerSecond: rate, quietHours, timeZone };
}

/** Progress, as JSON lines or for people. */
class StatusLines {
  readonly #terminal: Terminal;
  readonly #json: boolean;

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal;
    this.#json = json;
  }

  show(status: RefreshStatus): void {
    if (this.#json) writeJsonLine({ type: "progress", ...documentOf(status) });
    const { reads, changed, gone, new: added, freshness } = status;
    const waits = waitInWords(status, systemTimers.wallMs());
    const found = countsInWords({ changed, new: added, gone });
    const fresh = `${formatPercent(freshness.day)} under a day old`;
    const notes = [...(waits === undefined ? [] : [waits]), found, fresh];
    this.#terminal.progress({ task: "refreshing", done: reads, unit: "pages read", notes, plainMs: PLAIN_MS });
  }
}

/** Reads less than this apart need no words. */
const WAIT_MS = 60_000;

/** Why nothing is read now, and until when; undefined while it goes on. */
export function waitInWords(
  { nextMs, isQuiet }: Pick<RefreshStatus, "nextMs" | "isQuiet">,
  nowMs: number,
): string | undefined {
  if (nextMs === null) return "nothing to read";
  if (!isQuiet && nextMs - nowMs < WAIT_MS) return undefined;
  const until = clockInWords(nextMs, { nowMs, to: "minute" });
  return isQuiet ? `quiet until ${until}` : `next at ${until}`;
}

/** A status as programs see it: of what comes, the first. */
function documentOf({ upcoming, elapsedMs, nextMs, isQuiet, ...status }: RefreshStatus) {
  return {
    ...status,
    quiet: isQuiet,
    next: upcoming[0] ?? null,
    nextRead: nextMs === null ? null : new Date(nextMs).toISOString(),
    seconds: elapsedMs / 1000,
  };
}

function commandOf(dir: string, budget: number): string {
  return `${programName()} refresh ${shellWord(dir)} --forever --budget ${budget}`;
}

function closingText(status: RefreshStatus, again: string): string {
  const { reads, unchanged, changed, gone, moved, doubted, failed, new: added, left, freshness, elapsedMs } = status;
  const words = countsInWords({ unchanged, changed, new: added, gone, moved, failed });
  const doubts = doubted === 0 ? "" : ` ${doubtInWords(doubted)}`;
  const waits = left === 0 ? "" : ` ${counted(left, "read")} put off: hosts asked us to wait, or did not answer.`;
  return (
    `Stopped after ${formatSeconds(elapsedMs / 1000)}: ${counted(reads, "page")} read ` +
    `(${words}).${doubts}${waits}\n` +
    `${formatPercent(freshness.day)} of importance is certainly no older than a day, ` +
    `${formatPercent(freshness.current)} is expected to be current.\n` +
    `To go on: ${again}\n`
  );
}
