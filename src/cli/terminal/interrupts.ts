/** Ctrl-C and SIGTERM: the first asks to stop cleanly, the second stops at once. */
import { type Clock, systemClock } from "../../base/index.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const FORCED_EXIT = 130;
/** One Ctrl-C may come twice: from the terminal, and handed on by whoever started us (npx, a shell, a supervisor). */
const SAME_MS = 500;

/** The user stopped what had not begun to change anything: no failure. */
export class Interruption extends Error {
  override readonly name = "Interruption";
}

/** Answers what takes the handlers away. */
export function onInterrupt(stop: () => void, clock: Clock = systemClock): () => void {
  let firstMs: number | undefined;
  const handle = (): void => {
    const nowMs = clock.nowMs();
    if (firstMs !== undefined) {
      if (nowMs - firstMs >= SAME_MS) process.exit(FORCED_EXIT);
      return;
    }
    firstMs = nowMs;
    stop();
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  return () => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
}

/** Waits for work, but no longer than until the signal; then rejects with its reason. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let forget = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const listener = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", listener);
    forget = () => signal.removeEventListener("abort", listener);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    forget();
  }
}

/** For what stays up until the user has seen enough. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const forget = onInterrupt(() => {
      forget();
      resolve();
    });
  });
}
