/** Ctrl-C and SIGTERM: the first asks to stop cleanly, the second stops at once. */

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const FORCED_EXIT = 130;

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
