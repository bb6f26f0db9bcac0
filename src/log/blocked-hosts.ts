/**
 * Which hosts block the crawler. 401, 403 and 451 forbid a page, and what is forbidden is no part of what may be
 * fetched. But a host that answers so to everything keeps the crawler out, and being blocked must never look like being
 * done: the pages that it forbids count as missing.
 *
 * A host blocks from the moment when it forbids its front page, or a seed, or so many pages in a row, or most of its
 * last pages; until it answers with pages again. A redirect to a page that the host forbids is such an answer too,
 * whichever of the two is seen first, and so is a redirect to a login out of the scope. What it forbade meanwhile stays
 * blocked: nobody knows whether a rule or a ban was the reason.
 *
 * What a host blocks follows from its own records alone, in their order: a host belongs to one shard of a job, and the
 * log of the shard, the logs of all shards in one and a log that was split must say the same. That another host has led
 * here from its front page, or from a seed, is known only to whoever requests the page, which writes down that it is
 * blocked (`standsForHost`).
 *
 * Redirects out of the scope are ordinary links out of a site, each to another place. Where several URLs are sent to
 * the same place, somebody stands at the door: what leads there is blocked, too.
 */
import { IdSet } from "../base/index.ts";
import { isDownloaded } from "../coverage/index.ts";
import { looksLikeLogin, splitUrl, withoutQuery } from "../web/index.ts";
import type { UrlRecord, Visit } from "./records.ts";

/** Pages in a row. A site with a members' area has a few; a ban has no end. */
const RUN_MAX = 10;
/** So many of the last answers: a ban may let some pages through. */
const RECENT = 20;
const RECENT_MAX = 12;
/** URLs of a host that lead to one place out of the scope. */
const SAME_PLACE_MAX = 2;
/** Of a host. Who sends the crawler to more places has links to them. */
const PLACES_MAX = 1000;

/** URLs that count as blocked from now on, and whether that is worth reporting. */
export interface Blocked {
  readonly urls: readonly number[];
  readonly isNews: boolean;
}

const NOTHING: Blocked = { urls: [], isNews: false };

class HostAnswers {
  isBlocked = false;
  #run = 0;
  /** Of the last answers, from the newest on: the URL that was forbidden, or -1 for a page. */
  readonly #recent: number[] = [];

  page(): void {
    this.#run = 0;
    this.#add(-1);
    this.isBlocked &&= this.#isMostlyForbidden;
  }

  /** Returns the URLs that the host forbade lately, if it blocks. */
  forbidden(url: number, isFrontPage: boolean): readonly number[] {
    this.#run++;
    this.#add(url);
    this.isBlocked ||= isFrontPage || this.#run >= RUN_MAX || this.#isMostlyForbidden;
    if (!this.isBlocked) return [];
    return [...new Set(this.#recent.filter((each) => each >= 0))].toReversed();
  }

  get #isMostlyForbidden(): boolean {
    return this.#recent.length === RECENT && this.#recent.filter((url) => url >= 0).length >= RECENT_MAX;
  }

  #add(answer: number): void {
    this.#recent.unshift(answer);
    if (this.#recent.length > RECENT) this.#recent.pop();
  }
}

/** Out of the scope, where URLs of one host lead. */
interface Place {
  /** Those that redirect there themselves. */
  readonly urls: number[];
  /** With those that lead to them. */
  count: number;
}

export class BlockedHosts {
  readonly #hostOf: (url: number) => number;
  /** Hosts that have forbidden a page. */
  readonly #answers = new Map<number, HostAnswers>();
  /** Front pages, seeds, and where they redirect on their own host. */
  readonly #frontPages = new IdSet();
  /** Where those of other hosts redirect. */
  readonly #ledTo = new IdSet();
  readonly #forbidden = new IdSet();
  /** Of these, those that a server forbade by its status. */
  readonly #byServer = new IdSet();
  readonly #blocked = new IdSet();
  /** Where URLs lead that redirect to a forbidden one. */
  readonly #ends = new Map<number, number>();
  /** URLs of the same host that redirect to one of which nothing is known yet. */
  readonly #sources = new Map<number, number[]>();
  /** By host and address, and by the URLs that lead there. */
  readonly #places = new Map<number, Map<string, Place>>();
  readonly #placeOf = new Map<number, Place>();

  constructor(hostOf: (url: number) => number) {
    this.#hostOf = hostOf;
  }

  url({ id, path, source }: UrlRecord): void {
    if (path === "/" || source === "seed") this.#frontPages.add(id);
  }

  trusted(url: number): void {
    this.#frontPages.add(url);
  }

