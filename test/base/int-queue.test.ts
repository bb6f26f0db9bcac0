import fc from "fast-check";
import { expect, it } from "vitest";
import { IntQueue } from "../../src/base/index.ts";
import { cases } from "../support/cases.ts";

it("gives values back in the order in which they came, past every doubling", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ push: fc.nat(3000), shift: fc.nat(2000) }), { maxLength: 6 }), (rounds) => {
      const queue = new IntQueue();
      let pushed = 0;
      let shifted = 0;
      for (const round of rounds) {
        for (let k = 0; k < round.push; k++) queue.push(pushed++);
        const expected = Array.from({ length: round.shift }, () => (shifted < pushed ? shifted++ : -1));
        expect(expected.map(() => queue.shift())).toEqual(expected);
        expect(queue.size).toBe(pushed - shifted);
      }
    }),
    { numRuns: cases(20) },
  );
});
