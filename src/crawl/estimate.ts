/**
 * How fast a crawl is, and how long it may still take.
 *
 * What is missing falls slower as a crawl grows, so its fall is measured over the last quarter of the pages. Over all
 * pages it would be half as many, by a power law up to four times as many. `pagesToGoal` says what follows from it.
 */
import { type ForecastPoint, pagesToGoal } from "./forecast.ts";
import type { Limits } from "./settings/settings.ts";
import type { CrawlStatus } from "./status.ts";

const WINDOW_MS = 10_000;
/** Rates measured over less are guesses. */
const WINDOW_MS_MIN = 900;
const WINDOW_MS_MAX = 60_000;
/** The fall of what is missing is measured over this share of all pages, from statuses at least a step apart. */
const FALL_SHARE = 0.25;
const FALL_STEP = 0.01;

/** The limit that is reached first at the current rate, and when. */
export interface NextLimit {
  readonly limit: keyof Limits;
  readonly seconds: number;
}

/** The part of a status that estimates need. */
export type EstimateStatus = Pick<CrawlStatus, "bytes" | "elapsedMs"> & ForecastPoint;

export class Estimate {
  limits: Limits;
  readonly #windowMs: number;
  readonly #past: EstimateStatus[] = [];
  /** One for each hundredth more of pages. */
  readonly #milestones: EstimateStatus[] = [];

  /** Speeds are measured over `windowMs`, a minute at most. */
  constructor(limits: Limits, { windowMs = WINDOW_MS }: { readonly windowMs?: number } = {}) {
    this.limits = limits;
    this.#windowMs = Math.min(windowMs, WINDOW_MS_MAX);
  }

  add(status: EstimateStatus): void {
    this.#past.push(status);
    while (status.elapsedMs - this.#past[0].elapsedMs > WINDOW_MS_MAX) this.#past.shift();
    const { pages } = status;
    if (pages > (this.#milestones.at(-1)?.pages ?? -1) * (1 + FALL_STEP)) this.#milestones.push(status);
    // The one before the window stays, so that there is always something to compare with.
    while ((this.#milestones[1]?.pages ?? pages) < (1 - FALL_SHARE) * pages) this.#milestones.shift();
  }

  /** Over the window; undefined where too little is known. */
  pagesPerSecond(): number | undefined {
    return this.#rate(({ pages }) => pages, this.#windowMs);
  }

  bytesPerSecond(): number | undefined {
    return this.#rate(({ bytes }) => bytes, this.#windowMs);
  }

  /** Pages until the target coverage; undefined if it cannot be reached or too little is known. */
  pagesLeft(): number | undefined {
    const now = this.#past.at(-1);
    const [then] = this.#milestones;
    const { coverage } = this.limits;
    if (coverage === undefined || now === undefined || then === undefined) return undefined;
    return pagesToGoal(coverage, then, now);
  }

  nextLimit(): NextLimit | undefined {
    const now = this.#past.at(-1);
    if (now === undefined) return undefined;
    const { pages, bytes, timeMs } = this.limits;
    let next: NextLimit | undefined;
    const consider = (limit: keyof Limits, seconds: number | undefined) => {
      if (seconds === undefined || (next !== undefined && next.seconds <= seconds)) return;
      next = { limit, seconds: Math.max(0, seconds) };
    };
    consider("coverage", wait(this.pagesLeft(), this.pagesPerSecond()));
    if (pages !== undefined) consider("pages", wait(pages - now.pages, this.pagesPerSecond()));
    if (bytes !== undefined) consider("bytes", wait(bytes - now.bytes, this.bytesPerSecond()));
    if (timeMs !== undefined) consider("timeMs", (timeMs - now.elapsedMs) / 1000);
    return next;
  }

  #rate(value: (status: EstimateStatus) => number, windowMs: number): number | undefined {
    const now = this.#past.at(-1);
    const then = this.#past.find(({ elapsedMs }) => now !== undefined && now.elapsedMs - elapsedMs <= windowMs);
    if (now === undefined || then === undefined || now.elapsedMs - then.elapsedMs < WINDOW_MS_MIN) return undefined;
    return (1000 * (value(now) - value(then))) / (now.elapsedMs - then.elapsedMs);
  }
}

function wait(amount: number | undefined, perSecond: number | undefined): number | undefined {
  return amount === undefined || perSecond === undefined || perSecond <= 0 ? undefined : amount / perSecond;
}
