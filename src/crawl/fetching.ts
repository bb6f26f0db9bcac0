/**
 * What is fetched next, and what becomes of the reply: errands (robots.txt and sitemaps) before pages, pages in the order of the frontier
 * after a look at their robots.txt. Here order, coverage, web, fetch and store are joined. When anything is started, and until when, is
 * the engine's word.
 */
import type { Timers } from "../base/index.ts";
import { type Answer, type Fetcher, type Reply, verdictOf } from "../fetch/index.ts";
import type { Archive, CrawlStore } from "../store/index.ts";
import { Errands } from "./politeness/auxiliary-requests.ts";
import { Frontier } from "./frontier.ts";
import type { Host } from "./politeness/hosts.ts";
import { PageVisits } from "./page-visit.ts";
import type { PageContent, PageReader } from "./reader/contract.ts";
import { Readings } from "./reader/read-queue.ts";
import type { CrawlRecord } from "./record.ts";
import { RobotsPolicy } from "./politeness/robots-policy.ts";
import { RobotsCache } from "./politeness/robots-cache.ts";
import type { CrawlSettings, Limits } from "./settings/settings.ts";
import type { StopReason } from "./stop-reasons.ts";
import { believable, noteTrouble } from "./politeness/host-failures.ts";

export interface FetchingOptions {
  readonly settings: CrawlSettings;
  readonly record: CrawlRecord;
  readonly store: CrawlStore;
  readonly fetcher: Fetcher;
  readonly reader: PageReader;
  readonly timers: Timers;
  readonly archive?: (Archive & { readonly requestHeaders: Readonly<Record<string, string>> }) | undefined;
}

/** What the engine does for those who fetch. */
interface Callbacks {
  /** A reply, or a page that was read, is a turn of the crawl. */
  readonly turn: (event: () => void) => void;
  /** There are facts to commit. */
  readonly note: () => void;
}

export class Fetching {
  readonly visits: PageVisits;
  readonly robots: RobotsPolicy;
  readonly #options: FetchingOptions;
  readonly #callbacks: Callbacks;
  readonly #record: CrawlRecord;
  readonly #frontier: Frontier;
  readonly #errands: Errands;
  readonly #readings: Readings;
  #pagesMax: number;
  #requests = 0;
  #pageRequests = 0;

