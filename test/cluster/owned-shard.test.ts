/** What a worker lets others know of a shard: what is in the log, whatever becomes of its appends. */
import { describe, expect, it } from "vitest";
import { OwnedShard } from "../../src/cluster/owned-shard.ts";
import type { Shard } from "../../src/cluster/shard.ts";

const LEASE = { shard: 3, worker: "worker", epoch: 7 };

/** A shard that learns what it is told to. */
class LearningShard {
  readonly lease = LEASE;
  readonly log = { pages: 0 };
  learnt = 0;
  stored = 0;
  #pending: number[] = [];
  readonly exchange = { batchStored: () => void this.stored++ };

  learn(what: number): void {
    this.learnt++;
    this.#pending.push(what);
  }

  get pendingBytes(): number {
    return this.#pending.length;
  }

  takeBatch(): Uint8Array | undefined {
    const batch = this.#pending;
    this.#pending = [];
    return batch.length === 0 ? undefined : Uint8Array.from(batch);
  }

  note(): object {
    return { learnt: this.learnt };
  }
}

function owned(position = 0): [OwnedShard, LearningShard] {
  const shard = new LearningShard();
  return [new OwnedShard(shard as unknown as Shard, position), shard];
}

const noteOf = (shard: OwnedShard): unknown => {
  shard.tell();
  return shard.note && JSON.parse(shard.note.note);
};

describe("an owned shard", () => {
  it("is told of on the board as it was when the last stored batch was taken", () => {
    const [shard, learning] = owned(4);
    expect(shard.nextAppend()).toBeUndefined();
    expect(noteOf(shard)).toEqual({ learnt: 0 });
    learning.learn(10);
    expect(shard.isStored).toBe(false);
    expect(shard.nextAppend()).toEqual({ lease: LEASE, position: 5, batch: Uint8Array.of(10) });
    expect(noteOf(shard)).toEqual({ learnt: 0 });
    learning.learn(11);
    expect(shard.appended("appended")).toBe(true);
    expect(noteOf(shard)).toEqual({ learnt: 1 });
    expect(learning.stored).toBe(1);
    expect(shard.isStored).toBe(false);
    expect(shard.nextAppend()).toMatchObject({ position: 6, batch: Uint8Array.of(11) });
  });

  it("sends the same batch to the same place until it is known what became of it", () => {
    const [shard, learning] = owned();
    learning.learn(10);
    const first = shard.nextAppend();
    learning.learn(11);
    expect(shard.nextAppend()).toEqual(first);
    expect(shard.isStored).toBe(false);
    expect(shard.appended("already-there")).toBe(true);
    expect(shard.nextAppend()).toMatchObject({ position: 2, batch: Uint8Array.of(11) });
  });

  it("is lost when its append is refused: nothing of it is told", () => {
    const [shard, learning] = owned();
    shard.nextAppend();
    shard.tell();
    learning.learn(10);
    shard.nextAppend();
    expect(shard.appended("fenced")).toBe(false);
    expect(noteOf(shard)).toEqual({ learnt: 0 });
    expect(learning.stored).toBe(0);
    expect(shard.isStored).toBe(false);
  });
});
