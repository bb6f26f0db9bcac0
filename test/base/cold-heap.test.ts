import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ColdHeap, IdSet, IndexedHeap } from "../../src/base/index.ts";
import { cases } from "../support/cases.ts";

const ids = 300;
const id = fc.nat(ids - 1);
type Step =
  | { do: "raise"; id: number; by: number }
  | { do: "pop" }
  | { do: "remove"; id: number }
  | { do: "change"; id: number; key: number }
  | { do: "change all"; factor: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 100, arbitrary: fc.record({ do: fc.constant("raise" as const), id, by: fc.nat(3) }) },
  { weight: 25, arbitrary: fc.record({ do: fc.constant("pop" as const) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("remove" as const), id }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("change" as const), id, key: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("change all" as const), factor: fc.nat(7) }) },
);

/** Ids have places of their own all the time, never, or until there are too many. */
const idsMax = fc.constantFrom(ids, 0, ids / 2);

describe("ColdHeap", () => {
  it("gives ids in the very order of an IndexedHeap, equal keys included, however few are hot", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), fc.constantFrom(1, 2, 5, 40), idsMax, (steps, hotMin, idsMax) => {
        const keys = new Map<number, number>();
        const cold = new ColdHeap({ capacity: 4, keyOf: (each) => keys.get(each)!, hotMin, idsMax });
        cold.grow(ids / 2);
        const heap = new IndexedHeap(ids);
        for (const [k, each] of steps.entries()) {
          // Until it has grown, ids of the upper half do not occur.
          if (k === 40) cold.grow(ids);
          if (k < 40 && "id" in each && each.id >= ids / 2) continue;
          if (each.do === "raise") {
            const key = (heap.has(each.id) ? keys.get(each.id)! : 0) + each.by;
            keys.set(each.id, key);
            heap.raise(each.id, key);
            cold.raise(each.id, key);
          } else if (each.do === "pop") {
            expect(cold.topKey).toBe(heap.topKey);
            expect(cold.pop()).toBe(heap.pop());
          } else if (each.do === "remove") {
            heap.remove(each.id);
            cold.remove(each.id);
          } else if (each.do === "change") {
            if (!heap.has(each.id)) continue;
            keys.set(each.id, each.key);
            heap.change(each.id, each.key);
            cold.change(each.id, each.key);
          } else {
            for (const known of keys.keys()) keys.set(known, (known * each.factor) % 5);
            heap.changeAll((known) => keys.get(known)!);
            cold.changeAll();
          }
          expect(cold.size).toBe(heap.size);
          expect(cold.has(steps.length % ids)).toBe(heap.has(steps.length % ids));
        }
        while (heap.size > 0) expect(cold.pop()).toBe(heap.pop());
        expect(cold.pop()).toBe(-1);
        expect(cold.topKey).toBe(Number.NEGATIVE_INFINITY);
      }),
      { numRuns: cases(300) },
    );
  });

  it("asks for the keys of cold ids a few times per id that leaves, though all of them wait to the end", () => {
    const count = 40_000;
    let asked = 0;
    const keyOf = (each: number): number => {
      asked++;
      return (each * 7919) % 1000;
    };
    const heap = new ColdHeap({ capacity: count, keyOf, hotMin: 64 });
    for (let each = 0; each < count; each++) heap.raise(each, (each * 7919) % 1000);
    let before = Number.POSITIVE_INFINITY;
    for (let each = 0; each < count; each++) {
      const key = heap.topKey;
      expect(key).toBeLessThanOrEqual(before);
      before = key;
      heap.pop();
    }
    // Each time a sixty-fourth of those that wait becomes hot, and a sample is taken: about 128 per id.
    expect(asked / count).toBeLessThan(180);
  });
});

describe("IdSet", () => {
  it("visits its ids in ascending order, and gives some of them from all its parts", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(5000)), fc.uniqueArray(fc.nat(5000)), (added, deleted) => {
        const set = new IdSet();
        const plain = new Set(added);
        for (const each of added) set.add(each);
        for (const each of deleted) {
          set.delete(each);
          plain.delete(each);
        }
        const visited: number[] = [];
        set.forEach((each) => visited.push(each));
        expect(visited).toEqual([...plain].sort((a, b) => a - b));
        const some = set.sample(10);
        expect(some.length).toBeLessThanOrEqual(10);
        expect(some.every((each) => plain.has(each))).toBe(true);
        expect(set.sample(5000).length > 0).toBe(plain.size > 0);
      }),
      { numRuns: cases(100) },
    );
  });
});
