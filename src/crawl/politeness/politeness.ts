/**
 * Which host may be requested now, and what a reply means for it: one politeness for crawls, refreshes and dry runs.
 *
 * Hosts have connections that rest (host-schedule.ts); their names are looked up first (name-lookups.ts); robots.txt
 * goes before the first page (robots-policy.ts); its sitemaps follow (sitemaps.ts); both wait in line as auxiliary
 * requests; failures pause a host (host-failures.ts).
 * Callers ask `judge` before each page, call `started`, and hand every reply to `replied` before they act on it and to
 * `finished` afterwards.
 */
import type { Answer, FetchRequest, Reply } from "../../fetch/index.ts";
import type { CrawlStore } from "../../store/index.ts";
import { hostOfOrigin, looksLikeLogout, type RobotsRules, Scope, splitUrl } from "../../web/index.ts";
import type { EffectQueue, Now } from "../machine.ts";
import type { CrawlSettings } from "../settings/settings.ts";
import {
  type AuxiliaryRequest,
  AuxiliaryRequests,
  type NextOptions,
  type SitemapRequest,
} from "./auxiliary-requests.ts";
import { believable, HostFailures } from "./host-failures.ts";
import type { Address, Host } from "./host.ts";
import type { HostSchedule } from "./host-schedule.ts";
import { NameLookups } from "./name-lookups.ts";
import { type Exclusion, RobotsCache } from "./robots-cache.ts";
import { type Judgement, type Origins, type RobotsAttempt, RobotsPolicy } from "./robots-policy.ts";
import { Sitemaps, SITEMAPS_MAX } from "./sitemaps.ts";

/** Who has pages waiting for hosts. */
export interface PolitenessListener {
  /** A host or its address may be free again. */
  awake(host: Host): void;
  /** A host has left an address; now another may have its turn there. */
  vacated(address: Address): void;
  /** A robots.txt did not come; it is requested again later. */
  robotsDelayed?(origin: number, attempt: RobotsAttempt, now: Now): void;
  /** The rules of an origin are known from now on. */
  robotsObeyed?(origin: number, rules: RobotsRules): void;
  /** A sitemap came. Call `sitemapRead` with the sitemaps that it names, once it is read. */
  sitemapReceived?(request: SitemapRequest, answer: Answer): void;
  /** A sitemap that the user gave will not come. */
  sitemapFailed?(url: string, reason: string, atMs: number): void;
}

/** A sitemap that the user gave, and the number of its origin. */
export interface GivenSitemap {
  readonly url: string;
  readonly origin: number;
}

export interface PolitenessOptions {
  readonly settings: Pick<CrawlSettings, "politeness" | "productToken" | "web" | "skipsLogout">;
  /** Where sitemaps may lie. */
  readonly scope: Scope;
  readonly hosts: HostSchedule;
  readonly origins: Origins;
  /** Where robots rules are stored between runs; left out, they last for this run. */
  readonly store?: Pick<CrawlStore, "robots" | "putRobots">;
  readonly effects: EffectQueue;
  readonly followsSitemaps: boolean;
  /** Sitemaps that need not be read in this run (default: none). */
  readonly readSitemaps?: Iterable<string> | undefined;
}

const LOGOUT: Judgement = { kind: "refused", reason: "logout", detail: null };

export class Politeness {
  readonly hosts: HostSchedule;
  readonly #options: PolitenessOptions;
  readonly #listener: PolitenessListener;
  readonly #requests: AuxiliaryRequests;
  readonly #names: NameLookups;
  readonly #failures: HostFailures;
  readonly #robots: RobotsPolicy;
  readonly #sitemaps: Sitemaps;
  #given: GivenSitemap[] = [];

