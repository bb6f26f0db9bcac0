/** The entry of the thread that computes surveys. Between requests it keeps what it has read of the log. */
import { parentPort, workerData } from "node:worker_threads";
import { assert, messageOf, type ProgressStep, systemTimers } from "../base/index.ts";
import type { ReadOptions } from "../store/index.ts";
import type { WrittenSurvey } from "./stored-survey.ts";
import { SurveyRun } from "./survey-run.ts";

/** What the thread is given when it starts. */
export interface SurveyorTask {
  readonly dir: string;
  readonly moment: ReadOptions;
}

export type FromSurveyor =
  | { readonly type: "progress"; readonly step: ProgressStep }
  | ({ readonly type: "surveyed"; readonly tookMs: number } & WrittenSurvey)
  | { readonly type: "failed"; readonly message: string };

const PROGRESS_MS = 100;

assert(parentPort !== null, "surveyor-worker runs as a worker thread only");
const port = parentPort;
const { dir, moment } = workerData as SurveyorTask;
const run = new SurveyRun(dir, moment);

port.on("message", () => {
  try {
    survey();
  } catch (error) {
    post({ type: "failed", message: messageOf(error) });
  }
});

function survey(): void {
  const startedMs = systemTimers.nowMs();
  let postedMs = Number.NEGATIVE_INFINITY;
  const steps = run.survey();
  for (;;) {
    const { done, value } = steps.next();
    const nowMs = systemTimers.nowMs();
    if (done === true) return post({ type: "surveyed", ...value, tookMs: nowMs - startedMs });
    if (nowMs - postedMs < PROGRESS_MS) continue;
    postedMs = nowMs;
    post({ type: "progress", step: value });
  }
}

function post(message: FromSurveyor): void {
  port.postMessage(message, []);
}
