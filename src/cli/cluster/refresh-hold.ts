/** The hold of a job while its directory is refreshed: it may be lost, and is taken again. */
import { hostname } from "node:os";
import { resolve } from "node:path";
import { systemTimers, UsageError, waited } from "../../base/index.ts";
import { gatheredIn, holderName, holderOf, JobHold } from "../../cluster/index.ts";
import { type Board, type FactLog, isUnreachable, lockDirectory, reading } from "../../store/index.ts";
import type { Permission } from "../crawl/fetches.ts";
import { FOLLOW_MS } from "./export.ts";
import { heldInWords, jobInWords, type JobOptions } from "./jobs.ts";

export const AGAIN = "run this command again";

export interface RefreshHoldOptions extends JobOptions {
  readonly dir: string;
  readonly budget?: number;
}

export class RefreshHold {
  readonly #log: FactLog;
  readonly #options: RefreshHoldOptions;
  readonly #note: (text: string) => void;
  readonly #interrupt: AbortSignal;
  #hold: JobHold | undefined;
  #isDropped = false;

  constructor(log: FactLog, options: RefreshHoldOptions, note: (text: string) => void, interrupt: AbortSignal) {
    this.#log = log;
    this.#options = options;
    this.#note = note;
    this.#interrupt = interrupt;
  }

  get isLost(): boolean {
    return this.#hold?.lost.aborted === true;
  }

  /** How to go on after Ctrl-C; undefined: without the job, which was deleted. */
  get again(): string | undefined {
    return this.#isDropped ? undefined : AGAIN;
  }

  /**
   * Whether it is held. Throws if another directory is refreshed with this job. Called while the directory is locked:
   * whoever has held the job for it is dead.
   */
  async take(board: Board): Promise<boolean> {
    const name = holderName(resolve(this.#options.dir), hostname());
    const holder = holderOf(board);
    if (holder !== undefined && holder !== name) throw new UsageError(heldInWords(this.#options, holder));
    if (this.isLost) this.#hold = undefined;
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
      onDropped: () => {
        this.#isDropped = true;
        this.#note(`${jobInWords(this.#options)} was deleted: the refresh goes on without it`);
      },
    });
    return this.#hold !== undefined;
  }

  /** Waits until it is held, or the user interrupts. Throws if the job has gone on meanwhile. */
  async lasting(): Promise<Permission> {
    while (!this.#interrupt.aborted) {
      try {
        if (!(await this.#isTaken())) throw new UsageError(runsInWords(this.#options));
        // Nobody but us can write to it any more.
        await expectGathered(this.#options, await this.#log.board());
        break;
      } catch (error) {
        if (!isUnreachable(error)) throw error;
      }
      await waited(systemTimers, FOLLOW_MS);
    }
    const hold = this.#hold;
    return {
      stop: AbortSignal.any([this.#interrupt, ...(hold === undefined ? [] : [hold.lost])]),
      doubt: () => hold?.doubt,
    };
  }

  async release(): Promise<void> {
    await this.#hold?.release();
  }

  async #isTaken(): Promise<boolean> {
    if (this.#hold !== undefined && !this.isLost) return true;
    const lock = lockDirectory(this.#options.dir);
    try {
      return await this.take(await this.#log.board());
    } finally {
      lock.release();
    }
  }
}

function runsInWords(options: RefreshHoldOptions): string {
  const { dir } = options;
  return (
    `${jobInWords(options)} was started again since ${dir} took it over, and no host is to be requested by both: to ` +
    `go on refreshing, stop the job (tidemark cluster stop), wait for its workers to end, and ${AGAIN}; what the job ` +
    "finds goes into another --dir"
  );
}

/** The directory has all that the job has, or the refresh would know less than the job. */
async function expectGathered(options: RefreshHoldOptions, { shards }: Board): Promise<void> {
  const { dir, budget = 1 } = options;
  const positions = await reading(dir, (store) => gatheredIn(store)?.positions ?? []);
  if (shards.every(({ shard, position }) => position <= (positions[shard] ?? 0))) return;
  throw new UsageError(
    `${jobInWords(options)} has gone on since ${dir} took it over: gather it in another --dir, where nothing of it ` +
      `is lost. To refresh ${dir} as it is: tidemark refresh ${dir} --forever --budget ${budget}`,
  );
}
