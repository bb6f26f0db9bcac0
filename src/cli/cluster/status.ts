/** `tidemark cluster status`: what the board of a job shows. */
import { counted, formatCount, formatSeconds, percentAtLeast } from "../../base/index.ts";
import { holderOf, jobOf, parseNote, progressOf, workersOf } from "../../cluster/index.ts";
import { wholeInWords } from "../../text/index.ts";
import type { Output } from "../options/command.ts";
import { jobInWords, type JobOptions, withJob } from "./jobs.ts";

export async function statusOfJob(options: JobOptions): Promise<Output> {
  const board = await withJob(options, (log) => log.board());
  const { settings, sharding } = jobOf(board.job);
  const { coverage, strict, ceiling, counts, known, frontier, hosts, losses } = progressOf(board, settings.crawl);
  const shards = board.shards.map(({ shard, worker, epoch, position, note }) => {
    const told = parseNote(note);
    return {
      shard,
      worker,
      epoch,
      position,
      pages: told?.counts.pages ?? 0,
      known: told?.known ?? 0,
      frontier: told?.frontier ?? 0,
      sent: told?.sent ?? 0,
      heard: told?.heard ?? 0,
    };
  });
  const workers = workersOf(board).map(({ name, place, version }) => ({
    name,
    place,
    version,
    shards: shards.filter(({ worker }) => worker === name).length,
  }));
  /** URLs that one shard has discovered for another, which has not heard of them yet. */
  const underWay = shards.reduce((sum, { sent, heard }) => sum + sent - heard, 0);
  // Whoever holds the job is no worker.
  const heldBy = holderOf(board) ?? null;
  const { stopped, ageMs, name } = board.job;
  return {
    document: {
      job: name,
      stopped,
      seconds: ageMs / 1000,
      coverage,
      strict,
      ceiling: ceiling.coverage,
      ...counts,
      known,
      frontier,
      hosts,
      underWay,
      losses,
      shardBy: sharding.by,
      workers,
      heldBy,
      shards,
    },
    text: () =>
      [
        `${jobInWords(options)} ${stopped === null ? "runs, for" : `has ended (${stopped}), after`} ` +
          `${formatSeconds(ageMs / 1000)}`,
        `  ${percentAtLeast(coverage)} of ${wholeInWords(settings.crawl.web.universe)} is certainly covered, by ` +
          `${counted(counts.pages, "page")}`,
        `  ${formatCount(known)} URLs known, ${formatCount(frontier)} waiting, on ${counted(hosts, "host")}; ` +
          `${formatCount(Math.max(0, underWay))} on their way between shards`,
        `  ${counted(shards.length, "shard")}${ownersInWords(shards, heldBy, stopped)}`,
        ...workersInWords(workers.length, heldBy, stopped),
        ...workers.map((worker) => `    ${worker.name}: ${counted(worker.shards, "shard")}`),
      ]
        .map((line) => `${line}\n`)
        .join(""),
  };
}

interface Owned {
  readonly worker: string | null;
}

/** Of a job that has ended, it is no news that nobody works on it. */
function ownersInWords(shards: readonly Owned[], heldBy: string | null, stopped: string | null): string {
  if (heldBy !== null) return `, held by the ${heldBy}`;
  const free = shards.filter(({ worker }) => worker === null).length;
  if (free === 0) return ", all with a worker";
  return stopped === null ? `, ${formatCount(free)} without a worker` : "";
}

function workersInWords(workers: number, heldBy: string | null, stopped: string | null): string[] {
  if (heldBy !== null) return [];
  if (stopped === null) {
    return workers === 0 ? ["  no workers: add some with tidemark cluster work"] : [`  ${counted(workers, "worker")}:`];
  }
  return workers === 0
    ? ["  gather it with tidemark cluster export; tidemark cluster start starts it again"]
    : [`  ${counted(workers, "worker")}, about to leave:`];
}
