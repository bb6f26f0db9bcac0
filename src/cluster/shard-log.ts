/**
 * What is written into the log of one shard. The writer has a log of several shards, and numbers of its own for origins
 * and URLs; here they get those of the shard. A URL of another shard to which pages of this one lead is mentioned, with
 * the reason `elsewhere`: so the log of each shard says all about its pages.
 */
import { assert } from "../base/index.ts";
import { isDownloaded } from "../coverage/index.ts";
import {
  BatchWriter,
  type PageTexts,
  type RobotsRecord,
  type SitemapRecord,
  type TrustRecord,
  type UrlRecord,
  type Visit,
} from "../log/index.ts";
import { NumberTable } from "./number-table.ts";

export class ShardLog {
  readonly shard: number;
  /** Pages downloaded. */
  pages = 0;
  visits = 0;
  readonly #originText: (origin: number) => string;
  readonly #origins = new NumberTable();
  readonly #urls = new NumberTable();
  readonly #meta = new Map<string, string>();
  #batch = new BatchWriter();

  constructor(shard: number, originText: (origin: number) => string) {
    this.shard = shard;
    this.#originText = originText;
  }

  /** Records that are there already, in the numbers of the writer: they are not written again. */
  readonly replayed = {
    origin: (origin: number): void => void this.#origins.add(origin),
    url: (url: number): void => void this.#urls.add(url),
    visit: ({ outcome }: Visit): void => {
      this.visits++;
      if (isDownloaded(outcome)) this.pages++;
    },
    meta: (key: string, value: string | undefined): void => this.#setMeta(key, value),
  };

  /** What is written from now on comes after what was replayed. */
  open(): void {
    this.#batch = new BatchWriter({ origins: this.#origins.size, urls: this.#urls.size, visits: this.visits });
  }

  /** The numbers of the writer for those of the log. */
  originAt(number: number): number {
    return this.#origins.idOf(number);
  }

  urlAt(number: number): number {
    assert(number < this.#urls.size, `URL ${number} is in the log of shard ${this.shard}`);
    return this.#urls.idOf(number);
  }

  /** The number of a URL in the log; -1 if it is not there. */
  numberOf(url: number): number {
    return this.#urls.find(url);
  }

  /** A URL of this shard, or a sink of it. Returns its number. */
  discover(
    { id, origin, path, depth, reason }: Omit<UrlRecord, "discoveredAt">,
    source: UrlRecord["source"],
    onVisit: boolean,
  ): number {
    return this.#add(id, origin, path, depth, source, reason, onVisit);
  }

  /** A URL of another shard. Returns its number. */
  mention(
    { id, origin, path, depth }: Pick<UrlRecord, "id" | "origin" | "path" | "depth">,
    source: UrlRecord["source"],
    onVisit: boolean,
  ): number {
    return this.#add(id, origin, path, depth, source, "elsewhere", onVisit);
  }

  /** A visit of one of its URLs; what it leads to has numbers of the log already. */
  visit(visit: Visit, { target, links }: Pick<Visit, "target" | "links">): void {
    if (isDownloaded(visit.outcome)) this.pages++;
    const named = { number: ++this.visits, url: this.#named(visit.url), target, links };
    this.#batch.addVisit(Object.assign({ ...visit }, named));
  }

  /** Of the visit that was written last. */
  anchors(texts: string): void {
    this.#batch.addAnchors(this.visits, texts);
  }

  texts(texts: PageTexts): void {
    this.#batch.addTexts(this.visits, texts);
  }

  trust(trust: readonly TrustRecord[]): void {
    this.#batch.replaceTrust(trust.map(({ url, weight }) => ({ url: this.#named(url), weight })));
  }

  robots(robots: RobotsRecord): void {
    this.#batch.putRobots({ ...robots, origin: this.#origin(robots.origin) });
  }

  sitemap({ address, atMs, entries }: SitemapRecord): void {
    this.#batch.putSitemap({
      address,
      atMs,
      entries: entries.map((each) => ({ ...each, url: this.#named(each.url) })),
    });
  }

  meta(key: string): string | undefined {
    return this.#meta.get(key);
  }

  /** Notes whose names begin so, with the rest of their names. */
  *metas(prefix: string): Iterable<readonly [rest: string, value: string]> {
    for (const [key, value] of this.#meta) if (key.startsWith(prefix)) yield [key.slice(prefix.length), value];
  }

  putMeta(key: string, value: string | undefined): void {
    this.#setMeta(key, value);
    this.#batch.putMeta(key, value);
  }

  /** What was written since this was last called; undefined if that is nothing. */
  takeBatch(): Uint8Array | undefined {
    return this.#batch.take();
  }

  /** Nothing is in it, and nothing was written for it. */
  get isEmpty(): boolean {
    return this.#urls.size === 0;
  }

  get pendingBytes(): number {
    return this.#batch.byteLength;
  }

  #named(url: number): number {
    const number = this.#urls.find(url);
    assert(number >= 0, `shard ${this.shard} knows URL ${url}`);
    return number;
  }

  /** Called for every link of every page: no object is made but the record. */
  #add(
    url: number,
    from: number,
    path: string | null,
    depth: number,
    source: UrlRecord["source"],
    reason: UrlRecord["reason"],
    onVisit: boolean,
  ): number {
    const origin = this.#origin(from);
    const id = this.#urls.add(url);
    this.#batch.addUrl({ id, origin, path, depth, source, discoveredAt: this.visits + (onVisit ? 1 : 0), reason });
    return id;
  }

  #origin(origin: number): number {
    const known = this.#origins.find(origin);
    if (known >= 0) return known;
    const number = this.#origins.add(origin);
    this.#batch.addOrigin(number, this.#originText(origin));
    return number;
  }

  #setMeta(key: string, value: string | undefined): void {
    if (value === undefined) this.#meta.delete(key);
    else this.#meta.set(key, value);
  }
}
