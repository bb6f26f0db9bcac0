/** What a crawl knows, all derived from its log: index of URLs, hosts, order, watch, counts, trust. */
import { CoverageWatch } from "../coverage/index.ts";
import { ContentCopies, LogFeed, LoginPages, Tally } from "../log/index.ts";
import { type CrawlOrder, createOrder, knownPagesOf, readsHosts } from "../order/index.ts";
import type { EngineStore } from "../store/index.ts";
import { FactWriter } from "./fact-writer.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import { EffectQueue } from "./machine.ts";
import { OwnOrder, type OwnOrderContext } from "./own-order.ts";
import { PageValues, type ValueOfPage } from "./page-values.ts";
import { HostSchedule } from "./politeness/host-schedule.ts";
import type { EarlierRequests } from "./politeness/past-requests.ts";
import { USAGE_BY_ROBOTS } from "./politeness/robots-policy.ts";
import { Sampler } from "./sampling/sampler.ts";
import { SeedTrust } from "./seed-trust.ts";
import type { ShardPart } from "./shard-part.ts";
import { type CrawlSettings, hadSession, type Limits, universeOf } from "./settings/settings.ts";
import { GrowingScope } from "./growing-scope.ts";
import { UrlIndex, UrlState } from "./url-index.ts";

export interface CrawlModelOptions {
  readonly store: EngineStore;
  readonly settings: CrawlSettings;
  readonly fingerprinter: Fingerprinter;
  /** Sample at once, with at most so many fetches. */
  readonly walkBudget?: number | undefined;
  readonly valueOfPage?: ValueOfPage | undefined;
  /** Default: the order that the settings name. */
  readonly makeOrder?: ((context: OwnOrderContext) => CrawlOrder) | undefined;
  readonly shard?: ShardPart | undefined;
  /** Default: nothing was requested before. */
  readonly earlier?: EarlierRequests | undefined;
}

/** Events about places where seeds lead. */
const WIDENINGS_REPORTED = 10;

export class CrawlModel {
  readonly effects = new EffectQueue();
  readonly feed: LogFeed;
  readonly hosts: HostSchedule;
  readonly index: UrlIndex;
  readonly order: CrawlOrder;
  readonly watch: CoverageWatch;
  readonly tally = new Tally();
  readonly logins: LoginPages;
  readonly seeds: SeedTrust;
  /** Left out unless coverage is sampled. */
  readonly sampler: Sampler | undefined;
  readonly facts: FactWriter;
  /** When to stop: may be changed while the crawl runs. */
  limits: Limits;
  /** Failed attempts at pages that have no final outcome. */
  readonly attempts = new Map<number, number>();
  readonly copies: ContentCopies;
  /** Left out where all pages count the same. */
  readonly values: PageValues | undefined;
  /** Origins whose robots.txt was obeyed by earlier runs; undefined once nobody will ask any more. */
  #obeyed: Set<number> | undefined = new Set();
  readonly scope: GrowingScope;
  readonly #store: EngineStore;
  readonly #areHostsLimited: boolean;

