/**
 * A worker of a job: leases shards, crawls them, and writes what it learns to the log of the job, until the job is
 * stopped or it is told to leave.
 *
 * Everything that has to do with the log happens in one loop, the beat: facts are appended, then what follows from them
 * is told to the board and to the other shards; then messages are taken and the board is read. If the log cannot be
 * reached, the beat is tried again. Meanwhile the shards are crawled until their leases end by the clock of this
 * process, and go on when they are renewed.
 */
import { dropOldest, FailureError, type Timers, VERSION } from "../base/index.ts";
import {
  AddressTable,
  type CrawlEvent,
  Fingerprinter,
  type Limits,
  type PageReader,
  READING_BYTES_MAX,
  READINGS_MAX,
  Runner,
  type SharedMeans,
  Slots,
  type StopReason,
} from "../crawl/index.ts";
import type { Fetcher } from "../fetch/index.ts";
import type { Renderer } from "../render/index.ts";
import { type Append, type Board, type FactLog, FactLogError, type JobRecord, StoreError } from "../store/index.ts";
import { AddressShares } from "./address-shares.ts";
import { type Job, jobOf } from "./job.ts";
import { EndDetector, jobLimit, type JobProgress, progressOf } from "./job-progress.ts";
import { decodeBundle, encodeBundle, type ShardMessage } from "./messages.ts";
import type { OwnedShard } from "./owned-shard.ts";
import { type Holding, OwnedGroup } from "./owned-group.ts";
import { limitsOfShards, ShardGroup } from "./shard-group.ts";
import type { UrlTexts } from "./url-texts.ts";
import type { ShardArchive } from "./worker-archive.ts";
import { type WorkerInfo, workersOf } from "./worker-info.ts";
import { type WorkerInput, WorkerMachine } from "./worker-machine.ts";

export interface WorkerOptions {
  readonly log: FactLog;
  /** Different from that of every other worker, now and later. */
  readonly name: string;
  /** Where it runs, for people. */
  readonly place: string;
  readonly fetcher: Fetcher;
  readonly reader: PageReader;
  readonly renderer?: Renderer | undefined;
  readonly timers: Timers;
  /** For the URLs of a group of shards, by its number. */
  readonly textsOf: (group: number) => UrlTexts;
  readonly archive?: ShardArchive | undefined;
  /** Whether the worker lacks what it would need to crawl a shard (default: never). */
  readonly lacks?: (shard: number) => boolean;
  readonly leaseMs?: number;
  readonly beatMs?: number;
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined;
  /** After each beat. */
  readonly onProgress?: ((progress: JobProgress, shards: number) => void) | undefined;
  /** The log cannot be reached, for this reason; undefined: it can be again. */
  readonly onConnection?: ((problem: string | undefined) => void) | undefined;
}

export interface WorkerEnd {
  /** Why the job was stopped; "interrupted" if the worker was told to leave. */
  readonly reason: StopReason;
  /** What ended it against its will. */
  readonly error?: FailureError;
}

const LEASE_MS = 15_000;
const BEAT_MS = 200;
/** Near the target the board is read more often. */
const BEAT_MS_LEAST = 50;
/** What is missing, as a multiple of what may be. */
const NEAR = 3;
/** A lease counts as ended a little before it has: clocks do not run at exactly the same speed. */
const LEASE_SHARE = 0.95;
/** How long requests in flight may take when shards are given up. */
const DRAIN_MS = 1500;
/** Bytes of a log that are read at once. */
const READ_BYTES = 4 * 2 ** 20;
/** Pages that a shard may be allowed in advance. */
const AHEAD_MAX = 100;
/** Hosts whose addresses are remembered when their group has ended. */
const LOCATIONS_MAX = 100_000;
/** What may wait inside the shards of a worker, or be under way between them, as a share of what is missing. */
const SLACK = 0.01;
/** To look through all credit takes at most this share of the time. */
const CREDIT_SHARE = 1 / 10;

