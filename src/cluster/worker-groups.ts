/**
 * The shards that a worker has leased, and the life of the groups that it makes of them: leased, replayed, open, given
 * up or lost, ended, closed (shard-group.ts). Everybody has about the same number of shards: who has too many gives
 * some up, who has too few takes some.
 */
import type { Timers } from "../base/index.ts";
import type { Fingerprinter, Limits, SharedMeans, StopReason } from "../crawl/index.ts";
import type { Fetcher } from "../fetch/index.ts";
import { type Board, type FactLog, FactLogError, isUnreachable, type NewLease, type Scratch } from "../store/index.ts";
import { HostMemory } from "./host-memory.ts";
import type { Job } from "./job.ts";
import { type Holding, OwnedGroup } from "./owned-group.ts";
import type { OwnedShard } from "./owned-shard.ts";
import { ShardGroup } from "./shard-group.ts";
import type { UrlTexts } from "./url-texts.ts";
import type { ShardArchive } from "./worker-archive.ts";
import type { WorkerInput } from "./worker-machine.ts";

export interface GroupsOptions {
  readonly log: FactLog;
  /** Different from that of every other worker, now and later. */
  readonly name: string;
  readonly fetcher: Fetcher;
  readonly timers: Timers;
  /** For the URLs of a group of shards, by its number. */
  readonly textsOf: (group: number) => UrlTexts;
  /** For what would take too much memory of a group, by its number (default: everything stays there). */
  readonly scratchOf?: (group: number) => Scratch;
  readonly archive?: ShardArchive | undefined;
  /** Whether the worker lacks what it would need to crawl a shard (default: never). */
  readonly lacks?: (shard: number) => boolean;
}

/** What the groups of a worker share, and the worker that they belong to. */
export interface GroupsOwner {
  readonly job: Job;
  readonly means: SharedMeans;
  readonly fingerprinter: Fingerprinter;
  readonly limits: () => Limits;
  /** Why it is to end; undefined while it works. */
  readonly ending: () => StopReason | undefined;
  readonly isOver: () => boolean;
  readonly input: (input: WorkerInput) => void;
  /** Something that trying again does not mend. */
  readonly failed: (error: unknown) => void;
}

export interface BalanceOptions {
  readonly leaseMs: number;
  /** Until then others count on this worker. */
  readonly seenUntilMs: number;
}

/** A lease counts as ended a little before it has: clocks do not run at exactly the same speed. */
export const LEASE_SHARE = 0.95;
/** How long requests in flight may take when shards are given up. */
const DRAIN_MS = 1500;
/** Bytes of a log that are read at once: to replay them takes less than a tenth of a second, then others get a turn. */
const READ_BYTES = 2 ** 20;

export class WorkerGroups {
  readonly #options: GroupsOptions;
  readonly #owner: GroupsOwner;
  /** All shards that it has leased; those without a group are being replayed. */
  readonly #holdings = new Map<number, Holding>();
  readonly #groups = new Set<OwnedGroup>();
  #grouped = 0;
  readonly #memory = new HostMemory();

  constructor(options: GroupsOptions, owner: GroupsOwner) {
    this.#options = options;
    this.#owner = owner;
  }

  /** Those that were replayed, in the order in which they were made. */
  get all(): ReadonlySet<OwnedGroup> {
    return this.#groups;
  }

