/**
 * Keeps the newest survey of a crawl: the one beside it as long as that is all there is to know, else one that a thread computes.
 *
 * A survey of a crawl that goes on is made again when it is asked for, but so rarely that surveying takes a small part of one processor. A
 * thread that has nothing to wait for ends, and with it the memory it took.
 */
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { compiledEntry, FailureError, type Progress, systemTimers } from "../../base/index.ts";
import { openCrawlReadOnly } from "../../store/index.ts";
import type { SurveyProgress } from "../protocol.ts";
import { foundationOf } from "./foundation.ts";
import type { NumberedSurvey, SurveySource } from "./source.ts";
import { StoredSurvey } from "./stored-survey.ts";
import type { Survey } from "./survey.ts";
import { SurveyFile, surveyPath } from "./survey-file.ts";
import type { FromSurveyor } from "./surveyor-thread.ts";

/** So many times as long as a survey took passes until the next one. */
const REST_SHARE = 30;
const REST_MS_MIN = 1000;

export interface KeeperOptions {
  readonly dir: string;
  /** Whether the crawl goes on: a thread that may be asked again stays. Asked after each survey. */
  readonly isRunning: () => boolean;
}

export class SurveyKeeper implements SurveySource {
  readonly #options: KeeperOptions;
  readonly #listeners: ((surveyed: NumberedSurvey) => void)[] = [];
  #current: NumberedSurvey | undefined;
  #before: NumberedSurvey | undefined;
  #progress: SurveyProgress | undefined;
  #problem: string | undefined;
  #thread: Worker | undefined;
  #restsUntilMs = Number.NEGATIVE_INFINITY;
  #isWanted = false;
  #cancelRest: () => void = () => {};
  #isClosed = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    const stored = storedSurvey(options.dir);
    if (stored !== undefined) this.#take(stored);
  }

  current(): NumberedSurvey | undefined {
    return this.#current;
  }

  progress(): SurveyProgress | undefined {
    return this.#progress;
  }

  problem(): string | undefined {
    return this.#problem;
  }

  onSurveyed(listener: (surveyed: NumberedSurvey) => void): void {
    this.#listeners.push(listener);
  }

  refresh(): void {
    if (this.#isClosed || this.#progress !== undefined) {
      this.#isWanted = !this.#isClosed;
      return;
    }
    const waitMs = this.#restsUntilMs - systemTimers.nowMs();
    if (waitMs > 0) {
      if (this.#isWanted) return;
      this.#isWanted = true;
      this.#cancelRest = systemTimers.after(waitMs, () => this.#refreshWanted());
    } else if (!isCurrent(this.#options.dir, this.#current?.survey)) this.#survey();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRest();
    await this.#thread?.terminate();
    this.#before?.survey.close();
    this.#current?.survey.close();
    this.#before = undefined;
    this.#current = undefined;
  }

  #refreshWanted(): void {
    this.#isWanted = false;
    this.refresh();
  }

  #survey(): void {
    this.#progress = { task: "reading", done: 0, unit: "URLs" };
    this.#thread ??= this.#startThread();
    this.#thread.postMessage("survey");
  }

  #startThread(): Worker {
    const thread = new Worker(compiledEntry("dashboard/survey/surveyor-thread.js"), {
      workerData: this.#options.dir,
    });
    thread.on("message", (message: FromSurveyor) => this.#heard(message));
    thread.on("error", (error: Error) => this.#failed(error.message));
    return thread;
  }

  #heard(message: FromSurveyor): void {
    if (this.#isClosed) return;
    if (message.type === "progress") this.#progress = message.step;
    else if (message.type === "failed") this.#failed(message.message);
    else this.#surveyed(message);
  }

  #failed(message: string): void {
    this.#problem = message;
    this.#endThread();
    this.#rest(0);
  }

  #surveyed({ path, isPassing, tookMs }: Extract<FromSurveyor, { type: "surveyed" }>): void {
    const file = SurveyFile.open(path);
    // Whoever has it open may go on reading it.
    if (isPassing) rmSync(dirname(path), { recursive: true, force: true });
    if (file === undefined) return this.#failed(`${path} cannot be read: something else writes there`);
    this.#problem = undefined;
    if (!this.#options.isRunning()) this.#endThread();
    this.#take(new StoredSurvey(file));
    this.#rest(tookMs);
  }

  #take(survey: Survey): void {
    this.#before?.survey.close();
    this.#before = this.#current;
    this.#current = {
      number: (this.#before?.number ?? 0) + 1,
      atMs: systemTimers.wallMs(),
      survey,
    };
    for (const listener of this.#listeners) listener(this.#current);
  }

  #rest(tookMs: number): void {
    this.#progress = undefined;
    this.#restsUntilMs = systemTimers.nowMs() + Math.max(REST_MS_MIN, REST_SHARE * tookMs);
    const wasWanted = this.#isWanted;
    this.#isWanted = false;
    if (wasWanted) this.refresh();
  }

  #endThread(): void {
    void this.#thread?.terminate();
    this.#thread = undefined;
  }
}

/** The survey of all that a crawl has committed by now, computed if need be. The caller's to close. */
export async function surveyOf(dir: string, options: SurveyOfOptions = {}): Promise<Survey> {
  const stored = storedSurvey(dir);
  if (stored !== undefined) {
    if (isCurrent(dir, stored)) return stored;
    stored.close();
  }
  const thread = new Worker(compiledEntry("dashboard/survey/surveyor-thread.js"), { workerData: dir });
  try {
    const file = await new Promise<SurveyFile>((resolve, reject) => {
      const give = (message: FromSurveyor): void => {
        if (message.type === "progress") return options.progress?.(message.step);
        if (message.type === "failed") return reject(new FailureError(message.message));
        const file = SurveyFile.open(message.path);
        if (message.isPassing) rmSync(dirname(message.path), { recursive: true, force: true });
        if (file === undefined) reject(new FailureError(`${message.path} cannot be read`));
        else resolve(file);
      };
      thread.on("message", give);
      thread.on("error", reject);
      options.signal?.addEventListener("abort", () => reject(options.signal?.reason));
      thread.postMessage("survey");
    });
    return new StoredSurvey(file);
  } finally {
    await thread.terminate();
  }
}

export interface SurveyOfOptions {
  readonly progress?: Progress;
  /** Aborted: the survey is of no use any more. */
  readonly signal?: AbortSignal;
}

/** What is beside the crawl, be it old, as long as it is of this crawl with these settings. */
function storedSurvey(dir: string): StoredSurvey | undefined {
  const file = SurveyFile.open(surveyPath(dir));
  if (file === undefined) return undefined;
  const store = openCrawlReadOnly(dir);
  try {
    const { facts, foundation } = file.head;
    const isOfThis =
      foundation === foundationOf(store).fingerprint &&
      facts.visits < store.nextVisit &&
      facts.urls <= store.urlCount;
    if (isOfThis) return new StoredSurvey(file);
  } finally {
    store.close();
  }
  file.close();
  return undefined;
}

function isCurrent(dir: string, survey: Survey | undefined): boolean {
  if (survey === undefined) return false;
  const store = openCrawlReadOnly(dir);
  try {
    return survey.facts.visits + 1 === store.nextVisit && survey.facts.urls === store.urlCount;
  } finally {
    store.close();
  }
}
