/** The surveyor's thread, seen from outside: asked for a survey, it answers with one that was opened. */
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { compiledEntry, type ProgressStep } from "../base/index.ts";
import type { FoundedSurvey } from "./beside-crawl.ts";
import { StoredSurvey } from "./stored-survey.ts";
import { SurveyFile } from "./survey-file.ts";
import type { FromSurveyor } from "./surveyor-thread.ts";

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
    this.#worker = new Worker(compiledEntry("survey/surveyor-thread.js"), { workerData: dir });
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
