import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TimedQueue } from "../../src/base/index.ts";

describe("a queue of times", () => {
  it("gives nothing before its time, then the earliest first, and equal times in the order in which they came", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (times) => {
        const queue = new TimedQueue<number>();
        for (const [value, time] of times.entries()) queue.push(time, value);
        const expected = times
          .map((time, value) => ({ time, value }))
          .sort((a, b) => a.time - b.time || a.value - b.value);
        for (const { time, value } of expected) {
          expect(queue.nextMs).toBe(time);
          expect(queue.popDue(time - 1)).toBe(undefined);
          expect(queue.popDue(time)).toBe(value);
        }
        expect(queue.nextMs).toBe(Number.POSITIVE_INFINITY);
        expect(queue.popDue(1e9)).toBe(undefined);
      }),
    );
  });
});
