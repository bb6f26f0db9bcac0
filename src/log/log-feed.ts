/**
 * The one feed of a log: turns its records into facts for orders, ledgers, counts and indexes, in the one order in
 * which a crawl learns them.
 *
 * A running crawl feeds each record as it appends it; a resumed crawl, a survey or an export reads a stored log. So
 * what listeners derive is a function of the log alone. Reading may stop, and continue when the log has grown.
 *
 * Each fact reaches all listeners before the next one: a ledger may follow another (coverage/fact-follower.ts).
 */
import type { ChunkFile, ProgressStep } from "../base/index.ts";
import { type CrawlFacts, isDownloaded } from "../coverage/index.ts";
import { GrowingLinks } from "../graph/index.ts";
import { BlockedHosts } from "./blocked-hosts.ts";
import { ContentCopies } from "./content-copies.ts";
import {
  type CutRecord,
  isFinal,
  type LookRecord,
  type ReceivedRecord,
  type RoundRecord,
  type TrustRecord,
  type UrlRecord,
  type ListedUrl,
  type Visit,
} from "./records.ts";

/**
 * A log as it is read: all records in the order of their numbers, from `first` on. Of the visits, those that count: if
 * pages were read again, their numbers have gaps.
 */
export interface CrawlLog {
  /** A JSON document that the crawler understands. */
  settings(): string;
  origins(first?: number): Iterable<string>;
  urls(first?: number): Iterable<UrlRecord>;
  visits(first?: number): Iterable<Visit>;
  trust(): Iterable<TrustRecord>;
  received(): Iterable<ReceivedRecord>;
  looks(): Iterable<LookRecord>;
  /** In the order in which they began. */
  rounds(): Iterable<RoundRecord>;
  cuts(): Iterable<CutRecord>;
  /** What sitemaps list, in the order of the URLs. */
  listedUrls(): Iterable<ListedUrl>;
  readonly urlCount: number;
  /**
   * The number of the last visit that has replaced another; 0 if none has. What was derived from fewer visits than this
   * is about facts that have changed, and has to be computed again.
   */
  readonly generation: number;
}

/** Listens to facts (coverage/facts.ts), to records, or to both. */
export interface LogListener extends Partial<CrawlFacts> {
  origin?(text: string): void;
  /** A URL was discovered, or a sink. Sinks are refused right after. */
  url?(url: UrlRecord): void;
  /** A URL that no page links to waits from now on. */
  known?(url: number): void;
  /** With this visit, the host of its URL has begun to block the crawler, or to send it to one more place. */
  hostBlocked?(visit: Visit): void;
  /** After the facts of a visit have reached all listeners. */
  visited?(visit: Visit): void;
}

const TASK = "reading the crawl's log";
const URLS_PER_STEP = 2048;
const VISITS_PER_STEP = 128;

export interface FeedOptions {
  /** A page whose content was seen before on its host counts nothing in coverage of value (default: false). */
  readonly duplicatesCountNothing?: boolean;
  /** Takes the links of many pages (default: all stay in memory). */
  readonly linkFile?: ChunkFile | undefined;
}

export class LogFeed {
  readonly links: GrowingLinks;
  /** How many records were fed. */
  origins = 0;
  urls = 0;
  visits = 0;
  readonly #listeners: LogListener[] = [];
  /** URLs that no page links to; each becomes known after the visit during which it was discovered. */
  #unlinked: UrlRecord[] = [];
  #unlinkedFed = 0;
  #isTrustFed = false;
  #hasValues = false;
  readonly #blocked: BlockedHosts;
  /** Left out where copies count like other pages. */
  readonly #copies: ContentCopies | undefined;

  /** `hostOf` gives a number for the host of a URL that was fed. */
  constructor(hostOf: (url: number) => number, { duplicatesCountNothing = false, linkFile }: FeedOptions = {}) {
    this.links = new GrowingLinks(linkFile);
    this.#blocked = new BlockedHosts(hostOf);
    if (duplicatesCountNothing) this.#copies = new ContentCopies(hostOf);
  }

  /** Listeners learn in the order in which they were added, all of them before the first record. */
  add(...listeners: readonly LogListener[]): void {
    this.#listeners.push(...listeners);
  }

