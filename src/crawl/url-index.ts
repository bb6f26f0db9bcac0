/**
 * Every URL that a crawl knows, derived from the log: a dense number for each, found by fingerprint, with its origin,
 * depth and state, and where redirects lead. Texts are in the store. Hosts count the URLs that wait, so states change
 * here only.
 *
 * Life cycle of a URL for the engine (what became of it as a page is in the ledgers, coverage/facts.ts):
 *
 *     waiting ──> under way ──> final     handed out by the order: held, being fetched, or waiting for another attempt
 *        ^            │
 *        └────────────┘                   put back, to be fetched later
 *     waiting ───────────────> final      refused when it was discovered; a sink is final at once
 *     under way ─────────────> parked     too deep, or over the limit of its host, until a shorter way is found
 *
 * Memory: 20 to 26 bytes per URL.
 */
import { assert, capacityFor, enlarged, FingerprintTable } from "../base/index.ts";
import { isDownloaded, Redirects } from "../coverage/index.ts";
import type { LinkTable } from "../graph/index.ts";
import { Depths, isFinal, LogFeed, type LogListener, type UrlRecord, type Visit } from "../log/index.ts";
import type { CrawlStore } from "../store/index.ts";
import { hostOfOrigin } from "../web/index.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import type { Host, HostSchedule } from "./politeness/host-schedule.ts";
import type { Origins } from "./politeness/robots-policy.ts";

export const UrlState = { Waiting: 0, UnderWay: 1, Final: 2, TooDeep: 3, OverHostLimit: 4 } as const;
export type UrlState = (typeof UrlState)[keyof typeof UrlState];

export interface UrlIndexOptions {
  readonly hosts: HostSchedule;
  readonly fingerprinter: Fingerprinter;
  readonly links: LinkTable;
  readonly pathOf: (url: number) => string;
}

export class UrlIndex implements LogListener, Origins {
  /** URLs without a final outcome. */
  open = 0;
  /** URLs too deep to which a shorter way was found since somebody last looked here. */
  readonly shallower: number[] = [];
  readonly #options: UrlIndexOptions;
  readonly #fingerprints = new FingerprintTable();
  #originOf = new Uint32Array(1024);
  readonly #depths: Depths;
  #states = new Uint8Array(1024);
  readonly #redirects = new Redirects();
  readonly #nextHops = new Map<number, number>();
  /** Redirects whose target we know by another form than the server does. */
  readonly #rewritten = new Set<number>();
  /** How many redirects lead to a URL in a row, where any does. */
  readonly #hops = new Map<number, number>();
  readonly #sinks = new Set<number>();
  readonly #origins: string[] = [];
  readonly #originIds = new Map<string, number>();
  readonly #hostsOfOrigins: Host[] = [];
  /** Whether the fingerprint made last is that of the URL that comes next. */
  #isFingerprinted = false;

