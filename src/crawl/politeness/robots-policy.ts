/**
 * Whether a page may be asked for: gets robots.txt of an origin before its first page, obeys it, and follows the sitemaps it names.
 *
 * While the rules of an origin are not known its host is barred. A robots.txt that does not come (5xx, time-outs) is asked for again
 * a few times, with the host waiting in between; so is a sitemap, without.
 */
import type { Timers } from "../../base/index.ts";
import type { RefusalReason } from "../../coverage/index.ts";
import {
  type Answer,
  type Reply,
  retryAfterMs,
  retryWaitMs,
  verdictOf,
  WAIT_MS_MAX,
} from "../../fetch/index.ts";
import { canonicalUrl, hostOfOrigin, type RobotsRules, Scope, splitUrl } from "../../web/index.ts";
import type { Errand, Errands } from "./auxiliary-requests.ts";
import type { Host } from "./hosts.ts";
import { LinkKind, type PackedLinks, type SitemapContent, type SitemapJob } from "../reader/contract.ts";
import type { CrawlRecord } from "../record.ts";
import { isWholeRobots, type RobotsCache } from "./robots-cache.ts";
import type { CrawlSettings } from "../settings/settings.ts";
import { pauseHost } from "./host-failures.ts";

export type Judgement =
  | { readonly kind: "allowed" }
  /** Its host is barred until more is known. */
  | { readonly kind: "later" }
  | { readonly kind: "dead"; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: RefusalReason; readonly detail: string | null };

export interface RobotsPolicyOptions {
  readonly keeper: RobotsCache;
  readonly record: CrawlRecord;
  readonly settings: CrawlSettings;
  readonly errands: Errands;
  readonly timers: Timers;
  readonly readSitemap: (job: SitemapJob, done: (content: SitemapContent) => void) => void;
  /** The host is no longer barred. */
  readonly awake: (host: Host) => void;
}

/** Attempts at a robots.txt that answers with an error: over a quarter of an hour. */
const ATTEMPTS_MAX = 5;
const WAIT_MS = 10_000;
const WAIT_GROWTH = 4;
/** Sitemaps followed for one origin, those named by others included. */
const SITEMAPS_MAX = 500;
const ALLOWED: Judgement = { kind: "allowed" };
const LATER: Judgement = { kind: "later" };

export class RobotsPolicy {
  readonly #options: RobotsPolicyOptions;
  readonly #scope: Scope;
  readonly #attempts = new Map<number, number>();
  /** Sitemaps asked for in this run. */
  readonly #sitemaps = new Set<string>();
  /** For each origin whose sitemaps are being read, how many it led to and how many of them are not read yet. */
  readonly #sitemapProgress = new Map<number, { followed: number; left: number }>();

  constructor(options: RobotsPolicyOptions) {
    this.#options = options;
    this.#scope = new Scope(options.settings.web.scope);
  }

  /**
   * What earlier runs learnt. An origin in `obeyed`, whose rules were known, but are not written, has sitemaps that were not all read: it
   * is asked again, even if no page of it waits.
   */
  restore(obeyed: ReadonlySet<number>): void {
    const { keeper, record, settings } = this.#options;
    const written = new Set<number>();
    keeper.restore((origin, rules) => {
      const host = record.hostOfOrigin(origin);
      written.add(origin);
      host.hasAnswered = true;
      this.#slowDown(host, rules);
    });
    if (!settings.web.sitemaps) return;
    for (const origin of obeyed) if (!written.has(origin)) this.#ask(origin, record.hostOfOrigin(origin));
  }

  judge(url: number, text: string, host: Host, wallMs: number): Judgement {
    const { record, keeper } = this.#options;
    if (host.givenUp) return { kind: "refused", reason: "failed", detail: "host-given-up" };
    const origin = record.urls.originOf(url);
    const state = keeper.stateOf(origin, wallMs);
    switch (state.kind) {
      case "unknown":
        this.#ask(origin, host);
        return LATER;
      case "asked":
        return LATER;
      case "dead":
        return { kind: "dead", reason: "host-not-found" };
      case "failed":
        return { kind: "refused", reason: "failed", detail: state.reason };
      case "unavailable":
        return { kind: "refused", reason: "robots", detail: state.reason };
      case "rules":
        if (state.rules.allows(splitUrl(text).path)) return ALLOWED;
        return { kind: "refused", reason: "robots", detail: null };
    }
  }

