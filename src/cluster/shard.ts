/** One shard of a group (shard-group.ts): its lease, its log, what it exchanges with others, and what all may know. */
import { countsOf } from "../crawl/index.ts";
import { isFinal, Tally, type UrlRecord, type Visit } from "../log/index.ts";
import type { Lease } from "../store/index.ts";
import type { Exchange } from "./exchange.ts";
import type { GroupMember } from "./group-store.ts";
import type { ShardLog } from "./shard-log.ts";
import type { ShardNote } from "./shard-note.ts";

/** What a note says that only the group knows. */
export type GroupPart = Omit<ShardNote, "counts" | "known" | "frontier" | "sent" | "heard" | "number">;

export interface ShardOptions {
  readonly lease: Lease;
  readonly log: ShardLog;
  readonly exchange: Exchange;
  /** What the group knows of this shard. */
  readonly appraised: () => GroupPart;
  /** Of the next note: they count up as long as the lease lasts. */
  readonly nextNote: () => number;
}

export class Shard implements GroupMember {
  readonly lease: Lease;
  readonly log: ShardLog;
  readonly exchange: Exchange;
  readonly #options: ShardOptions;
  readonly #tally = new Tally();
  #known = 0;
  #open = 0;

  constructor(options: ShardOptions) {
    const { lease, log, exchange } = options;
    this.lease = lease;
    this.log = log;
    this.exchange = exchange;
    this.#options = options;
  }

  mentioned(owner: number, url: number): void {
    this.exchange.mentioned(owner, url);
  }

  // What the engine learns about its URLs.

  discovered({ path }: UrlRecord): void {
    this.#known++;
    if (path !== null) this.#open++;
  }

  visited(visit: Visit, isLoop: boolean): void {
    this.#tally.add(visit, isLoop);
    if (isFinal(visit.outcome)) this.#open--;
  }

  /** What was learnt since the last batch; undefined if that is nothing. */
  takeBatch(): Uint8Array | undefined {
    const batch = this.log.takeBatch();
    if (batch !== undefined) this.exchange.batchTaken();
    return batch;
  }

  get pendingBytes(): number {
    return this.log.pendingBytes;
  }

  note(): ShardNote {
    return {
      counts: countsOf(this.#tally),
      known: this.#known,
      frontier: this.#open,
      ...this.#options.appraised(),
      ...this.exchange.counts,
      number: this.#options.nextNote(),
    };
  }
}
