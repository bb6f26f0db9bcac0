/**
 * Shards that share an engine: one index of URLs, one order, one ledger. What flows between them flows in the ledger.
 * To the outside each is a shard like any other, with a log, messages and notes of its own, which say what they would
 * say if it had an engine for itself. So shards part and come together freely: a new group replays their logs.
 *
 * The sums of each shard are those of the pages that are its own (coverage/part-sums.ts). They are true whatever
 * becomes of the others: paths that lead through pages of another shard are paths, whoever owns it.
 *
 * Life of a group in a worker: its shards are leased, then replayed from their logs, then it is open; stopping, when
 * the job ends, when another worker is to have one of the shards, or when a lease was lost; ended, once nothing is
 * under way.
 */
import type { Clock } from "../base/index.ts";
import { isClosed, lossesByPart, tighten } from "../coverage/index.ts";
import {
  areTaken,
  CrawlModel,
  type CrawlSettings,
  type Effect,
  Engine,
  type Fingerprinter,
  type HostSchedule,
  type Input,
  type Limits,
  type Now,
  REDIRECTS_MAX,
  type SharedMeans,
} from "../crawl/index.ts";
import { type FetchRequest, type Reply, WAIT_MS_MAX } from "../fetch/index.ts";
import type { LogListener } from "../log/index.ts";
import type { Lease, Scratch } from "../store/index.ts";
import { hostOfOrigin, hostOfUrl } from "../web/index.ts";
import { Exchange } from "./exchange.ts";
import { GroupStore } from "./group-store.ts";
import type { HostMemory } from "./host-memory.ts";
import { PAUSE, pauseNote } from "./pause-notes.ts";
import { type GroupPart, Shard } from "./shard.ts";
import { ShardLog } from "./shard-log.ts";
import type { ShardNote } from "./shard-note.ts";
import { ShareOfTime } from "./share-of-time.ts";
import { type Sharding, shardOf } from "./sharding.ts";
import type { UrlTexts } from "./url-texts.ts";

/** A shard of which a group is made. */
export interface GroupShard {
  readonly lease: Lease;
  /** How many groups of this owner have had it before. */
  readonly incarnation: number;
  readonly nextNote: () => number;
}

export interface GroupOptions {
  /** Different from that of every other group of the worker. */
  readonly id: number;
  readonly shards: readonly GroupShard[];
  /** Of the whole job. */
  readonly settings: CrawlSettings;
  readonly sharding: Sharding;
  readonly fingerprinter: Fingerprinter;
  readonly means: SharedMeans;
  readonly texts: UrlTexts;
  readonly scratch?: Scratch | undefined;
  /** Until then others may have requested its hosts, by the clock of the engine. */
  readonly takenOverMs?: number | undefined;
  /** What the worker remembers of hosts, whichever groups have had them (default: nothing). */
  readonly memory?: HostMemory | undefined;
}

/** To push what waits takes at most this share of the time, and to look through all URLs for what is lost this one. */
const PUSH_SHARE = 1 / 40;
const LOSSES_SHARE = 1 / 200;
/** How often it is noted what shards of the group have heard from each other. */
const HEARD_MS = 5000;
/** More than any owner has groups of one shard. */
const INCARNATIONS = 2 ** 20;

export class ShardGroup {
  readonly id: number;
  readonly engine: Engine;
  /** How many pages it may fetch, as far as reserved. */
  readonly quota = { pages: 0 };
  readonly shards: ReadonlyMap<number, Shard>;
  /** Until then its hosts may be requested, by the clock of the engine. */
  leaseUntilMs = Number.NEGATIVE_INFINITY;
  readonly #options: GroupOptions;
  readonly #store: GroupStore;
  readonly #model: CrawlModel;
  /** Of all hosts, how many were counted, and by shard how many it has. */
  #counted = 0;
  readonly #hosts: number[];
  /** What was lost at the last look. */
  #losses: readonly ShardNote["losses"][] = [];
  readonly #pushing = new ShareOfTime(PUSH_SHARE);
  readonly #lossSearch = new ShareOfTime(LOSSES_SHARE);
  #heardMs = Number.NEGATIVE_INFINITY;
  #state: Pick<ShardNote, "isIdle" | "isClosed" | "backlog" | "lookedAhead" | "parked"> = NOTHING_KNOWN;

