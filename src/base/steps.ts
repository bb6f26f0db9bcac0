/**
 * Does work of many steps all at once: a generator that yields between them, whatever it yields. Others run such work
 * in slices, so that Ctrl-C is heard and a dashboard is served in between.
 */
export function runSteps<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