  constructor(options: PolitenessOptions, listener: PolitenessListener) {
    const { settings, hosts, origins, store, effects } = options;
    this.hosts = hosts;
    this.#options = options;
    this.#listener = listener;
    const originText = (origin: number): string => origins.originText(origin);
    const cache = new RobotsCache({ store, productToken: settings.productToken, originText });
    this.#names = new NameLookups(hosts, effects);
    const requests = new AuxiliaryRequests(hosts, this.#names);
    this.#requests = requests;
    this.#failures = new HostFailures(hosts, effects);
    this.#sitemaps = new Sitemaps({
      requests,
      scope: options.scope,
      originText,
      findOrigin: (text) => origins.findOrigin(text),
      // Where only the seeds are crawled, a sitemap adds nothing.
      triesUsualPlace: settings.web.scope.kind !== "page",
      read: options.readSitemaps ?? [],
      toRead: (request, answer) => listener.sitemapReceived?.(request, answer),
      allRead: (origin) => cache.write(origin),
      failed: (url, reason, { wallMs }) => listener.sitemapFailed?.(url, reason, wallMs),
    });
    this.#robots = new RobotsPolicy({
      cache,
      hosts,
      failures: this.#failures,
      requests,
      origins,
      crawlDelayMsMax: settings.politeness.crawlDelayMsMax,
      purpose: settings.web.purpose,
      awake: (host) => this.#awake(host),
      obeyed: (origin, rules, now) => {
        listener.robotsObeyed?.(origin, rules);
        this.#followSitemaps(origin, rules, now);
      },
      judged: (origin, judgement, now) => {
        for (const url of this.#givenOf(origin)) this.#givenFailed(url, judgement, now);
      },
      delayed: (origin, attempt, now) => listener.robotsDelayed?.(origin, attempt, now),
    });
  }

  get waiting(): number {
    return this.#requests.count;
  }

  /** Names that are being looked up. */
  get lookups(): number {
    return this.#names.underWay;
  }

  get nextMs(): number {
    return Math.min(this.hosts.nextMs, this.#requests.nextMs);
  }

  /**
   * What earlier runs learnt; `obeyed` are the origins whose rules they knew. The sitemaps that the user gave are read
   * in every run, once the rules of their origins are read again. `between` is called when nobody has a host in hand.
   */
  restore(obeyed: ReadonlySet<number>, given: readonly GivenSitemap[] = [], between = (): void => {}): void {
    this.#given = [...given];
    const again = new Set(given.map(({ origin }) => origin));
    this.#robots.restore(this.#options.followsSitemaps ? obeyed : [], again, between);
  }

  /** A sitemap that the user gave names these: each is read as if it were given, up to a limit for all of them. */
  give(sitemaps: readonly GivenSitemap[], now: Now): void {
    for (const sitemap of sitemaps) {
      const { url, origin } = sitemap;
      const isKnown = this.#given.some((given) => given.url === url);
      if (isKnown || this.#given.length >= SITEMAPS_MAX) continue;
      this.#given.push(sitemap);
      // Where nothing is known yet, it is followed with the rules.
      const state = this.#robots.stateOf(origin, now);
      if (state.kind === "rules") this.#sitemaps.followGiven(origin, state.rules, [url], now);
      if (state.kind === "judged") this.#givenFailed(url, state.judgement, now);
    }
  }

  judge(origin: number, url: string, host: Host, now: Now): Judgement {
    if (this.#options.settings.skipsLogout === true && looksLikeLogout(splitUrl(url).path)) return LOGOUT;
    const judgement = this.#robots.judge(origin, url, host, now);
    if (judgement.kind !== "allowed" || this.#names.isKnown(host, url, now)) return judgement;
    return { kind: "later" };
  }

  lookedUp(host: number, validForMs: number, now: Now): void {
    this.#awake(this.#names.lookedUp(host, validForMs, now));
  }

  nextAuxiliary(options: NextOptions): { readonly request: AuxiliaryRequest; readonly host: Host } | undefined {
    const next = this.#requests.next(options);
    for (const { origin } of this.#requests.dropped.splice(0)) this.#sitemaps.done(origin);
    return next;
  }

  wake(nowMs: number): void {
    this.hosts.wake(nowMs, (host) => this.#awake(host));
    for (const address of this.hosts.takeFreed()) this.#listener.vacated(address);
    this.#requests.wake(nowMs);
  }

  started(host: Host): void {
    this.hosts.start(host);
  }

  /** Takes note of what a reply says about its host, and returns the reply as far as it can be believed. */
  replied(host: Host, given: Reply, now: Now): Reply {
    const reply = believable(host, given);
    if (reply.address !== null && !host.isElsewhere) this.#locate(host, reply.address);
    this.#failures.note(host, reply, now);
    return reply;
  }

  auxiliaryReplied(request: AuxiliaryRequest, reply: Reply, now: Now): void {
    switch (request.purpose) {
      case "robots":
        return this.#robots.replied(request, reply, now);
      case "sitemap":
        return this.#sitemaps.replied(request, reply, now);
      case "errand":
        return this.#options.effects.push({ kind: "errand-done", id: request.errand, reply });
    }
  }

  /** Another shard wants something of a host of this one. */
  runErrand(id: number, request: FetchRequest): void {
    const { url } = request;
    this.#requests.add({ purpose: "errand", start: url, url, hops: 0, attempt: 1, errand: id, request });
  }

  /** What a sitemap lists is known; it may name further sitemaps. */
  sitemapRead({ origin }: SitemapRequest, sitemaps: readonly string[]): void {
    this.#sitemaps.follow(origin, sitemaps);
    this.#sitemaps.done(origin);
  }

  /** The reply was understood: its connection rests. A crawl-delay that it brought counts already. */
  finished(host: Host, { nowMs }: Now): void {
    this.hosts.finish(host, nowMs);
    this.#awake(host);
  }

  #followSitemaps(origin: number, rules: RobotsRules, now: Now): void {
    const { scope, origins, settings } = this.#options;
    const given = this.#givenOf(origin);
    // A host of which only scripts are fetched has no pages to find.
    const isOfPages = scope.reachesHost(hostOfOrigin(origins.originText(origin)));
    const followsSitemaps = this.#options.followsSitemaps && isOfPages;
    if (followsSitemaps) this.#sitemaps.followRules(origin, rules, given, now);
    else if (given.length > 0) this.#sitemaps.followRules(origin, { ...rules, sitemaps: [] }, given, now);
    // A refresh or a sample leaves the sitemaps of these rules to the next run of the crawl.
    else if (!settings.web.sitemaps || !isOfPages) this.#sitemaps.follow(origin, []);
  }

  #givenOf(origin: number): string[] {
    return this.#given.filter((sitemap) => sitemap.origin === origin).map(({ url }) => url);
  }

  #givenFailed(url: string, { detail }: Exclusion, { wallMs }: Now): void {
    this.#listener.sitemapFailed?.(url, detail ?? "failed", wallMs);
  }

  #locate(host: Host, address: string): void {
    const before = host.address;
    this.hosts.locate(host, address);
    if (before === host.address) return;
    this.#requests.moved(host, before);
    if (before !== undefined) this.#listener.vacated(before);
  }

  #awake(host: Host): void {
    this.#requests.awake(host);
    this.#listener.awake(host);
  }
}
