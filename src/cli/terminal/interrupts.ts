/** Ctrl-C and SIGTERM: the first asks to stop cleanly, the second stops at once. */
import { type Clock, systemClock } from "../../base/index.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const FORCED_EXIT = 130;
/** One Ctrl-C may arrive twice: from the terminal, and passed on by the parent process (npx, a shell, a supervisor). */
const SAME_MS = 500;

/** The user stopped a command before it changed anything: not a failure, unless there should be something now. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly exitCode: number;

  constructor(message: string, { leavesNothing = false }: { readonly leavesNothing?: boolean } = {}) {
    super(message);
    this.exitCode = leavesNothing ? FORCED_EXIT : 0;
  }
}

/**
 * Returns a function that removes the handlers. After an interrupt they stay a little longer: where the same Ctrl-C
 * arrives twice, the second must not kill what is closing down.
 */
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
  const remove = (): void => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
  return () => {
    if (firstMs === undefined) remove();
    else setTimeout(remove, SAME_MS).unref();
  };
}

/** Waits for work, but only until the signal is aborted; then rejects with its reason. */
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

/** For servers: resolves at the first Ctrl-C. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const forget = onInterrupt(() => {
      forget();
      resolve();
    });
  });
}