export class Worker {
  readonly #options: WorkerOptions;
  /** All shards that it has leased; those without a group are being replayed. */
  readonly #holdings = new Map<number, Holding>();
  readonly #groups = new Set<OwnedGroup>();
  #grouped = 0;
  /** Addresses of hosts that groups have found, for groups that come after them. */
  readonly #locations = new Map<string, string>();
  readonly #endDetector = new EndDetector();
  readonly #means: SharedMeans;
  readonly #shares: AddressShares;
  /** What the log knows of this worker. */
  #registered: string | undefined;
  readonly #runner: Runner<WorkerInput>;
  readonly #job: Job;
  readonly #fingerprinter: Fingerprinter;
  /** The document of the job from which its limits were last read. */
  #document: string;
  #limits: Limits;
  #board: Board | undefined;
  #progress: JobProgress | undefined;
  #renewedMs = Number.NEGATIVE_INFINITY;
  #ending: StopReason | undefined;
  #failure: FailureError | undefined;
  #isConnected = true;
  #isOver = false;
  /**
   * Entries with credit that was not sent, when credit was last looked through; when that was, and how long it took.
   */
  #unsent = 0;
  #creditedMs = Number.NEGATIVE_INFINITY;
  #creditMs = 0;
  #settle: { resolve: (end: WorkerEnd) => void; reject: (error: unknown) => void } | undefined;

  /** A worker of the job of the log. Throws a `UsageError` if it cannot work on it. */
  static async join(options: WorkerOptions): Promise<Worker> {
    const record = await options.log.job();
    const fingerprinter = await Fingerprinter.create(jobOf(record).settings.crawl.web.hashSeed);
    return new Worker(options, record, fingerprinter);
  }

