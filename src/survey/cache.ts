/**
 * Keeps the newest survey of a crawl: the one beside it as long as that is all there is to know, else one that a thread computes.
 *
 * A survey of a crawl that goes on is made again when it is asked for, but so rarely that surveying takes a small part of one processor. A
 * thread that has nothing to wait for ends, and with it the memory it took. A survey of what the crawl is no more, since its seeds or its
 * order were changed, is not shown: what it calls certain is so no more.
 */
import { messageOf, systemTimers } from "../base/index.ts";
import type { SurveyProgress, NumberedSurvey, SurveySource } from "./survey.ts";
import { type FoundedSurvey, type Standing, standingOf, storedSurvey } from "./freshness.ts";
import { SurveyorThread } from "./surveyor-thread.ts";

/** So many times as long as a survey took passes until the next one. */
const REST_SHARE = 30;
const REST_MS_MIN = 1000;
/** What has failed is likely to fail again: each time it rests twice as long, up to this. */
const REST_FAILED_MS_MAX = 300_000;

interface RobotsCacheOptions {
  readonly dir: string;
  /** Whether the crawl goes on: a thread that may be asked again stays. Asked after each survey. */
  readonly isRunning: () => boolean;
}

export class SurveyKeeper implements SurveySource {
  readonly #options: RobotsCacheOptions;
  readonly #listeners: ((surveyed: NumberedSurvey) => void)[] = [];
  #current: (NumberedSurvey & FoundedSurvey) | undefined;
  #before: NumberedSurvey | undefined;
  #number = 0;
  #progress: SurveyProgress | undefined;
  #problem: string | undefined;
  #thread: SurveyorThread | undefined;
  #beganMs = 0;
  #failures = 0;
  #restsUntilMs = Number.NEGATIVE_INFINITY;
  /** Somebody asked while it could not be. */
  #isWanted = false;
  #cancelRest: () => void = () => {};
  #isClosed = false;

  constructor(options: RobotsCacheOptions) {
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
    if (this.#isClosed) return;
    const standing = this.#standing();
    if (standing === "unknown") return;
    if (standing?.holds === false) this.#giveUp();
    if (this.#progress !== undefined) {
      this.#isWanted = true;
      return;
    }
    const waitMs = this.#isLast() ? 0 : this.#restsUntilMs - systemTimers.nowMs();
    if (waitMs > 0) {
      if (!this.#isWanted) this.#rest(waitMs);
      return;
    }
    this.#isWanted = false;
    this.#cancelRest();
    if (standing?.isCurrent === true) return;
    this.#beganMs = systemTimers.nowMs();
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
      onSurveyed: (surveyed, tookMs) => {
        this.#problem = undefined;
        this.#failures = 0;
        if (!this.#options.isRunning()) this.#endThread();
        this.#take(surveyed);
        this.#finish(Math.max(REST_MS_MIN, REST_SHARE * tookMs));
      },
      onFailed: (message) => {
        this.#problem = message;
        this.#endThread();
        const tookMs = systemTimers.nowMs() - this.#beganMs;
        const restMs = Math.max(REST_MS_MIN * 2 ** this.#failures++, REST_SHARE * tookMs);
        this.#finish(Math.min(REST_FAILED_MS_MAX, restMs));
      },
    });
  }

  /** Undefined where there is no survey; unknown where the crawl cannot be read, which says nothing against it. */
  #standing(): Standing | "unknown" | undefined {
    if (this.#current === undefined) return undefined;
    try {
      return standingOf(this.#options.dir, this.#current);
    } catch (error) {
      this.#problem = messageOf(error);
      return "unknown";
    }
  }

  /** The crawl has become another: there is nothing to show until it is surveyed, for which it does not rest. */
  #giveUp(): void {
    this.#retire();
    this.#problem = undefined;
    this.#cancelRest();
    this.#isWanted = this.#progress !== undefined;
    this.#restsUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** The newest one is no more, but may still be in use. */
  #retire(): void {
    this.#before?.survey.close();
    this.#before = this.#current;
    this.#current = undefined;
  }

  #take(founded: FoundedSurvey): void {
    this.#retire();
    const surveyed = { number: ++this.#number, atMs: systemTimers.wallMs(), ...founded };
    this.#current = surveyed;
    // The crawl may have become another while it was surveyed.
    const standing = this.#standing();
    if (standing !== "unknown" && standing?.holds === false) return this.#retire();
    for (const listener of this.#listeners) listener(surveyed);
  }

  #finish(restMs: number): void {
    this.#progress = undefined;
    this.#restsUntilMs = systemTimers.nowMs() + restMs;
    if (this.#isWanted) this.#rest(this.#isLast() ? 0 : restMs);
  }

  /** The last survey of a crawl that has ended need not wait, for none comes after it. */
  #isLast(): boolean {
    return this.#failures === 0 && !this.#options.isRunning();
  }

  #rest(restMs: number): void {
    this.#isWanted = true;
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
