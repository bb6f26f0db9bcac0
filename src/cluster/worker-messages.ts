/**
 * What the shards of a worker say: to others by the log, a bundle per receiver, and to each other at once. To look
 * through all credit takes long where there is much of it, so it is done now and then.
 */
import type { Clock } from "../base/index.ts";
import type { Message } from "../store/index.ts";
import { encodeBundle, type ShardMessage } from "./messages.ts";
import type { OwnedGroup } from "./owned-group.ts";
import type { WorkerGroups } from "./worker-groups.ts";

export interface MessagesOptions {
  readonly groups: Pick<WorkerGroups, "all" | "shards">;
  readonly clock: Clock;
  /** Whether anybody has a shard. */
  readonly isOwned: (shard: number) => boolean;
  readonly hear: (messages: readonly ShardMessage[]) => void;
}

/** To look through all credit takes at most this share of the time. */
const CREDIT_SHARE = 1 / 40;

export class WorkerMessages {
  readonly #options: MessagesOptions;
  /**
   * Entries with credit that was not sent, when credit was last looked through; when that was, and how long it took.
   */
  #unsent = 0;
  #creditedMs = Number.NEGATIVE_INFINITY;
  #creditMs = 0;

  constructor(options: MessagesOptions) {
    this.#options = options;
  }

  /**
   * What shards have to say by what is being written now. It is said once that is stored: what has flowed from a page
   * that was lost would never be found again. As much credit as `slack`, as a flow, may stay unsaid.
   */
  collect(groups: readonly OwnedGroup[], slack: number): void {
    const { clock, isOwned } = this.#options;
    const beforeMs = clock.nowMs();
    const isDue = beforeMs - this.#creditedMs >= this.#creditMs / CREDIT_SHARE;
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
    this.#creditedMs = clock.nowMs();
    this.#creditMs = this.#creditedMs - beforeMs;
  }

  /** What groups of this worker say to each other is heard at once; the rest is for the log. */
  bundled(): Message[] {
    const { groups, hear } = this.#options;
    const bundles = new Map<number, ShardMessage[]>();
    for (const message of [...groups.all].flatMap((owned) => owned.takeSaid())) {
      const bundle = bundles.get(message.receiver);
      if (bundle === undefined) bundles.set(message.receiver, [message]);
      else bundle.push(message);
    }
    const isOpen = new Set(groups.shards.map(({ number }) => number));
    const outward: Message[] = [];
    for (const [receiver, bundle] of bundles) {
      if (isOpen.has(receiver)) hear(bundle);
      else outward.push({ sender: bundle[0].sender, receiver, payload: encodeBundle(bundle) });
    }
    return outward;
  }
}
