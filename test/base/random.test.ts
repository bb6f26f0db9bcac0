import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mix32, Random, RandomSet, sampleOf } from "../../src/base/index.ts";

/** The same generator with whole numbers of any size, as it is written down. */
function* sfc32(seed: number, stream: number): Generator<number> {
  const cut = (value: bigint) => BigInt.asUintN(32, value);
  const mix = (value: bigint) => {
    let z = cut(value + 0x9e3779b9n);
    z = cut((z ^ (z >> 16n)) * 0x21f0aaadn);
    z = cut((z ^ (z >> 15n)) * 0x735a2d97n);
    return z ^ (z >> 15n);
  };
  let a = mix(BigInt(seed));
  let b = mix(BigInt(seed) + 0x9e3779b9n + mix(BigInt(stream)));
  let c = mix(BigInt(stream) ^ 0x85ebca6bn);
  for (let counter = 1n; ; counter++) {
    const next = cut(a + b + counter);
    a = b ^ (b >> 9n);
    b = cut(c + (c << 3n));
    c = cut((cut(c << 21n) | (c >> 11n)) + next);
    // The first twelve only stir.
    if (counter > 12n) yield Number(next);
  }
}

describe("Random", () => {
  it("is sfc32 on every machine: seeds that were printed stay good", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (seed, stream) => {
        const random = new Random(seed, stream);
        const expected = sfc32(seed, stream);
        for (let k = 0; k < 20; k++) expect(random.uint32()).toBe(expected.next().value);
      }),
    );
  });

  it("gives the same numbers for the same seed and stream, others for another", () => {
    const draw = (seed: number, stream: number) => {
      const random = new Random(seed, stream);
      return Array.from({ length: 8 }, () => random.uint32());
    };
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (seed, stream) => {
        expect(draw(seed, stream)).toEqual(draw(seed, stream));
        expect(draw(seed, stream)).not.toEqual(draw(seed + 1, stream));
        expect(draw(seed, stream)).not.toEqual(draw(seed, stream + 1));
      }),
    );
  });

  it("spreads evenly: the mean of many floats is one half within five standard errors", () => {
    const random = new Random(1);
    const n = 100_000;
    let sum = 0;
    for (let i = 0; i < n; i++) sum += random.float();
    expect(Math.abs(sum / n - 0.5)).toBeLessThan(5 / Math.sqrt(12 * n));
  });

  it("stays below the bound and reaches every value of a small range", () => {
    const random = new Random(2);
    const seen = new Set(Array.from({ length: 1000 }, () => random.below(7)));
    expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("scrambles 32-bit integers without collisions on a range", () => {
    const images = new Set(Array.from({ length: 100_000 }, (_, i) => mix32(i)));
    expect(images.size).toBe(100_000);
  });
});

describe("RandomSet", () => {
  it("draws every member again and again, and never one that has left", () => {
    const set = new RandomSet(2, 1);
    expect(set.draw()).toBe(-1);
    set.grow(10);
    for (const id of [9, 3, 5, 3, 7]) set.add(id);
    set.remove(5);
    set.remove(4);
    const drawn = Array.from({ length: 300 }, () => set.draw());
    expect([...new Set(drawn)].sort()).toEqual([3, 7, 9]);
    for (const id of [9, 3, 7]) set.remove(id);
    expect(set.draw()).toBe(-1);
  });
});

describe("a sample", () => {
  it("has each value at most once, and all of them if there are no more", () => {
    const values = Uint32Array.of(3, 1, 4, 15, 9);
    for (let count = 0; count <= 7; count++) {
      const sample = sampleOf(values, count, new Random(count));
      expect(sample.length).toBe(Math.min(count, 5));
      expect(new Set(sample).size).toBe(sample.length);
      expect(sample.every((value) => values.includes(value))).toBe(true);
    }
    expect([...values]).toEqual([3, 1, 4, 15, 9]);
    expect(() => sampleOf(values, -1, new Random(1))).toThrow("no fewer than 0");
  });

  it("has every pair equally often", () => {
    const random = new Random(7);
    const counts = new Map<string, number>();
    for (let k = 0; k < 12_000; k++) {
      const pair = sampleOf(Uint32Array.of(0, 1, 2, 3), 2, random).join();
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    expect(counts.size).toBe(12);
    // 1000 of each are expected, with a standard deviation of 30.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
