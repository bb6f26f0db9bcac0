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
 * A final URL may be visited again by a refresh. Depths can only fall, so they may be too small until the log is read
 * again.
 *
 * A URL of a shard that another engine has is `Elsewhere` for ever: it is known here because pages link to it, once for
 * each shard whose pages do. What flows to it is told as that of the shard from which it flows, and shards may part.
 * For the same reason each shard has sinks of its own.
 *
 * Memory: 12 bytes per URL, and 1 to 4 for its origin unless that is in a file (origin-column.ts); 12 more for one that
 * is elsewhere.
 */
import { assert, capacityFor, type ChunkFile, FingerprintTable, mix32, runSteps } from "../base/index.ts";
import { isDownloaded, Redirects } from "../coverage/index.ts";
import type { GrowingLinks } from "../graph/index.ts";
import { DEPTH_MAX, Depths, isFinal, LogFeed, type LogListener, type UrlRecord, type Visit } from "../log/index.ts";
import type { CrawlStore } from "../store/index.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import { FingerprintList } from "./fingerprint-list.ts";
import { OriginIndex } from "./origin-index.ts";
import type { Host } from "./politeness/host.ts";
import type { HostSchedule } from "./politeness/host-schedule.ts";
import type { Origins } from "./politeness/robots-policy.ts";
import type { ShardPart } from "./shard-part.ts";
import { UrlColumns } from "./url-columns.ts";

export const UrlState = { Waiting: 0, UnderWay: 1, Final: 2, TooDeep: 3, OverHostLimit: 4, Elsewhere: 5 } as const;
export type UrlState = (typeof UrlState)[keyof typeof UrlState];

export interface UrlIndexOptions {
  readonly hosts: HostSchedule;
  readonly fingerprinter: Fingerprinter;
  readonly links: GrowingLinks;
  readonly pathOf: (url: number) => string;
  /** Takes the origins of many URLs (default: all stay in memory). */
  readonly originFile?: ChunkFile | undefined;
  /** Left out where the engine has the crawl for itself. */
  readonly shard?: Pick<ShardPart, "shardOf" | "has" | "home"> | undefined;
}

export class UrlIndex implements LogListener, Origins {
  /** URLs without a final outcome. */
  open = 0;
  /** URLs too deep to which a shorter way was found since somebody last looked here. */
  readonly shallower: number[] = [];
  readonly #options: UrlIndexOptions;
  readonly #fingerprints = new FingerprintTable();
  /** Of URLs that are elsewhere. */
  readonly #fingerprintsElsewhere = new FingerprintList();
  readonly #columns: UrlColumns;
  readonly #depths: Depths;
  readonly #redirects = new Redirects();
  readonly #nextHops = new Map<number, number>();
  /** Redirects whose target we know by another form than the server does. */
  readonly #rewritten = new Set<number>();
  /** How many redirects lead to a URL in a row, where any does. */
  readonly #hops = new Map<number, number>();
  readonly #sinks = new Set<number>();
  readonly #origins: OriginIndex;
  /** Of an engine that has shards: the shard from which a sink was linked to. */
  readonly #shardsOfSinks = new Map<number, number>();
  /** Whether the fingerprint made last is that of the URL that comes next, and the shard from which it was seen. */
  #isFingerprinted = false;
  #seenFrom: number | undefined;

