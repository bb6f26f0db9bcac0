/**
 * The facts of a log, told from where it was last left to whoever derives something from them. Unlike a `CrawlRecord` it is no crawl: nobody
 * is asked, nothing is written, and what is derived may be told more whenever the log has grown.
 */
import { capacityFor, enlarged, type ProgressStep } from "../base/index.ts";
import type { CrawlFacts } from "../coverage/index.ts";
import { GrowingLinks, type Hosts } from "../graph/index.ts";
import type { CrawlStore, UrlRecord, Visit } from "../store/index.ts";
import { hostOfOrigin } from "../web/index.ts";
import { reasonOf } from "./record.ts";

/** The part of a store that is a log. */
export type CrawlLog = Pick<CrawlStore, "settings" | "origins" | "urls" | "visits" | "trust" | "urlCount">;

export interface LogListener extends Partial<CrawlFacts> {
  /** Before its facts are told to the others. */
  url?(url: UrlRecord, host: number): void;
  /** After its facts were told to all. */
  visited?(visit: Visit): void;
}

const URLS_PER_STEP = 8192;
const VISITS_PER_STEP = 512;

export class LogFacts {
  /** The links of downloaded pages. */
  readonly links = new GrowingLinks();
  /** How many were told. */
  urls = 0;
  visits = 0;
  readonly #listeners: LogListener[] = [];
  readonly #hostNames: string[] = [];
  readonly #hostIds = new Map<string, number>();
  readonly #hostOfOrigin: number[] = [];
  #hostOf = new Uint32Array(1024);
  #depths = new Uint8Array(1024);
  #isTrustTold = false;

  /** Listeners are told in the order in which they were added, all of them before the first step. */
  add(listener: LogListener): void {
    this.#listeners.push(listener);
  }

  /** Of the URLs told so far; read it anew after more was told. */
  get hosts(): Hosts {
    return { names: this.#hostNames, hostOf: this.#hostOf.subarray(0, this.urls) };
  }

  hostOf(url: number): number {
    return this.#hostOf[url];
  }

  /** Fewest links from a seed when a URL was first heard of. */
  get depths(): Uint8Array {
    return this.#depths;
  }

  /** Tells what the store has beyond what was told. Trust is told once: where it has changed, all is to be derived anew. */
  *steps(store: CrawlLog): Generator<ProgressStep, void> {
    this.#tellOrigins(store);
    const total = store.urlCount;
    this.#reserve(total);
    for (const url of store.urls(this.urls)) {
      this.#tellUrl(url);
      if (url.id % URLS_PER_STEP === 0) yield { task: "reading URLs", done: url.id, total, unit: "URLs" };
    }
    if (!this.#isTrustTold) {
      for (const { url, weight } of store.trust())
        for (const listener of this.#listeners) listener.trusted?.(url, weight);
    }
    this.#isTrustTold = true;
    for (const visit of store.visits(this.visits + 1)) {
      this.#tellVisit(visit);
      const { number } = visit;
      if (number % VISITS_PER_STEP === 0) yield { task: "reading visits", done: number, unit: "visits" };
    }
  }

  #tellOrigins(store: CrawlLog): void {
    for (const origin of store.origins(this.#hostOfOrigin.length)) {
      const name = hostOfOrigin(origin);
      let id = this.#hostIds.get(name);
      if (id === undefined) {
        this.#hostIds.set(name, (id = this.#hostNames.length));
        this.#hostNames.push(name);
      }
      this.#hostOfOrigin.push(id);
    }
  }

  #reserve(urls: number): void {
    if (urls > this.#hostOf.length) {
      const capacity = capacityFor(urls, this.#hostOf.length);
      this.#hostOf = enlarged(this.#hostOf, capacity);
      this.#depths = enlarged(this.#depths, capacity);
    }
    for (const listener of this.#listeners) listener.grow?.(urls);
  }

  #tellUrl(url: UrlRecord): void {
    const { id, origin, path, reason } = url;
    const host = this.#hostOfOrigin[origin];
    this.#hostOf[id] = host;
    this.#depths[id] = url.depth;
    this.urls = id + 1;
    for (const listener of this.#listeners) {
      listener.url?.(url, host);
      if (path === null && reason !== null) listener.refused?.(id, reasonOf(reason));
    }
  }

  #tellVisit(visit: Visit): void {
    const { url, outcome } = visit;
    if (outcome === "downloaded" || outcome === "downloaded-partly")
      this.links.set(url, visit.links ?? new Uint32Array(0));
    this.visits = visit.number;
    for (const listener of this.#listeners) tell(listener, visit);
    for (const listener of this.#listeners) listener.visited?.(visit);
  }
}

function tell(listener: LogListener, { url, outcome, target, reason }: Visit): void {
  switch (outcome) {
    case "downloaded":
      return listener.downloaded?.(url);
    case "downloaded-partly":
      return listener.downloadedPartly?.(url);
    case "dead":
      return listener.dead?.(url);
    case "redirected":
      return listener.redirected?.(url, target ?? url);
    case "refused":
      return listener.refused?.(url, reasonOf(reason ?? "failed"));
    case "try-again":
  }
}
