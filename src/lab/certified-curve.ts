/**
 * The exact certificate along a crawl, in any order, and the first download at which each level is certified.
 *
 * The certificate never falls as pages are added (C3), so a level that is passed between two points of the curve is
 * found by bisecting the downloads in between. What was pushed for fewer downloads stays valid for more, so no push is
 * repeated. Points of the curve are below the exact value by at most a thousandth of what is missing; levels are
 * decided exactly.
 */
import { assert } from "../base/index.ts";
import { certify, type LedgerOptions, MassLedger, tighten } from "../coverage/index.ts";

const PRECISION = 1e-3;

export interface CurveOptions extends LedgerOptions {
  readonly trust: Iterable<readonly [page: number, weight: number]>;
  readonly levels: Iterable<number>;
  /** One value per page, from 0 to 1: the curve is that of value (C10). */
  readonly values?: Float64Array;
}

export class CertifiedCurve {
  /** The first number of downloads at which each level was certified. */
  readonly reached = new Map<number, number>();
  readonly #levels: readonly number[];
  readonly #measure: "importance" | "value";
  #ledger: MassLedger;
  /** The ledger at an earlier point, from which a level is searched. */
  #earlier: MassLedger;
  #trial: MassLedger;

  constructor(options: CurveOptions) {
    const { trust, levels, values } = options;
    this.#levels = [...levels].sort((a, b) => a - b);
    this.#measure = values === undefined ? "importance" : "value";
    this.#ledger = new MassLedger(options);
    this.#earlier = new MassLedger(options);
    this.#trial = new MassLedger(options);
    for (const [page, weight] of trust) this.#ledger.trusted(page, weight);
    for (const [page, value] of values?.entries() ?? []) this.#ledger.valued(page, value);
  }

  /** Advances to the first `count` pages of a crawl and returns their certified coverage. */
  advance(crawl: Uint32Array, count: number): number {
    const measure = this.#measure;
    this.#earlier.copyFrom(this.#ledger);
    download(this.#ledger, crawl, count);
    tighten(this.#ledger, { relativeGap: PRECISION, absoluteGap: 1e-10, measure });
    for (const level of this.#levels) {
      if (this.reached.has(level)) continue;
      tighten(this.#ledger, { level, measure });
      if (this.#bound(this.#ledger) < level) break;
      this.reached.set(level, this.#firstAt(level, crawl, count));
    }
    return this.#bound(this.#ledger);
  }

  /** The certified coverage of the first `count` pages: the last point, or where the highest level was reached. */
  exactAt(crawl: Uint32Array, count: number): number {
    if (count < this.#ledger.downloadedCount) {
      this.#ledger.copyFrom(this.#earlier);
      download(this.#ledger, crawl, count);
    }
    assert(this.#ledger.downloadedCount === count, `the crawl can be seen after ${count} downloads`);
    const { coverage, valued = coverage } = certify(this.#ledger);
    return valued;
  }

  /** The earlier ledger ends one download below the level, so the next higher level starts from there. */
  #firstAt(level: number, crawl: Uint32Array, count: number): number {
    let enough = count;
    while (enough - this.#earlier.downloadedCount > 1) {
      const middle = (this.#earlier.downloadedCount + enough) >>> 1;
      this.#trial.copyFrom(this.#earlier);
      download(this.#trial, crawl, middle);
      tighten(this.#trial, { level, measure: this.#measure });
      if (this.#bound(this.#trial) >= level) enough = middle;
      else [this.#earlier, this.#trial] = [this.#trial, this.#earlier];
    }
    return enough;
  }

  #bound(ledger: MassLedger): number {
    return this.#measure === "value" ? ledger.valuedBound() : ledger.bound();
  }
}

function download(ledger: MassLedger, crawl: Uint32Array, count: number): void {
  for (let k = ledger.downloadedCount; k < count; k++) ledger.downloaded(crawl[k]);
}
