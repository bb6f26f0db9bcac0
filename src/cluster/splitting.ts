/**
 * Splits one log into those of the shards of a job: the other way round than gathering. Each shard gets what its owner
 * would have written. Texts, dates of sitemaps and other notes stay where they are: no engine needs them.
 */
import { assert } from "../base/index.ts";
import { pausesIn } from "../crawl/index.ts";
import { type CrawlLog, DEPTH_MAX, type TrustRecord, type UrlRecord } from "../log/index.ts";
import type { CrawlStore, FactLog } from "../store/index.ts";
import { hostOfOrigin } from "../web/index.ts";
import { heardKey } from "./exchange.ts";
import { pauseNote } from "./pause-notes.ts";
import { ShardLog } from "./shard-log.ts";
import { type Sharding, shardOf } from "./sharding.ts";
import { SplitUrls } from "./split-urls.ts";
import type { UrlTexts } from "./url-texts.ts";

/** A batch is appended when it has become so large. */
const BATCH_BYTES = 2 ** 20;
/** Nobody else works on the job yet. */
const LEASE_MS = 3_600_000;

export interface SplitOptions {
  readonly from: CrawlLog & Pick<CrawlStore, "robots" | "meta">;
  /** Of a job that has no facts yet. */
  readonly to: FactLog;
  readonly sharding: Sharding;
  /** For the paths of all URLs; the caller closes it. */
  readonly paths: UrlTexts;
  /** Gives up: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface Split {
  /** Of all shards. */
  readonly positions: readonly number[];
  /** Pages that were downloaded. */
  readonly pages: number;
}

export async function splitLog({ from, to, sharding, paths, signal }: SplitOptions): Promise<Split> {
  const origins = [...from.origins()];
  const owners = origins.map((origin) => shardOf(hostOfOrigin(origin), sharding));
  const parts = Array.from({ length: sharding.shards }, (_, shard) => new Part(shard, origins, sharding.shards));
  const appender = await Appender.open(to, parts);
  const urls = new SplitUrls(paths);
  const ownerOf = (url: number): Part => parts[owners[urls.originOf(url)]];
  const waiting = from.urls()[Symbol.iterator]();
  let next = waiting.next();

  /** URLs that were discovered by the end of this visit; `page` is its URL. */
  const discover = (upTo: number, page: number | undefined): void => {
    for (; next.done !== true && next.value.discoveredAt <= upTo; next = waiting.next()) {
      const url = next.value;
      urls.add(url);
      if (url.path === null) continue;
      const owner = ownerOf(url.id);
      const isLinked = url.source === "link" || url.source === "redirect";
      const isHere = page !== undefined && url.discoveredAt === upTo && ownerOf(page) === owner;
      owner.discover(url, isLinked && !isHere ? "remote" : url.source, isHere);
    }
  };

  discover(0, undefined);
  for (const visit of from.visits()) {
    discover(visit.number, visit.url);
    const part = ownerOf(visit.url);
    const refer = (url: number): number => part.refer(url, urls, owners[urls.originOf(url)]);
    const target = visit.target === null ? null : refer(visit.target);
    part.log.visit(visit, { target, links: visit.links?.map(refer) ?? null });
    if (part.log.pendingBytes < BATCH_BYTES) continue;
    await appender.append(part);
    signal?.throwIfAborted();
  }
  discover(Number.POSITIVE_INFINITY, undefined);
  for (const { url, weight } of from.trust()) ownerOf(url).trust.push({ url, weight });
  for (const robots of from.robots()) parts[owners[robots.origin]].log.robots(robots);
  for (const [host, untilMs] of pausesIn(from)) {
    parts[shardOf(host, sharding)].log.putMeta(...pauseNote(host, untilMs));
  }
  for (const part of parts) {
    part.finish(parts);
    await appender.append(part);
    await appender.reserve(part);
  }
  return { positions: await appender.close(), pages: parts.reduce((sum, { log }) => sum + log.pages, 0) };
}

/** The log of one shard while it is made. */
class Part {
  readonly shard: number;
  readonly log: ShardLog;
  /** In the numbers of the log that is split. */
  readonly trust: TrustRecord[] = [];
  /** How many URLs of each other shard it has mentioned. */
  readonly mentioned: number[];

  constructor(shard: number, originTexts: readonly string[], shards: number) {
    this.shard = shard;
    this.log = new ShardLog(shard, (origin) => originTexts[origin]);
    this.mentioned = Array.from({ length: shards }, () => 0);
  }

  /** A URL of this shard. */
  discover(url: UrlRecord, source: UrlRecord["source"], onVisit: boolean): void {
    this.log.discover(url, source, onVisit);
  }

  /** Its number as one to which a page of this shard leads, with its next visit. */
  refer(url: number, urls: SplitUrls, owner: number): number {
    const known = this.log.numberOf(url);
    if (known >= 0) return known;
    const record = urls.recordOf(url);
    if (record.path === null) return this.log.discover({ ...record, depth: DEPTH_MAX }, record.source, true);
    assert(owner !== this.shard, "a shard knows its own URLs");
    this.mentioned[owner]++;
    return this.log.mention(record, "link", true);
  }

  /** What it has heard from the others is all that they have mentioned. */
  finish(parts: readonly Part[]): void {
    if (this.trust.length > 0) this.log.trust(this.trust);
    for (const { shard, mentioned } of parts) {
      if (mentioned[this.shard] > 0) this.log.putMeta(heardKey(shard), String(mentioned[this.shard]));
    }
  }
}

/** Writes batches as the owner of all shards. */
class Appender {
  readonly #log: FactLog;
  readonly #leases: Awaited<ReturnType<typeof leaseOf>>[];
  readonly #positions: number[];

  static async open(log: FactLog, parts: readonly Part[]): Promise<Appender> {
    const leases = [];
    for (const { shard } of parts) leases.push(await leaseOf(log, shard));
    return new Appender(log, leases);
  }

  private constructor(log: FactLog, leases: Awaited<ReturnType<typeof leaseOf>>[]) {
    this.#log = log;
    this.#leases = leases;
    this.#positions = leases.map(() => 0);
  }

  async append({ shard, log }: Part): Promise<void> {
    const batch = log.takeBatch();
    if (batch === undefined) return;
    const position = ++this.#positions[shard];
    const [result] = await this.#log.append([{ lease: this.#leases[shard], position, batch }]);
    assert(result !== "fenced", `shard ${shard} is ours`);
  }

  /** Pages that are there count towards the limit of the job. */
  async reserve({ shard, log: { pages } }: Part): Promise<void> {
    if (pages > 0) await this.#log.reserve([{ lease: this.#leases[shard], pages }], Number.MAX_SAFE_INTEGER);
  }

  async close(): Promise<number[]> {
    await this.#log.release(this.#leases);
    return this.#positions;
  }
}

async function leaseOf(log: FactLog, shard: number) {
  const lease = await log.lease("splitting", shard, LEASE_MS);
  assert(lease !== undefined && lease.position === 0, `shard ${shard} is new`);
  return lease;
}
