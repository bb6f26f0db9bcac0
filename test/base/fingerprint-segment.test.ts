/** A segment of fingerprints that somebody has chosen to crowd it, with numbers as large as he likes. */
import fc from "fast-check";
import { it } from "vitest";
import { Random } from "../../src/base/index.ts";
import { FingerprintSegment } from "../../src/base/fingerprint-segment.ts";
import { SegmentCopy, SegmentMemory } from "../../src/base/segment-memory.ts";
import { cases } from "../support/cases.ts";

/** What a segment tells apart of the high half. */
const LOCAL_BITS = 26;
const LOCAL = 2 ** LOCAL_BITS;
const EXTREMES = [0, 1, 255, 256, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 256, 2 ** 32 - 1];

/** From high half to high half: evenly, at one place, close together, at the ends, one bit apart. */
const waysHigh: readonly ((random: Random, base: number) => number)[] = [
  (random) => random.below(LOCAL),
  (_, base) => base,
  (random, base) => base + random.below(40),
  (random) => LOCAL - 1 - random.below(300),
  (random) => LOCAL - 1 - random.below(LOCAL / 16) * random.below(2),
  (random) => random.below(300),
  (random, base) => base ^ (1 << random.below(LOCAL_BITS)),
];
const waysLow: readonly ((random: Random) => number)[] = [
  (random) => random.uint32(),
  (random) => EXTREMES[random.below(EXTREMES.length)],
  (random) => random.below(2000),
];

class Subject {
  readonly #segment: FingerprintSegment;
  readonly #first: number;
  readonly #numbers = new Map<string, number>();
  readonly #all: (readonly [high: number, low: number])[] = [];

  constructor(number: number) {
    const memory = new SegmentMemory();
    this.#segment = new FingerprintSegment(number, { memory, copy: new SegmentCopy(), count: 10, size: 0 });
    this.#first = number * LOCAL;
    memory.enlarge(this.#segment.slots);
  }

  add(local: number, low: number, number: number): void {
    const high = this.#first + (local % LOCAL);
    const isNew = !this.#numbers.has(`${high} ${low}`);
    this.check(high, low);
    if (!isNew) return;
    this.#segment.add(high, low, number);
    this.#numbers.set(`${high} ${low}`, number);
    this.#all.push([high, low]);
  }

  reserve(count: number, size: number): void {
    this.#segment.reserve({ count, size });
  }

  check(high: number, low: number): void {
    const found = this.#segment.find(high, low);
    const expected = this.#numbers.get(`${high} ${low}`) ?? -1;
    if (found !== expected) throw new Error(`${high} ${low} is ${expected}, not ${found}`);
  }

  /** All that are there, and what differs from them by a bit. */
  checkAll(random: Random): void {
    for (const [high, low] of this.#all) {
      this.check(high, low);
      this.check(high, (low ^ (1 << random.below(32))) >>> 0);
      this.check(this.#first + (((high - this.#first) ^ (1 << random.below(LOCAL_BITS))) >>> 0), low);
    }
  }
}

it("finds what was added and nothing else, however close together fingerprints are and however large numbers", () => {
  const way = fc.record({ high: fc.constantFrom(...waysHigh), low: fc.constantFrom(...waysLow), base: fc.nat(LOCAL) });
  const part = fc.record({ way, count: fc.integer({ min: 1, max: 200 }), bits: fc.integer({ min: 1, max: 21 }) });
  const reserved = fc.option(fc.record({ count: fc.nat(3000), size: fc.nat(2 ** 20) }), { freq: 2 });
  const parts = fc.array(fc.record({ part, reserved }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.nat(63), parts, fc.nat(), (number, parts, seed) => {
      const random = new Random(seed);
      const subject = new Subject(number);
      let next = 0;
      for (const { part, reserved } of parts) {
        const { way, count, bits } = part;
        next = Math.max(next, 2 ** bits - 100);
        for (let k = 0; k < count; k++) subject.add(way.high(random, way.base), way.low(random), next++);
        if (reserved !== null) subject.reserve(reserved.count, reserved.size);
        subject.checkAll(random);
      }
    }),
    { numRuns: cases(300) },
  );
});
