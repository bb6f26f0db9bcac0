/**
 * What sitemaps list, outside of a crawl: for one of exactly these URLs, or to learn their dates again. Sitemaps are
 * requested as politely as pages, with nothing stored; what an index names is read as well, wherever it is.
 */
import { systemTimers, type Timers } from "../base/index.ts";
import { type Answer, type Fetcher, type FetchRequest, type Reply, verdictOf } from "../fetch/index.ts";
import { canonicalUrl, type InvalidLocations, joinedInvalid, ROBOTS_REDIRECTS_MAX } from "../web/index.ts";
import type { CrawlStore } from "../store/index.ts";
import type { PageTask } from "./dispatcher.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import { ListEngine, ListWork, runList } from "./list-work.ts";
import type { HostPauses } from "./politeness/host-pauses.ts";
import { HostSchedule } from "./politeness/host-schedule.ts";
import type { EarlierRequests } from "./politeness/past-requests.ts";
import { OriginTable } from "./politeness/origin-table.ts";
import type { Exclusion } from "./politeness/robots-cache.ts";
import type { RobotsAttempt } from "./politeness/robots-policy.ts";
import { SITEMAPS_MAX } from "./politeness/sitemaps.ts";
import { readSitemap } from "./reader/sitemap-body.ts";
import type { CrawlSettings } from "./settings/settings.ts";
import { readIndex } from "./url-index.ts";

/** What a sitemap lists. */
export interface SitemapUrls {
  /** Where it was requested. */
  readonly address: string;
  /** Canonical URLs with the time of their last change, Unix time in milliseconds; null where it has none. */
  readonly modified: ReadonlyMap<string, number | null>;
}

export interface ReadSitemap extends SitemapUrls {
  /** What else it lists. */
  readonly invalid: InvalidLocations;
}

/** A sitemap that could not be read, or only in part, with the reason as an event `sitemap-failed` has it. */
export interface UnreadSitemap {
  readonly url: string;
  readonly reason: string;
}

export interface SitemapListOptions extends EarlierRequests {
  readonly settings: CrawlSettings;
  /** Canonical URLs of sitemaps. */
  readonly sitemaps: readonly string[];
  readonly fetcher: Fetcher;
  readonly timers?: Timers;
  /** Called with each as it comes, except for those that only name others: all of them may not fit into memory. */
  readonly onSitemap: (sitemap: ReadSitemap) => void;
  readonly onRead?: (read: number) => void;
  /** Ends it: what is under way may finish for a moment. */
  readonly signal?: AbortSignal | undefined;
  /** Takes note of hosts that are to be left alone (default: nobody does). */
  readonly pauses?: HostPauses | undefined;
}

/** Returns those that could not be read to the end; of some, a part was. */
export async function listSitemaps(options: SitemapListOptions): Promise<readonly UnreadSitemap[]> {
  const { fetcher, timers = systemTimers, signal, takenOverMs, past, pauses } = options;
  // Whatever its pages are for, a sitemap may be read.
  const settings = { ...options.settings, web: { ...options.settings.web, purpose: "none" } } as const;
  const hosts = new HostSchedule({ ...settings.politeness, takenOverMs, past }, settings.hosts);
  const work = new SitemapListWork(options, hosts);
  await runList(new ListEngine({ settings, hosts, origins: work.origins }, work), { fetcher, timers, signal, pauses });
  return work.unread;
}

export interface SitemapWriterOptions {
  readonly settings: CrawlSettings;
  readonly store: CrawlStore;
  readonly fingerprinter: Fingerprinter;
  readonly timers: Timers;
}

/** Stores what a sitemap says of URLs that the crawl knows by now. Others are left to the crawl. */
export function sitemapWriter(options: SitemapWriterOptions): (sitemap: SitemapUrls) => void {
  const { settings, store, fingerprinter, timers } = options;
  const { index } = readIndex(store, new HostSchedule(settings.politeness), fingerprinter);
  return ({ address, modified }) => {
    const all = Array.from(modified, ([text, modifiedMs]) => ({ url: index.find(text), modifiedMs }));
    store.putSitemap({ address, atMs: timers.wallMs(), entries: all.filter(({ url }) => url >= 0) });
    store.commit();
  };
}