  /** Of all groups. */
  get shards(): OwnedShard[] {
    return [...this.#groups].flatMap(({ shards }) => [...shards.values()]);
  }

  /** Shards that it has leased. */
  get leased(): number {
    return this.#holdings.size;
  }

  has(shard: number): boolean {
    return this.#holdings.has(shard);
  }

  // Leases.

  async renew(nowMs: number, leaseMs: number): Promise<void> {
    const holdings = [...this.#holdings.values()];
    const left = await this.#options.log.renew(
      holdings.map(({ lease }) => lease),
      leaseMs,
    );
    holdings.forEach((holding, k) => {
      const leftMs = left[k];
      holding.untilMs = leftMs === undefined ? Number.NEGATIVE_INFINITY : nowMs + LEASE_SHARE * leftMs;
    });
    for (const owned of this.#groups) {
      for (const [shard, { untilMs }] of owned.holdings) {
        if (untilMs === Number.NEGATIVE_INFINITY) this.lose(owned, shard);
      }
      owned.leased();
      this.#watchLease(owned);
    }
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

  /** Takes shards, or gives some up. */
  async balance(board: Board, { leaseMs, seenUntilMs }: BalanceOptions): Promise<void> {
    const { log, name, timers, lacks = () => false } = this.#options;
    const { shards } = this.#owner.job.sharding;
    const fair = Math.ceil(shards / Math.max(1, board.workers.length));
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
      let lease: NewLease | undefined;
      try {
        lease = await log.lease(name, shard, leaseMs);
      } catch (error) {
        // Those that were taken are opened all the same. To ask a server that is away takes long, for each of the rest.
        if (taken.length === 0) throw error;
        break;
      }
      if (lease === undefined) continue;
      // Once others no longer see this worker, its share of the addresses is theirs.
      const leftMs = Math.min(lease.leftMs, seenUntilMs - askedMs);
      const { position, pages: reserved } = lease;
      taken.push({ lease, untilMs: askedMs + LEASE_SHARE * leftMs, position, incarnation: 0, notes: 0, reserved });
    }
    if (taken.length === 0) return;
    for (const holding of taken) this.#holdings.set(holding.lease.shard, holding);
    this.#open(taken, timers.nowMs());
  }

  // How groups begin.

  /** Makes a group of shards: replays their logs, while the beat goes on. */
  #open(holdings: readonly Holding[], takenOverMs: number): void {
    this.#replayed(holdings, takenOverMs)
      .then((group) => this.#opened(group, holdings))
      .catch((error: unknown) => this.#openFailed(holdings, error));
  }

  async #replayed(holdings: readonly Holding[], takenOverMs: number): Promise<ShardGroup> {
    const { textsOf, scratchOf } = this.#options;
    const { job, fingerprinter, means, limits } = this.#owner;
    const id = this.#grouped++;
    const group = new ShardGroup({
      id,
      shards: holdings.map((holding) => ({
        lease: holding.lease,
        incarnation: holding.incarnation++,
        nextNote: () => ++holding.notes,
      })),
      settings: { ...job.settings.crawl, limits: limits() },
      sharding: job.sharding,
      fingerprinter,
      means,
      texts: textsOf(id),
      scratch: scratchOf?.(id),
      takenOverMs,
      memory: this.#memory,
    });
    try {
      for (const holding of holdings) await this.#replay(group, holding);
      return group;
    } catch (error) {
      group.close();
      throw error;
    }
  }

  async #replay(group: ShardGroup, { lease, position: end }: Holding): Promise<void> {
    for (let position = 0; position < end; ) {
      const batches = await this.#options.log.read(lease.shard, position, READ_BYTES);
      if (batches.length === 0) throw new FactLogError("failed", `the log of shard ${lease.shard} ends too early`);
      for (const { batch } of batches) group.replay(lease.shard, batch);
      position = batches[batches.length - 1].position;
    }
  }

  #opened(group: ShardGroup, holdings: readonly Holding[]): void {
    const { timers, archive } = this.#options;
    const { isOver, ending, limits, input } = this.#owner;
    if (isOver()) return group.close();
    for (const { lease } of holdings) archive?.begin(lease);
    // A shard may have come back before the group that has lost it has ended.
    for (const { group: before } of this.#groups) this.#memory.learn(before.hosts, timers.nowMs());
    group.open({ nowMs: timers.nowMs(), wallMs: timers.wallMs() });
    const owned = new OwnedGroup(group, holdings);
    group.quota.pages = limits().pages === undefined ? Number.POSITIVE_INFINITY : owned.allowed;
    this.#groups.add(owned);
    this.#watchLease(owned);
    input({ kind: "group-opened", group });
    if (ending() !== undefined) this.#giveUp(owned, [...owned.shards.keys()]);
  }