  constructor(options: UrlIndexOptions) {
    this.#options = options;
    this.#origins = new OriginIndex(options.hosts, options.shard);
    this.#columns = new UrlColumns(options.originFile);
    this.#depths = new Depths({
      column: this.#columns,
      links: options.links,
      redirects: this.#redirects,
      lowered: (url) => this.#lowered(url),
    });
  }

  get size(): number {
    return this.#fingerprints.size;
  }

  /**
   * The id of a URL, or -1. The halves of its fingerprint stand in `fingerprinter` afterwards. One that is elsewhere is
   * found only as seen from a shard.
   */
  find(text: string, from?: number): number {
    const { fingerprinter } = this.#options;
    fingerprinter.text(text);
    return this.findFingerprint(fingerprinter.high, fingerprinter.low, from);
  }

  findFingerprint(high: number, low: number, from?: number): number {
    const known = this.#fingerprints.find(high, low);
    if (known >= 0 || from === undefined) return known;
    return this.#fingerprints.find(highSeen(high, from), lowSeen(low, from));
  }

  /** Of a URL that is elsewhere, seen from a shard: that under which its own shard knows it. */
  fingerprintOf(url: number, from: number): readonly [high: number, low: number] {
    const [high, low] = this.#fingerprintsElsewhere.of(url);
    return [highSeen(high, from), lowSeen(low, from)];
  }

  /**
   * The shard of a URL that this engine has, or from which a sink was seen. Undefined where the engine has the crawl
   * for itself.
   */
  shardOf(url: number): number | undefined {
    return this.#shardsOfSinks.get(url) ?? this.shardOfOrigin(this.originOf(url));
  }

  shardOfOrigin(origin: number): number | undefined {
    return this.#origins.shardOf(origin);
  }

  originOf(url: number): number {
    return this.#columns.originOf(url);
  }

  depthOf(url: number): number {
    return this.#columns.depthOf(url);
  }

  stateOf(url: number): UrlState {
    return this.#columns.stateOf(url) as UrlState;
  }

  /** Whether the page was downloaded: only then its links are known. */
  isDownloaded(url: number): boolean {
    return this.#options.links.has(url);
  }

  /** Another process knows a shorter way. The log does not have it, so it is forgotten when the run ends. */
  lowerDepth(url: number, depth: number): void {
    if (depth >= this.depthOf(url)) return;
    this.#depths.set(url, depth);
    this.#depths.extend(url);
    this.#lowered(url);
  }

  /**
   * Gives the fingerprint of the URL that is recorded next, so that it is not made again (default: that of `find`), and
   * the shard from which it was seen.
   */
  expect(from: number | undefined, high?: number, low?: number): void {
    const { fingerprinter } = this.#options;
    fingerprinter.high = high ?? fingerprinter.high;
    fingerprinter.low = low ?? fingerprinter.low;
    this.#seenFrom = from;
    this.#isFingerprinted = true;
  }

  findOrigin(text: string): number | undefined {
    return this.#origins.find(text);
  }

  /** The sink for links to an origin that are never followed for a reason, or -1. */
  findSink(origin: string, reason: string, from?: number): number {
    return this.find(sinkText(origin, reason), from);
  }

  /** Of a URL that is no sink. */
  pathOf(url: number): string {
    return this.#options.pathOf(url);
  }

  /** Of a sink, its origin. */
  textOf(url: number): string {
    const origin = this.originText(this.originOf(url));
    return this.#sinks.has(url) ? origin : origin + this.#options.pathOf(url);
  }

  originText(origin: number): string {
    return this.#origins.textOf(origin);
  }

  hostOfOrigin(origin: number): Host {
    return this.#options.hosts.at(this.#origins.hostIdOf(origin));
  }

  hostOf(url: number): Host {
    return this.hostOfOrigin(this.originOf(url));
  }

  /** A number for the host of a URL; -1 for all hosts of other shards. */
  hostIdOf(url: number): number {
    const origin = this.originOf(url);
    return this.isOriginElsewhere(origin) ? -1 : this.#origins.hostIdOf(origin);
  }

  isOriginElsewhere(origin: number): boolean {
    return this.#origins.isElsewhere(origin);
  }

  setState(url: number, state: UrlState): void {
    const before = this.stateOf(url);
    if (before === state) return;
    this.#columns.setState(url, state);
    if (before === UrlState.Waiting) this.#addWaiting(url, -1);
    if (state === UrlState.Waiting) this.#addWaiting(url, 1);
  }

  hopsTo(url: number): number {
    return this.#hops.get(url) ?? 0;
  }

  /** Redirects of another shard lead to a URL, so many in a row; more of ours may follow. */
  ledBy(url: number, hops: number): void {
    let count = hops;
    for (let next: number | undefined = url; next !== undefined; next = this.#redirects.target(next)) {
      if (count <= this.hopsTo(next)) return;
      this.#hops.set(next, count++);
    }
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
    const present = this.#columns.capacity;
    if (urls <= present) return;
    // A single URL makes room for many; fingerprints then grow by themselves.
    const isSingle = urls <= this.size + 1;
    if (!isSingle) this.#fingerprints.reserve(urls);
    this.#columns.grow(isSingle ? capacityFor(urls, present) : urls);
  }

  origin(text: string): void {
    this.#origins.add(text);
  }

  url({ id, origin, path, depth, reason }: UrlRecord): void {
    const { fingerprinter } = this.#options;
    if (!this.#isFingerprinted) {
      const text = this.originText(origin);
      fingerprinter.text(path === null ? sinkText(text, reason ?? "failed") : text + path);
    }
    this.#isFingerprinted = false;
    this.grow(id + 1);
    let { high, low } = fingerprinter;
    const from = this.#seenFrom;
    this.#seenFrom = undefined;
    if (from !== undefined && (path === null || reason === "elsewhere")) {
      high = highSeen(high, from);
      low = lowSeen(low, from);
    }
    const entered = this.#fingerprints.add(high, low);
    assert(entered === id, "URLs are numbered in the order of their discovery");
    this.#columns.enter(id, origin, Math.min(DEPTH_MAX, depth));
    if (reason === "elsewhere") {
      this.#fingerprintsElsewhere.add(id, high, low);
      this.#columns.setState(id, UrlState.Elsewhere);
      return;
    }
    if (path !== null) {
      this.#addWaiting(id, 1);
      this.open++;
      return;
    }
    this.#columns.setState(id, UrlState.Final);
    this.#sinks.add(id);
    if (from !== undefined) this.#shardsOfSinks.set(id, from);
  }

  /** A seed is where depth begins. */
  trusted(url: number): void {
    this.#depths.set(url, 0);
  }

  visited({ url, outcome, target, isRewritten, status, reason, detail }: Visit): void {
    // What robots.txt forbids was forbidden by an answer; so was what an error instead of a robots.txt keeps us from.
    const hasRobots = reason === "robots" || detail?.startsWith("robots-") === true;
    if (status !== null || hasRobots) this.hostOf(url).hasAnswered = true;
    if (!isFinal(outcome)) return;
    // A page that was read again: what it counted for before counts until the log is read again.
    const isAgain = this.stateOf(url) === UrlState.Final;
    if (!isAgain) this.#close(url);
    if (isDownloaded(outcome)) {
      if (!isAgain) this.hostOf(url).pages++;
      this.#depths.extend(url);
    }
    if (outcome === "dead") this.hostOf(url).dead++;
    if (outcome === "redirected" && target !== null) this.#redirect(url, target, isRewritten);
  }

  #lowered(url: number): void {
    if (this.stateOf(url) === UrlState.TooDeep) this.shallower.push(url);
  }

  #addWaiting(url: number, change: number): void {
    this.#options.hosts.addWaiting(this.#origins.hostIdOf(this.originOf(url)), change);
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

