/** What is counted while a log is read: for the crawl, for each host, for single URLs. */
import { capacityFor, enlarged } from "../base/index.ts";
import { isFinal, type LogListener, Tally, type UrlRecord, type UrlView, type Visit } from "../log/index.ts";

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
    const { url, outcome, status, number, atMs, target } = visit;
    this.firstVisitMs ??= atMs;
    this.lastVisitMs = atMs;
    const isLoop = target !== null && this.#urls.endOf(target) === url;
    this.all.add(visit, isLoop);
    this.hosts[this.#urls.hostOf(url)].add(visit, isLoop);
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
