/**
 * The survey of a crawl, computed by this thread: for commands that can do nothing before they have it. Starting a
 * thread and loading all modules once more would take a third of a second.
 */
import { FailureError, messageOf, type Progress, systemTimers } from "../base/index.ts";
import type { ReadOptions } from "../store/index.ts";
import { currentSurvey, openWritten } from "./stored-survey.ts";
import type { Survey } from "./survey.ts";

/** How often others get a turn: whoever waits for a signal. */
const TURN_MS = 100;

/** As `surveyOf`. The caller closes it. */
export async function surveyHere(
  dir: string,
  { progress, atMs }: ReadOptions & { readonly progress: Progress },
): Promise<Survey> {
  const stored = currentSurvey(dir, { atMs });
  if (stored !== undefined) return stored;
  const { SurveyRun } = await import("./survey-run.ts");
  try {
    const steps = new SurveyRun(dir, { atMs }).survey();
    let turnMs = systemTimers.nowMs();
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return openWritten(value).survey;
      progress(value);
      if (systemTimers.nowMs() - turnMs < TURN_MS) continue;
      await new Promise<void>((resolve) => systemTimers.after(0, resolve));
      turnMs = systemTimers.nowMs();
    }
  } catch (error) {
    throw new FailureError(`the survey of ${dir} failed: ${messageOf(error)}`, { cause: error });
  }
}
