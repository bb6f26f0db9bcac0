/** Ctrl-C and SIGTERM: the first asks to stop cleanly, the second stops at once. */

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const FORCED_EXIT = 130;

/** The user stopped what had not begun to change anything: no failure. */
export class Interruption extends Error {
  override readonly name = "Interruption";
}

/** Answers what takes the handlers away. */
export function onInterrupt(stop: () => void): () => void {
  let isStopping = false;
  const handle = (): void => {
    if (isStopping) process.exit(FORCED_EXIT);
    isStopping = true;
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
