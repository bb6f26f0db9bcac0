/** What is counted and measured while a log is read: for the crawl, for each host, for single URLs, and over time. */
import { capacityFor, enlarged } from "../base/index.ts";
import { isDownloaded, type MassLedger, type RefusalReason, tighten } from "../coverage/index.ts";
import { isFinal, type LogListener, Tally, type UrlRecord, type UrlView, type Visit } from "../log/index.ts";
import type { CrawlOrder } from "../order/index.ts";
import type { TidePoint } from "./survey.ts";

export class SurveyTally implements LogListener {
  readonly all = new Tally();
  /** By the ids of the log's hosts. */
  readonly hosts: Tally[] = [];
  /** URLs with a final outcome, in the order of their visits. */
  readonly closed = new NumberList();
  /** Attempts that were to be retried: URL and visit. */
  readonly attemptUrls = new NumberList();
  readonly attemptVisits = new NumberList();
  /** HTTP status of the final outcome. */
  statusOf = new Uint16Array(1024);
  firstVisitMs: number | null = null;
  lastVisitMs: number | null = null;
  readonly #urls: UrlView;

  /** The view must learn each record first. */
  constructor(urls: UrlView) {
    this.#urls = urls;
  }

  grow(urls: number): void {
    if (urls > this.statusOf.length) this.statusOf = enlarged(this.statusOf, capacityFor(urls, this.statusOf.length));
  }

  url({ id, path }: UrlRecord): void {
    const host = this.#urls.hostOf(id);
    while (this.hosts.length <= host) this.hosts.push(new Tally());
    if (path === null) return;
    this.all.known++;
    this.hosts[host].known++;
  }

  visited(visit: Visit): void {
    const { url, outcome, status, number, atMs } = visit;
    this.firstVisitMs ??= atMs;
    this.lastVisitMs = atMs;
    this.all.add(visit);
    this.hosts[this.#urls.hostOf(url)].add(visit);
    if (!isFinal(outcome)) {
      this.attemptUrls.push(url);
      this.attemptVisits.push(number);
      return;
    }
    this.closed.push(url);
    this.statusOf[url] = status ?? 0;
  }
}

/** A list of whole numbers that grows, 4 bytes each. */
class NumberList {
  length = 0;
  #values = new Uint32Array(64);

  get values(): Uint32Array {
    return this.#values.subarray(0, this.length);
  }

  push(value: number): void {
    if (this.length === this.#values.length)
      this.#values = enlarged(this.#values, capacityFor(this.length + 1, this.length));
    this.#values[this.length++] = value;
  }
}

/** Certifying takes time, so it is done each time the crawl has grown by a fiftieth. */
const GROWTH = 1.02;
/** Points are at most a hundredth of the missing share below the exact value, and never above it. */
const PRECISION = 1e-2;

/** Measures coverage along a crawl while its log is read: certified, and by the order's own bound. */
export class TideGauge implements LogListener {
  readonly points: TidePoint[] = [];
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
    this.#nextPages = Math.ceil(pages * GROWTH + 1);
    tighten(this.#ledger, { relativeGap: PRECISION });
    this.points.push(this.#point(atMs, this.#ledger.bound()));
  }

  /** The points so far and one for the end of the log, which is certified exactly. */
  upTo(atMs: number, coverage: number): TidePoint[] {
    const last = this.#point(atMs, coverage);
    const before = this.points.at(-1)?.[0] === last[0] ? this.points.slice(0, -1) : this.points;
    return [...before, last];
  }

  /** A page that was thought to be forbidden counts again: what was certain is so no longer. */
  refused(_: number, reason: RefusalReason): void {
    if (reason === "blocked") this.#certified = 0;
  }

  /** What was certain stays so as pages are added (C3), and what the order guarantees is as certain. */
  #point(atMs: number, coverage: number): TidePoint {
    const guaranteed = this.#order.guaranteed();
    this.#certified = Math.max(this.#certified, coverage, guaranteed ?? 0);
    return [this.#ledger.downloadedCount, atMs, this.#certified, guaranteed];
  }
}
