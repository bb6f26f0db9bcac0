/**
 * Whether a site shows a login page instead of its pages: all seeds lead there, or nearly everything that answered, or
 * everything since some moment, when a session has ended.
 * Such a crawl looks complete, and has seen next to nothing. The coverage stays what it is; people are told.
 */
import { IdSet } from "../base/index.ts";
import { looksLikeLogin, withoutQuery } from "../web/index.ts";
import type { LogListener } from "./log-feed.ts";
import type { UrlRecord, Visit } from "./records.ts";

/** A login page that stands before the pages of a crawl. */
export interface LoginWall {
  /** Its URL, without a query. */
  readonly page: string;
  /** URLs that redirect to it, or to others like it. */
  readonly urls: number;
  /** Number of seeds, if all of them lead there; else 0. */
  readonly seeds: number;
  /** URLs that redirected there one after the other, up to the end, if that is why it is told; else 0. */
  readonly last: number;
}

/** A site has one or two links to its members' area; from so many redirects on, they may be the rule. */
const URLS_MIN = 3;
/** So many times as many redirects as other pages. */
const SHARE_MIN = 9;
/** Pages that a login page itself leads to, such as its terms of use. */
const OTHERS_MAX = 10;
/** So many in a row, and half as many as there were pages before: a session has ended. Of one that we know, one is. */
const LAST_MIN = 10;
const LAST_SHARE_MIN = 0.5;
/** A site that shows a login page instead of its pages does so from the start. */
const PLACES_MAX = 1000;

/** What others know of the URLs of the same log. */
interface KnownUrls {
  readonly originText: (origin: number) => string;
  /** Where redirects end. */
  readonly endOf: (url: number) => number;
}

interface Place {
  readonly origin: number;
  readonly path: string;
}

export class LoginPages implements LogListener {
  readonly #urls: KnownUrls;
  readonly #hadSession: boolean;
  readonly #seeds: number[] = [];
  readonly #logins = new IdSet();
  readonly #downloaded = new IdSet();
  /** The first of them, by id. */
  readonly #places = new Map<number, Place>();
  #page: Place | undefined;
  #redirects = 0;
  #others = 0;
  #last = 0;
  #visits = 0;
  /** The visit with which the last redirects began. */
  #lastSince = 0;
  /** By URL: the visits until it was discovered; only of a crawl that had a session. */
  readonly #discoveredAt: number[] = [];

  /** `urls` is asked once the log is read; `hadSession`: whether some run of the crawl was somebody on its sites. */
  constructor(urls: KnownUrls, hadSession: boolean) {
    this.#urls = urls;
    this.#hadSession = hadSession;
  }

  url({ id, origin, path, discoveredAt }: UrlRecord): void {
    if (this.#hadSession) this.#discoveredAt[id] = discoveredAt;
    if (path === null || !looksLikeLogin(path)) return;
    this.#logins.add(id);
    if (this.#places.size < PLACES_MAX) this.#places.set(id, { origin, path: withoutQuery(path) });
  }

  trusted(url: number): void {
    this.#seeds.push(url);
  }

  redirected(_: number, target: number): void {
    if (!this.#logins.has(target)) return;
    this.#redirects++;
    if (this.#last++ === 0) this.#lastSince = this.#visits + 1;
    this.#page ??= this.#places.get(target);
  }

  downloaded(url: number): void {
    if (this.#logins.has(url)) this.#downloaded.add(url);
    else {
      this.#others++;
      if (!this.#isFoundSince(url)) this.#last = 0;
    }
  }

  linksUnknown(url: number): void {
    this.downloaded(url);
  }

  visited({ number }: Visit): void {
    this.#visits = number;
  }

  /** What was unknown before the last redirects is what the login page leads to, such as its terms of use. */
  #isFoundSince(url: number): boolean {
    return this.#hadSession && this.#discoveredAt[url] >= this.#lastSince;
  }

  /** Undefined if the site shows its pages. */
  get wall(): LoginWall | undefined {
    if (this.#page === undefined) return undefined;
    const isAtSeeds = this.#others <= OTHERS_MAX && this.#seeds.every((seed) => this.#isTurnedAway(seed));
    const seeds = isAtSeeds ? this.#seeds.length : 0;
    const isRule = this.#redirects >= Math.max(URLS_MIN, SHARE_MIN * this.#others);
    const isLate = this.#last >= (this.#hadSession ? 1 : Math.max(LAST_MIN, LAST_SHARE_MIN * this.#others));
    if (seeds === 0 && !isRule && !isLate) return undefined;
    const page = this.#urls.originText(this.#page.origin) + this.#page.path;
    return { page, urls: this.#redirects, seeds, last: seeds > 0 || isRule ? 0 : this.#last };
  }

  /** A user who names a login page wants to see it. */
  #isTurnedAway(seed: number): boolean {
    const end = this.#urls.endOf(seed);
    return end !== seed && !this.#logins.has(seed) && this.#downloaded.has(end);
  }
}
