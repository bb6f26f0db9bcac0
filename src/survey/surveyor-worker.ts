/** The thread that surveys: asked again and again, it keeps what it has taken in of the log. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { assert, messageOf, type ProgressStep, systemTimers } from "../base/index.ts";
import { openCrawlReadOnly } from "../store/index.ts";
import { foundationOf } from "./freshness.ts";
import { surveyPath, writeSurvey, type SurveyContents } from "./survey-file.ts";
import { Surveyor } from "./surveyor.ts";

export type FromSurveyor =
  | { readonly type: "progress"; readonly step: ProgressStep }
  /** `isPassing`: the file is not beside the crawl, and goes when it was opened. */
  | {
      readonly type: "surveyed";
      readonly path: string;
      readonly isPassing: boolean;
      readonly tookMs: number;
    }
  | { readonly type: "failed"; readonly message: string };

const PROGRESS_MS = 100;
/** Of the disk of a crawl, which ends when that is full. */
const SPARE_BYTES = 2 ** 28;

assert(parentPort !== null, "surveyor-worker runs as a worker thread only");
const port = parentPort;
const dir = workerData as string;
let surveyor: Surveyor | undefined;
let fingerprint = "";

port.on("message", () => {
  try {
    survey();
  } catch (error) {
    // Half of a log may have been told: the next one begins anew.
    surveyor = undefined;
    post({ type: "failed", message: messageOf(error) });
  }
});

function survey(): void {
  const beganMs = systemTimers.nowMs();
  const contents = contentsNow();
  const written = write(contents);
  post({ type: "surveyed", ...written, tookMs: systemTimers.nowMs() - beganMs });
}

function contentsNow(): SurveyContents {
  const store = openCrawlReadOnly(dir);
  try {
    const foundation = foundationOf(store);
    if (surveyor === undefined || foundation.fingerprint !== fingerprint) {
      surveyor = new Surveyor(foundation.settings);
      fingerprint = foundation.fingerprint;
    }
    let toldMs = Number.NEGATIVE_INFINITY;
    for (const step of surveyor.read(store)) {
      const nowMs = systemTimers.nowMs();
      if (nowMs - toldMs < PROGRESS_MS) continue;
      toldMs = nowMs;
      post({ type: "progress", step });
    }
  } finally {
    store.close();
  }
  return surveyor.survey();
}

/** Beside the crawl where we may write and there is room, else where things pass. */
function write(contents: SurveyContents): { path: string; isPassing: boolean } {
  const beside = surveyPath(dir);
  try {
    writeSurvey(beside, fingerprint, contents, { spareBytes: SPARE_BYTES });
    return { path: beside, isPassing: false };
  } catch {
    const path = join(mkdtempSync(join(tmpdir(), "tidemark-survey-")), "survey.bin");
    writeSurvey(path, fingerprint, contents);
    return { path, isPassing: true };
  }
}

function post(message: FromSurveyor): void {
  port.postMessage(message, []);
}
