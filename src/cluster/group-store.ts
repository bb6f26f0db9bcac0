/**
 * The store of an engine that has several shards: each record that the engine writes goes into the logs of the shards
 * that it concerns (shard-log.ts). A link from one shard to another of the same engine is written as if they had
 * different engines: mentioned in the log of the first, and a URL of the second, with the source `remote`. So the logs
 * say what they would say if each shard had an engine of its own, and any of them can be replayed alone.
 *
 * Only what an engine asks for is kept: the texts of URLs, trust, and rules until it has taken them over.
 */
import { assert } from "../base/index.ts";
import {
  type LogFeed,
  type LogSink,
  type PageTexts,
  replayBatch,
  type RobotsRecord,
  type SitemapRecord,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../log/index.ts";
import type { UrlIndex } from "../crawl/index.ts";
import type { EngineStore, Scratch, ScratchUse } from "../store/index.ts";
import { ShardLog } from "./shard-log.ts";
import type { UrlTexts } from "./url-texts.ts";

/** What a shard has to say to others, and what it has to say it with. */
export interface GroupMember {
  readonly log: ShardLog;
  /** A URL of another shard was mentioned, for the first time. */
  mentioned(owner: number, url: number): void;
}

export interface GroupStoreOptions {
  readonly settings: string;
  readonly texts: UrlTexts;
  /** For what would take too much memory (default: everything stays there). */
  readonly scratch?: Scratch | undefined;
  readonly members: ReadonlyMap<number, GroupMember>;
  /** To which shard the host of an origin belongs. */
  readonly shardOfOrigin: (text: string) => number;
}

export class GroupStore implements EngineStore {
  readonly #options: GroupStoreOptions;
  readonly #texts: UrlTexts;
  readonly #members: ReadonlyMap<number, GroupMember>;
  /** By the numbers of origins in the engine. */
  readonly #shards: number[] = [];
  /** Discovered on a page or in a sitemap of which nobody has said yet whose it is. */
  #pending: UrlRecord[] = [];
  readonly #trust: TrustRecord[] = [];
  /** Rules of earlier owners, until the engine has taken them over. */
  readonly #robots = new Map<number, RobotsRecord>();
  /** URLs that shards of the group have mentioned, and that were not found in the log of their own shard. */
  readonly #unrecorded = new Map<number, UrlRecord>();
  #visits = 0;
  /** Of the visit that comes next: to read the texts of URLs again would be slow. */
  #links: { readonly text: string; readonly ends: Uint32Array } | undefined;
  #lastVisited: GroupMember | undefined;
  #index: UrlIndex | undefined;

  constructor(options: GroupStoreOptions) {
    this.#options = options;
    this.#texts = options.texts;
    this.#members = options.members;
  }

  originText(origin: number): string {
    return this.#known.originText(origin);
  }

  scratch(use: ScratchUse): Scratch | undefined {
    return use === "links" ? this.#options.scratch : undefined;
  }

  /** The engine that writes here knows URLs by this index. */
  attach(index: UrlIndex): void {
    this.#index = index;
  }

  // What the logs have.

  /** Feeds a batch of the log of a shard, the one after the last. */
  replay(shard: number, batch: Uint8Array, feed: LogFeed): void {
    replayBatch(batch, this.#replaying(this.#member(shard), feed));
  }

  /** The logs were replayed: what is written from now on is new. */
  opened(): void {
    for (const { log } of this.#members.values()) log.open();
    // What a shard has mentioned and another has not heard of, because somebody died.
    for (const url of this.#unrecorded.values()) this.#memberOf(url.origin)?.log.discover(url, "remote", false);
    this.#unrecorded.clear();
  }

  #replaying(member: GroupMember, feed: LogFeed): LogSink {
    const { log } = member;
    return {
      addOrigin: (_, text) => log.replayed.origin(this.#replayedOrigin(text, feed)),
      addUrl: (url) => log.replayed.url(this.#replayedUrl(member, url, feed)),
      addVisit: (visit) => {
        log.replayed.visit(visit);
        this.#visits = feed.visits + 1;
        const links = visit.links === null ? null : visit.links.map((url) => log.urlAt(url));
        const target = visit.target === null ? null : log.urlAt(visit.target);
        const named = { number: this.#visits, url: log.urlAt(visit.url), target, links };
        feed.visit(Object.assign({ ...visit }, named));
      },
      replaceTrust: (trust) => {
        for (const { url, weight } of trust) {
          const record = { url: log.urlAt(url), weight };
          this.#trust.push(record);
          feed.trusted(record);
        }
      },
      putRobots: (robots) => {
        const origin = log.originAt(robots.origin);
        this.#robots.set(origin, { ...robots, origin });
      },
      putMeta: (key, value) => log.replayed.meta(key, value),
      addAnchors() {},
      addTexts() {},
      putSitemap() {},
    };
  }

  #replayedOrigin(text: string, feed: LogFeed): number {
    const known = this.#known.findOrigin(text);
    if (known !== undefined) return known;
    this.addOrigin(feed.origins, text);
    feed.origin(text);
    return this.#shards.length - 1;
  }

  /** The number of a URL in the engine, which may be new there. */
  #replayedUrl(member: GroupMember, url: UrlRecord, feed: LogFeed): number {
    const index = this.#known;
    const { log } = member;
    const { path, depth } = url;
    const origin = log.originAt(url.origin);
    const owner = this.#shards[origin];
    const isMentioned = url.reason === "elsewhere";
    const isElsewhere = isMentioned && !this.#members.has(owner);
    const from = path === null || isElsewhere ? log.shard : undefined;
    const text = this.originText(origin);
    const known = path === null ? index.findSink(text, url.reason ?? "", from) : index.find(text + path, from);
    const reason = isMentioned && !isElsewhere ? null : url.reason;
    const isOnVisit = url.discoveredAt > log.visits && !isMentioned;
    const source = isMentioned && !isElsewhere ? "remote" : url.source;
    const record = { ...url, id: feed.urls, origin, source, reason, discoveredAt: feed.visits + (isOnVisit ? 1 : 0) };
    if (known < 0) {
      index.expect(from);
      this.#texts.add(path ?? "");
      feed.url(record);
    } else index.lowerDepth(known, depth);
    const id = known < 0 ? record.id : known;
    if (isMentioned) member.mentioned(owner, id);
    else this.#unrecorded.delete(id);
    if (known < 0 && isMentioned && !isElsewhere) this.#unrecorded.set(id, record);
    return id;
  }

  get #known(): UrlIndex {
    assert(this.#index !== undefined, "the store is attached to an index");
    return this.#index;
  }

  #member(shard: number | undefined): GroupMember {
    const member = shard === undefined ? undefined : this.#members.get(shard);
    assert(member !== undefined, `shard ${shard} is one of the group`);
    return member;
  }

  #memberOf(origin: number): GroupMember | undefined {
    return this.#members.get(this.#shards[origin]);
  }

  // What an engine writes.

  /** It goes into a log with the first record that needs it there. */
  addOrigin(id: number, text: string): void {
    assert(id === this.#shards.length, "origins count up");
    this.#shards.push(this.#options.shardOfOrigin(text));
  }

  addUrl(url: UrlRecord): void {
    this.#texts.add(url.path ?? "");
    if (url.discoveredAt > this.#visits || url.source === "sitemap") this.#pending.push(url);
    else this.#member(this.#shards[url.origin]).log.discover(url, url.source, false);
  }

  /** What was discovered last stands on a page, or in a sitemap, of this shard. */
  #flush(member: GroupMember, onVisit: boolean): void {
    for (const url of this.#pending) {
      const owner = this.#memberOf(url.origin);
      if (url.path === null || owner === member) member.log.discover(url, url.source, onVisit);
      else {
        owner?.log.discover(url, "remote", false);
        this.#mention(member, url, url.source, onVisit);
      }
    }
    if (this.#pending.length > 0) this.#pending = [];
  }

  #mention(
    member: GroupMember,
    url: Pick<UrlRecord, "id" | "origin" | "path" | "depth">,
    source: UrlRecord["source"],
    onVisit: boolean,
  ): number {
    member.mentioned(this.#shards[url.origin], url.id);
    return member.log.mention(url, source, onVisit);
  }

  /** The number of a URL in the log of a shard that leads to it, where it may be new; perhaps with a link. */
  #refer(member: GroupMember, id: number, onVisit: boolean, link?: number): number {
    const known = member.log.numberOf(id);
    if (known >= 0) return known;
    const index = this.#known;
    const origin = index.originOf(id);
    const path = link === undefined ? undefined : this.#pathOfLink(link, origin);
    const url = { id, origin, path: path ?? this.#texts.get(id), depth: index.depthOf(id) };
    return this.#mention(member, url, "link", onVisit);
  }

  #pathOfLink(link: number, origin: number): string | undefined {
    if (this.#links === undefined) return undefined;
    const { text, ends } = this.#links;
    const start = link === 0 ? 0 : ends[link - 1];
    return text.slice(start + this.originText(origin).length, ends[link]);
  }

  expectLinks(text: string, ends: Uint32Array): void {
    this.#links = { text, ends };
  }

  addVisit(visit: Visit, replaces?: number): void {
    const member = this.#member(this.#known.shardOf(visit.url));
    this.#flush(member, true);
    const target = visit.target === null ? null : this.#refer(member, visit.target, true);
    const links = visit.links === null ? null : visit.links.map((url, link) => this.#refer(member, url, true, link));
    this.#links = undefined;
    assert(replaces === undefined, "workers read no page again");
    member.log.visit(visit, { target, links });
    this.#visits++;
    this.#lastVisited = member;
  }

  addAnchors(_: number, texts: string): void {
    this.#lastVisited?.log.anchors(texts);
  }

  addTexts(_: number, texts: PageTexts): void {
    this.#lastVisited?.log.texts(texts);
  }

  replaceTrust(trust: readonly TrustRecord[]): void {
    this.#trust.push(...trust);
    for (const [shard, { log }] of this.#members) {
      const own = trust.filter(({ url }) => this.#known.shardOf(url) === shard);
      if (own.length > 0) log.trust(own);
    }
  }

  /** Those of hosts elsewhere are a matter of their own shards. */
  putRobots(robots: RobotsRecord): void {
    this.#memberOf(robots.origin)?.log.robots(robots);
  }

  putSitemap(sitemap: SitemapRecord, from?: number): void {
    const member = this.#member(from);
    this.#flush(member, false);
    for (const { url } of sitemap.entries) this.#refer(member, url, false);
    member.log.sitemap(sitemap);
  }

  // What an engine reads.

  settings(): string {
    return this.#options.settings;
  }

  pathOf(url: number): string {
    const path = this.#texts.get(url);
    assert(path !== "", `URL ${url} is a sink and has no path`);
    return path;
  }

  trust(): Iterable<TrustRecord> {
    return this.#trust;
  }

  /** Once. */
  *robots(): Iterable<RobotsRecord> {
    yield* [...this.#robots.values()].sort((a, b) => a.origin - b.origin);
    this.#robots.clear();
  }

  close(): void {
    this.#texts.close();
    this.#options.scratch?.close();
  }

  // Settings and notes belong to the job; walks are those of a gathered crawl; what shards receive is not stored.

  replaceSettings(): void {
    throw never();
  }

  putMeta(): void {
    throw never();
  }

  addLook(): void {
    throw never();
  }

  addRound(): void {
    throw never();
  }

  addCut(): void {
    throw never();
  }

  putReceived(): void {
    throw never();
  }
}

function never(): Error {
  return new Error("assertion failed: the engine of shards writes facts only");
}
