/**
 * Keeps the newest survey of a crawl: the one beside it as long as that is all there is to know, else one that a thread computes.
 *
 * A survey of a crawl that goes on is made again when it is asked for, but so rarely that surveying takes a small part of one processor. A
 * thread that has nothing to wait for ends, and with it the memory it took.
 */
import { systemTimers } from "../../base/index.ts";
import type { SurveyProgress } from "../protocol.ts";
import type { NumberedSurvey, SurveySource } from "./source.ts";
import { isCurrent, storedSurvey } from "./beside-crawl.ts";
import type { Survey } from "./survey.ts";
import { SurveyorThread } from "./thread.ts";

/** So many times as long as a survey took passes until the next one. */
const REST_SHARE = 30;
const REST_MS_MIN = 1000;

interface KeeperOptions {
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
  #thread: SurveyorThread | undefined;
  #restsUntilMs = Number.NEGATIVE_INFINITY;
  /** Somebody asked while it could not be. */
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
    if (this.#isClosed || this.#isWanted) return;
    const waitMs = this.#restsUntilMs - systemTimers.nowMs();
    if (this.#progress !== undefined || waitMs > 0) {
      this.#isWanted = true;
      if (this.#progress === undefined) this.#rest(waitMs);
      return;
    }
    const { dir } = this.#options;
    if (this.#current !== undefined && isCurrent(dir, this.#current.survey)) return;
    this.#progress = { task: "reading", done: 0, unit: "URLs" };
    this.#thread ??= this.#startThread();
    this.#thread.survey();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRest();
    await this.#thread?.end();
    this.#before?.survey.close();
    this.#current?.survey.close();
    this.#before = undefined;
    this.#current = undefined;
  }

  #startThread(): SurveyorThread {
    return new SurveyorThread(this.#options.dir, {
      onProgress: (step) => {
        this.#progress = step;
      },
      onSurveyed: (survey, tookMs) => {
        this.#problem = undefined;
        if (!this.#options.isRunning()) this.#endThread();
        this.#take(survey);
        this.#finish(tookMs);
      },
      onFailed: (message) => {
        this.#problem = message;
        this.#endThread();
        this.#finish(0);
      },
    });
  }

  #take(survey: Survey): void {
    this.#before?.survey.close();
    this.#before = this.#current;
    const number = (this.#before?.number ?? 0) + 1;
    const surveyed = { number, atMs: systemTimers.wallMs(), survey };
    this.#current = surveyed;
    for (const listener of this.#listeners) listener(surveyed);
  }

  #finish(tookMs: number): void {
    this.#progress = undefined;
    const restMs = Math.max(REST_MS_MIN, REST_SHARE * tookMs);
    this.#restsUntilMs = systemTimers.nowMs() + restMs;
    if (this.#isWanted) this.#rest(restMs);
  }

  #rest(restMs: number): void {
    this.#cancelRest();
    this.#cancelRest = systemTimers.after(restMs, () => {
      this.#isWanted = false;
      this.refresh();
    });
  }

  #endThread(): void {
    void this.#thread?.end();
    this.#thread = undefined;
  }
}