  constructor(options: FetchingOptions, callbacks: Callbacks) {
    const { record, settings, store, timers } = options;
    this.#options = options;
    this.#callbacks = callbacks;
    this.#record = record;
    this.#pagesMax = pagesMax(settings.limits);
    this.#readings = new Readings(options.reader, callbacks.turn);
    this.#frontier = new Frontier(record, settings.limits);
    this.#errands = new Errands(record.hosts);
    this.visits = new PageVisits(record, this.#frontier, settings.web);
    this.robots = new RobotsPolicy({
      keeper: new RobotsCache(store, {
        productToken: settings.productToken,
        originText: (origin) => record.originText(origin),
      }),
      record,
      settings,
      errands: this.#errands,
      timers,
      readSitemap: (job, done) => {
        this.#readings.sitemap(job, (content) => {
          callbacks.note();
          done(content);
        });
      },
      awake: (host) => this.#awake(host),
    });
  }

  /** Under way: asked for, and not answered. */
  get requests(): number {
    return this.#requests;
  }

  /** Pages and sitemaps that were fetched and are being read. */
  get readings(): number {
    return this.#readings.count;
  }

  /** When the next rest, pause or wait ends. */
  get nextMs(): number {
    return Math.min(this.#record.hosts.nextMs, this.#frontier.nextMs, this.#errands.nextMs);
  }

  /** Nothing is under way, and no time will bring anything. */
  get isIdle(): boolean {
    return (
      this.#requests === 0 &&
      this.#readings.count === 0 &&
      this.#errands.count === 0 &&
      this.#record.hosts.nextMs === Number.POSITIVE_INFINITY &&
      this.#frontier.nextMs === Number.POSITIVE_INFINITY
    );
  }

  /** Why nothing is left. */
  get reasonOfEnd(): StopReason {
    if (this.#frontier.tooDeep > 0) return "depth-limit";
    return this.#frontier.overHostLimit > 0 ? "page-limit" : "frontier-empty";
  }

  limit(limits: Limits): void {
    this.#pagesMax = pagesMax(limits);
    this.#frontier.limit(limits);
  }

  wake(now: number): void {
    this.#record.hosts.wake(now, (host) => this.#awake(host));
    this.#frontier.wake(now);
    this.#errands.wake(now);
  }

  /** Starts one errand, or looks at one page; false where nothing can be started now. */
  startNext(): boolean {
    const { settings } = this.#options;
    if (this.#requests >= settings.politeness.concurrency) return false;
    const next = this.#errands.next();
    if (next !== undefined) {
      const { errand, host } = next;
      this.#start(host, errand.url, errand.purpose, (reply) => {
        this.#callbacks.note();
        this.#errands.replied(errand, reply);
      });
      return true;
    }
    if (this.#readings.areMany || !this.#mayFetchMore()) return false;
    const url = this.#frontier.next();
    if (url < 0) return false;
    this.#consider(url);
    return true;
  }

  /** Fetches a page of a host that may be asked, unless its robots.txt has something against it. */
  #consider(url: number): void {
    const { timers } = this.#options;
    const host = this.#record.hostOf(url);
    const wallMs = timers.wallMs();
    const text = this.#record.textOf(url);
    const verdict = this.robots.judge(url, text, host, wallMs);
    switch (verdict.kind) {
      case "allowed":
        this.#pageRequests++;
        this.#frontier.started(host);
        return this.#start(host, text, "page", (reply) => this.#pageReplied(url, text, reply));
      case "later":
        return this.#frontier.hold(url, host);
      case "dead":
        this.#callbacks.note();
        return this.#record.dead(url, { atMs: wallMs, reason: verdict.reason });
      case "refused":
        this.#callbacks.note();
        return this.#record.refused(url, verdict.reason, verdict.detail, { atMs: wallMs });
    }
  }

  #start(
    host: Host,
    url: string,
    purpose: "page" | "robots" | "sitemap",
    done: (reply: Reply) => void,
  ): void {
    const { fetcher, timers } = this.#options;
    this.#record.hosts.start(host);
    this.#requests++;
    fetcher.fetch({ url, purpose }, (given) =>
      this.#callbacks.turn(() => {
        const reply = believable(host, given);
        this.#requests--;
        if (reply.address !== null) this.#locate(host, reply.address);
        noteTrouble(this.#record, host, reply, timers);
        done(reply);
        // After the reply was understood: a crawl-delay that it brought counts from now on.
        this.#record.hosts.finish(host, timers.nowMs());
        this.#awake(host);
      }),
    );
  }

  #locate(host: Host, address: string): void {
    const before = host.address;
    this.#record.hosts.locate(host, address);
    if (before === host.address) return;
    this.#errands.moved(host, before);
    if (before !== undefined) this.#frontier.vacated(before);
  }

  #awake(host: Host): void {
    this.#errands.awake(host);
    this.#frontier.awake(host);
  }

  #pageReplied(url: number, text: string, reply: Reply): void {
    const { timers } = this.#options;
    this.#pageRequests--;
    this.#callbacks.note();
    const verdict = verdictOf(reply);
    const wallMs = timers.wallMs();
    if (verdict.meaning !== "page" || reply.kind !== "answer") {
      this.visits.replied(url, text, reply, verdict, { nowMs: timers.nowMs(), wallMs });
      return this.#frontier.ended(this.#record.hostOf(url));
    }
    this.#readings.page(text, reply, (content) => this.#pageRead(url, text, reply, content, wallMs));
  }

  #pageRead(url: number, text: string, answer: Answer, content: PageContent, wallMs: number): void {
    const { archive } = this.#options;
    this.#callbacks.note();
    archive?.keep({ ...answer, url: text, dateMs: wallMs, requestHeaders: archive.requestHeaders });
    this.visits.content(url, answer, content, wallMs);
    this.#frontier.ended(this.#record.hostOf(url));
  }

  #mayFetchMore(): boolean {
    return this.#record.pages + this.#pageRequests + this.#readings.count < this.#pagesMax;
  }
}

function pagesMax({ pages }: Limits): number {
  return pages ?? Number.POSITIVE_INFINITY;
}
