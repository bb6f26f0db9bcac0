/** `tidemark cluster export`: gathers a job in an ordinary crawl directory. */
import { counted, systemTimers, UsageError } from "../../base/index.ts";
import { gatheredIn, Gathering, jobOf, setGathered } from "../../cluster/index.ts";
import {
  Fingerprinter,
  forgetEnd,
  parseSettings,
  plantSeeds,
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
import { type JobOptions, withJob } from "./jobs.ts";

export interface ExportOptions extends JobOptions {
  readonly dir: string;
  readonly follow?: boolean;
}

/** How often somebody who follows a job looks for more. */
const FOLLOW_MS = 1000;

export async function exportJob(options: ExportOptions, { progress, note }: Terminal): Promise<Output> {
  return withJob(options, async (log) => {
    const board = await log.board();
    const { job } = board;
    const settings = jobOf(job).settings.crawl;
    const store = await opened(options.dir, settings, board);
    try {
      const onVisits = (done: number): void =>
        progress({ task: "gathering the logs of all shards", done, unit: "visits" });
      const stopped = await gather({ log, store, settings, onVisits, note, follows: options.follow === true });
      if (stopped === null) forgetEnd(store);
      else writeEnd(store, { reason: stopped as StopReason, atMs: systemTimers.wallMs() });
      store.commit();
      const visits = store.nextVisit - 1;
      const { dir } = options;
      return {
        document: { job: job.name, dir, visits, urls: store.urlCount },
        text: () =>
          `${dir}: ${counted(visits, "visit")} of ${counted(store.urlCount, "URL")}; now tidemark coverage ${dir}\n`,
      };
    } finally {
      store.close();
    }
  });
}

async function opened(dir: string, settings: StoredSettings, board: Board): Promise<SqliteStore> {
  if (!isCrawl(dir)) {
    const store = createCrawl(dir, JSON.stringify(settings));
    const { name, shards } = board.job;
    plantSeeds({ settings, store, fingerprinter: await Fingerprinter.create(settings.web.hashSeed) });
    setGathered(store, { job: name, visits: 0, positions: Array.from({ length: shards }, () => 0) });
    store.commit();
    return store;
  }
  const store = openCrawl(dir);
  const mistake = mistakeIn(dir, store, settings, board);
  if (mistake === undefined) {
    // A job that was started again may have other limits.
    store.replaceSettings(JSON.stringify(settings));
    return store;
  }
  store.close();
  throw new UsageError(mistake);
}

/** Why a directory cannot take what is new in the job. */
function mistakeIn(dir: string, store: SqliteStore, settings: StoredSettings, board: Board): string | undefined {
  const { name } = board.job;
  const gathered = gatheredIn(store);
  // Every job draws a seed of its own.
  const isOther = parseSettings(store.settings()).web.hashSeed !== settings.web.hashSeed;
  if (gathered?.job !== name || isOther) {
    return (
      `${dir} has another crawl; expected a missing or empty directory, or one in which this job ${name} ` +
      "was gathered"
    );
  }
  if (gathered.visits !== store.nextVisit - 1) {
    return `${dir} has been crawled since the job ${name} was gathered there: give another --dir`;
  }
  if (board.shards.some(({ shard, position }) => position < gathered.positions[shard])) {
    return `${dir} has more than the job ${name}, which must have been restored from an older copy: give another --dir`;
  }
  return undefined;
}

interface GatherOptions {
  readonly log: FactLog;
  readonly store: SqliteStore;
  readonly settings: StoredSettings;
  readonly onVisits: (visits: number) => void;
  readonly note: (text: string) => void;
  readonly follows: boolean;
}

/** Returns why the job was stopped, if it was and all of it is gathered. */
async function gather({ log, store, settings, onVisits, note, follows }: GatherOptions): Promise<string | null> {
  const fingerprinter = await Fingerprinter.create(settings.web.hashSeed);
  const gathering = await Gathering.open({ log, store, settings, fingerprinter });
  const interrupt = new AbortController();
  const forget = onInterrupt(() => interrupt.abort());
  try {
    for (let isReached = true; ; ) {
      try {
        const { job, workers } = await log.board();
        while (!interrupt.signal.aborted && (await gathering.step())) onVisits(store.nextVisit - 1);
        if (!isReached) note("the log can be reached again");
        isReached = true;
        // Workers of a job that was stopped may still have something to write.
        const isOver = job.stopped !== null && workers.length === 0;
        if (!interrupt.signal.aborted && (!follows || isOver)) return job.stopped;
      } catch (error) {
        if (!follows || !isUnreachable(error)) throw error;
        if (isReached) note(`the log cannot be reached (${error.message}): trying again until it is back`);
        isReached = false;
      }
      if (interrupt.signal.aborted) return null;
      await new Promise<void>((resolve) => void systemTimers.after(FOLLOW_MS, resolve));
    }
  } finally {
    forget();
  }
}
