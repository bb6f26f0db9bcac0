/**
 * The computed web (crawl/computed-web.ts), whose pages change with time: one link of a page at a time, so a change
 * may lead to a page that nobody knew. It takes no memory either.
 *
 * Change rates after the study of Cho and Garcia-Molina (2000), as in the simulated year of docs/refresh.md: a fourth of
 * the pages changes daily, others every week, month or four months, and some never.
 */
import { Random } from "../../src/base/index.ts";
import type { ServedWeb } from "../../src/fetch/index.ts";
import { ComputedWeb, type ComputedWebOptions } from "../crawl/computed-web.ts";

const DAY_MS = 86_400_000;
/** Days between two changes of a page, for each of twelve equal parts of the web. */
const PERIODS = [1, 1, 1, 7, 7, 30, 30, 30, 120, 120, 120, Number.POSITIVE_INFINITY];

export interface ChangingWebOptions extends ComputedWebOptions {
  readonly nowMs: () => number;
  /** Runs a callback later, once, in the order of the calls. */
  readonly schedule: (callback: () => void) => void;
}

export class ChangingWeb implements ServedWeb {
  readonly #web: ComputedWeb;
  readonly #options: ChangingWebOptions;

  constructor(options: ChangingWebOptions) {
    this.#options = options;
    this.#web = new ComputedWeb(options);
  }

  urlOf(page: number): string {
    return this.#web.urlOf(page);
  }

  pageOf(url: string): number {
    return this.#web.pageOf(url);
  }

  schedule(callback: () => void): void {
    this.#options.schedule(callback);
  }

  rowOf(page: number): number[] {
    const { pages, seed, nowMs } = this.#options;
    const row = this.#web.rowOf(page);
    const random = new Random(seed + 1, page);
    const periodMs = PERIODS[random.below(PERIODS.length)] * DAY_MS;
    const version = Math.floor((nowMs() + random.float() * DAY_MS * 120) / periodMs);
    const link = new Random(seed + 2 + version, page);
    row[version % row.length] = link.below(pages);
    return [...new Set(row)];
  }
}
