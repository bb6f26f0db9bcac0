/** What somebody who follows a job sees: how far gathering is, then how far the job is, and what is waited for. */
import { counted, type Progress, percentAtLeast } from "../../base/index.ts";
import { jobOf, progressOf } from "../../cluster/index.ts";
import type { Board } from "../../store/index.ts";

/** In a log, one line per minute is enough to see that the job goes on. */
const PLAIN_MS = 60_000;

export interface FollowOptions {
  readonly progress: Progress;
  readonly note: (text: string) => void;
}

export class FollowProgress {
  readonly #options: FollowOptions;
  /** Once everything was gathered for the first time. */
  #waitingFor: string | undefined;
  #noted: string | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** More is gathered: so many visits. */
  gathered(visits: number): void {
    if (this.#waitingFor === undefined) {
      this.#options.progress({ task: "gathering the logs of all shards", done: visits, unit: "visits" });
    } else this.#show(this.#waitingFor, visits);
  }

  /** All that was there is gathered, and workers may find more. */
  waits(board: Board, visits: number): void {
    if (board.job.stopped === null) {
      this.#note(
        board.workers.length === 0
          ? "the job has no workers: start some with tidemark cluster work"
          : "following the job until it has ended; after Ctrl-C the same command goes on",
      );
    }
    this.#waitingFor = waitingFor(board);
    this.#show(this.#waitingFor, visits);
  }

  /** Unless it was the last that was noted. */
  #note(text: string): void {
    if (text !== this.#noted) this.#options.note(text);
    this.#noted = text;
  }

  #show(task: string, visits: number): void {
    this.#options.progress({ task, done: visits, unit: "visits gathered", plainMs: PLAIN_MS });
  }
}

function waitingFor(board: Board): string {
  const workers = board.workers.length;
  if (board.job.stopped !== null) {
    return workers === 0
      ? "the job has ended; waiting for the last leases to end"
      : `the job has ended; waiting for ${counted(workers, "worker")} to leave`;
  }
  const { coverage, frontier } = progressOf(board, jobOf(board.job).settings.crawl);
  const who = workers === 0 ? "waiting for workers" : `following ${counted(workers, "worker")}`;
  return `${who} (${percentAtLeast(coverage)} covered, ${counted(frontier, "URL")} waiting)`;
}
