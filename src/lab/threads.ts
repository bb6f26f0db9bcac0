/** Starts the threads that share the work of `pagerank`, which itself starts none. */
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { compiledEntry, FailureError, UsageError } from "../base/index.ts";
import { solo, type Team } from "../rank/index.ts";

/** Far more than memory bandwidth can feed; each thread costs 8 bytes per page. */
const THREADS_MAX = 64;

/** A team of threads that are running. They do not keep the process alive. */
export interface StartedTeam extends Team {
  /** Ends the threads. */
  close(): Promise<void>;
}

/** Starts a team of this many threads, including the calling one (default: one per processor), for `pagerank`. */
export async function startRankTeam(threads: number = availableParallelism()): Promise<StartedTeam> {
  if (!Number.isInteger(threads) || threads < 1 || threads > THREADS_MAX) {
    throw new UsageError(`threads must be a whole number from 1 to ${THREADS_MAX}, got ${threads}`);
  }
  if (threads === 1) return { ...solo, close: async () => {} };
  const entry = compiledEntry("rank/worker.js");
  const workers = Array.from({ length: threads - 1 }, () => new Worker(entry));
  try {
    await Promise.all(workers.map((worker) => once(worker, "message")));
  } catch (error) {
    await Promise.all(workers.map((worker) => worker.terminate()));
    throw new FailureError(`cannot start ${threads - 1} worker threads: ${String(error)}; try fewer`);
  }
  let failure: Error | undefined;
  for (const worker of workers) {
    worker.unref();
    worker.on("error", (error: Error) => {
      failure = error;
    });
  }
  return {
    threads,
    send: (thread, assignment) => {
      if (failure !== undefined) throw new FailureError(`a worker thread has failed: ${failure.message}`);
      workers[thread - 1].postMessage(assignment, []);
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
