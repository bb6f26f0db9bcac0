import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexedHeap } from "../../src/base/index.ts";
import { cases } from "../support/cases.ts";

type Step =
  | { do: "add"; id: number; amount: number }
  | { do: "pop" }
  | { do: "remove"; id: number }
  | { do: "change"; id: number; key: number }
  | { do: "change all"; factor: number };

const ids = 12;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("add" as const), id: fc.nat(ids - 1), amount: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pop" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), id: fc.nat(ids - 1) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("change" as const), id: fc.nat(ids - 1), key: fc.nat(5) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("change all" as const), factor: fc.nat(7) }) },
);

/** The same queue as a list that is searched from end to end. */
class PlainQueue {
  readonly keys = new Map<number, number>();
  readonly arrivals: number[] = [];
  add(id: number, amount: number): void {
    if (!this.arrivals.includes(id)) this.arrivals.push(id);
    this.keys.set(id, (this.keys.get(id) ?? 0) + amount);
  }
  pop(): number {
    let best = -1;
    for (const id of this.arrivals) {
      const key = this.keys.get(id);
      if (key !== undefined && (best < 0 || key > this.keys.get(best)!)) best = id;
    }
    this.keys.delete(best);
    return best;
  }
}

describe("IndexedHeap", () => {
  it("behaves as a list searched from end to end, whatever is added, popped, removed and changed", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const heap = new IndexedHeap(4);
        heap.grow(ids);
        const plain = new PlainQueue();
        for (const each of steps) {
          if (each.do === "add") {
            heap.add(each.id, each.amount);
            plain.add(each.id, each.amount);
          } else if (each.do === "pop") {
            expect(heap.pop()).toBe(plain.pop());
          } else if (each.do === "change") {
            if (!heap.has(each.id)) continue;
            heap.change(each.id, each.key);
            plain.keys.set(each.id, each.key);
          } else if (each.do === "change all") {
            const keyOf = (id: number): number => (id * each.factor) % 5;
            heap.changeAll(keyOf);
            for (const id of plain.keys.keys()) plain.keys.set(id, keyOf(id));
          } else {
            heap.remove(each.id);
            plain.keys.delete(each.id);
          }
          expect(heap.size).toBe(plain.keys.size);
          const all = Array.from({ length: ids }, (_, id) => id);
          expect(all.filter((id) => heap.has(id))).toEqual(all.filter((id) => plain.keys.has(id)));
          expect(all.map((id) => heap.key(id))).toEqual(all.map((id) => plain.keys.get(id) ?? 0));
          expect(heap.topKey).toBe(Math.max(...plain.keys.values()));
        }
        while (heap.size > 0) expect(heap.pop()).toBe(plain.pop());
        expect(heap.pop()).toBe(-1);
      }),
      { numRuns: cases(400) },
    );
  });

  it("knows nothing of ids beyond its room, and lets none in before it has grown", () => {
    const heap = new IndexedHeap(2);
    heap.add(1, 1);
    heap.remove(7);
    expect(heap.has(7)).toBe(false);
    expect(heap.key(7)).toBe(0);
    expect(() => heap.add(7, 1)).toThrow(/grow first/);
    expect([heap.pop(), heap.pop()]).toEqual([1, -1]);
  });

  it("lets an id that fills a gap rise above smaller keys", () => {
    // The root has 100, its children 10, 99, 90, 90. The first has four children of 5, the second 80, 80, 80, 95. One
    // of the 5 leaves; 95, which was last, fills its gap below 10.
    const keys = [100, 10, 99, 90, 90, 5, 5, 5, 5, 80, 80, 80, 95];
    const heap = new IndexedHeap(keys.length);
    for (const [id, key] of keys.entries()) heap.raise(id, key);
    heap.remove(5);
    const left: number[] = [];
    for (let id = heap.pop(); id >= 0; id = heap.pop()) left.push(keys[id]);
    expect(left).toEqual([100, 99, 95, 90, 90, 80, 80, 80, 10, 5, 5, 5]);
  });

  it("keeps the order in which ids came when it grows", () => {
    const heap = new IndexedHeap(2);
    heap.add(1, 1);
    heap.add(0, 1);
    heap.grow(100);
    for (const id of [70, 30, 50, 99, 10]) heap.add(id, 1);
    expect(Array.from({ length: 8 }, () => heap.pop())).toEqual([1, 0, 70, 30, 50, 99, 10, -1]);
  });

  it("sets a key by raise as by adding the difference", () => {
    const heap = new IndexedHeap(3);
    heap.raise(0, 1);
    heap.raise(1, 2);
    heap.raise(2, 3);
    heap.raise(0, 2.5);
    expect([heap.pop(), heap.pop(), heap.pop()]).toEqual([2, 0, 1]);
  });
});
