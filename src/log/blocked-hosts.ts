/**
 * Which hosts block the crawler. 401, 403 and 451 forbid a page, and what is forbidden is no part of what may be
 * fetched. But a host that answers so to everything keeps the crawler out, and being blocked must never look like being
 * done: the pages that it forbids count as missing.
 *
 * A host blocks from the moment when it forbids its front page, or a seed, or so many pages in a row, or most of its
 * last pages; until it answers with pages again. A redirect to a page that the host forbids is such an answer too, and
 * so is one out of the scope: a ban may send the crawler to the page of a guard. What it forbade meanwhile stays
 * blocked: nobody knows whether a rule or a ban was the reason.
 */
import { IdSet } from "../base/index.ts";
import { isDownloaded } from "../coverage/index.ts";
import type { UrlRecord, Visit } from "./records.ts";

/** Pages in a row. A site with a members' area has a few; a ban has no end. */
const RUN_MAX = 10;
/** So many of the last answers: a ban may let some pages through. */
const RECENT = 20;
const RECENT_MAX = 12;

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

  /** Returns the URLs that count as blocked from now on. */
  forbidden(url: number, isFrontPage: boolean): readonly number[] {
    this.#run++;
    this.#add(url);
    this.isBlocked ||= isFrontPage || this.#run >= RUN_MAX || this.#isMostlyForbidden;
    if (!this.isBlocked) return NONE;
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

export class BlockedHosts {
  readonly #hostOf: (url: number) => number;
  /** Hosts that have forbidden a page. */
  readonly #answers = new Map<number, HostAnswers>();
  readonly #frontPages = new IdSet();
  readonly #forbidden = new IdSet();
  /** Of these, those that a server forbade by its status. */
  readonly #byServer = new IdSet();
  readonly #blocked = new IdSet();
  /** Where URLs lead that redirect to a forbidden one. */
  readonly #ends = new Map<number, number>();

  constructor(hostOf: (url: number) => number) {
    this.#hostOf = hostOf;
  }

  url({ id, path, source }: UrlRecord): void {
    if (path === "/" || source === "seed") this.#frontPages.add(id);
  }

  trusted(url: number): void {
    this.#frontPages.add(url);
  }

  /** Takes in a visit, and returns the URLs that count as blocked from now on. */
  visit({ url, outcome, reason, target }: Visit): readonly number[] {
    if (isDownloaded(outcome)) {
      if (this.#answers.size > 0) this.#answers.get(this.#hostOf(url))?.page();
      return NONE;
    }
    if (reason === "forbidden" || reason === "robots" || reason === "out-of-scope") this.#forbidden.add(url);
    if (reason === "forbidden") this.#byServer.add(url);
    if (reason === "forbidden" || reason === "out-of-scope") return this.#answered(url, url);
    if (outcome !== "redirected" || target === null) return NONE;
    if (this.#frontPages.has(url)) this.#frontPages.add(target);
    const end = this.#forbidden.has(target) ? target : this.#ends.get(target);
    if (end === undefined || this.#hostOf(end) !== this.#hostOf(url)) return NONE;
    this.#ends.set(url, end);
    return this.#answered(end, url);
  }

  /** Whether the host of a URL blocks the crawler now. */
  isBlocked(url: number): boolean {
    return this.#answers.get(this.#hostOf(url))?.isBlocked ?? false;
  }

  /** A host has forbidden `end`, to which `url` leads. */
  #answered(end: number, url: number): readonly number[] {
    const host = this.#hostOf(url);
    let answers = this.#answers.get(host);
    if (answers === undefined) this.#answers.set(host, (answers = new HostAnswers()));
    // A front page that a rule of robots.txt forbids is forbidden: only its server can block it. One that has moved out
    // of the scope alone is no ban either.
    const isFrontPage = this.#byServer.has(end) && (this.#frontPages.has(url) || this.#frontPages.has(end));
    const blocked = answers.forbidden(end, isFrontPage).filter((each) => !this.#blocked.has(each));
    for (const each of blocked) this.#blocked.add(each);
    return blocked;
  }
}

const NONE: readonly number[] = [];
