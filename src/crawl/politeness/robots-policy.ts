/**
 * Whether a page may be requested: fetches the robots.txt of an origin before its first page, and obeys it.
 *
 * While the rules of an origin are not known, its host is barred. A robots.txt that does not come (5xx, time-outs) is
 * requested again a few times, with the host waiting in between.
 */
import { type Reply, verdictOf, WAIT_MS_MAX, type Answer } from "../../fetch/index.ts";
import {
  type Purpose,
  ROBOTS_BYTES_MAX,
  robotsOfStatus,
  type RobotsRules,
  splitUrl,
  type UsagePreferences,
} from "../../web/index.ts";
import type { Now } from "../machine.ts";
import {
  type AuxiliaryRequests,
  redirectedRequest,
  redirectProblem,
  type RobotsRequest,
} from "./auxiliary-requests.ts";
import type { HostFailures } from "./host-failures.ts";
import type { Host } from "./host.ts";
import type { HostSchedule } from "./host-schedule.ts";
import type { Exclusion, RobotsCache, RobotsState } from "./robots-cache.ts";

export type Judgement =
  | { readonly kind: "allowed"; readonly usage?: UsagePreferences }
  /** Its host is barred until more is known. */
  | { readonly kind: "later" }
  | Exclusion;

/** An attempt at a robots.txt that failed, and another is made after `waitMs`. */
export interface RobotsAttempt {
  readonly reason: string;
  readonly waitMs: number;
  readonly reply: Reply;
  /** Whether it failed where redirects led, not at its own place. */
  readonly isMoved: boolean;
}

/** Who wants to know about origins: whoever has URLs there. */
export interface Origins {
  originText(origin: number): string;
  findOrigin(text: string): number | undefined;
  hostOfOrigin(origin: number): Host;
}

export interface RobotsPolicyOptions {
  readonly cache: RobotsCache;
  readonly hosts: HostSchedule;
  readonly failures: HostFailures;
  readonly requests: AuxiliaryRequests;
  readonly origins: Origins;
  readonly crawlDelayMsMax: number;
  /** What the crawl is for: pages that may not be used so are refused. */
  readonly purpose: Purpose | "none";
  readonly awake: (host: Host) => void;
  /** Rules have come, and name sitemaps. */
  readonly obeyed: (origin: number, rules: RobotsRules, now: Now) => void;
  /** Rules will not come. */
  readonly judged: (origin: number, why: Exclusion, now: Now) => void;
  readonly delayed: (origin: number, attempt: RobotsAttempt, now: Now) => void;
}

/** Attempts at a robots.txt that answers with an error: over a quarter of an hour. */
const ATTEMPTS_MAX = 5;
const WAIT_MS = 10_000;
const WAIT_GROWTH = 4;
/** Details of the reason `robots`: the page may be fetched, but not used for the purpose of the crawl. */
export const USAGE_BY_ROBOTS = "usage";
export const USAGE_BY_HEADER = "usage-header";
const ALLOWED: Judgement = { kind: "allowed" };
const LATER: Judgement = { kind: "later" };

export class RobotsPolicy {
  readonly #options: RobotsPolicyOptions;

  constructor(options: RobotsPolicyOptions) {
    this.#options = options;
  }

  /**
   * What earlier runs learnt. An origin in `obeyed`, whose rules were known but are not stored, has sitemaps that were
   * not all read: its robots.txt is requested again, even if no page of it waits. So is that of the origins in `again`.
   * `between` is called between two hosts.
   */
  restore(obeyed: Iterable<number>, again: ReadonlySet<number>, between: () => void): void {
    const { cache, origins } = this.#options;
    const stored = new Set<number>();
    cache.restore((origin, rules, isWhole) => {
      const host = origins.hostOfOrigin(origin);
      if (isWhole) stored.add(origin);
      host.hasAnswered = true;
      this.#slowDown(host, rules);
      between();
    });
    const unread = [...obeyed].filter((origin) => !stored.has(origin));
    for (const origin of new Set([...unread, ...again])) this.#request(origin, origins.hostOfOrigin(origin));
  }

  /** What is known about an origin. If that is nothing, its robots.txt is requested. */
  stateOf(origin: number, { wallMs }: Now): RobotsState {
    const { cache, origins } = this.#options;
    const state = cache.stateOf(origin, wallMs);
    if (state.kind === "unknown") this.#request(origin, origins.hostOfOrigin(origin));
    return state;
  }