  /**
   * Whether a host that forbids this page blocks the crawler, though its own records do not say so: the front page of
   * another host has led here, or a seed, which has the depth 0.
   */
  standsForHost(url: number, depth: number): boolean {
    return !this.#frontPages.has(url) && (depth === 0 || this.#ledTo.has(url));
  }

  visit({ url, outcome, reason, target, location }: Visit): Blocked {
    if (isDownloaded(outcome)) {
      if (this.#answers.size > 0) this.#answers.get(this.#hostOf(url))?.page();
      if (this.#sources.size > 0) this.#sources.delete(url);
      return NOTHING;
    }
    if (reason === "out-of-scope") return this.#sentAway(url, location);
    if (reason === "blocked") this.#frontPages.add(url);
    if (reason === "forbidden" || reason === "blocked") {
      this.#forbidden.add(url);
      this.#byServer.add(url);
      return this.#answered(url, [url, ...this.#leadingTo(url)]);
    }
    if (reason === "robots") {
      this.#forbidden.add(url);
      // A page that a rule forbids was not asked for, but whatever leads there was.
      return this.#answered(url, this.#leadingTo(url));
    }
    return outcome === "redirected" && target !== null ? this.#redirected(url, target) : NOTHING;
  }

  #redirected(url: number, target: number): Blocked {
    const isOwn = this.#hostOf(target) === this.#hostOf(url);
    if (isOwn && this.#frontPages.has(url)) this.#frontPages.add(target);
    else if (this.#frontPages.has(url) || this.#ledTo.has(url)) this.#ledTo.add(target);
    if (!isOwn) return NOTHING;
    const place = this.#placeOf.get(target);
    if (place !== undefined) return this.#leadTo(place, [url, ...this.#leadingTo(url)]);
    const end = this.#forbidden.has(target) ? target : this.#ends.get(target);
    if (end !== undefined) return this.#answered(end, [url, ...this.#leadingTo(url)]);
    const sources = this.#sources.get(target);
    if (sources === undefined) this.#sources.set(target, [url]);
    else sources.push(url);
    return NOTHING;
  }

  /** URLs that redirect to this one, also over others; from now on it is known where they end. */
  #leadingTo(url: number): number[] {
    const found = [...(this.#sources.get(url) ?? [])];
    this.#sources.delete(url);
    for (const each of found) {
      found.push(...(this.#sources.get(each) ?? []));
      this.#sources.delete(each);
    }
    return found;
  }

  #sentAway(url: number, location: string | null): Blocked {
    const leading = [url, ...this.#leadingTo(url)];
    // Crawls of older versions do not know where to: it may always be the same place.
    const address = location === null ? "" : withoutQuery(location);
    if (location !== null && looksLikeLogin(splitUrl(address).path)) {
      this.#forbidden.add(url);
      return this.#answered(url, leading);
    }
    const host = this.#hostOf(url);
    let places = this.#places.get(host);
    if (places === undefined) this.#places.set(host, (places = new Map<string, Place>()));
    let place = places.get(address);
    if (place === undefined && places.size >= PLACES_MAX) return NOTHING;
    if (place === undefined) places.set(address, (place = { urls: [], count: 0 }));
    place.urls.push(url);
    return this.#leadTo(place, leading);
  }

  #leadTo(place: Place, leading: readonly number[]): Blocked {
    const wasGuarded = place.count > SAME_PLACE_MAX;
    place.count += leading.length;
    for (const url of leading) this.#placeOf.set(url, place);
    if (place.count <= SAME_PLACE_MAX) return NOTHING;
    return { urls: this.#newlyBlocked(place.urls), isNews: !wasGuarded };
  }

  /** A host has forbidden `end`, to which each of these URLs leads. */
  #answered(end: number, leading: readonly number[]): Blocked {
    if (leading.length === 0) return NOTHING;
    const host = this.#hostOf(end);
    let answers = this.#answers.get(host);
    if (answers === undefined) this.#answers.set(host, (answers = new HostAnswers()));
    const wasBlocked = answers.isBlocked;
    const urls: number[] = [];
    for (const url of leading) {
      if (url !== end) this.#ends.set(url, end);
      // A front page that a rule of robots.txt forbids is forbidden: only its server can block it. One that has moved
      // to a login alone is no ban either.
      const isFrontPage = this.#byServer.has(end) && (this.#frontPages.has(url) || this.#frontPages.has(end));
      urls.push(...this.#newlyBlocked(answers.forbidden(end, isFrontPage)));
    }
    return { urls, isNews: !wasBlocked && answers.isBlocked };
  }

  #newlyBlocked(urls: readonly number[]): number[] {
    const fresh = urls.filter((url) => !this.#blocked.has(url));
    for (const url of fresh) this.#blocked.add(url);
    return fresh;
  }
}
