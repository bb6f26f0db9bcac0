/** The thread that computes surveys, as its users see it. */
import { Worker } from "node:worker_threads";
import { compiledEntry, FailureError, messageOf, type Progress, type ProgressStep } from "../base/index.ts";
import type { ReadOptions } from "../store/index.ts";
import { currentSurvey, type KeyedSurvey, openWritten } from "./stored-survey.ts";
import type { Survey } from "./survey.ts";
import type { FromSurveyor, SurveyorTask } from "./surveyor-worker.ts";

/** Options of `surveyOf`. */
export interface SurveyOfOptions extends ReadOptions {
  readonly progress?: Progress;
  /** When aborted, the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * The survey of everything that a crawl has committed, or of what was known at `atMs`, computed if necessary. The
 * caller closes it.
 */
export async function surveyOf(dir: string, { progress, signal, atMs }: SurveyOfOptions = {}): Promise<Survey> {
  signal?.throwIfAborted();
  const stored = currentSurvey(dir, { atMs });
  if (stored !== undefined) return stored;
  let end: (() => Promise<void>) | undefined;
  try {
    return await new Promise<Survey>((resolve, reject) => {
      const listener: SurveyorListener = {
        onProgress: (step) => progress?.(step),
        onSurveyed: ({ survey }) => resolve(survey),
        onFailed: (message) => reject(new FailureError(`the survey of ${dir} failed: ${message}`)),
      };
      const thread = new SurveyorThread(dir, listener, { atMs });
      end = () => thread.end();
      signal?.addEventListener("abort", () => reject(signal.reason));
      thread.survey();
    });
  } finally {
    await end?.();
  }
}

export interface SurveyorListener {
  readonly onProgress: (step: ProgressStep) => void;
  /** The listener closes the survey. */
  readonly onSurveyed: (surveyed: KeyedSurvey, tookMs: number) => void;
  /** With a message for people. */
  readonly onFailed: (message: string) => void;
}

export class SurveyorThread {
  readonly #worker: Worker;
  readonly #listener: SurveyorListener;

  constructor(dir: string, listener: SurveyorListener, moment: ReadOptions = {}) {
    this.#listener = listener;
    const workerData: SurveyorTask = { dir, moment };
    this.#worker = new Worker(compiledEntry("survey/surveyor-worker.js"), { workerData });
    this.#worker.on("message", (message: FromSurveyor) => this.#receive(message));
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

  #receive(message: FromSurveyor): void {
    const { onProgress, onSurveyed, onFailed } = this.#listener;
    if (message.type === "progress") return onProgress(message.step);
    if (message.type === "failed") return onFailed(message.message);
    let opened: KeyedSurvey;
    try {
      opened = openWritten(message);
    } catch (error) {
      return onFailed(messageOf(error));
    }
    onSurveyed(opened, message.tookMs);
  }
}
