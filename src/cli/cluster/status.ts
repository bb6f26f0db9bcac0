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
  const free = shards.filter(({ worker }) => worker === null).length;
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
        `${jobInWords(options)} ${stopped === null ? "runs" : `is stopped (${stopped})`}, for ` +
          `${formatSeconds(ageMs / 1000)}`,
        `  ${percentAtLeast(coverage)} of ${wholeInWords(settings.crawl.web.universe)} is certainly covered, by ` +
          `${counted(counts.pages, "page")}`,
        `  ${formatCount(known)} URLs known, ${formatCount(frontier)} waiting, on ${counted(hosts, "host")}; ` +
          `${formatCount(Math.max(0, underWay))} on their way between shards`,
        `  ${counted(shards.length, "shard")}, ` +
          (heldBy !== null
            ? `held by the ${heldBy}`
            : free === 0
              ? "all with a worker"
              : `${formatCount(free)} without a worker`),
        ...(heldBy !== null
          ? []
          : workers.length === 0
            ? ["  no workers: add some with tidemark cluster work"]
            : [`  ${counted(workers.length, "worker")}:`]),
        ...workers.map((worker) => `    ${worker.name}: ${counted(worker.shards, "shard")}`),
      ]
        .map((line) => `${line}\n`)
        .join(""),
  };
}
