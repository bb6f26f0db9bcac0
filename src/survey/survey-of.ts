/** One survey, for whoever wants no other. */
import { FailureError, type Progress } from "../base/index.ts";
import { standingOf, storedSurvey } from "./beside-crawl.ts";
import type { Survey } from "./survey.ts";
import { SurveyorThread } from "./thread.ts";

export interface SurveyOfOptions {
  readonly progress?: Progress;
  /** Aborted: the survey is of no use any more, and the promise is rejected with its reason. */
  readonly signal?: AbortSignal;
}

/** The survey of all that a crawl has committed by now, computed if need be. The caller's to close. */
export async function surveyOf(dir: string, { progress, signal }: SurveyOfOptions = {}): Promise<Survey> {
  signal?.throwIfAborted();
  const stored = storedSurvey(dir);
  if (stored !== undefined) {
    if (standingOf(dir, stored).isCurrent) return stored.survey;
    stored.survey.close();
  }
  let end: (() => Promise<void>) | undefined;
  try {
    return await new Promise<Survey>((resolve, reject) => {
      const thread = new SurveyorThread(dir, {
        onProgress: (step) => progress?.(step),
        onSurveyed: ({ survey }) => resolve(survey),
        onFailed: (message) => reject(new FailureError(`${dir} cannot be surveyed: ${message}`)),
      });
      end = () => thread.end();
      signal?.addEventListener("abort", () => reject(signal.reason));
      thread.survey();
    });
  } finally {
    await end?.();
  }
}