  /**
   * A log that cannot be reached now is tried again with the next beat; the leases may be taken by anybody meanwhile.
   */
  #openFailed(holdings: readonly Holding[], error: unknown): void {
    for (const { lease } of holdings) this.#holdings.delete(lease.shard);
    if (!isUnreachable(error)) return this.#owner.failed(error);
    this.#options.log.release(holdings.map(({ lease }) => lease)).catch(() => undefined);
  }

  // How groups end.

  giveUpAll(): void {
    for (const owned of this.#groups) this.#giveUp(owned, [...owned.shards.keys()]);
  }

  /** Of the groups that were made last, because they are the smallest. */
  #giveUpSome(count: number): void {
    for (const owned of [...this.#groups].toReversed()) {
      const staying = [...owned.shards.keys()].filter((shard) => !owned.leaving.has(shard));
      const some = staying.slice(0, count);
      count -= some.length;
      if (some.length > 0) this.#giveUp(owned, some);
    }
  }

  /** What is under way may end, then these shards are free for others, and the rest makes a new group. */
  #giveUp(owned: OwnedGroup, shards: readonly number[]): void {
    for (const shard of shards) owned.leaving.add(shard);
    this.#end(owned, this.#options.timers.nowMs() + DRAIN_MS);
  }

  #end(owned: OwnedGroup, cancelMs: number): void {
    owned.cancelMs = Math.min(owned.cancelMs, cancelMs);
    if (owned.isEnding) return;
    owned.isEnding = true;
    const input = { kind: "stop", reason: this.#owner.ending() ?? "interrupted" } as const;
    this.#owner.input({ kind: "group-input", group: owned.group, input });
  }

  /** Nothing of what was not written will be: it is fetched again. */
  dropUnwritten(owned: OwnedGroup): void {
    owned.isVoid = true;
    for (const shard of owned.shards.keys()) this.#options.archive?.end(shard);
    this.#cutOff(owned);
  }

  /** The shard is not ours any more: whatever was not written is lost, and will be fetched again by its owner. */
  lose(owned: OwnedGroup, shard: number): void {
    owned.lose(shard);
    this.#options.archive?.end(shard);
    owned.leaving.delete(shard);
    this.#holdings.delete(shard);
    this.#cutOff(owned);
  }

  /** Nothing of the group may be under way any more. */
  #cutOff(owned: OwnedGroup): void {
    const { fetcher, timers } = this.#options;
    this.#end(owned, timers.nowMs());
    fetcher.cancel?.(owned.group.id);
    this.#owner.input({ kind: "group-input", group: owned.group, input: { kind: "cut-off" } });
  }

  async releaseEnded(): Promise<void> {
    const { log, timers, archive } = this.#options;
    for (const owned of this.#groups) {
      if (!owned.isEnding) continue;
      if (timers.nowMs() >= owned.cancelMs) this.#cutOff(owned);
      if (owned.group.engine.ended === undefined || !(owned.isVoid || this.#isStored(owned))) continue;
      const leaving = [...owned.leaving].flatMap((shard) => owned.holdings.get(shard)?.lease ?? []);
      await log.release(leaving);
      this.#close(owned);
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

  closeAll(): void {
    for (const owned of this.#groups) this.#close(owned);
  }

  #close(owned: OwnedGroup): void {
    this.#groups.delete(owned);
    this.#memory.learn(owned.group.hosts, this.#options.timers.nowMs());
    owned.unwatch();
    this.#owner.input({ kind: "group-closed", group: owned.group });
    owned.group.close();
  }
}
