/** The entry of the thread that computes surveys. Between requests it keeps what it has read of the log. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { assert, messageOf, type ProgressStep, systemTimers } from "../base/index.ts";
import { openCrawlReadOnly, type ReadOptions } from "../store/index.ts";
import { earlierKey, surveyKey } from "./stored-survey.ts";
import { earlierSurveyPath, removeOldSurveys, type SurveyContents, surveyPath, writeSurvey } from "./survey-file.ts";
import { Surveyor } from "./surveyor.ts";

/** What the thread is given when it starts. */
export interface SurveyorTask {
  readonly dir: string;
  readonly moment: ReadOptions;
}

export type FromSurveyor =
  | { readonly type: "progress"; readonly step: ProgressStep }
  /** `isTemporary`: the file is not in the crawl's directory, and is deleted once it is open. */
  | { readonly type: "surveyed"; readonly path: string; readonly isTemporary: boolean; readonly tookMs: number }
  | { readonly type: "failed"; readonly message: string };

const PROGRESS_MS = 100;
/** Left free on the disk of the crawl, which stops when the disk is full. */
const SPARE_BYTES = 2 ** 28;

assert(parentPort !== null, "surveyor-worker runs as a worker thread only");
const port = parentPort;
const { dir, moment } = workerData as SurveyorTask;
let surveyor: Surveyor | undefined;
let key = "";
/** Where the survey is kept, and under which key. */
let kept = { path: surveyPath(dir), key };

port.on("message", () => {
  try {
    survey();
  } catch (error) {
    // Part of the log may have been read: the next survey starts from the beginning.
    surveyor = undefined;
    post({ type: "failed", message: messageOf(error) });
  }
});

function survey(): void {
  const startedMs = systemTimers.nowMs();
  const written = write(currentContents());
  post({ type: "surveyed", ...written, tookMs: systemTimers.nowMs() - startedMs });
}

function currentContents(): SurveyContents {
  const store = openCrawlReadOnly(dir, moment);
  try {
    const now = surveyKey(store);
    kept = store.isNow
      ? { path: surveyPath(dir), key: now.key }
      : { path: earlierSurveyPath(dir, store.nextVisit - 1), key: earlierKey(store) };
    if (surveyor === undefined || now.key !== key) {
      surveyor = new Surveyor(now.settings);
      ({ key } = now);
    }
    let postedMs = Number.NEGATIVE_INFINITY;
    for (const step of surveyor.read(store)) {
      const nowMs = systemTimers.nowMs();
      if (nowMs - postedMs < PROGRESS_MS) continue;
      postedMs = nowMs;
      post({ type: "progress", step });
    }
  } finally {
    store.close();
  }
  return surveyor.survey();
}

/** Into the crawl's directory if that is writable and has room, else into a temporary one. */
function write(contents: SurveyContents): { path: string; isTemporary: boolean } {
  const { path } = kept;
  try {
    writeSurvey(path, kept.key, contents, SPARE_BYTES);
    if (path !== surveyPath(dir)) removeOldSurveys(dir);
    return { path, isTemporary: false };
  } catch {
    return writeTemporary(contents);
  }
}

function writeTemporary(contents: SurveyContents): { path: string; isTemporary: boolean } {
  const path = join(mkdtempSync(join(tmpdir(), "tidemark-survey-")), "survey.bin");
  writeSurvey(path, kept.key, contents);
  return { path, isTemporary: true };
}

function post(message: FromSurveyor): void {
  port.postMessage(message, []);
}
