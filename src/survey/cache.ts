/**
 * The newest survey of a crawl: the stored one while it is current, else one that a thread computes.
 *
 * The survey of a running crawl is computed again on request, but so rarely that it takes a small part of one
 * processor. A thread that is not needed any more ends, and its memory is freed. If the seeds or the order of the crawl
 * have changed, the old survey is not shown: what it calls certain no longer holds. If pages were read again, it is
 * shown until there is a newer one, as of its time: a refresh changes facts all the time.
 */
import { messageOf, systemTimers } from "../base/index.ts";
import type { ReadOptions } from "../store/index.ts";
import { type Freshness, surveyFreshness, type KeyedSurvey, storedSurvey } from "./stored-survey.ts";
import type { NumberedSurvey, SurveyProgress, SurveySource } from "./survey.ts";
import { type SurveyorListener, SurveyorThread } from "./surveyor-thread.ts";

/** The pause after a survey is so many times as long as the survey took. */
const PAUSE_FACTOR = 30;
const PAUSE_MS_MIN = 1000;
/** After a failure the pause doubles each time, up to this. */
const FAILURE_PAUSE_MS_MAX = 300_000;

interface CacheOptions extends ReadOptions {
  readonly dir: string;
  /** Whether the crawl is running: then the thread stays for the next survey. Called after each survey. */
  readonly isRunning: () => boolean;
}

/** The surveys of a crawl directory for `startServer`: the newest one, computed again as the crawl grows. */
export class SurveyCache implements SurveySource {
  readonly #options: CacheOptions;
  readonly #listeners: ((surveyed: NumberedSurvey) => void)[] = [];
  #current: (NumberedSurvey & KeyedSurvey) | undefined;
  #previous: NumberedSurvey | undefined;
  #number = 0;
  #progress: SurveyProgress | undefined;
  #problem: string | undefined;
  #thread: SurveyorThread | undefined;
  #startedMs = 0;
  #failures = 0;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  /** A survey was requested during another one or during a pause. */
  #isRequested = false;
  #cancelPause: () => void = () => {};
  #isClosed = false;

  constructor(options: CacheOptions) {
    this.#options = options;
    const stored = storedSurvey(options.dir, options);
    if (stored !== undefined) this.#accept(stored);
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
    if (this.#isClosed) return;
    const freshness = this.#freshness();
    if (freshness === "unknown") return;
    if (freshness?.isValid === false) this.#discard();
    if (this.#progress !== undefined) {
      this.#isRequested = true;
      return;
    }
    const waitMs = this.#isFinal() ? 0 : this.#pausedUntilMs - systemTimers.nowMs();
    if (waitMs > 0) {
      if (!this.#isRequested) this.#pause(waitMs);
      return;
    }
    this.#isRequested = false;
    this.#cancelPause();
    if (freshness?.isCurrent === true) return;
    this.#startedMs = systemTimers.nowMs();
    this.#progress = { task: "reading", done: 0, unit: "URLs" };
    this.#thread ??= this.#startThread();
    this.#thread.survey();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelPause();
    await this.#thread?.end();
    this.#previous?.survey.close();
    this.#current?.survey.close();
    this.#previous = undefined;
    this.#current = undefined;
  }

  #startThread(): SurveyorThread {
    const { dir, atMs } = this.#options;
    const listener: SurveyorListener = {
      onProgress: (step) => {
        this.#progress = step;
      },
      onSurveyed: (surveyed, tookMs) => {
        this.#problem = undefined;
        this.#failures = 0;
        if (!this.#options.isRunning()) this.#endThread();
        this.#accept(surveyed);
        this.#finish(Math.max(PAUSE_MS_MIN, PAUSE_FACTOR * tookMs));
      },
      onFailed: (message) => {
        this.#problem = message;
        this.#endThread();
        const tookMs = systemTimers.nowMs() - this.#startedMs;
        const pauseMs = Math.max(PAUSE_MS_MIN * 2 ** this.#failures++, PAUSE_FACTOR * tookMs);
        this.#finish(Math.min(FAILURE_PAUSE_MS_MAX, pauseMs));
      },
    };
    return new SurveyorThread(dir, listener, { atMs });
  }

  /** Undefined if there is no survey; "unknown" if the crawl cannot be read, which says nothing about the survey. */
  #freshness(): Freshness | "unknown" | undefined {
    if (this.#current === undefined) return undefined;
    try {
      return surveyFreshness(this.#options.dir, this.#current, this.#options);
    } catch (error) {
      this.#problem = messageOf(error);
      return "unknown";
    }
  }

  /** The crawl is another one now: there is nothing to show until the next survey, which starts without a pause. */
  #discard(): void {
    this.#retire();
    this.#problem = undefined;
    this.#cancelPause();
    this.#isRequested = this.#progress !== undefined;
    this.#pausedUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** A request may still use the current survey, so it is closed one step later. */
  #retire(): void {
    this.#previous?.survey.close();
    this.#previous = this.#current;
    this.#current = undefined;
  }

  #accept(keyed: KeyedSurvey): void {
    this.#retire();
    const surveyed = { number: ++this.#number, atMs: systemTimers.wallMs(), ...keyed };
    this.#current = surveyed;
    // The crawl may have been replaced during the survey.
    const freshness = this.#freshness();
    if (freshness !== "unknown" && freshness?.isValid === false) return this.#retire();
    for (const listener of this.#listeners) listener(surveyed);
  }

  #finish(pauseMs: number): void {
    this.#progress = undefined;
    this.#pausedUntilMs = systemTimers.nowMs() + pauseMs;
    if (this.#isRequested) this.#pause(this.#isFinal() ? 0 : pauseMs);
  }

  /** The final survey of an ended crawl need not wait: no other comes after it. */
  #isFinal(): boolean {
    return this.#failures === 0 && !this.#options.isRunning();
  }

  #pause(pauseMs: number): void {
    this.#isRequested = true;
    this.#cancelPause();
    this.#cancelPause = systemTimers.after(pauseMs, () => {
      this.#isRequested = false;
      this.refresh();
    });
  }

  #endThread(): void {
    void this.#thread?.end();
    this.#thread = undefined;
  }
}
