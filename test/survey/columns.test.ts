import fc from "fast-check";
import { expect, it } from "vitest";
import { shareRoundedUp } from "../../src/survey/columns.ts";

it("a share in 4 bytes is not below the share, and hardly above it", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-30, max: 1, noNaN: true }), (share) => {
      const stored = Float32Array.of(shareRoundedUp(share))[0];
      expect(stored).toBeGreaterThanOrEqual(share);
      expect(stored).toBeLessThanOrEqual(Math.min(1, share * (1 + 3e-7)));
    }),
  );
});
