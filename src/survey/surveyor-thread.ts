/** Starts the thread that computes surveys, and returns its results. */
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { compiledEntry, FailureError, type Progress, type ProgressStep } from "../base/index.ts";
import { type FoundedSurvey, standingOf, storedSurvey } from "./freshness.ts";
import { StoredSurvey } from "./stored-survey.ts";
import { SurveyFile } from "./survey-file.ts";
import type { Survey } from "./survey.ts";
import type { FromSurveyor } from "./surveyor-worker.ts";

export interface SurveyorListener {
  readonly onProgress: (step: ProgressStep) => void;
  /** The listener's to close. */
  readonly onSurveyed: (surveyed: FoundedSurvey, tookMs: number) => void;
  /** What went wrong, in words. */
  readonly onFailed: (message: string) => void;
}

export class SurveyorThread {
  readonly #worker: Worker;
  readonly #listener: SurveyorListener;

  constructor(dir: string, listener: SurveyorListener) {
    this.#listener = listener;
    this.#worker = new Worker(compiledEntry("survey/surveyor-worker.js"), { workerData: dir });
    this.#worker.on("message", (message: FromSurveyor) => this.#heard(message));
    this.#worker.on("error", (error: Error) => listener.onFailed(error.message));
  }

  /** One at a time. */
  survey(): void {
    this.#worker.postMessage("survey", []);
  }

  async end(): Promise<void> {
    this.#worker.removeAllListeners("message");
    await this.#worker.terminate();
  }

  #heard(message: FromSurveyor): void {
    const { onProgress, onSurveyed, onFailed } = this.#listener;
    if (message.type === "progress") return onProgress(message.step);
    if (message.type === "failed") return onFailed(message.message);
    const { path, isPassing, tookMs } = message;
    const file = SurveyFile.open(path);
    // Whoever has it open may go on reading it.
    if (isPassing) rmSync(dirname(path), { recursive: true, force: true });
    if (file === undefined) onFailed(`${path} cannot be read: something else writes there`);
    else onSurveyed({ survey: new StoredSurvey(file), foundation: file.head.foundation }, tookMs);
  }
}

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
