/**
 * The sitemaps that a robots.txt names, /sitemap.xml where it names none, and those that the user gave: followed once
 * per run, up to a limit per origin, with further attempts after failures. Robots rules are stored once all sitemaps of
 * their origin are read, so a crawl that dies before reads them again.
 *
 * The place that nobody named is tried once, and only where robots.txt allows it; that there is nothing, or something
 * else, says nothing about its host.
 */
import { IdSet } from "../../base/index.ts";
import { type Answer, type Reply, retryAfterMs, retryWaitMs, verdictOf } from "../../fetch/index.ts";
import { canonicalUrl, hostOfUrl, type RobotsRules, type Scope, splitUrl } from "../../web/index.ts";
import type { Now } from "../machine.ts";
import { type AuxiliaryRequests, redirectedRequest, type SitemapRequest } from "./auxiliary-requests.ts";

export interface SitemapsOptions {
  readonly requests: AuxiliaryRequests;
  readonly scope: Scope;
  readonly originText: (origin: number) => string;
  /** The number of an origin; undefined if nobody has numbered it. */
  readonly findOrigin: (text: string) => number | undefined;
  /** Whether sitemaps are looked for where none is named. */
  readonly triesUsualPlace: boolean;
  /** Sitemaps that need not be read in this run. */
  readonly read: Iterable<string>;
  /** A sitemap came: `read` is to be called with what it lists. */
  readonly toRead: (request: SitemapRequest, answer: Answer) => void;
  readonly allRead: (origin: number) => void;
  /** A sitemap that the user gave will not be read. */
  readonly failed: (url: string, reason: string, now: Now) => void;
}

/** Where most sites have their sitemap. */
const USUAL_PLACE = "/sitemap.xml";

/** Sitemaps followed for one origin, those named by others included. */
export const SITEMAPS_MAX = 500;

export class Sitemaps {
  readonly #options: SitemapsOptions;
  readonly #requested: Set<string>;
  /** Origins whose usual place was tried: it is one of those that were requested. */
  readonly #guessed = new IdSet();
  /** Per origin whose sitemaps are being read: how many it led to, and how many of them are not read yet. */
  readonly #progress = new Map<number, { followed: number; left: number }>();

  constructor(options: SitemapsOptions) {
    this.#options = options;
    this.#requested = new Set(options.read);
  }

  /** Follows what a robots.txt names, or another sitemap that the user did not give. */
  follow(origin: number, locations: readonly string[]): void {
    for (const location of locations) this.#follow(origin, location);
    this.#finishIfRead(origin);
  }

  /** Follows what the user gave and what the rules of an origin name; where that is nothing, tries the usual place. */
  followRules(origin: number, rules: RobotsRules, given: readonly string[], now: Now): void {
    const { sitemaps, allows } = rules;
    this.followGiven(origin, rules, given, now);
    for (const location of sitemaps) this.#follow(origin, location);
    const isNamed = given.length + sitemaps.length > 0;
    if (!isNamed && this.#options.triesUsualPlace && allows(USUAL_PLACE))
      this.#follow(origin, USUAL_PLACE, { isGuess: true });
    this.#finishIfRead(origin);
  }

  followGiven(origin: number, { allows }: RobotsRules, given: readonly string[], now: Now): void {
    for (const location of given) {
      if (allows(splitUrl(location).path)) this.#follow(origin, location, { isGiven: true });
      else this.#options.failed(location, "robots", now);
    }
  }

  replied(request: SitemapRequest, reply: Reply, now: Now): void {
    const { requests, toRead } = this.#options;
    const { origin, start, attempt } = request;
    const redirected = redirectedRequest(request, reply);
    const mayFollow = redirected !== undefined && (request.isGiven === true || this.#mayLie(origin, redirected.url));
    if (mayFollow) return requests.add(redirected);
    const verdict = verdictOf(reply);
    if (verdict.reason === "aborted") return requests.add(request);
    if (verdict.meaning === "try-again" && attempt < verdict.attemptsMax && request.isGuess !== true) {
      const requestedMs = reply.kind === "answer" ? retryAfterMs(reply.headers, now.wallMs) : null;
      const waitMs = retryWaitMs(attempt, verdict, requestedMs);
      const again = { ...request, url: start, hops: 0, attempt: attempt + 1 };
      return requests.addAt(now.nowMs + waitMs, again);
    }
    if (reply.kind === "answer" && verdict.meaning === "page") return toRead(request, reply);
    if (request.isGiven === true) this.#options.failed(start, verdict.reason, now);
    this.done(origin);
  }

  /** One sitemap of an origin is read, or will never be. */
  done(origin: number): void {
    this.#progressOf(origin).left--;
    this.#finishIfRead(origin);
  }

  #follow(origin: number, location: string, how: Pick<SitemapRequest, "isGiven" | "isGuess"> = {}): void {
    const { requests, originText } = this.#options;
    const url = canonicalUrl(location, `${originText(origin)}/`);
    const progress = this.#progressOf(origin);
    if (url === null || this.#isRequested(url) || progress.followed >= SITEMAPS_MAX) return;
    if (!this.#mayLie(origin, url)) return;
    if (how.isGuess === true) this.#guessed.add(origin);
    else this.#requested.add(url);
    progress.followed++;
    progress.left++;
    requests.add({ purpose: "sitemap", origin, start: url, url, hops: 0, attempt: 1, ...how });
  }

  #isRequested(url: string): boolean {
    if (this.#requested.has(url)) return true;
    const { origin: text, path } = splitUrl(url);
    const origin = path === USUAL_PLACE ? this.#options.findOrigin(text) : undefined;
    return origin !== undefined && this.#guessed.has(origin);
  }

  /** A sitemap may lie anywhere on the host that names it, and elsewhere inside the scope. */
  #mayLie(origin: number, url: string): boolean {
    const { originText, scope } = this.#options;
    return hostOfUrl(url) === hostOfUrl(`${originText(origin)}/`) || scope.contains(url);
  }

  #finishIfRead(origin: number): void {
    if (this.#progressOf(origin).left > 0) return;
    this.#progress.delete(origin);
    this.#options.allRead(origin);
  }

  #progressOf(origin: number): { followed: number; left: number } {
    let progress = this.#progress.get(origin);
    if (progress === undefined) this.#progress.set(origin, (progress = { followed: 0, left: 0 }));
    return progress;
  }
}
