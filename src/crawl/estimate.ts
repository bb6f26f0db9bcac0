/**
 * How fast a crawl is, and how long it may still take.
 *
 * What is missing falls by nearly the same factor with every so many pages, slower as the crawl grows; so its fall is
 * measured over the last quarter of the pages. On cnr-2000, uci-ics and the web of the demo, halfway to 90, 95 or 98%,
 * this predicts 0.9 to 1.4 times the pages that it takes in the end. Measured over all pages it predicts half of them,
 * by a power law up to four times as many.
 */
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

export class Estimate {
  limits: Limits;
  readonly #windowMs: number;
  readonly #past: CrawlStatus[] = [];
  /** One for each hundredth more of pages. */
  readonly #milestones: CrawlStatus[] = [];

  /** Speeds are measured over `windowMs`, a minute at most. */
  constructor(limits: Limits, { windowMs = WINDOW_MS }: { readonly windowMs?: number } = {}) {
    this.limits = limits;
    this.#windowMs = Math.min(windowMs, WINDOW_MS_MAX);
  }

  add(status: CrawlStatus): void {
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

  #untilCoverage(now: CrawlStatus, goal: number): number | undefined {
    const [then] = this.#milestones;
    if (goal >= 1 || goal > now.ceiling || then === undefined || now.coverage <= then.coverage || now.coverage >= 1)
      return undefined;
    const perPage = Math.log((1 - then.coverage) / (1 - now.coverage)) / (now.pages - then.pages);
    return wait(Math.log((1 - now.coverage) / (1 - goal)) / perPage, this.pagesPerSecond());
  }

  #rate(value: (status: CrawlStatus) => number, windowMs: number): number | undefined {
    const now = this.#past.at(-1);
    const then = this.#past.find(({ elapsedMs }) => now !== undefined && now.elapsedMs - elapsedMs <= windowMs);
    if (now === undefined || then === undefined || now.elapsedMs - then.elapsedMs < WINDOW_MS_MIN) return undefined;
    return (1000 * (value(now) - value(then))) / (now.elapsedMs - then.elapsedMs);
  }
}

function wait(amount: number, perSecond: number | undefined): number | undefined {
  return perSecond === undefined || perSecond <= 0 ? undefined : amount / perSecond;
}