  #ask(origin: number, host: Host): void {
    const { record, keeper } = this.#options;
    keeper.ask(origin);
    record.hosts.bar(host, 1);
    this.#send(origin, host);
  }

  #send(origin: number, host: Host): void {
    this.#options.errands.add({
      url: `${this.#options.record.originText(origin)}/robots.txt`,
      purpose: "robots",
      hops: 0,
      done: (reply, isMoved) => this.#replied(origin, host, reply, isMoved),
    });
  }

  #replied(origin: number, host: Host, reply: Reply, isMoved: boolean): void {
    const verdict = verdictOf(reply);
    if (verdict.reason === "aborted") return;
    if (reply.kind === "answer" && isWholeRobots(reply)) return this.#answered(origin, host, reply);
    const { keeper, timers, record } = this.#options;
    const attempts = (this.#attempts.get(origin) ?? 0) + 1;
    this.#attempts.set(origin, attempts);
    const isFailure = reply.kind === "failure";
    const { reason } = verdict;
    const attemptsMax = isFailure && verdict.meaning !== "try-again" ? verdict.attemptsMax : ATTEMPTS_MAX;
    if (!host.givenUp && attempts < attemptsMax) {
      const waitMs = Math.max(verdict.waitMs, WAIT_MS * WAIT_GROWTH ** (attempts - 1));
      if (!verdict.pausesHost)
        pauseHost(record, host, { forMs: Math.min(WAIT_MS_MAX, waitMs), reason }, timers);
      const leftMs = host.pausedUntilMs - timers.nowMs();
      if (!isMoved) record.seeds.robotsTrouble(origin, { atMs: timers.wallMs(), reason, waitMs: leftMs });
      return this.#send(origin, host);
    }
    this.#attempts.delete(origin);
    if (keeper.keepOld(origin, timers.wallMs())) return this.#unbar(host);
    // What fails where a robots.txt has moved to says nothing about the pages here: they exist, and are forbidden.
    if (!isFailure || isMoved) keeper.set(origin, { kind: "unavailable", reason });
    else keeper.set(origin, verdict.meaning === "dead" ? { kind: "dead" } : { kind: "failed", reason });
    this.#unbar(host);
  }

  #answered(origin: number, host: Host, answer: Answer): void {
    const { keeper, timers, settings } = this.#options;
    const { status, body } = answer;
    this.#attempts.delete(origin);
    const rules = keeper.answered(origin, { status, body, atMs: timers.wallMs() });
    this.#slowDown(host, rules);
    this.#unbar(host);
    if (settings.web.sitemaps) for (const sitemap of rules.sitemaps) this.#followSitemap(origin, sitemap);
    this.#writeIfRead(origin);
  }

  #unbar(host: Host): void {
    this.#options.record.hosts.bar(host, -1);
    this.#options.awake(host);
  }

  #slowDown(host: Host, { crawlDelayMs }: RobotsRules): void {
    const { record, settings } = this.#options;
    if (crawlDelayMs === null) return;
    record.hosts.slowDown(host, Math.min(crawlDelayMs, settings.politeness.crawlDelayMsMax));
  }

  #followSitemap(origin: number, location: string): void {
    const { record, errands } = this.#options;
    const url = canonicalUrl(location, `${record.originText(origin)}/`);
    const progress = this.#sitemapsOf(origin);
    if (url === null || this.#sitemaps.has(url) || progress.followed >= SITEMAPS_MAX) return;
    if (!this.#mayHaveSitemap(origin, url)) return;
    this.#sitemaps.add(url);
    progress.followed++;
    progress.left++;
    errands.add(this.#sitemapErrand(origin, url, 1));
  }

  /** A sitemap may lie anywhere on the host that names it, and elsewhere as far as the scope goes. */
  #mayHaveSitemap(origin: number, url: string): boolean {
    const isOwn = hostOfOrigin(splitUrl(url).origin) === this.#options.record.hostOfOrigin(origin).name;
    return isOwn || this.#scope.contains(url);
  }

  #sitemapErrand(origin: number, url: string, attempt: number): Errand {
    return {
      url,
      purpose: "sitemap",
      hops: 0,
      follows: (target) => this.#mayHaveSitemap(origin, target),
      done: (reply) => this.#sitemapReplied(origin, url, reply, attempt),
      dropped: () => this.#sitemapDone(origin),
    };
  }

  #sitemapReplied(origin: number, url: string, reply: Reply, attempt: number): void {
    const { errands, timers } = this.#options;
    const verdict = verdictOf(reply);
    if (verdict.reason === "aborted") return;
    if (verdict.meaning === "try-again" && attempt < verdict.attemptsMax) {
      const askedMs = reply.kind === "answer" ? retryAfterMs(reply.headers, timers.wallMs()) : null;
      const waitMs = retryWaitMs(attempt, verdict, askedMs);
      return errands.addAt(timers.nowMs() + waitMs, this.#sitemapErrand(origin, url, attempt + 1));
    }
    if (reply.kind !== "answer" || verdict.meaning !== "page") return this.#sitemapDone(origin);
    const contentType = reply.headers["content-type"] ?? null;
    this.#options.readSitemap({ url, body: reply.body, contentType }, ({ links, sitemaps }) => {
      this.#hearAll(links);
      for (const each of sitemaps) this.#followSitemap(origin, each);
      this.#sitemapDone(origin);
    });
  }

  #hearAll({ kinds, ends, text }: PackedLinks): void {
    const { record } = this.#options;
    for (let k = 0; k < kinds.length; k++) {
      if (kinds[k] !== LinkKind.Follow) continue;
      const before = record.urls.size;
      const url = text.slice(k === 0 ? 0 : ends[k - 1], ends[k]);
      record.known(record.hear(url, { source: "sitemap", depth: 1, onVisit: false }), before);
    }
  }

  #sitemapDone(origin: number): void {
    this.#sitemapsOf(origin).left--;
    this.#writeIfRead(origin);
  }

  #writeIfRead(origin: number): void {
    if (this.#sitemapsOf(origin).left > 0) return;
    this.#sitemapProgress.delete(origin);
    this.#options.keeper.write(origin);
  }

  #sitemapsOf(origin: number): { followed: number; left: number } {
    let progress = this.#sitemapProgress.get(origin);
    if (progress === undefined) this.#sitemapProgress.set(origin, (progress = { followed: 0, left: 0 }));
    return progress;
  }
}
