/**
 * Gathers the logs of all shards of a job in one log, as a single crawler would have written it: numbers are those of
 * the one log, and a URL that several shards know is there once.
 *
 * How far it has come is a note in the store, committed together with what was gathered. So it may end at any moment
 * and go on later, also in another process: what was gathered before is read again to learn its numbers.
 */
import { assert, systemTimers, type Timers } from "../base/index.ts";
import { isDownloaded, type Refusal } from "../coverage/index.ts";
import {
  FactWriter,
  Fingerprinter,
  HostPauses,
  HostSchedule,
  plantSeeds,
  readIndex,
  type StoredSettings,
} from "../crawl/index.ts";
import {
  type LogListener,
  replayBatch,
  skimBatch,
  type SkimmedUrl,
  type Source,
  type UrlRecord,
} from "../log/index.ts";
import type { CrawlStore, FactLog, JobRecord, StoredBatch, WarcMark } from "../store/index.ts";
import { hostOfOrigin } from "../web/index.ts";
import { jobOf } from "./job.ts";
import { pauseIn } from "./pause-notes.ts";
import { type Sharding, shardOf } from "./sharding.ts";
import { markIn, sourceIn, type WarcSource } from "./worker-archive.ts";

/** In the notes of a store: which job is gathered there, and how many batches of each shard. */
const KEY = "gathered";

interface Gathered {
  readonly job: string;
  /** Of the store: if there are more, somebody else has crawled there since. */
  readonly visits: number;
  readonly positions: readonly number[];
}

/** Bytes of a shard that are read at once. */
const READ_BYTES = 2 ** 20;

/** How far the log of a job was gathered in a store; undefined if it has nothing of a job. */
export function gatheredIn(store: Pick<CrawlStore, "meta">): Gathered | undefined {
  const text = store.meta(KEY);
  return text === undefined ? undefined : (JSON.parse(text) as Gathered);
}

/** On disk with the next commit. */
export function setGathered(store: CrawlStore, gathered: Gathered | undefined): void {
  store.putMeta(KEY, gathered && JSON.stringify(gathered));
}

/** Prepares an empty crawl to take what the logs of a job have, and commits that. */
export async function beginGathering(store: CrawlStore, settings: StoredSettings, job: JobRecord): Promise<void> {
  plantSeeds({ settings, store, fingerprinter: await Fingerprinter.create(settings.web.hashSeed) });
  setGathered(store, { job: job.name, visits: 0, positions: Array.from({ length: job.shards }, () => 0) });
  store.commit();
}

export interface GatheringOptions {
  readonly log: FactLog;
  /** Its seeds are planted, and it knows how far it has gathered the job. */
  readonly store: CrawlStore;
  readonly settings: StoredSettings;
  readonly fingerprinter: Fingerprinter;
  /** Tells which pauses of hosts are over (default: that of the system). */
  readonly timers?: Timers;
  /** Only the log of this shard (default: those of all shards). */
  readonly shard?: number;
}

/** What the one log calls what a shard has. */
class ShardNames {
  readonly origins: string[] = [];
  readonly urls: number[] = [];
  visits = 0;
  position = 0;
}

export class Gathering {
  /** The WARC files of all shards, by their names, and how much of each belongs to what was gathered. */
  readonly archived = new Map<string, WarcMark>();
  /** Where each of them was written. */
  readonly archivedBy = new Map<string, WarcSource>();
  /** Pages of the store, whether they were gathered or there before. */
  pages = 0;
  readonly #options: GatheringOptions;
  readonly #job: string;
  readonly #sharding: Sharding;
  readonly #shards: readonly ShardNames[];
  readonly #facts: FactWriter;
  readonly #feed: { readonly visits: number };
  readonly #find: (url: Pick<UrlRecord, "path" | "reason">, origin: string) => number;
  readonly #pauses: HostPauses;
  /** How later shards have discovered URLs that their owners know only from them; of this round. */
  readonly #sources = new Map<string, Source>();

  private constructor(options: GatheringOptions, job: JobRecord) {
    const { store, settings, fingerprinter } = options;
    const hosts = new HostSchedule(settings.politeness, settings.hosts);
    const counter: LogListener = { visited: ({ outcome }) => void (this.pages += isDownloaded(outcome) ? 1 : 0) };
    const { feed, index } = readIndex(store, hosts, fingerprinter, () => [counter]);
    this.#options = options;
    this.#job = job.name;
    this.#sharding = jobOf(job).sharding;
    this.#shards = Array.from({ length: job.shards }, () => new ShardNames());
    this.#feed = feed;
    this.#pauses = new HostPauses(store);
    this.#facts = new FactWriter({ store, feed, index });
    this.#find = ({ path, reason }, origin) =>
      path === null ? index.findSink(origin, reason ?? "") : index.find(`${origin}${path}`);
  }