  /** Feeds what the log has beyond what was fed, some of it per step: a log of millions takes a minute. */
  *read(log: CrawlLog): Generator<ProgressStep, void> {
    const total = log.urlCount;
    this.reserve(total);
    for (const origin of log.origins(this.origins)) this.origin(origin);
    for (const url of log.urls(this.urls)) {
      this.#enter(url);
      if (url.id % URLS_PER_STEP === 0 && url.id > 0) yield { task: TASK, done: url.id, total, unit: "URLs" };
    }
    // Trust is fed once: where it has changed, everything is derived anew. What other processes sent are totals, of
    // which the greatest counts: they are fed each time.
    if (!this.#isTrustFed) for (const trust of log.trust()) this.trusted(trust);
    this.#isTrustFed = true;
    for (const received of log.received()) this.received(received);
    this.#feedUnlinked();
    for (const visit of log.visits(this.visits + 1)) {
      this.visit(visit);
      if (visit.number % VISITS_PER_STEP === 0) yield { task: TASK, done: visit.number, unit: "visits" };
    }
  }

  readAll(log: CrawlLog): this {
    for (const _ of this.read(log));
    return this;
  }

  reserve(urls: number): void {
    for (const listener of this.#listeners) listener.grow?.(urls);
  }

  origin(text: string): void {
    this.origins++;
    for (const listener of this.#listeners) listener.origin?.(text);
  }

  url(url: UrlRecord): void {
    this.reserve(url.id + 1);
    this.#enter(url);
    this.#feedUnlinked();
  }

  trusted({ url, weight }: TrustRecord): void {
    this.#blocked.trusted(url);
    for (const listener of this.#listeners) listener.trusted?.(url, weight);
  }

  /** Whether its host blocks the crawler if it forbids this URL, and only the visit can say so (blocked-hosts.ts). */
  standsForHost(url: number, depth: number): boolean {
    return this.#blocked.standsForHost(url, depth);
  }

  received({ url, sender, total }: ReceivedRecord): void {
    for (const listener of this.#listeners) listener.received?.(url, sender, total);
  }

  visit(visit: Visit): void {
    this.visits = visit.number;
    if (isDownloaded(visit.outcome)) this.links.set(visit.url, visit.links ?? NO_LINKS);
    else if (isFinal(visit.outcome)) this.links.unset(visit.url);
    const { urls: blocked, isNews } = this.#blocked.visit(visit);
    // A page that is blocked at once was never forbidden.
    const seen = blocked.includes(visit.url) ? { ...visit, reason: "blocked" as const } : visit;
    const value = this.#valueOf(visit);
    if (value !== null) for (const listener of this.#listeners) listener.valued?.(visit.url, value);
    for (const listener of this.#listeners) feedOutcome(listener, seen);
    for (const url of blocked) {
      if (url === visit.url) continue;
      for (const listener of this.#listeners) listener.refused?.(url, "blocked");
    }
    if (isNews) for (const listener of this.#listeners) listener.hostBlocked?.(visit);
    for (const listener of this.#listeners) listener.visited?.(visit);
    this.#feedUnlinked();
  }

  /** What a page counts: a copy of an earlier page of its host nothing, if the user wants that. */
  #valueOf(visit: Visit): number | null {
    if (!isDownloaded(visit.outcome)) return null;
    // Once pages have values, one without may be worth nothing.
    this.#hasValues ||= visit.value !== null;
    const value = visit.value ?? (this.#hasValues ? 0 : null);
    if (this.#copies === undefined) return value;
    const isCopy = visit.digest !== null && this.#copies.count(visit.url, visit.digest) > 0;
    this.#copies.visited(visit);
    return isCopy ? 0 : (value ?? 1);
  }

  #enter(url: UrlRecord): void {
    this.urls = url.id + 1;
    this.#blocked.url(url);
    for (const listener of this.#listeners) {
      listener.url?.(url);
      if (url.reason !== null) listener.refused?.(url.id, url.reason);
    }
    if (isUnlinked(url)) this.#unlinked.push(url);
  }

  #feedUnlinked(): void {
    if (this.#unlinked.length === 0) return;
    for (; this.#unlinkedFed < this.#unlinked.length; this.#unlinkedFed++) {
      const { id, discoveredAt } = this.#unlinked[this.#unlinkedFed];
      if (discoveredAt > this.visits) return;
      for (const listener of this.#listeners) listener.known?.(id);
    }
    this.#unlinked = [];
    this.#unlinkedFed = 0;
  }
}

const NO_LINKS = new Uint32Array(0);

/** A seed of an earlier run may be trusted no longer, and waits all the same. */
function isUnlinked({ path, source }: UrlRecord): boolean {
  return path !== null && source !== "link" && source !== "redirect";
}

/** What a visit means in the vocabulary of facts: the only place that says so. */
function feedOutcome(listener: LogListener, { url, outcome, target, reason }: Visit): void {
  switch (outcome) {
    case "downloaded":
      return listener.downloaded?.(url);
    case "links-unknown":
      return listener.linksUnknown?.(url);
    case "dead":
      return listener.dead?.(url);
    case "redirected":
      return listener.redirected?.(url, target ?? url);
    case "refused":
      return listener.refused?.(url, reason ?? "failed");
    case "try-again":
  }
}
