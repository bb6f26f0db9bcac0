/** How fast a crawl is, and how long it may still take: from what it reported in the last seconds. */
import type { Limits } from "./settings.ts";
import type { CrawlStatus } from "./status.ts";

const WINDOW_MS = 10_000;
/** Rates measured over less are guesses. */
const WINDOW_MS_MIN = 900;
/** What is missing falls slowly and in steps: its fall is measured over a longer time. */
const COVERAGE_WINDOW_MS = 60_000;

export interface EstimateOptions {
  /** Over how long speeds are measured; a minute at most. */
  readonly windowMs?: number;
}

/** What is reached first by present speed, and when. */
export interface NextLimit {
  readonly limit: keyof Limits;
  readonly seconds: number;
}

export class Estimate {
  /** May be changed while a crawl runs. */
  limits: Limits;
  readonly #windowMs: number;
  readonly #past: CrawlStatus[] = [];

  constructor(limits: Limits, { windowMs = WINDOW_MS }: EstimateOptions = {}) {
    this.limits = limits;
    this.#windowMs = Math.min(windowMs, COVERAGE_WINDOW_MS);
  }

  add(status: CrawlStatus): void {
    this.#past.push(status);
    while (status.elapsedMs - this.#past[0]!.elapsedMs > COVERAGE_WINDOW_MS) this.#past.shift();
  }

  /** Over the window; undefined where too little is known. */
  pagesPerSecond(): number | undefined {
    return this.#rate(({ pages }) => pages, this.#windowMs);
  }

  bytesPerSecond(): number | undefined {
    return this.#rate(({ bytes }) => bytes, this.#windowMs);
  }

  /** Seconds until the first limit is reached, as far as can be told; undefined where it cannot. */
  secondsLeft(): number | undefined {
    return this.nextLimit()?.seconds;
  }

  nextLimit(): NextLimit | undefined {
    const now = this.#past.at(-1);
    if (now === undefined) return undefined;
    const { coverage, pages, bytes, timeMs } = this.limits;
    let next: NextLimit | undefined;
    const consider = (limit: keyof Limits, seconds: number | undefined) => {
      if (seconds === undefined || (next !== undefined && next.seconds <= seconds)) return;
      next = { limit, seconds: Math.max(0, seconds) };
    };
    if (coverage !== undefined) consider("coverage", this.#untilCoverage(now, coverage));
    if (pages !== undefined) consider("pages", wait(pages - now.pages, this.pagesPerSecond()));
    if (bytes !== undefined) consider("bytes", wait(bytes - now.bytes, this.bytesPerSecond()));
    if (timeMs !== undefined) consider("timeMs", (timeMs - now.elapsedMs) / 1000);
    return next;
  }

  /** What is missing falls nearly by the same factor in the same time. */
  #untilCoverage(now: CrawlStatus, goal: number): number | undefined {
    if (goal >= 1 || now.coverage <= 0 || now.coverage >= 1) return undefined;
    const missing = ({ coverage }: CrawlStatus) => -Math.log(1 - Math.min(coverage, 1 - 1e-12));
    return wait(Math.log((1 - now.coverage) / (1 - goal)), this.#rate(missing, COVERAGE_WINDOW_MS));
  }

  #rate(value: (status: CrawlStatus) => number, windowMs: number): number | undefined {
    const now = this.#past.at(-1);
    const then = this.#past.find(
      ({ elapsedMs }) => now !== undefined && now.elapsedMs - elapsedMs <= windowMs,
    );
    if (now === undefined || then === undefined || now.elapsedMs - then.elapsedMs < WINDOW_MS_MIN)
      return undefined;
    return (1000 * (value(now) - value(then))) / (now.elapsedMs - then.elapsedMs);
  }
}

function wait(amount: number, perSecond: number | undefined): number | undefined {
  return perSecond === undefined || perSecond <= 0 ? undefined : amount / perSecond;
}
