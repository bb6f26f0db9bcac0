/** Measures coverage along a crawl while its log is read: certified, by the order's own bound, and by sampling. */
import { isDownloaded, type MassLedger, type RefusalReason, tighten } from "../coverage/index.ts";
import type { SampledStep } from "../crawl/index.ts";
import type { LogListener, Visit } from "../log/index.ts";
import type { CrawlOrder } from "../order/index.ts";
import type { TidePoint } from "./survey.ts";

/** A point of what is proved alone. */
export type ProvedPoint = readonly [pages: number, atMs: number, certified: number, guaranteed: number | null];

/** Certifying takes time, so it is done each time the crawl has grown by a fiftieth. */
export const TIDE_GROWTH = 1.02;
/** Points are at most a hundredth of the missing share below the exact value, and never above it. */
export const TIDE_PRECISION = 1e-2;

/** The points of the tide. */
export class TideGauge implements LogListener {
  readonly points: ProvedPoint[] = [];
  readonly #ledger: MassLedger;
  readonly #order: CrawlOrder;
  #nextPages = 1;
  #certified = 0;

  constructor(ledger: MassLedger, order: CrawlOrder) {
    this.#ledger = ledger;
    this.#order = order;
  }

  visited({ atMs, outcome }: Visit): void {
    if (!isDownloaded(outcome)) return;
    const pages = this.#ledger.downloadedCount;
    if (pages < this.#nextPages) return;
    this.#nextPages = Math.ceil(pages * TIDE_GROWTH + 1);
    tighten(this.#ledger, { relativeGap: TIDE_PRECISION });
    this.points.push(this.#point(atMs, this.#ledger.bound()));
  }

  /** The points so far, and one for the end of the log, which is certified exactly. */
  upTo(atMs: number, coverage: number): ProvedPoint[] {
    const last = this.#point(atMs, coverage);
    const before = this.points.at(-1)?.[0] === last[0] ? this.points.slice(0, -1) : this.points;
    return [...before, last];
  }

  /** A page that was thought to be forbidden counts again: what was certain is so no longer. */
  refused(_: number, reason: RefusalReason): void {
    if (reason === "blocked") this.#certified = 0;
  }

  /** What was certain stays so as pages are added (C3), and what the order guarantees is as certain. */
  #point(atMs: number, coverage: number): ProvedPoint {
    const guaranteed = this.#order.guaranteed();
    this.#certified = Math.max(this.#certified, coverage, guaranteed ?? 0);
    return [this.#ledger.downloadedCount, atMs, this.#certified, guaranteed];
  }
}

/**
 * Points of what is proved, joined with the steps of what is shown by sampling. A step between two points becomes a
 * point; one with as many pages as a point belongs to it, and both hold from the later of the two times on.
 */
export function withSampled(points: readonly ProvedPoint[], steps: readonly SampledStep[]): TidePoint[] {
  const joined: TidePoint[] = [];
  let shown: number | null = null;
  let next = 0;
  const add = (point: TidePoint): void => {
    if (joined.at(-1)?.[0] === point[0]) joined.pop();
    joined.push(point);
  };
  for (const [pages, atMs, certified, guaranteed] of points) {
    for (; next < steps.length && steps[next].pages < pages; next++) {
      const step = steps[next];
      const before = joined.at(-1);
      shown = step.coverage;
      if (before !== undefined) add([step.pages, step.atMs, before[2], before[3], shown]);
    }
    let sinceMs = atMs;
    for (; next < steps.length && steps[next].pages === pages; next++) {
      shown = steps[next].coverage;
      sinceMs = Math.max(sinceMs, steps[next].atMs);
    }
    add([pages, sinceMs, certified, guaranteed, shown]);
  }
  return joined;
}