  judge(origin: number, url: string, host: Host, now: Now): Judgement {
    if (host.givenUp) return { kind: "refused", reason: "failed", detail: "host-given-up" };
    const state = this.stateOf(origin, now);
    switch (state.kind) {
      case "unknown":
      case "requested":
        return LATER;
      case "judged":
        return state.judgement;
      case "rules":
        return this.#judgeBy(state.rules, splitUrl(url).path);
    }
  }

  #judgeBy(rules: RobotsRules, path: string): Judgement {
    if (!rules.allows(path)) return { kind: "refused", reason: "robots", detail: null };
    if (!rules.speaksOfUsage) return ALLOWED;
    const usage = rules.usageOf(path);
    const { purpose } = this.#options;
    if (purpose === "none" || usage[purpose] !== false) return { kind: "allowed", usage };
    return { kind: "refused", reason: "robots", detail: USAGE_BY_ROBOTS, usage };
  }

  replied(request: RobotsRequest, reply: Reply, now: Now): void {
    const { cache, hosts, requests, origins } = this.#options;
    const redirected = redirectedRequest(request, reply);
    if (redirected !== undefined) return requests.add(redirected);
    const verdict = verdictOf(reply);
    // It was given up here, and is requested again if the crawl goes on.
    if (verdict.reason === "aborted") return requests.add(request);
    const { origin } = request;
    const host = origins.hostOfOrigin(origin);
    if (reply.kind !== "answer" || !isWholeRobots(reply)) return this.#failed(request, host, reply, now);
    const rules = cache.answered(origin, { status: reply.status, body: reply.body, atMs: now.wallMs });
    this.#slowDown(host, rules);
    hosts.remember(origins.originText(origin), this.#crawlDelayOf(rules));
    this.#unbar(host);
    this.#options.obeyed(origin, rules, now);
  }

  #request(origin: number, host: Host): void {
    const { cache, hosts, requests, origins } = this.#options;
    const url = `${origins.originText(origin)}/robots.txt`;
    cache.request(origin);
    hosts.bar(host, 1);
    requests.add({ purpose: "robots", origin, start: url, url, hops: 0, attempt: 1 });
  }

  #failed(request: RobotsRequest, host: Host, reply: Reply, now: Now): void {
    const { cache, requests, failures, delayed } = this.#options;
    const { origin, start, attempt } = request;
    const isMoved = request.hops > 0;
    const verdict = verdictOf(reply);
    const isFailure = reply.kind === "failure";
    const isCutOff = !isFailure && robotsOfStatus(reply.status) === "obey";
    const isRedirect = !isFailure && verdict.meaning === "redirect";
    const reason = isCutOff ? "cut-off" : isRedirect ? redirectProblem(request, reply) : verdict.reason;
    const attemptsMax = isFailure && verdict.meaning !== "try-again" ? verdict.attemptsMax : ATTEMPTS_MAX;
    if (!host.givenUp && attempt < attemptsMax) {
      const waitMs = Math.max(verdict.waitMs, WAIT_MS * WAIT_GROWTH ** (attempt - 1));
      if (!verdict.pausesHost) failures.pause(host, { forMs: Math.min(WAIT_MS_MAX, waitMs), reason }, now);
      delayed(origin, { reason, waitMs: host.pausedUntilMs - now.nowMs, reply, isMoved }, now);
      return requests.add({ ...request, url: start, hops: 0, attempt: attempt + 1 });
    }
    if (cache.keepExpired(origin, now.wallMs)) return this.#unbar(host);
    // Only a rule that was read forbids a page: without one the pages have failed. What fails where a robots.txt has
    // moved to says nothing about the pages here.
    const isDead = isFailure && !isMoved && verdict.meaning === "dead";
    const detail = isFailure && !isMoved ? reason : `robots-${reason}`;
    const judgement: Exclusion = isDead ? { kind: "dead", detail } : { kind: "refused", reason: "failed", detail };
    cache.judged(origin, judgement);
    this.#options.judged(origin, judgement, now);
    this.#unbar(host);
  }

  #unbar(host: Host): void {
    this.#options.hosts.bar(host, -1);
    this.#options.awake(host);
  }

  #slowDown(host: Host, rules: RobotsRules): void {
    this.#options.hosts.slowDown(host, this.#crawlDelayOf(rules));
  }

  #crawlDelayOf({ crawlDelayMs }: RobotsRules): number {
    return Math.min(crawlDelayMs ?? 0, this.#options.crawlDelayMsMax);
  }
}

/** Whether an answer settles what is allowed. Rules that were cut off may lack just the one that forbids. */
function isWholeRobots({ status, truncated, body }: Answer): boolean {
  const rule = robotsOfStatus(status);
  return rule === "allow-all" || (rule === "obey" && (!truncated || body.length >= ROBOTS_BYTES_MAX));
}