  /** Reads again what was gathered before. */
  static async open(options: GatheringOptions): Promise<Gathering> {
    const { log, store } = options;
    const job = await log.job();
    const gathered = gatheredIn(store);
    assert(gathered !== undefined && gathered.job === job.name, "the store knows how far it has gathered this job");
    const gathering = new Gathering(options, job);
    for (const [shard, upTo] of gathered.positions.entries()) {
      const names = gathering.#shards[shard];
      while (names.position < upTo) {
        const batches = await log.read(shard, names.position, READ_BYTES);
        assert(batches.length > 0, `the log of shard ${shard} has all that was gathered`);
        for (const batch of batches) if (batch.position <= upTo) gathering.#learn(names, batch);
      }
    }
    return gathering;
  }

  /** Gathers some of what is new, so many bytes per shard, and commits it. False if nothing is. */
  async step(bytesMax = READ_BYTES): Promise<boolean> {
    const { log, store, timers = systemTimers, shard: only } = this.#options;
    const round: { shard: number; names: ShardNames; batches: readonly StoredBatch[] }[] = [];
    for (const [shard, names] of this.#shards.entries()) {
      if (only !== undefined && shard !== only) continue;
      const batches = await log.read(shard, names.position, bytesMax);
      if (batches.length > 0) round.push({ shard, names, batches });
    }
    if (round.length === 0) return false;
    for (const { shard, names, batches } of round.slice(1)) this.#readSources(shard, names, batches);
    for (const { names, batches } of round) for (const batch of batches) this.#gather(names, batch);
    this.#sources.clear();
    setGathered(store, {
      job: this.#job,
      visits: this.#feed.visits,
      positions: this.#shards.map(({ position }) => position),
    });
    this.#pauses.save(timers.wallMs());
    store.commit();
    return true;
  }

  /**
   * How a shard has discovered URLs that are gathered before it, because their shard comes first. All others are
   * discovered, as the one log has it, where they are mentioned.
   */
  #readSources(shard: number, { origins }: ShardNames, batches: readonly StoredBatch[]): void {
    const known = origins.length;
    const added: string[] = [];
    const textOf = (origin: number): string => (origin < known ? origins[origin] : added[origin - known]);
    const isEarlier: boolean[] = [];
    const skim = {
      addOrigin: (_: number, origin: string) => void added.push(origin),
      wants: (reason: Refusal | null, origin: number) =>
        reason === "elsewhere" && (isEarlier[origin] ??= shardOf(hostOfOrigin(textOf(origin)), this.#sharding) < shard),
      addUrl: ({ origin, path, source }: SkimmedUrl) => void this.#sources.set(`${textOf(origin)}${path}`, source),
    };
    for (const { batch } of batches) skimBatch(batch, skim);
  }

  /** What was gathered before: the store has it. */
  #learn(names: ShardNames, { batch, position }: StoredBatch): void {
    skimBatch(batch, {
      addOrigin: (_, origin) => void names.origins.push(origin),
      addUrl: (url) => {
        const id = this.#find(url, names.origins[url.origin]);
        assert(id >= 0, `URL ${names.urls.length} of a shard was gathered`);
        names.urls.push(id);
      },
      visited: () => void names.visits++,
      putMeta: (key, value) => this.#noted(key, value),
    });
    names.position = position;
  }

  #noted(key: string, value: string | undefined): void {
    const noted = markIn(key, value);
    if (noted !== undefined) this.archived.set(...noted);
    const source = sourceIn(key, value);
    if (source !== undefined) this.archivedBy.set(...source);
  }

  #gather(names: ShardNames, { batch, position }: StoredBatch): void {
    const { store } = this.#options;
    const facts = this.#facts;
    const named = (url: number): number => names.urls[url];
    replayBatch(batch, {
      addOrigin: (_, origin) => void names.origins.push(origin),
      addUrl: (url) => void names.urls.push(this.#discover(names, url)),
      addVisit: (visit) => {
        names.visits++;
        facts.copied({
          ...visit,
          url: named(visit.url),
          target: visit.target === null ? null : named(visit.target),
          links: visit.links?.map(named) ?? null,
        });
      },
      addAnchors: (_, texts) => facts.anchors(texts),
      addTexts: (_, texts) => facts.texts(texts),
      putRobots: (robots) => store.putRobots({ ...robots, origin: facts.originOf(`${names.origins[robots.origin]}/`) }),
      putSitemap: ({ entries, ...sitemap }) =>
        facts.sitemap({ ...sitemap, entries: entries.map((entry) => ({ ...entry, url: named(entry.url) })) }),
      // Trust is that of the seeds, and other notes are for the owner of a shard.
      replaceTrust() {},
      putMeta: (key, value) => {
        this.#noted(key, value);
        const pause = pauseIn(key, value);
        if (pause !== undefined) this.#pauses.add(...pause);
      },
    });
    names.position = position;
  }

  #discover({ origins, visits }: ShardNames, { origin, path, reason, ...url }: UrlRecord): number {
    const facts = this.#facts;
    if (path === null) {
      assert(reason !== null && reason !== "elsewhere", "a sink has a reason");
      return facts.sink(origins[origin], reason);
    }
    const text = `${origins[origin]}${path}`;
    const source = url.source === "remote" ? (this.#sources.get(text) ?? url.source) : url.source;
    return facts.discover(text, { source, depth: url.depth, onVisit: url.discoveredAt > visits });
  }
}