interface ListedSitemap {
  readonly url: number;
  /** Where it was first requested. */
  readonly start: string;
  readonly text: string;
  readonly origin: number;
  readonly hops: number;
  /** From 1. */
  readonly attempt: number;
}

class SitemapListWork extends ListWork<ListedSitemap> {
  readonly origins: OriginTable;
  readonly unread: UnreadSitemap[] = [];
  readonly #options: SitemapListOptions;
  readonly #known = new Set<string>();
  #numbered = 0;
  #read = 0;

  constructor(options: SitemapListOptions, hosts: HostSchedule) {
    super(hosts);
    this.#options = options;
    this.origins = new OriginTable(hosts);
    for (const sitemap of options.sitemaps) this.#follow(sitemap);
  }

  robotsDelayed(origin: number, { reason }: RobotsAttempt): void {
    for (const item of this.drop(this.origins.hostOfOrigin(origin))) this.#failed(item, `robots-${reason}`);
  }

  excluded({ url }: PageTask, why: Exclusion): void {
    const isForbidden = why.kind === "refused" && why.reason === "robots";
    this.#failed(this.take(url), isForbidden ? "robots" : (why.detail ?? "failed"));
  }

  requestFor({ text }: PageTask): FetchRequest {
    return { url: text, purpose: "sitemap" };
  }

  replied({ url, host }: PageTask, reply: Reply): void {
    const item = this.take(url);
    const { meaning, reason, attemptsMax } = verdictOf(reply);
    if (reply.kind === "answer" && meaning === "page") return this.#take(item, reply);
    // An aborted request would be aborted again, for ever.
    if (meaning === "try-again" && reason !== "aborted" && item.attempt < attemptsMax) {
      return this.add(host, { ...item, attempt: item.attempt + 1 });
    }
    const location = reply.kind === "answer" && meaning === "redirect" ? (reply.headers["location"] ?? "") : "";
    const target = location === "" ? null : canonicalUrl(location, item.text);
    if (target === null || item.hops >= ROBOTS_REDIRECTS_MAX) return this.#failed(item, reason);
    this.#request({ ...item, text: target, origin: this.origins.originOf(target), hops: item.hops + 1 });
  }

  interrupted(): void {
    for (const host of this.waitingHosts()) this.drop(host);
  }

  #follow(location: string): void {
    const start = canonicalUrl(location);
    if (start === null || this.#known.has(start) || this.#known.size >= SITEMAPS_MAX) return;
    this.#known.add(start);
    const origin = this.origins.originOf(start);
    this.#request({ url: this.#numbered++, start, text: start, origin, hops: 0, attempt: 1 });
  }

  #request(item: ListedSitemap): void {
    this.add(this.origins.hostOfOrigin(item.origin), item);
  }

  #take(item: ListedSitemap, { body, truncated, headers }: Answer): void {
    const { settings, onSitemap, onRead } = this.#options;
    const contentType = headers["content-type"] ?? null;
    const result = readSitemap(body, { url: item.start, contentType, truncated });
    if (result.kind === "error") return this.#failed(item, result.message);
    if (result.truncation !== null) this.#failed(item, result.truncation);
    if (result.kind === "index") for (const sitemap of result.sitemaps) this.#follow(sitemap);
    else {
      const modified = new Map<string, number | null>();
      // A URL may be well-formed and yet have no host that anybody can name.
      const nameless: string[] = [];
      for (const text of result.urls) {
        const url = canonicalUrl(text, undefined, settings.web.urlRules);
        if (url === null) nameless.push(text);
        else modified.set(url, result.modified.get(text) ?? null);
      }
      const invalid = joinedInvalid(result.invalid, { count: nameless.length, examples: nameless });
      onSitemap({ address: item.start, modified, invalid });
    }
    onRead?.(++this.#read);
  }

  #failed({ start }: ListedSitemap, reason: string): void {
    this.unread.push({ url: start, reason });
  }
}
