/** For what stays up until the user has seen enough. */
import { onInterrupt } from "../crawl/interrupts.ts";

export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const forget = onInterrupt(() => {
      forget();
      resolve();
    });
  });
}
