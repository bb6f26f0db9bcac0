/**
 * What the shards of a worker say: to others by the log, in bundles, and to each other at once. To look through all
 * credit takes long where there is much of it, so it is done now and then.
 */
import type { Clock } from "../base/index.ts";
import type { Message } from "../store/index.ts";
import { encodeBundles, type ShardMessage } from "./messages.ts";
import type { OwnedGroup } from "./owned-group.ts";
import { ShareOfTime } from "./share-of-time.ts";
import type { WorkerGroups } from "./worker-groups.ts";

export interface MessagesOptions {
  readonly groups: Pick<WorkerGroups, "all" | "shards">;
  readonly clock: Clock;
  /** The worker that has a shard, as far as is known; null if nobody has. */
  readonly ownerOf: (shard: number) => string | null;
  readonly hear: (messages: readonly ShardMessage[]) => void;
}

/** To look through all credit takes at most this share of the time. */
const CREDIT_SHARE = 1 / 40;

export class WorkerMessages {
  readonly #options: MessagesOptions;
  /** Entries with credit that was not sent, when credit was last looked through. */
  #unsent = 0;
  readonly #look = new ShareOfTime(CREDIT_SHARE);

  constructor(options: MessagesOptions) {
    this.#options = options;
  }

  /**
   * What shards have to say by what is being written now. It is said once that is stored: what has flowed from a page
   * that was lost would never be found again. As much credit as `slack`, as a flow, may stay unsaid.
   */
  collect(groups: readonly OwnedGroup[], slack: number): void {
    const { clock, ownerOf } = this.#options;
    const isOwned = (shard: number): boolean => ownerOf(shard) !== null;
    const beforeMs = clock.nowMs();
    const isDue = this.#look.isDue(beforeMs);
    const creditMin = !isDue ? undefined : this.#unsent === 0 ? 0 : slack / this.#unsent;
    let unsent = 0;
    for (const owned of groups) {
      for (const { shard } of owned.shards.values()) {
        owned.said.push(...shard.exchange.collect({ creditMin, isOwned }));
        unsent += shard.exchange.unsent;
      }
    }
    if (!isDue) return;
    this.#unsent = unsent;
    this.#look.took(beforeMs, clock.nowMs());
  }

  /**
   * What groups of this worker say to each other is heard at once; the rest is for the log. A bundle is for one of the
   * shards of a worker, and has what all of them are told: if it goes to the next owner of that shard instead, what is
   * for others is lost, and will be said again.
   */
  bundled(): Message[] {
    const { groups, hear, ownerOf } = this.#options;
    const isOpen = new Set(groups.shards.map(({ number }) => number));
    const inward: ShardMessage[] = [];
    const bundles = new Map<string | number, ShardMessage[]>();
    for (const owned of groups.all) {
      for (const message of owned.takeSaid()) {
        if (isOpen.has(message.receiver)) {
          inward.push(message);
          continue;
        }
        const owner = ownerOf(message.receiver) ?? message.receiver;
        const bundle = bundles.get(owner);
        if (bundle === undefined) bundles.set(owner, [message]);
        else bundle.push(message);
      }
    }
    hear(inward);
    const outward: Message[] = [];
    for (const bundle of bundles.values()) {
      const { sender, receiver } = bundle[0];
      for (const payload of encodeBundles(bundle)) outward.push({ sender, receiver, payload });
    }
    return outward;
  }
}
