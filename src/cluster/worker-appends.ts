/**
 * What the shards of a worker have learnt becomes the next batches of their logs; of a limited number of pages, what is
 * allowed. What follows from it is collected at the same moment, and told once it is stored.
 */
import type { Timers } from "../base/index.ts";
import type { Append, FactLog } from "../store/index.ts";
import type { OwnedGroup } from "./owned-group.ts";
import type { OwnedShard } from "./owned-shard.ts";
import type { PageReservations } from "./page-reservations.ts";
import type { ShardGroup } from "./shard-group.ts";
import type { ShardArchive } from "./worker-archive.ts";
import type { WorkerGroups } from "./worker-groups.ts";
import type { WorkerMessages } from "./worker-messages.ts";

export interface AppendsOptions {
  readonly log: FactLog;
  readonly timers: Timers;
  readonly archive?: ShardArchive | undefined;
  readonly groups: WorkerGroups;
  readonly reservations: PageReservations;
  readonly messages: WorkerMessages;
  /** A group may fetch more pages than before. */
  readonly wake: (group: ShardGroup) => void;
}

/** A batch on its way to the log. */
interface DueAppend {
  readonly owned: OwnedGroup;
  readonly shard: OwnedShard;
  readonly append: Append;
}

export class WorkerAppends {
  readonly #options: AppendsOptions;

  constructor(options: AppendsOptions) {
    this.#options = options;
  }

  /** As much as `slack`, as a flow, may be missing in what is told, because it waits somewhere. */
  async append(slack: number): Promise<void> {
    const { log, archive, groups, reservations, messages, wake } = this.#options;
    const { due, taken } = this.#take(slack / Math.max(1, groups.all.size));
    messages.collect(taken, slack);
    await reservations.update(({ group }) => wake(group));
    const allowed = due.filter(({ owned, shard }) => !owned.isVoid && owned.shards.has(shard.number));
    if (allowed.length > 0) {
      await archive?.sync();
      const results = await log.append(allowed.map(({ append }) => append));
      allowed.forEach(({ owned, shard }, k) => {
        if (!shard.appended(results[k])) groups.lose(owned, shard.number);
      });
    }
    for (const owned of groups.all) owned.tell();
  }

  /** Groups whose next batches were taken, and all batches that are not stored yet. */
  #take(waitingMax: number): { readonly due: readonly DueAppend[]; readonly taken: readonly OwnedGroup[] } {
    const { groups, timers } = this.#options;
    const taken: OwnedGroup[] = [];
    const due: DueAppend[] = [];
    for (const owned of groups.all) {
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
    return { due, taken };
  }

  /** Together with the visits: of what is in the log, the archive has all records. */
  #noteArchived({ number, shard }: OwnedShard): void {
    for (const [key, value] of this.#options.archive?.takeNotes(number) ?? []) shard.log.putMeta(key, value);
  }
}
