/**
 * The last word about a crawl, certified from its log alone. That of a large crawl takes seconds to minutes, so another thread computes
 * it, which ends when the user wants to wait no longer.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { MissingShare } from "../../coverage/index.ts";
import { unlessAborted } from "../terminal/interrupts.ts";

export interface Concluded {
  readonly coverage: number;
  readonly missing: readonly MissingShare[];
}

/** Of a crawl that nobody writes to in this process. Undefined once `signal` is aborted. */
export async function concludeElsewhere(dir: string, signal: AbortSignal): Promise<Concluded | undefined> {
  const worker = new Worker(new URL("./certify-worker.js", import.meta.url), { workerData: dir });
  try {
    const [concluded] = (await unlessAborted(signal, once(worker, "message"))) as [Concluded];
    return concluded;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    await worker.terminate();
  }
}
