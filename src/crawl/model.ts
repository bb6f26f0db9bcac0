/** What a crawl knows, all derived from its log: index of URLs, hosts, order, watch, counts, trust. */
import { enlarged, FingerprintTable, mix32 } from "../base/index.ts";
import { CoverageWatch } from "../coverage/index.ts";
import { LogFeed, Tally, type LogListener, type Visit } from "../log/index.ts";
import { type CrawlOrder, createOrder } from "../order/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { FactWriter } from "./fact-writer.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import { EffectQueue } from "./machine.ts";
import { type Host, HostSchedule } from "./politeness/host-schedule.ts";
import { Sampler } from "./sampling/sampler.ts";
import { SeedTrust } from "./seed-trust.ts";
import { type CrawlSettings, type Limits, universeOf } from "./settings/settings.ts";
import { UrlIndex } from "./url-index.ts";

export interface CrawlModelOptions {
  readonly store: CrawlStore;
  readonly settings: CrawlSettings;
  readonly fingerprinter: Fingerprinter;
  /** Sample at once, with at most so many fetches. */
  readonly walkBudget?: number | undefined;
}

export class CrawlModel {
  readonly effects = new EffectQueue();
  readonly feed: LogFeed = new LogFeed((url) => this.index.hostOf(url).id);
  readonly hosts: HostSchedule;
  readonly index: UrlIndex;
  readonly order: CrawlOrder;
  readonly watch: CoverageWatch;
  readonly tally = new Tally();
  readonly seeds: SeedTrust;
  /** Left out unless coverage is sampled. */
  readonly sampler: Sampler | undefined;
  readonly facts: FactWriter;
  /** When to stop: may be changed while the crawl runs. */
  limits: Limits;
  /** Failed attempts at pages that have no final outcome. */
  readonly attempts = new Map<number, number>();
  readonly copies: ContentCopies;
  /** Origins whose robots.txt was obeyed. */
  readonly obeyed = new Set<number>();

  constructor({ store, settings, fingerprinter, walkBudget: budget }: CrawlModelOptions) {
    const { feed } = this;
    const { links } = feed;
    this.limits = settings.limits;
    this.hosts = new HostSchedule(settings.politeness);
    this.index = new UrlIndex({ hosts: this.hosts, fingerprinter, links, pathOf: (url) => store.pathOf(url) });
    const context = { links, pages: 1024, damping: settings.damping };
    this.order = createOrder(settings.order, { ...context, hostOf: (url) => this.index.hostOf(url).id });
    this.watch = new CoverageWatch({
      ...context,
      universe: universeOf(settings),
      goal: settings.limits.coverage ?? 1,
      isBeyondLimit: (url) => this.isBeyondLimit(url),
    });
    this.seeds = new SeedTrust({
      emit: (event) => this.effects.emit(event),
      textOf: (url) => this.index.textOf(url),
      originOf: (url) => this.index.originOf(url),
      ledger: this.watch,
    });
    this.copies = new ContentCopies((url) => this.index.hostOf(url).id);
    this.facts = new FactWriter({ store, feed, index: this.index, seeds: this.seeds });
    const { confidence, seed, damping } = settings;
    const hostOf = (url: number): number => this.index.hostOf(url).id;
    if (confidence !== undefined) {
      this.sampler = new Sampler({ crawl: this, hostOf, store, damping, confidence, seed, budget });
    }
    feed.add(this.index, this.order, this.watch, this.seeds, this.copies, {
      hostBlocked: ({ url, atMs }) => {
        this.effects.emit({ name: "host-blocked", atMs, host: this.index.hostOf(url).name });
      },
      visited: (visit) => {
        const { url, outcome, status, reason, detail } = visit;
        this.tally.add(visit);
        if (outcome === "try-again") this.attempts.set(url, (this.attempts.get(url) ?? 0) + 1);
        else this.attempts.delete(url);
        const wasRequested = status !== null || outcome === "try-again";
        // Before version 0.2, an error instead of a robots.txt had this reason too, with a detail.
        const isForbidden = reason === "robots" && detail === null;
        if (wasRequested || isForbidden) this.obeyed.add(this.index.originOf(url));
      },
    });
  }

  /** Whether a URL that waits will not be fetched, by a limit of the user. */
  isBeyondLimit(url: number): boolean {
    return this.isTooDeep(url) || this.hasGivenAll(this.index.hostOf(url));
  }

  isTooDeep(url: number): boolean {
    const { depth } = this.limits;
    return depth !== undefined && this.index.depthOf(url) > depth;
  }

  /** Whether a host has given as many pages as it may. */
  hasGivenAll(host: Host): boolean {
    const { pagesPerHost } = this.limits;
    return pagesPerHost !== undefined && host.pages >= pagesPerHost;
  }
}

/** Counts pages of one host with the same content: a session in the URL, or a page that answers to every address. */
class ContentCopies implements LogListener {
  readonly #hostOf: (url: number) => number;
  readonly #contents = new FingerprintTable();
  #counts = new Uint8Array(1024);

  constructor(hostOf: (url: number) => number) {
    this.#hostOf = hostOf;
  }

  visited({ url, digest, links }: Visit): void {
    if (digest === null || links === null) return;
    const content = this.#find(url, digest);
    if (this.#counts[content] < 255) this.#counts[content]++;
  }

  /** How many pages on the host of a URL were found with this content so far; 255 and more look the same. */
  count(url: number, digest: Uint8Array): number {
    return this.#counts[this.#find(url, digest)];
  }

  #find(url: number, digest: Uint8Array): number {
    const view = new DataView(digest.buffer, digest.byteOffset);
    const high = (view.getUint32(0) ^ mix32(this.#hostOf(url))) >>> 0;
    const low = view.getUint32(4);
    let content = this.#contents.find(high, low);
    if (content < 0) content = this.#contents.add(high, low);
    if (content >= this.#counts.length) this.#counts = enlarged(this.#counts, 2 * this.#counts.length);
    return content;
  }
}
