/**
 * What sampling showed along a crawl, while its log is read: it hears of each visit after the looks of the log
 * (looks-of-log.ts), which are followed at the pace of the visits.
 */
import { isDownloaded } from "../../coverage/index.ts";
import type { LogListener, Visit } from "../../log/index.ts";
import type { LooksOfLog, SampledClaim } from "./looks-of-log.ts";

/** What is shown from some visit on. */
export interface SampledStep {
  /** Pages downloaded by then. */
  readonly pages: number;
  /** Unix time in milliseconds. */
  readonly atMs: number;
  /** Null if nothing is shown, or no longer: a host turned out to block the crawler. */
  readonly coverage: number | null;
}

/** Of all looks of a log, whatever their confidence. */
export class SampledTide implements LogListener {
  readonly steps: SampledStep[] = [];
  readonly #looks: LooksOfLog;
  #pages = 0;
  #shown: number | null = null;

  constructor(looks: LooksOfLog) {
    this.#looks = looks;
  }

  /** Undefined before the first walk. */
  get claim(): SampledClaim | undefined {
    return this.#looks.claim();
  }

  visited({ outcome, atMs }: Visit): void {
    if (isDownloaded(outcome)) this.#pages++;
    const coverage = this.claim?.coverage || null;
    if (coverage !== this.#shown) this.steps.push({ pages: this.#pages, atMs, coverage });
    this.#shown = coverage;
  }
}
