/**
 * Where the number of pages is limited, groups are allowed some at a time. What shards have fetched is reserved for
 * each of them before it is written, so that it counts for the shard, whoever has it next.
 */
import type { FactLog } from "../store/index.ts";
import type { OwnedGroup } from "./owned-group.ts";
import type { WorkerGroups } from "./worker-groups.ts";

export interface PageLimit {
  /** Of the whole job, at this moment; undefined where pages are not limited. */
  readonly max: () => number | undefined;
  /** Pages of the job so far, as far as known, and those who share what is left. */
  readonly pages: () => number;
  readonly workers: () => number;
}

/** Pages that a shard may be allowed in advance. */
const AHEAD_MAX = 100;

export class PageReservations {
  readonly #log: FactLog;
  readonly #groups: WorkerGroups;
  readonly #limit: PageLimit;

  constructor(log: FactLog, groups: WorkerGroups, limit: PageLimit) {
    this.#log = log;
    this.#groups = groups;
    this.#limit = limit;
  }

  /** Calls `changed` for each group that may fetch another number of pages than before. */
  async update(changed: (owned: OwnedGroup) => void): Promise<void> {
    const max = this.#limit.max();
    for (const owned of this.#groups.all) {
      if (owned.isVoid) continue;
      if (max !== undefined && !owned.isCovered) await this.#reserve(owned, max);
      if (max !== undefined && !owned.isVoid) await this.#reserve(owned, max);
      const pages = max === undefined ? Number.POSITIVE_INFINITY : owned.allowed;
      if (pages === owned.group.quota.pages) continue;
      owned.group.quota.pages = pages;
      changed(owned);
    }
  }

  async #reserve(owned: OwnedGroup, max: number): Promise<void> {
    const wanted = this.#wanted(owned, max);
    if (wanted === owned.allowed && owned.isCovered && !owned.isUnsettled && !owned.isUncertain) return;
    const reservations = owned.reservations(wanted);
    // What is given back may be somebody else's from now on, even if no answer comes.
    for (const { lease, pages } of reservations) {
      const holding = owned.holdings.get(lease.shard);
      if (holding !== undefined) holding.reserved = Math.min(holding.reserved, pages);
    }
    owned.isUncertain = true;
    const reserved = await this.#log.reserve(reservations, owned.isUnsettled ? Number.MAX_SAFE_INTEGER : max);
    owned.isUncertain = false;
    if (this.#limit.max() === max) owned.isUnsettled = false;
    reservations.forEach(({ lease }, k) => {
      const holding = owned.holdings.get(lease.shard);
      const allowed = reserved[k];
      if (holding !== undefined && allowed !== undefined) holding.reserved = allowed;
      else this.#groups.lose(owned, lease.shard);
    });
    // Only if a shard was lost, whose next owner has what it was allowed.
    if (!owned.isCovered) this.#groups.dropUnwritten(owned);
  }

  /** How many pages a group should be allowed in all. */
  #wanted(owned: OwnedGroup, max: number): number {
    const { engine, isStarved } = owned.group;
    if (owned.isEnding || owned.isUnsettled) return engine.pages;
    if (!isStarved) return engine.isIdle ? engine.pages : Math.max(engine.pages, owned.allowed);
    const left = max - this.#limit.pages();
    const some = Math.min(AHEAD_MAX * owned.shards.size, Math.floor(left / (4 * this.#limit.workers())));
    return Math.max(engine.pages, owned.allowed) + Math.max(1, some);
  }
}