  constructor(options: UrlIndexOptions) {
    this.#options = options;
    this.#depths = new Depths({
      links: options.links,
      redirects: this.#redirects,
      lowered: (url) => this.#lowered(url),
    });
  }

  get size(): number {
    return this.#fingerprints.size;
  }

  /** The id of a URL, or -1. The halves of its fingerprint stand in `fingerprinter` afterwards. */
  find(text: string): number {
    const { fingerprinter } = this.#options;
    fingerprinter.text(text);
    return this.findFingerprint(fingerprinter.high, fingerprinter.low);
  }

  findFingerprint(high: number, low: number): number {
    return this.#fingerprints.find(high, low);
  }

  originOf(url: number): number {
    return this.#originOf[url];
  }

  depthOf(url: number): number {
    return this.#depths.of(url);
  }

  stateOf(url: number): UrlState {
    return this.#states[url] as UrlState;
  }

  /** Whether the page was downloaded: only then its links are known. */
  isDownloaded(url: number): boolean {
    const { starts, ends } = this.#options.links;
    return url < starts.length && starts[url] <= ends[url];
  }

  /** Another process knows a shorter way. The log does not have it, so it is forgotten when the run ends. */
  lowerDepth(url: number, depth: number): void {
    if (depth >= this.depthOf(url)) return;
    this.#depths.set(url, depth);
    this.#depths.extend(url);
    this.#lowered(url);
  }

  /** Gives the fingerprint of the URL that is recorded next, so that it is not made again; default: that of `find`. */
  expect(high?: number, low?: number): void {
    const { fingerprinter } = this.#options;
    fingerprinter.high = high ?? fingerprinter.high;
    fingerprinter.low = low ?? fingerprinter.low;
    this.#isFingerprinted = true;
  }

  findOrigin(text: string): number | undefined {
    return this.#originIds.get(text);
  }

  /** The sink for links to an origin that are never followed for a reason, or -1. */
  findSink(origin: string, reason: string): number {
    return this.find(sinkText(origin, reason));
  }

  /** Of a sink, its origin. */
  textOf(url: number): string {
    const origin = this.originText(this.originOf(url));
    return this.#sinks.has(url) ? origin : origin + this.#options.pathOf(url);
  }

  originText(origin: number): string {
    return this.#origins[origin];
  }

  hostOfOrigin(origin: number): Host {
    return this.#hostsOfOrigins[origin];
  }

  hostOf(url: number): Host {
    return this.hostOfOrigin(this.originOf(url));
  }

  setState(url: number, state: UrlState): void {
    const before = this.stateOf(url);
    if (before === state) return;
    this.#states[url] = state;
    const { hosts } = this.#options;
    if (before === UrlState.Waiting) hosts.addWaiting(this.hostOf(url), -1);
    if (state === UrlState.Waiting) hosts.addWaiting(this.hostOf(url), 1);
  }

  hopsTo(url: number): number {
    return this.#hops.get(url) ?? 0;
  }

  /** Whether a redirect would lead back to where it comes from. */
  closesLoop(url: number, target: number): boolean {
    return this.#redirects.resolve(target) === url;
  }

  /**
   * Whether the redirects from one URL to another include one that we rewrote: then they may be no loop for the server.
   */
  isRewrittenBetween(from: number, to: number): boolean {
    for (let url: number | undefined = from; url !== undefined && url !== to; url = this.#nextHops.get(url)) {
      if (this.#rewritten.has(url)) return true;
    }
    return false;
  }

  // Records of the log.

  grow(urls: number): void {
    if (urls <= this.#states.length) return;
    // A single URL makes room for many; fingerprints then grow by themselves.
    const isSingle = urls <= this.size + 1;
    const capacity = isSingle ? capacityFor(urls, this.#states.length) : urls;
    if (!isSingle) this.#fingerprints.reserve(capacity);
    this.#originOf = enlarged(this.#originOf, capacity);
    this.#depths.grow(capacity);
    this.#states = enlarged(this.#states, capacity);
  }

  origin(text: string): void {
    this.#originIds.set(text, this.#origins.length);
    this.#origins.push(text);
    this.#hostsOfOrigins.push(this.#options.hosts.named(hostOfOrigin(text)));
  }

  url({ id, origin, path, depth, reason }: UrlRecord): void {
    const { fingerprinter, hosts } = this.#options;
    if (!this.#isFingerprinted) {
      const text = this.originText(origin);
      fingerprinter.text(path === null ? sinkText(text, reason ?? "failed") : text + path);
    }
    this.#isFingerprinted = false;
    this.grow(id + 1);
    const entered = this.#fingerprints.add(fingerprinter.high, fingerprinter.low);
    assert(entered === id, "URLs are numbered in the order of their discovery");
    this.#originOf[id] = origin;
    this.#depths.set(id, depth);
    hosts.addWaiting(this.hostOf(id), 1);
    this.open++;
    if (path !== null) return;
    this.#sinks.add(id);
    this.#close(id);
  }

  /** A seed is where depth begins. */
  trusted(url: number): void {
    this.#depths.set(url, 0);
  }

  visited({ url, outcome, target, isRewritten, status, reason, detail }: Visit): void {
    const host = this.hostOf(url);
    // What robots.txt forbids was forbidden by an answer; so was what an error instead of a robots.txt keeps us from.
    const hasRobots = reason === "robots" || detail?.startsWith("robots-") === true;
    if (status !== null || hasRobots) host.hasAnswered = true;
    if (!isFinal(outcome)) return;
    assert(this.stateOf(url) !== UrlState.Final, `URL ${url} has no final outcome yet`);
    this.#close(url);
    if (isDownloaded(outcome)) {
      host.pages++;
      this.#depths.extend(url);
    }
    if (outcome === "dead") host.dead++;
    if (outcome === "redirected" && target !== null) this.#redirect(url, target, isRewritten);
  }

  #lowered(url: number): void {
    if (this.stateOf(url) === UrlState.TooDeep) this.shallower.push(url);
  }

  #close(url: number): void {
    this.setState(url, UrlState.Final);
    this.open--;
  }

  #redirect(url: number, target: number, isRewritten: boolean): void {
    if (isRewritten) this.#rewritten.add(url);
    this.#nextHops.set(url, target);
    if (!this.#redirects.add(url, target)) return;
    this.#depths.extend(url);
    this.#hops.set(target, Math.max(this.hopsTo(target), this.hopsTo(url) + 1));
  }
}

/** The index of a stored log, and the feed that it was read with. */
export function readIndex(
  store: CrawlStore,
  hosts: HostSchedule,
  fingerprinter: Fingerprinter,
): { feed: LogFeed; index: UrlIndex } {
  const feed: LogFeed = new LogFeed((url) => index.hostOf(url).id);
  const index = new UrlIndex({ hosts, fingerprinter, links: feed.links, pathOf: (url) => store.pathOf(url) });
  feed.add(index);
  feed.readAll(store);
  return { feed, index };
}

function sinkText(origin: string, reason: string): string {
  return `${reason} ${origin}`;
}
