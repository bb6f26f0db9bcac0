/** What takes long is done so seldom that it takes no more than its share of the time. */
import { describe, expect, it } from "vitest";
import { ShareOfTime } from "../../src/cluster/share-of-time.ts";

describe("a share of the time", () => {
  it("lets something be done at once, and again when it has rested for as long as its share demands", () => {
    const share = new ShareOfTime(1 / 40);
    expect(share.isDue(0)).toBe(true);
    share.took(0, 10);
    // 10 ms are a fortieth of 400.
    expect([409, 410].map((nowMs) => share.isDue(nowMs))).toEqual([false, true]);
  });

  it("lets what takes no time be done always", () => {
    const share = new ShareOfTime(1 / 40);
    share.took(5, 5);
    expect(share.isDue(5)).toBe(true);
  });
});
