/** What is counted and measured while a log is read: of the whole crawl, of each host, of single URLs, and over time. */
import { capacityFor, enlarged, zeroCounts } from "../base/index.ts";
import { type MassLedger, tighten } from "../coverage/index.ts";
import type { LogFacts, LogListener } from "../crawl/index.ts";
import type { CrawlOrder } from "../order/index.ts";
import { outcomes, type UrlRecord, type Visit } from "../store/index.ts";
import type { TidePoint } from "./survey.ts";

export class HostTally {
  known = 0;
  readonly outcomes = zeroCounts(outcomes);
  /** URLs that failed for good. */
  failed = 0;
  bytes = 0;
  answers = 0;
  answersMs = 0;

  get downloaded(): number {
    return this.outcomes.downloaded + this.outcomes["downloaded-partly"];
  }

  /** URLs without a last word. */
  get waiting(): number {
    const { dead, redirected, refused } = this.outcomes;
    return this.known - this.downloaded - dead - redirected - refused;
  }

  note(visit: Visit): void {
    this.outcomes[visit.outcome]++;
    if (visit.outcome === "refused" && visit.reason?.startsWith("failed") === true) this.failed++;
    this.bytes += visit.wireBytes;
    if (visit.status === null) return;
    this.answers++;
    this.answersMs += visit.milliseconds;
  }
}

export class Tally implements LogListener {
  readonly all = new HostTally();
  /** By the numbers that the log's hosts have. */
  readonly hosts: HostTally[] = [];
  /** URLs that stand for all that is never followed on an origin. */
  readonly sinks = new Set<number>();
  /** URLs that have had their last word, in the order of their visits. */
  readonly spoken = new NumberList();
  /** Attempts that were to be repeated: URL and visit. */
  readonly attemptUrls = new NumberList();
  readonly attemptVisits = new NumberList();
  /** HTTP status of the last word. */
  statusOf = new Uint16Array(1024);
  firstVisitMs: number | null = null;
  lastVisitMs: number | null = null;
  readonly #log: LogFacts;

  constructor(log: LogFacts) {
    this.#log = log;
  }

  grow(urls: number): void {
    if (urls > this.statusOf.length)
      this.statusOf = enlarged(this.statusOf, capacityFor(urls, this.statusOf.length));
  }

  url({ id, path }: UrlRecord, host: number): void {
    while (this.hosts.length <= host) this.hosts.push(new HostTally());
    if (path === null) {
      this.sinks.add(id);
      return;
    }
    this.all.known++;
    this.hosts[host].known++;
  }

  visited(visit: Visit): void {
    const { url, outcome, status, number, atMs } = visit;
    this.firstVisitMs ??= atMs;
    this.lastVisitMs = atMs;
    this.all.note(visit);
    this.hosts[this.#log.hostOf(url)].note(visit);
    if (outcome === "try-again") {
      this.attemptUrls.push(url);
      this.attemptVisits.push(number);
      return;
    }
    this.spoken.push(url);
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
