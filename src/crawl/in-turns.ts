/** Long work between two runs of a machine, which would keep Ctrl-C and everything else waiting. */
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Does work of many steps, in turns with everything else that wants to run. Undefined if it was given up between two
 * steps, because nobody waits for it any more.
 */
export async function inTurns<T>(steps: Iterator<unknown, T>, isGivenUp: () => boolean): Promise<T | undefined> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
    if (isGivenUp()) return undefined;
  }
}