  constructor(options: GroupOptions) {
    const { id, sharding, fingerprinter, means, texts, scratch, takenOverMs } = options;
    this.id = id;
    this.#options = options;
    this.#hosts = Array.from({ length: sharding.shards }, () => 0);
    const shards = new Map<number, Shard>();
    const numbers = new Set(options.shards.map(({ lease }) => lease.shard));
    // Asked for every link: faster than a set.
    const inside = Array.from({ length: sharding.shards }, (_, shard) => numbers.has(shard));
    const has = (shard: number): boolean => inside[shard];
    const settings = settingsOfGroup(options.settings, sharding, has);
    const shardOfOrigin = (origin: string): number => shardOf(hostOfOrigin(origin), sharding);
    const parts = { texts, scratch, members: shards, shardOfOrigin };
    const store = new GroupStore({ settings: JSON.stringify(settings), ...parts });
    const shard = {
      means,
      shards: sharding.shards,
      shardOf: (host: string) => shardOf(host, sharding),
      has,
      home: options.shards[0].lease.shard,
      takenOverMs,
      quota: this.quota,
    };
    this.#store = store;
    this.#model = new CrawlModel({ settings, store, fingerprinter, shard });
    // Settings are those of the job.
    this.engine = new Engine({ settings, model: this.#model, store, shard, keepsSettings: true });
    store.attach(this.#model.index);
    for (const each of options.shards) shards.set(each.lease.shard, this.#shard(each, has));
    this.shards = shards;
    this.#model.feed.add(this.#counter());
  }

  #shard({ lease, incarnation, nextNote }: GroupShard, isInside: (shard: number) => boolean): Shard {
    const { sharding } = this.#options;
    const { index, watch } = this.#model;
    const { shard } = lease;
    const log = new ShardLog(shard, (origin) => this.#store.originText(origin));
    const epoch = lease.epoch * INCARNATIONS + incarnation;
    const seen = {
      textOf: (url: number) => index.textOf(url),
      depthOf: (url: number) => index.depthOf(url),
      hopsTo: (url: number) => index.hopsTo(url),
      fingerprintOf: (url: number) => index.fingerprintOf(url, shard),
    };
    const ends = { hopsMax: REDIRECTS_MAX, index: seen, ledger: watch };
    const exchange = new Exchange({ shard, epoch, sharding, isInside, log, ...ends });
    return new Shard({ lease, log, exchange, nextNote, appraised: () => this.#appraised(shard) });
  }

  #counter(): LogListener {
    const { index } = this.#model;
    return {
      url: (url) => {
        if (url.reason !== "elsewhere") this.#shardOf(url.id)?.discovered(url);
      },
      visited: (visit) => {
        const { url, target } = visit;
        this.#shardOf(url)?.visited(visit, target !== null && index.closesLoop(url, target));
      },
    };
  }

  #shardOf(url: number): Shard | undefined {
    const shard = this.#model.index.shardOf(url);
    return shard === undefined ? undefined : this.shards.get(shard);
  }

  /** A batch of the log of a shard, the one after the last. */
  replay(shard: number, batch: Uint8Array): void {
    this.#store.replay(shard, batch, this.#model.feed);
    this.#model.hosts.rest();
  }

  /** The logs were replayed. Shards without a log begin with their seeds. */
  open({ nowMs, wallMs }: Now): void {
    const fresh = new Set([...this.shards.values()].filter(({ log }) => log.isEmpty).map(({ log }) => log.shard));
    this.#store.opened();
    this.#plantSeeds(fresh);
    for (const { exchange } of this.shards.values()) exchange.open();
    this.engine.open();
    this.#recall({ nowMs, wallMs });
  }

  /** What hosts have asked for, of whoever had them before: as the logs and the worker know it. */
  #recall({ nowMs, wallMs }: Now): void {
    const { memory, sharding } = this.#options;
    const { hosts } = this.#model;
    for (const [name, address] of memory?.addresses ?? []) {
      const host = this.shards.has(shardOf(name, sharding)) ? hosts.find(name) : undefined;
      if (host !== undefined) hosts.locate(host, address);
    }
    for (const { log } of this.shards.values()) {
      for (const [host, untilMs] of log.metas(PAUSE)) {
        // No pause is longer: where it seems to be, a clock was set back.
        const leftMs = Math.min(WAIT_MS_MAX, Number(untilMs) - wallMs);
        if (leftMs > 0) hosts.pause(hosts.named(host), nowMs + leftMs);
      }
    }
    for (const [name, untilMs] of memory?.waits ?? []) {
      const shard = this.shards.get(shardOf(name, sharding));
      if (untilMs <= nowMs || shard === undefined) continue;
      const host = hosts.named(name);
      if (untilMs <= host.pausedUntilMs) continue;
      hosts.pause(host, untilMs);
      shard.log.putMeta(...pauseNote(name, Math.ceil(wallMs + untilMs - nowMs)));
    }
  }

  #plantSeeds(fresh: ReadonlySet<number>): void {
    const { facts } = this.#model;
    const { settings, sharding } = this.#options;
    const weights = new Map<number, number>();
    for (const { url, weight } of settings.seeds) {
      if (!fresh.has(shardOf(hostOfUrl(url), sharding))) continue;
      const id = facts.discover(url, { source: "seed", depth: 0, onVisit: false });
      weights.set(id, (weights.get(id) ?? 0) + weight);
    }
    if (weights.size > 0) facts.trust(Array.from(weights, ([url, weight]) => ({ url, weight })));
  }

  step(input: Input, now: Now): readonly Effect[] {
    const effects = this.engine.step(input, now);
    // For the next owner of these hosts.
    for (const effect of effects) {
      if (effect.kind !== "pause-host") continue;
      const shard = this.shards.get(shardOf(effect.host, this.#options.sharding));
      shard?.log.putMeta(...pauseNote(effect.host, effect.untilMs));
    }
    return effects;
  }

  /** A request that another shard is to make; one of ours asks for it. */
  delegate(id: number, request: FetchRequest, nowMs: number): void {
    const [shard] = this.shards.values();
    shard.exchange.delegate(id, request, nowMs);
  }

  /** What came of something that another shard wanted of one of ours. */
  errandDone(id: number, reply: Reply): void {
    this.shards.get(id % this.#options.sharding.shards)?.exchange.errandDone(id, reply);
  }

  /** What is known of its hosts, by name. */
  get hosts(): HostSchedule {
    return this.#model.hosts;
  }

  get isStopping(): boolean {
    const { state } = this.engine;
    return state === "stopping" || state === "ended";
  }

  mayRequest({ nowMs }: Now): boolean {
    return nowMs < this.leaseUntilMs;
  }

  /** Pages downloaded by all of its shards. */
  get pages(): number {
    return this.#model.tally.downloaded;
  }

  /** Whether pages wait that it may not fetch, because it has fetched as many as it may. */
  get isStarved(): boolean {
    return this.#model.index.open > 0 && this.engine.isAtQuota;
  }

  /**
   * Before notes are written: pushes what waits on downloaded pages until no more than this is left, and looks what is
   * lost, if it is cheap; and brings up to date what all notes say.
   */
  appraise(waitingMax: number, clock: Clock): void {
    const beforeMs = clock.nowMs();
    if (this.#pushing.isDue(beforeMs)) {
      tighten(this.#model.watch, { waiting: waitingMax });
      this.#pushing.took(beforeMs, clock.nowMs());
    }
    const pushedMs = clock.nowMs();
    if (this.#lossSearch.isDue(pushedMs)) {
      this.#findLosses();
      this.#lossSearch.took(pushedMs, clock.nowMs());
    }
    const shards = [...this.shards.values()];
    const hasDelegated = shards.some(({ exchange }) => exchange.hasDelegated);
    const isIdle = this.engine.isIdle && this.engine.waiting === 0 && !hasDelegated;
    this.#state = {
      isIdle,
      isClosed: isIdle && isClosed(this.#model.watch, { reached: this.#known() }),
      backlog: this.#backlog,
      lookedAhead: this.engine.lookedAhead / shards.length,
      parked: this.engine.parkedBy,
    };
    this.#hearInside(shards, clock.nowMs());
    this.#countHosts();
  }

  /** Others may lead to any of its URLs, also to those that it knows by itself, and their credit may be late. */
  *#known(): Iterable<number> {
    const { size } = this.#model.index;
    for (let url = 0; url < size; url++) yield url;
  }

  /** A group that may fetch no more, or that has a slot to spare, has no page that waits for one. */
  get #backlog(): number | null {
    const { best, isAtQuota } = this.engine;
    const isWaiting = areTaken(this.#options.means) && !isAtQuota && !this.isStopping;
    return isWaiting && best > 0 ? best : null;
  }

  #findLosses(): void {
    const { watch, index } = this.#model;
    this.#losses = lossesByPart(watch).map((losses) =>
      losses.map(({ reason, mass, page }) => ({ reason, mass, url: page === undefined ? null : index.textOf(page) })),
    );
  }

  #hearInside(shards: readonly Shard[], nowMs: number): void {
    const isNoted = this.isStopping || nowMs - this.#heardMs >= HEARD_MS;
    if (isNoted) this.#heardMs = nowMs;
    for (const { exchange, lease: receiver } of shards) {
      for (const { exchange: sender, lease } of shards) {
        if (lease !== receiver) exchange.hearInside({ shard: lease.shard, exchange: sender }, isNoted);
      }
    }
  }

  #countHosts(): void {
    const { hosts } = this.#model;
    for (; this.#counted < hosts.size; this.#counted++) {
      this.#hosts[shardOf(hosts.nameOf(this.#counted), this.#options.sharding)]++;
    }
  }

  #appraised(shard: number): GroupPart {
    const { watch } = this.#model;
    return {
      hosts: this.#hosts[shard],
      sums: watch.sumsOf(shard),
      losses: this.#losses[shard] ?? [],
      ...this.#state,
    };
  }

  close(): void {
    this.#store.close();
  }
}

const NOTHING_KNOWN = { isIdle: false, isClosed: false, backlog: null, lookedAhead: 0, parked: null } as const;

/** Those that some shards can keep; the others are those of the job. */
export function limitsOfShards({ depth, pagesPerHost }: Limits): Limits {
  return { ...(depth === undefined ? {} : { depth }), ...(pagesPerHost === undefined ? {} : { pagesPerHost }) };
}

/** A sitemap is read by the shard of its host. */
function settingsOfGroup(settings: CrawlSettings, sharding: Sharding, has: (shard: number) => boolean): CrawlSettings {
  const { confidence: _, sitemap = [], ...others } = settings;
  return {
    ...others,
    limits: limitsOfShards(settings.limits),
    sitemap: sitemap.filter((url) => has(shardOf(hostOfUrl(url), sharding))),
  };
}
