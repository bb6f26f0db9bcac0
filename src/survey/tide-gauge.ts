/**
 * Coverage along a crawl, measured as its log is told again: certified, and by the order's own bound.
 *
 * Certifying takes a while, so it is done each time the crawl has grown by a fiftieth. Points lie within a hundredth of what is missing
 * below the exact value, never above it.
 */
import { type MassLedger, tighten } from "../coverage/index.ts";
import type { LogListener } from "../crawl/index.ts";
import type { CrawlOrder } from "../order/index.ts";
import type { Visit } from "../store/index.ts";
import type { TidePoint } from "./survey.ts";

const GROWTH = 1.02;
const PRECISION = 1e-2;

export class TideGauge implements LogListener {
  readonly points: TidePoint[] = [];
  readonly #ledger: MassLedger;
  readonly #order: CrawlOrder;
  #nextLook = 1;
  #certified = 0;

  constructor(ledger: MassLedger, order: CrawlOrder) {
    this.#ledger = ledger;
    this.#order = order;
  }

  visited({ atMs, outcome }: Visit): void {
    if (outcome !== "downloaded" && outcome !== "downloaded-partly") return;
    const pages = this.#ledger.downloadedCount;
    if (pages < this.#nextLook) return;
    this.#nextLook = Math.ceil(pages * GROWTH + 1);
    tighten(this.#ledger, { relativeGap: PRECISION });
    this.points.push(this.#point(atMs, this.#ledger.bound()));
  }

  /** The points so far and one for the end of the log, which is certified exactly. */
  upTo(atMs: number, coverage: number): TidePoint[] {
    const last = this.#point(atMs, coverage);
    const before = this.points.at(-1)?.[0] === last[0] ? this.points.slice(0, -1) : this.points;
    return [...before, last];
  }

  /** What was certain stays so as pages are added (C3), and what the order guarantees is as certain. */
  #point(atMs: number, coverage: number): TidePoint {
    const guaranteed = this.#order.guaranteed();
    this.#certified = Math.max(this.#certified, coverage, guaranteed ?? 0);
    return [this.#ledger.downloadedCount, atMs, this.#certified, guaranteed];
  }
}