/** The index of a stored log, and the feed that it was read with; others may listen to the same reading. */
export function readIndex(...from: Parameters<typeof readingIndex>): { feed: LogFeed; index: UrlIndex } {
  return runSteps(readingIndex(...from));
}

/** The same in steps: a log of millions takes a while. */
export function* readingIndex(
  store: CrawlStore,
  hosts: HostSchedule,
  fingerprinter: Fingerprinter,
  listenersOf: (index: UrlIndex) => readonly LogListener[] = () => [],
): Generator<unknown, { feed: LogFeed; index: UrlIndex }> {
  const feed: LogFeed = new LogFeed((url) => index.hostIdOf(url));
  const index = new UrlIndex({ hosts, fingerprinter, links: feed.links, pathOf: (url) => store.pathOf(url) });
  feed.add(index, ...listenersOf(index));
  for (const step of feed.read(store)) {
    hosts.rest();
    yield step;
  }
  return { feed, index };
}

/** The halves of a fingerprint as seen from a shard; the same again leads back. */
function highSeen(high: number, from: number): number {
  return (high ^ mix32(2 * from + 1)) >>> 0;
}

function lowSeen(low: number, from: number): number {
  return (low ^ mix32(2 * from + 2)) >>> 0;
}

function sinkText(origin: string, reason: string): string {
  return `${reason} ${origin}`;
}
