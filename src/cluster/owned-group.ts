/** What a worker has leased, the groups that it makes of it, and how many pages they may fetch. */
import type { Lease, Reservation } from "../store/index.ts";
import type { ShardMessage } from "./messages.ts";
import { OwnedShard } from "./owned-shard.ts";
import type { ShardGroup } from "./shard-group.ts";

/** A shard as long as the worker has its lease, whichever group it belongs to. */
export interface Holding {
  readonly lease: Lease;
  /** Until then its hosts may be requested, by the clock of this process. */
  untilMs: number;
  /** Batches in its log, as far as it was not opened yet. */
  position: number;
  /** Groups that it has belonged to, and notes that they wrote. */
  incarnation: number;
  notes: number;
  /** How many pages it is allowed, as far as it is certain. */
  reserved: number;
}

export class OwnedGroup {
  /** Nobody looks after the end of the leases any more. */
  unwatch: () => void = () => {};
  readonly group: ShardGroup;
  /** Those of its shards that are still ours. */
  readonly shards = new Map<number, OwnedShard>();
  readonly holdings = new Map<number, Holding>();
  /** Shards that others are to have once it has ended. Those that stay will belong to another group. */
  readonly leaving = new Set<number>();
  isEnding = false;
  /** Requests in flight are given up then. */
  cancelMs = Number.POSITIVE_INFINITY;
  /** What was learnt and is not in the log will never be there. */
  isVoid = false;
  /** A shard was lost, and with it perhaps facts that others build on: nothing new is told of them. */
  isBroken = false;
  /** What its shards have to say once what was taken last is stored. */
  said: ShardMessage[] = [];
  /** In the last beat nothing was to be written. */
  isQuiet = false;
  /** The limit of pages has changed: what it has fetched is reserved first, whatever the limit is. */
  isUnsettled = false;
  /** Nobody knows what came of the last reservation: more may be allowed than is known here. */
  isUncertain = false;

  constructor(group: ShardGroup, holdings: readonly Holding[]) {
    this.group = group;
    for (const holding of holdings) {
      const { shard } = holding.lease;
      const member = group.shards.get(shard);
      if (member === undefined) continue;
      this.holdings.set(shard, holding);
      this.shards.set(shard, new OwnedShard(member, holding.position));
    }
    this.leased();
  }

  /** Leases were renewed, or not. */
  leased(): void {
    const times = [...this.holdings.values()].map(({ untilMs }) => untilMs);
    this.group.leaseUntilMs = times.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...times);
  }

  /** The shard is not ours any more. */
  lose(shard: number): void {
    this.isBroken = true;
    this.shards.delete(shard);
    this.holdings.delete(shard);
  }

  /** What its shards say to others, if what it follows from is stored; it may be lost. */
  takeSaid(): ShardMessage[] {
    if (this.isUnderWay) return [];
    const said = this.isBroken || this.isVoid ? [] : this.said;
    this.said = [];
    return said;
  }

  get isUnderWay(): boolean {
    return [...this.shards.values()].some((shard) => shard.isUnderWay);
  }

  /**
   * What was learnt by the last batches of all shards is told once all of them are stored: what one proves may follow
   * from what another has learnt.
   */
  tell(): void {
    if (this.isBroken || this.isVoid || this.isUnderWay) return;
    for (const shard of this.shards.values()) shard.tell();
  }

  /** Whether all that was learnt about shards that are ours is in their logs. */
  get isStored(): boolean {
    return this.isQuiet && [...this.shards.values()].every(({ isStored }) => isStored);
  }

  /** How many pages its shards are allowed in all. */
  get allowed(): number {
    let sum = 0;
    for (const { reserved } of this.holdings.values()) sum += reserved;
    return sum;
  }

  /** Whether what is on its way to the log is within what is allowed, for each shard. */
  get isCovered(): boolean {
    return [...this.shards].every(([shard, { pages }]) => pages <= (this.holdings.get(shard)?.reserved ?? 0));
  }

  /**
   * What to reserve so that this many pages are allowed in all: for each shard what it has, and a part of the rest.
   * Where a shard has more than it is allowed, no more is asked for than all together are allowed: there is room for
   * that.
   */
  reservations(allowed: number): Reservation[] {
    const shards = [...this.shards.values()];
    const isNeedy = !this.isUnsettled && shards.some((each) => this.#deficit(each) > 0);
    const total = isNeedy ? Math.min(allowed, this.allowed) : allowed;
    let rest = Math.max(0, total - shards.reduce((sum, { pages }) => sum + pages, 0));
    return shards.map((owned, k) => {
      const part = Math.ceil(rest / (shards.length - k));
      rest -= part;
      return { lease: owned.shard.lease, pages: owned.pages + part };
    });
  }

  #deficit({ number, pages }: OwnedShard): number {
    return pages - (this.holdings.get(number)?.reserved ?? 0);
  }
}