  constructor(options: CrawlModelOptions) {
    const { store, settings, fingerprinter, walkBudget: budget, valueOfPage, makeOrder, shard, earlier } = options;
    const hostOf = (url: number): number => this.index.hostIdOf(url);
    const feed = new LogFeed(hostOf, { ...settings.web, linkFile: store.scratch?.("links") });
    this.feed = feed;
    const urls = {
      originText: (origin: number) => this.index.originText(origin),
      endOf: (url: number) => this.watch.resolve(url),
    };
    this.logins = new LoginPages(urls, hadSession(settings));
    this.scope = new GrowingScope(settings.web.scope);
    this.#store = store;
    const { links } = feed;
    this.limits = settings.limits;
    this.#areHostsLimited = Object.values(settings.hosts ?? {}).some(({ pages }) => pages !== undefined);
    const isElsewhere = shard === undefined ? undefined : (host: string) => !shard.has(shard.shardOf(host));
    const sharing = { addresses: shard?.means.addresses, takenOverMs: shard?.takenOverMs, isElsewhere };
    this.hosts = new HostSchedule({ ...settings.politeness, ...sharing, ...earlier }, settings.hosts);
    const pathOf = (url: number): string => store.pathOf(url);
    // Where the host of any URL may be asked for at any time, to read it from a file would be slow.
    const asksForHosts = shard !== undefined || makeOrder !== undefined || readsHosts(settings.order);
    const originFile = asksForHosts ? undefined : store.scratch?.("origins");
    this.index = new UrlIndex({ hosts: this.hosts, fingerprinter, links, pathOf, originFile, shard });
    const context = { links, pages: 1024, damping: settings.damping };
    this.order =
      makeOrder === undefined
        ? createOrder(settings.order, { ...context, hostOf })
        : new OwnOrder(
            makeOrder({
              ...context,
              hostOf,
              urlOf: (page) => this.index.textOf(page),
              pageOf: (url) => this.index.find(url),
            }),
            (page) => page >= 0 && page < this.index.size && this.index.stateOf(page) !== UrlState.Final,
          );
    this.watch = new CoverageWatch({
      ...context,
      // An order that a program brings is not trusted, and knows pages for itself.
      follows: knownPagesOf(this.order),
      universe: universeOf(settings),
      goal: settings.limits.coverage ?? 1,
      isBeyondLimit: (url) => this.isBeyondLimit(url),
      parts: shard && { count: shard.shards, of: (url) => this.index.shardOf(url) ?? 0 },
    });
    this.seeds = new SeedTrust({
      emit: (event) => this.effects.emit(event),
      textOf: (url) => this.index.textOf(url),
      originOf: (url) => this.index.originOf(url),
      ledger: this.watch,
    });
    this.values = valueOfPage === undefined ? undefined : new PageValues(valueOfPage, this.effects);
    this.copies = new ContentCopies(hostOf);
    this.facts = new FactWriter({ store, feed, index: this.index, seeds: this.seeds });
    const { confidence, seed, damping } = settings;
    if (confidence !== undefined) {
      this.sampler = new Sampler({ crawl: this, store, damping, confidence, seed, budget });
    }
    // The order comes before the watch, which follows it.
    feed.add(this.index, this.order, this.watch, this.seeds, this.copies, this.logins, {
      hostBlocked: ({ url, atMs, number: visit, status, location }) => {
        const answered = { ...(status === null ? {} : { status }), ...(location === null ? {} : { location }) };
        this.effects.emit({ name: "host-blocked", atMs, host: this.index.hostOf(url).name, visit, ...answered });
      },
      visited: (visit) => {
        const { url, outcome, status, reason, detail, target } = visit;
        this.tally.add(visit, target !== null && this.index.closesLoop(url, target));
        if (outcome === "try-again") this.attempts.set(url, (this.attempts.get(url) ?? 0) + 1);
        else this.attempts.delete(url);
        const wasRequested = status !== null || outcome === "try-again";
        // Before version 0.2, an error instead of a robots.txt had this reason too, with a detail.
        const isForbidden = reason === "robots" && (detail === null || detail === USAGE_BY_ROBOTS);
        if (wasRequested || isForbidden) this.#obeyed?.add(this.index.originOf(url));
      },
    });
  }

  /** The origins whose robots.txt the log says was obeyed, when it was read. Of what follows nothing is kept. */
  takeObeyed(): ReadonlySet<number> {
    const obeyed = this.#obeyed ?? new Set();
    this.#obeyed = undefined;
    return obeyed;
  }

  /** A seed has led to this page: the place where it is belongs to the scope, in later runs too. */
  widenScope(url: string, atMs: number): void {
    this.scope.widen(url);
    // Of a long list, each place is news to nobody.
    if (this.scope.widened.length > WIDENINGS_REPORTED) return;
    this.effects.emit({ name: "scope-widened", atMs, url, scope: this.scope.describe() });
  }

  saveScope(): void {
    this.scope.save(this.#store);
  }

  /** Whether a URL that waits will not be fetched, by a limit of the user. */
  isBeyondLimit(url: number): boolean {
    // Asked of every page that waits, at each check: without limits it costs nothing.
    if (this.limits.depth === undefined && !this.#mayBeFull) return false;
    // There may be room for URLs that were not discovered yet.
    if (url >= this.index.size) return false;
    return this.isTooDeep(url) || this.hasGivenAll(url);
  }

  /** What of all importance has certainly arrived at a URL that was not fetched yet. */
  arrived(url: number): number {
    return this.order.arrived?.(url) ?? this.watch.arrived(url);
  }

  isTooDeep(url: number): boolean {
    const { depth } = this.limits;
    return depth !== undefined && this.index.depthOf(url) > depth;
  }

  /** Whether the host of a URL has given as many pages as it may. */
  hasGivenAll(url: number): boolean {
    // To know the host of a URL may cost a read from a file.
    if (!this.#mayBeFull) return false;
    const host = this.index.hostIdOf(url);
    return host >= 0 && this.hosts.hasGivenAll(host, this.limits);
  }

  /** Whether any host has a limit of pages. */
  get #mayBeFull(): boolean {
    return this.limits.pagesPerHost !== undefined || this.#areHostsLimited;
  }
}
