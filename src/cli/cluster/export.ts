/** `tidemark cluster export`: gathers a job in an ordinary crawl directory. */
import { counted, systemTimers, UsageError, waited } from "../../base/index.ts";
import { beginGathering, gatheredIn, Gathering, jobOf } from "../../cluster/index.ts";
import {
  Fingerprinter,
  forgetEnd,
  parseSettings,
  type StopReason,
  type StoredSettings,
  writeEnd,
} from "../../crawl/index.ts";
import {
  type Board,
  createCrawl,
  type FactLog,
  isCrawl,
  isUnreachable,
  openCrawl,
  type SqliteStore,
} from "../../store/index.ts";
import type { Output } from "../options/command.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { archiveInWords, type ArchiveOptions, type ArchiveSummary, checkWarcFrom, collectArchive } from "./archive.ts";
import { FollowProgress } from "./follow-progress.ts";
import { type JobOptions, withJob } from "./jobs.ts";

export interface ExportOptions extends JobOptions, ArchiveOptions {
  readonly follow?: boolean;
}

/** How often somebody who follows a job looks for more. */
export const FOLLOW_MS = 1000;

export async function exportJob(options: ExportOptions, terminal: Terminal): Promise<Output> {
  const interrupt = new AbortController();
  const forget = onInterrupt(() => interrupt.abort());
  try {
    return await withJob(options, async (log) => {
      const gathered = await gatherJob(log, options, terminal, { signal: interrupt.signal });
      return { document: gathered.document, text: () => inWords(gathered) };
    });
  } finally {
    forget();
  }
}

export interface AroundGathering {
  /** Ends it: what was gathered by then stays. */
  readonly signal: AbortSignal;
  /** The directory is there, and locked for us. */
  readonly onOpen?: () => Promise<void>;
  /** Whether a job that has ended cannot go on any more; asked until it is so (default: that is not asked). */
  readonly isClosed?: (board: Board) => Promise<boolean>;
}

export interface GatheredJob {
  readonly dir: string;
  readonly document: { readonly job: string; readonly dir: string; readonly visits: number; readonly urls: number };
  /** Of a job that stores WARC files. */
  readonly warc: ArchiveSummary | undefined;
  /** Why the job was stopped, if it was and all of it is gathered. */
  readonly stopped: string | null;
}

/** Adds to a directory what is new in a job, until there is nothing more, or, to follow it, until it has ended. */
export async function gatherJob(
  log: FactLog,
  options: ExportOptions,
  { progress, note }: Terminal,
  { signal, onOpen, isClosed = async () => true }: AroundGathering,
): Promise<GatheredJob> {
  const board = await log.board();
  const { job } = board;
  const settings = jobOf(job).settings.crawl;
  checkWarcFrom(options, settings);
  const store = await opened(options.dir, settings, board);
  try {
    await onOpen?.();
    const shown = new FollowProgress({ progress, note });
    const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
    const gathering = await Gathering.open({ log, store, settings, fingerprinter });
    const follows = options.follow === true;
    const stopped = await gather(gathering, { log, store, shown, note, follows, signal, isClosed });
    if (stopped === null) forgetEnd(store);
    else writeEnd(store, { reason: stopped as StopReason, atMs: systemTimers.wallMs() });
    // Whatever becomes of the bodies, the facts are stored.
    store.commit();
    const visits = store.nextVisit - 1;
    const urls = store.urlCount;
    const { dir } = options;
    const warc = settings.network.warc
      ? await collectArchive(options, store, gathering, { signal, progress })
      : undefined;
    return { dir, document: { job: job.name, dir, visits, urls, ...(warc && { warc }) }, warc, stopped };
  } finally {
    store.close();
  }
}

/** `next`: what to do now (default: to look at it). */
export function inWords({ dir, document, warc }: GatheredJob, next = `now tidemark coverage ${dir}`): string {
  const { visits, urls } = document;
  return [
    `${dir}: ${counted(visits, "visit")} of ${counted(urls, "URL")}; ${next}`,
    ...(warc === undefined ? [] : archiveInWords(dir, warc)),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

async function opened(dir: string, settings: StoredSettings, board: Board): Promise<SqliteStore> {
  const store = isCrawl(dir) ? openCrawl(dir) : createCrawl(dir, JSON.stringify(settings));
  // It is new, or whoever made it was killed at once.
  if (gatheredIn(store) === undefined && store.nextVisit === 1 && isOfJob(store, settings)) {
    await beginGathering(store, settings, board.job);
    return store;
  }
  const mistake = mistakeIn(dir, store, settings, board);
  if (mistake === undefined) {
    // A job that was started again may have other limits.
    store.replaceSettings(JSON.stringify(settings));
    return store;
  }
  store.close();
  throw new UsageError(mistake);
}

/** Every job draws a seed of its own. */
function isOfJob(store: SqliteStore, settings: StoredSettings): boolean {
  return parseSettings(store.settings()).web.hashSeed === settings.web.hashSeed;
}

/** Whether a directory in which a job was gathered has pages of its own since. */
export function hasGoneOn(store: SqliteStore, { job }: Board): boolean {
  const gathered = gatheredIn(store);
  const isThere = gathered?.job === job.name && isOfJob(store, jobOf(job).settings.crawl);
  return isThere && gathered.visits !== store.nextVisit - 1;
}

/** Why a directory cannot take what is new in the job. */
function mistakeIn(dir: string, store: SqliteStore, settings: StoredSettings, board: Board): string | undefined {
  const { name } = board.job;
  const gathered = gatheredIn(store);
  if (gathered?.job !== name || !isOfJob(store, settings)) {
    return (
      `${dir} has another crawl; expected a missing or empty directory, or one in which this job ${name} ` +
      "was gathered"
    );
  }
  if (hasGoneOn(store, board)) {
    return (
      `${dir} has been crawled since the job ${name} was gathered there: give another --dir, or, if the job has not ` +
      "gone on, --forever to go on refreshing it"
    );
  }
  if (board.shards.some(({ shard, position }) => position < gathered.positions[shard])) {
    return `${dir} has more than the job ${name}, which must have been restored from an older copy: give another --dir`;
  }
  return undefined;
}

interface GatherOptions extends Required<Pick<AroundGathering, "signal" | "isClosed">> {
  readonly log: FactLog;
  readonly store: SqliteStore;
  readonly shown: FollowProgress;
  readonly note: (text: string) => void;
  readonly follows: boolean;
}

/** Returns why the job was stopped, if it was and all of it is gathered. */
async function gather(
  gathering: Gathering,
  { log, store, shown, note, follows, signal, isClosed }: GatherOptions,
): Promise<string | null> {
  const gatherAll = async (): Promise<void> => {
    while (!signal.aborted && (await gathering.step())) shown.gathered(store.nextVisit - 1);
  };
  for (let isReached = true; ; ) {
    try {
      const board = await log.board();
      const { job, workers } = board;
      await gatherAll();
      if (!isReached) note("the log can be reached again");
      isReached = true;
      // Workers of a job that was stopped may still have something to write.
      const isOver =
        follows && !signal.aborted && job.stopped !== null && workers.length === 0 && (await isClosed(board));
      if (isOver) await gatherAll();
      if (!signal.aborted && (!follows || isOver)) return job.stopped;
      if (!signal.aborted) shown.waits(board, store.nextVisit - 1);
    } catch (error) {
      if (!follows || !isUnreachable(error)) throw error;
      if (isReached) note(`the log cannot be reached (${error.message}): trying again until it is back`);
      isReached = false;
    }
    if (signal.aborted) return null;
    await waited(systemTimers, FOLLOW_MS);
  }
}
