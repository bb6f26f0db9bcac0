/** A shard, and how much of what it has learnt is in the log. */
import type { Append, AppendResult, ShardNote as PublishedNote } from "../store/index.ts";
import type { Shard } from "./shard.ts";

export class OwnedShard {
  readonly shard: Shard;
  /** Pages downloaded by the end of the last batch that was taken. */
  pages: number;
  #position: number;
  /** On its way to the log, perhaps for the second time: nobody knows what became of the first attempt. */
  #underWay: Uint8Array | undefined;
  /** As it was when the last batch was taken, and what everybody may know: of what is in the log. */
  #taken: string | undefined;
  #note: string | undefined;

  constructor(shard: Shard, position: number) {
    this.shard = shard;
    this.pages = shard.log.pages;
    this.#position = position;
  }

  get number(): number {
    return this.shard.lease.shard;
  }

  /** Whether all that was learnt is in the log. */
  get isStored(): boolean {
    return this.#underWay === undefined && this.shard.pendingBytes === 0;
  }

  /** How many batches are in the log. */
  get position(): number {
    return this.#position;
  }

  get isUnderWay(): boolean {
    return this.#underWay !== undefined;
  }

  /** What is to be appended now; undefined if there is nothing. A new batch is taken only if `isNext`. */
  nextAppend(isNext = true): Append | undefined {
    if (this.#underWay === undefined && isNext) {
      this.#underWay = this.shard.takeBatch();
      this.pages = this.shard.log.pages;
      this.#taken = JSON.stringify(this.shard.note());
    }
    if (this.#underWay === undefined) return undefined;
    return { lease: this.shard.lease, position: this.#position + 1, batch: this.#underWay };
  }

  /** False if another worker owns the shard. */
  appended(result: AppendResult): boolean {
    if (result === "fenced") return false;
    this.#position++;
    this.#underWay = undefined;
    this.shard.exchange.batchStored();
    return true;
  }

  /** What was so when the last batch was taken may be known to everybody, if that is stored. */
  tell(): void {
    if (this.#underWay === undefined) this.#note = this.#taken;
  }

  /** To be published; undefined if there is none. */
  get note(): PublishedNote | undefined {
    return this.#note === undefined ? undefined : { lease: this.shard.lease, note: this.#note };
  }
}
