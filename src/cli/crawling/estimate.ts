/** How fast a crawl is, and how long it may still take: from what it reported in the last seconds. */
import type { CrawlStatus, Limits } from "../../crawl/index.ts";

const WINDOW_MS = 10_000;
/** Rates measured over less are guesses. */
const WINDOW_MS_MIN = 900;
/** What is missing falls slowly and in steps: its fall is measured over a longer time. */
const COVERAGE_WINDOW_MS = 60_000;

export class Estimate {
  readonly #limits: Limits;
  readonly #past: CrawlStatus[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  add(status: CrawlStatus): void {
    this.#past.push(status);
    while (status.elapsedMs - this.#past[0]!.elapsedMs > COVERAGE_WINDOW_MS) this.#past.shift();
  }

  /** Over the last ten seconds; undefined where too little is known. */
  pagesPerSecond(): number | undefined {
    return this.#rate(({ pages }) => pages, WINDOW_MS);
  }

  /** Seconds until the first limit is reached, as far as can be told; undefined where it cannot. */
  secondsLeft(): number | undefined {
    const now = this.#past.at(-1);
    if (now === undefined) return undefined;
    const { coverage, pages, bytes, timeMs } = this.#limits;
    const waits = [
      timeMs === undefined ? undefined : (timeMs - now.elapsedMs) / 1000,
      pages === undefined ? undefined : wait(pages - now.pages, this.pagesPerSecond()),
      bytes === undefined
        ? undefined
        : wait(
            bytes - now.bytes,
            this.#rate(({ bytes }) => bytes, WINDOW_MS),
          ),
      coverage === undefined ? undefined : this.#untilCoverage(now, coverage),
    ].filter((each) => each !== undefined);
    return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits));
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