  private constructor(options: WorkerOptions, record: JobRecord, fingerprinter: Fingerprinter) {
    const { fetcher, reader, renderer, timers, archive, onEvent } = options;
    const job = jobOf(record);
    this.#options = options;
    this.#job = job;
    this.#document = record.settings;
    this.#fingerprinter = fingerprinter;
    this.#limits = job.settings.crawl.limits;
    this.#shares = new AddressShares(options.name, job.settings.crawl.politeness.perAddress);
    this.#means = {
      requests: new Slots(job.settings.crawl.politeness.concurrency),
      readings: new Slots(READINGS_MAX),
      readingBytes: new Slots(READING_BYTES_MAX),
      addresses: new AddressTable((address) => this.#shares.limitOf(address)),
    };
    const machine = new WorkerMachine({ sharding: job.sharding, means: this.#means });
    this.#runner = new Runner<WorkerInput>(machine, { fetcher, reader, renderer, timers, archive, onEvent });
  }

  /** Works until the job is stopped, or until `leave`. Called once. */
  run(): Promise<WorkerEnd> {
    const ended = new Promise<WorkerEnd>((resolve, reject) => (this.#settle = { resolve, reject }));
    this.#runner.run().then(
      ({ reason, error }) => this.#end(error === undefined ? { reason } : { reason, error }),
      (error: unknown) => this.#fail(error),
    );
    void this.#beat();
    return ended;
  }

  /** Gives its shards up and ends, whatever the job does. */
  leave(): void {
    this.#ending ??= "interrupted";
  }

  /** Starts nothing new until `resume`. */
  pause(): void {
    this.#runner.input({ kind: "pause" });
  }

  resume(): void {
    this.#runner.input({ kind: "resume" });
  }

  /** From now on, for this worker: all workers of a job are to be told. */
  changeLimits(limits: Limits): void {
    const isOtherNumber = limits.pages !== undefined && limits.pages !== this.#limits.pages;
    this.#limits = limits;
    // Shards may be allowed more than the new limit, or have fetched pages that nobody has counted.
    for (const owned of isOtherNumber ? this.#groups : []) {
      owned.isUnsettled = true;
      owned.group.quota.pages = owned.group.pages;
    }
    this.#runner.input({ kind: "change-limits", limits: limitsOfShards(limits) });
  }

  get progress(): JobProgress | undefined {
    return this.#progress;
  }

  async #beat(): Promise<void> {
    if (this.#isOver) return;
    try {
      await this.#exchangeWithLog();
      this.#connection(undefined);
    } catch (error) {
      if (!(error instanceof FactLogError) || error.kind !== "unreachable") return this.#stopFor(error);
      this.#connection(error.message);
    }
    if (this.#isOver) return;
    if (this.#ending !== undefined && this.#holdings.size === 0) return this.#finish();
    this.#options.timers.after(this.#beatMs, () => void this.#beat());
  }

  /** Everything that was learnt is written, then what follows from it; then what others did is read. */
  async #exchangeWithLog(): Promise<void> {
    const { log } = this.#options;
    await this.#renew();
    await this.#append();
    // Before any message: whoever sees on the board that something was heard also sees that it was sent.
    await log.publish(this.#shards.map(({ note }) => note).filter((note) => note !== undefined));
    await log.send(this.#bundled());
    await this.#releaseEnded();
    const received = await log.take(this.#shards.map(({ shard }) => shard.lease));
    for (const { payload, receiver } of received) this.#hear(decodeBundle(payload, receiver));
    await this.#look(await log.board());
    await this.#balance();
  }

  /** Those that were replayed. */
  get #shards(): OwnedShard[] {
    return [...this.#groups].flatMap(({ shards }) => [...shards.values()]);
  }

  async #renew(): Promise<void> {
    const { log, name, place, timers, leaseMs = LEASE_MS } = this.#options;
    const nowMs = timers.nowMs();
    const isDue = nowMs - this.#renewedMs >= leaseMs / 4;
    const info: WorkerInfo = { place, version: VERSION, ...this.#shares.state };
    const registration = JSON.stringify(info);
    if (isDue || registration !== this.#registered) await log.register(name, registration, leaseMs);
    this.#registered = registration;
    if (!isDue) return;
    if (nowMs - this.#renewedMs >= LEASE_SHARE * leaseMs) this.#shares.lapse(this.#means.addresses);
    const holdings = [...this.#holdings.values()];
    const left = await log.renew(
      holdings.map(({ lease }) => lease),
      leaseMs,
    );
    this.#renewedMs = nowMs;
    holdings.forEach((holding, k) => {
      const leftMs = left[k];
      holding.untilMs = leftMs === undefined ? Number.NEGATIVE_INFINITY : nowMs + LEASE_SHARE * leftMs;
    });
    for (const owned of this.#groups) {
      for (const [shard, { untilMs }] of owned.holdings) {
        if (untilMs === Number.NEGATIVE_INFINITY) this.#lose(owned, shard);
      }
      owned.leased();
      this.#watchLease(owned);
    }
    // What waited for the leases may start.
    this.#runner.input({ kind: "timer" });
  }

  /**
   * The next owner counts on it that nothing is under way when the lease has ended, even if the log cannot be reached.
   */
  #watchLease(owned: OwnedGroup): void {
    const { timers, fetcher } = this.#options;
    owned.unwatch();
    const { id, leaseUntilMs } = owned.group;
    owned.unwatch = timers.after(Math.max(0, leaseUntilMs - timers.nowMs()), () => fetcher.cancel?.(id));
  }

  /** What shards have learnt becomes the next batches of their logs; of a limited number of pages, what is allowed. */
  async #append(): Promise<void> {
    const { log, timers, archive } = this.#options;
    const waitingMax = this.#slack / Math.max(1, this.#groups.size);
    const taken: OwnedGroup[] = [];
    const due: { readonly owned: OwnedGroup; readonly shard: OwnedShard; readonly append: Append }[] = [];
    for (const owned of this.#groups) {
      if (owned.isVoid) continue;
      owned.group.appraise(waitingMax, timers);
      const before = due.length;
      const isNext = !owned.isUnderWay;
      if (isNext) taken.push(owned);
      for (const shard of owned.shards.values()) {
        if (isNext) this.#noteArchived(shard);
        const append = shard.nextAppend(isNext);
        if (append !== undefined) due.push({ owned, shard, append });
      }
      owned.isQuiet = due.length === before;
    }
    this.#collect(taken);
    await this.#reserve();
    const allowed = due.filter(({ owned, shard }) => !owned.isVoid && owned.shards.has(shard.number));
    if (allowed.length > 0) {
      await archive?.sync();
      const results = await log.append(allowed.map(({ append }) => append));
      allowed.forEach(({ owned, shard }, k) => {
        if (!shard.appended(results[k])) this.#lose(owned, shard.number);
      });
    }
    for (const owned of this.#groups) owned.tell();
  }

  /** Together with the visits: of what is in the log, the archive has all records. */
  #noteArchived({ number, shard }: OwnedShard): void {
    for (const [key, value] of this.#options.archive?.takeNotes(number) ?? []) shard.log.putMeta(key, value);
  }

  /** What may be missing in the sums because it waits somewhere, as a flow. */
  get #slack(): number {
    const { damping } = this.#settings;
    return (SLACK * (1 - damping) * (1 - (this.#progress?.coverage ?? 0))) / this.#workers;
  }

  get #settings(): Job["settings"]["crawl"] {
    return this.#job.settings.crawl;
  }

  get #workers(): number {
    return Math.max(1, this.#board?.workers.length ?? 1);
  }

  /**
   * What shards have to say by what is being written now. It is said once that is stored: what has flowed from a page
   * that was lost would never be found again.
   */
  #collect(groups: readonly OwnedGroup[]): void {
    const isOwned = (shard: number): boolean => this.#holdings.has(shard) || this.#board?.shards[shard].worker != null;
    const { timers } = this.#options;
    const beforeMs = timers.nowMs();
    const isDue = beforeMs - this.#creditedMs >= this.#creditMs / CREDIT_SHARE;
    const creditMin = !isDue ? undefined : this.#unsent === 0 ? 0 : this.#slack / this.#unsent;
    let unsent = 0;
    for (const owned of groups) {
      for (const { shard } of owned.shards.values()) {
        owned.said.push(...shard.exchange.collect({ creditMin, isOwned }));
        unsent += shard.exchange.unsent;
      }
    }
    if (!isDue) return;
    this.#unsent = unsent;
    this.#creditedMs = timers.nowMs();
    this.#creditMs = this.#creditedMs - beforeMs;
  }

  /** What groups of this worker say to each other is heard at once; the rest is for the log, a bundle per receiver. */
  #bundled(): { readonly sender: number; readonly receiver: number; readonly payload: Uint8Array }[] {
    const bundles = new Map<number, ShardMessage[]>();
    for (const message of [...this.#groups].flatMap((owned) => owned.takeSaid())) {
      const bundle = bundles.get(message.receiver);
      if (bundle === undefined) bundles.set(message.receiver, [message]);
      else bundle.push(message);
    }
    const isOpen = new Set(this.#shards.map(({ number }) => number));
    const outward: { sender: number; receiver: number; payload: Uint8Array }[] = [];
    for (const [receiver, bundle] of bundles) {
      if (isOpen.has(receiver)) this.#hear(bundle);
      else outward.push({ sender: bundle[0].sender, receiver, payload: encodeBundle(bundle) });
    }
    return outward;
  }

  #hear(messages: readonly ShardMessage[]): void {
    for (const message of messages) this.#runner.input({ kind: "message", message });
  }

  async #look(board: Board): Promise<void> {
    const { log, onProgress, timers } = this.#options;
    this.#board = board;
    this.#readLimits(board.job);
    const progress = progressOf(board, this.#settings);
    this.#progress = progress;
    onProgress?.(progress, this.#holdings.size);
    const stopped = board.job.stopped as StopReason | null;
    if (stopped !== null) this.#ending ??= stopped;
    else {
      const reason = jobLimit(this.#limits, progress) ?? this.#endDetector.look(board, progress);
      if (reason !== undefined) await log.stop(reason);
    }
    this.#shares.update(workersOf(board), board.job.ageMs, this.#means.addresses);
    this.#runner.input({ kind: "look-at-errands" });
    if (this.#ending === undefined) return;
    for (const owned of this.#groups) this.#giveUp(owned, [...owned.shards.keys()], timers.nowMs());
  }

  /** A job that is started again may have other limits, also while its workers run. */
  #readLimits(record: JobRecord): void {
    if (record.settings === this.#document) return;
    this.#document = record.settings;
    this.changeLimits(jobOf(record).settings.crawl.limits);
  }

  /**
   * Where the number of pages is limited, groups are allowed some at a time. What shards have fetched is reserved for
   * each of them before it is written, so that it counts for the shard, whoever has it next.
   */
  async #reserve(): Promise<void> {
    const { pages: max } = this.#limits;
    for (const owned of this.#groups) {
      if (owned.isVoid) continue;
      if (max !== undefined && !owned.isCovered) await this.#reserveFor(owned, max);
      if (max !== undefined && !owned.isVoid) await this.#reserveFor(owned, max);
      const pages = max === undefined ? Number.POSITIVE_INFINITY : owned.allowed;
      if (pages === owned.group.quota.pages) continue;
      owned.group.quota.pages = pages;
      this.#runner.input({ kind: "group-input", group: owned.group, input: { kind: "remote", records: [] } });
    }
  }

  async #reserveFor(owned: OwnedGroup, max: number): Promise<void> {
    const { log } = this.#options;
    const wanted = this.#wanted(owned, max);
    if (wanted === owned.allowed && owned.isCovered && !owned.isUnsettled && !owned.isUncertain) return;
    const reservations = owned.reservations(wanted);
    // What is given back may be somebody else's from now on, even if no answer comes.
    for (const { lease, pages } of reservations) {
      const holding = owned.holdings.get(lease.shard);
      if (holding !== undefined) holding.reserved = Math.min(holding.reserved, pages);
    }
    owned.isUncertain = true;
    const reserved = await log.reserve(reservations, owned.isUnsettled ? Number.MAX_SAFE_INTEGER : max);
    owned.isUncertain = false;
    if (this.#limits.pages === max) owned.isUnsettled = false;
    reservations.forEach(({ lease }, k) => {
      const holding = owned.holdings.get(lease.shard);
      const allowed = reserved[k];
      if (holding !== undefined && allowed !== undefined) holding.reserved = allowed;
      else this.#lose(owned, lease.shard);
    });
    // Only if a shard was lost, whose next owner has what it was allowed.
    if (!owned.isCovered) this.#void(owned);
  }

  /** How many pages a group should be allowed in all. */
  #wanted(owned: OwnedGroup, max: number): number {
    const { engine, isStarved } = owned.group;
    if (owned.isEnding || owned.isUnsettled) return engine.pages;
    if (!isStarved) return engine.isIdle ? engine.pages : Math.max(engine.pages, owned.allowed);
    const left = max - (this.#progress?.counts.pages ?? 0);
    const some = Math.min(AHEAD_MAX * owned.shards.size, Math.floor(left / (4 * this.#workers)));
    return Math.max(engine.pages, owned.allowed) + Math.max(1, some);
  }

  /** Everybody has about the same number of shards: who has too many gives some up, who has too few takes some. */
  async #balance(): Promise<void> {
    const { log, name, timers, leaseMs = LEASE_MS, lacks = () => false } = this.#options;
    const board = this.#board;
    if (board === undefined || this.#ending !== undefined) return;
    const { shards } = this.#job.sharding;
    const fair = Math.ceil(shards / this.#workers);
    const leaving = [...this.#groups].reduce((sum, each) => sum + each.leaving.size, 0);
    const room = fair - (this.#holdings.size - leaving);
    if (room < 0) return this.#giveUpSome(-room);
    // Each worker begins elsewhere, so that not all want the same.
    const first = board.workers.findIndex((worker) => worker.name === name) * fair;
    const askedMs = timers.nowMs();
    const taken: Holding[] = [];
    for (let k = 0; k < shards && taken.length < room; k++) {
      const shard = (Math.max(0, first) + k) % shards;
      if (board.shards[shard].worker !== null || this.#holdings.has(shard) || lacks(shard)) continue;
      const lease = await log.lease(name, shard, leaseMs).catch((error: unknown) => {
        // Those that were taken are opened all the same.
        if (taken.length === 0) throw error;
      });
      if (lease === undefined) continue;
      // Once others no longer see this worker, its share of the addresses is theirs.
      const leftMs = Math.min(lease.leftMs, this.#renewedMs + leaseMs - askedMs);
      const { position, pages: reserved } = lease;
      taken.push({ lease, untilMs: askedMs + LEASE_SHARE * leftMs, position, incarnation: 0, notes: 0, reserved });
    }
    if (taken.length === 0) return;
    for (const holding of taken) this.#holdings.set(holding.lease.shard, holding);
    this.#open(taken, timers.nowMs());
  }

  /** Of the groups that were made last, because they are the smallest. */
  #giveUpSome(count: number): void {
    const nowMs = this.#options.timers.nowMs();
    for (const owned of [...this.#groups].toReversed()) {
      const staying = [...owned.shards.keys()].filter((shard) => !owned.leaving.has(shard));
      const some = staying.slice(0, count);
      count -= some.length;
      if (some.length > 0) this.#giveUp(owned, some, nowMs);
    }
  }

  /** Makes a group of shards: replays their logs, while the beat goes on. */
  #open(holdings: readonly Holding[], takenOverMs: number): void {
    this.#replayed(holdings, takenOverMs)
      .then((group) => this.#opened(group, holdings))
      .catch((error: unknown) => this.#openFailed(holdings, error));
  }

  async #replayed(holdings: readonly Holding[], takenOverMs: number): Promise<ShardGroup> {
    const { log, textsOf } = this.#options;
    const id = this.#grouped++;
    const group = new ShardGroup({
      id,
      shards: holdings.map((holding) => ({
        lease: holding.lease,
        incarnation: holding.incarnation++,
        nextNote: () => ++holding.notes,
      })),
      settings: { ...this.#settings, limits: this.#limits },
      sharding: this.#job.sharding,
      generation: 0,
      fingerprinter: this.#fingerprinter,
      means: this.#means,
      texts: textsOf(id),
      pages: 0,
      takenOverMs,
      locations: this.#locations,
    });
    for (const { lease, position: end } of holdings) {
      for (let position = 0; position < end; ) {
        const batches = await log.read(lease.shard, position, READ_BYTES);
        if (batches.length === 0) throw new FactLogError("failed", `the log of shard ${lease.shard} ends too early`);
        for (const { batch } of batches) group.replay(lease.shard, batch);
        position = batches[batches.length - 1].position;
      }
    }
    return group;
  }

  #opened(group: ShardGroup, holdings: readonly Holding[]): void {
    const { timers, archive } = this.#options;
    if (this.#isOver) return group.close();
    for (const { lease } of holdings) archive?.begin(lease);
    group.open({ nowMs: timers.nowMs(), wallMs: timers.wallMs() });
    const owned = new OwnedGroup(group, holdings);
    group.quota.pages = this.#limits.pages === undefined ? Number.POSITIVE_INFINITY : owned.allowed;
    this.#groups.add(owned);
    this.#watchLease(owned);
    this.#runner.input({ kind: "group-opened", group });
    if (this.#ending !== undefined) this.#giveUp(owned, [...owned.shards.keys()], timers.nowMs());
  }

  /**
   * A log that cannot be reached now is tried again with the next beat; the leases may be taken by anybody meanwhile.
   */
  #openFailed(holdings: readonly Holding[], error: unknown): void {
    for (const { lease } of holdings) this.#holdings.delete(lease.shard);
    if (!(error instanceof FactLogError) || error.kind !== "unreachable") return this.#stopFor(error);
    this.#options.log.release(holdings.map(({ lease }) => lease)).catch(() => undefined);
  }

  /** What is under way may end, then these shards are free for others, and the rest makes a new group. */
  #giveUp(owned: OwnedGroup, shards: readonly number[], nowMs: number): void {
    for (const shard of shards) owned.leaving.add(shard);
    this.#endGroup(owned, nowMs + DRAIN_MS);
  }

  #endGroup(owned: OwnedGroup, cancelMs: number): void {
    owned.cancelMs = Math.min(owned.cancelMs, cancelMs);
    if (owned.isEnding) return;
    owned.isEnding = true;
    const input = { kind: "stop", reason: this.#ending ?? "interrupted" } as const;
    this.#runner.input({ kind: "group-input", group: owned.group, input });
  }

  /** Nothing of what was not written will be: it is fetched again. */
  #void(owned: OwnedGroup): void {
    owned.isVoid = true;
    for (const shard of owned.shards.keys()) this.#options.archive?.end(shard);
    this.#cutOff(owned);
  }

  /** Nothing of the group may be under way any more. */
  #cutOff(owned: OwnedGroup): void {
    const { fetcher, timers } = this.#options;
    this.#endGroup(owned, timers.nowMs());
    fetcher.cancel?.(owned.group.id);
    this.#runner.input({ kind: "group-input", group: owned.group, input: { kind: "cut-off" } });
  }

  /** The shard is not ours any more: whatever was not written is lost, and will be fetched again by its owner. */
  #lose(owned: OwnedGroup, shard: number): void {
    owned.lose(shard);
    this.#options.archive?.end(shard);
    owned.leaving.delete(shard);
    this.#holdings.delete(shard);
    this.#cutOff(owned);
  }

  async #releaseEnded(): Promise<void> {
    const { log, timers, archive } = this.#options;
    for (const owned of this.#groups) {
      if (!owned.isEnding) continue;
      if (timers.nowMs() >= owned.cancelMs) this.#cutOff(owned);
      if (owned.group.engine.ended === undefined || !(owned.isVoid || this.#isStored(owned))) continue;
      const leaving = [...owned.leaving].flatMap((shard) => owned.holdings.get(shard)?.lease ?? []);
      await log.release(leaving);
      this.#closeGroup(owned);
      for (const { shard } of leaving) {
        this.#holdings.delete(shard);
        archive?.end(shard);
      }
      const staying = [...owned.holdings.values()].filter(({ lease }) => this.#holdings.has(lease.shard));
      for (const holding of staying) holding.position = owned.shards.get(holding.lease.shard)?.position ?? 0;
      if (staying.length > 0) this.#open(staying, timers.nowMs());
    }
  }

  #isStored(owned: OwnedGroup): boolean {
    const { archive } = this.#options;
    return owned.isStored && ![...owned.shards.keys()].some((shard) => archive?.hasNotes(shard) === true);
  }

  #closeGroup(owned: OwnedGroup): void {
    this.#groups.delete(owned);
    for (const [host, address] of owned.group.locations) this.#locations.set(host, address);
    dropOldest(this.#locations, LOCATIONS_MAX);
    owned.unwatch();
    this.#runner.input({ kind: "group-closed", group: owned.group });
    owned.group.close();
  }

  /** Sooner where the target is near: pages that are fetched after it was reached are too many. */
  get #beatMs(): number {
    const { beatMs = BEAT_MS } = this.#options;
    const target = this.#limits.coverage;
    const progress = this.#progress;
    if (target === undefined || progress === undefined) return beatMs;
    const isNear = 1 - progress.coverage < NEAR * (1 - target);
    return isNear ? Math.min(beatMs, BEAT_MS_LEAST) : beatMs;
  }

  #connection(problem: string | undefined): void {
    if (this.#isConnected === (problem === undefined)) return;
    this.#isConnected = problem === undefined;
    this.#options.onConnection?.(problem);
  }

  /** Something that trying again does not mend: everything in the log stays, and the leases end by themselves. */
  #stopFor(error: unknown): void {
    if (!(error instanceof FailureError)) return this.#fail(error);
    this.#failure = error;
    const isOfDisk = error instanceof FactLogError || error instanceof StoreError;
    this.#ending = isOfDisk && error.kind === "disk-full" ? "disk-full" : "failed";
    this.#finish();
  }

  #finish(): void {
    const reason = this.#ending ?? "failed";
    const { log, name } = this.#options;
    for (const owned of this.#groups) this.#closeGroup(owned);
    const end = this.#failure === undefined ? { reason } : { reason, error: this.#failure };
    log
      .unregister(name)
      .catch(() => undefined)
      .finally(() => this.#end(end));
  }

  #end(end: WorkerEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#runner.input({ kind: "stop", reason: end.reason });
    this.#settle?.resolve(end);
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    this.#settle?.reject(error);
  }
}
