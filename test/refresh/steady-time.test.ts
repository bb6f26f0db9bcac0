import { describe, expect, it } from "vitest";
import { SteadyTime } from "../../src/refresh/steady-time.ts";

describe("steady time", () => {
  it("stands still at a jump back, and goes on from there as the clock does", () => {
    const time = new SteadyTime();
    expect(time.at(1000)).toBe(1000);
    expect(time.at(1500)).toBe(1500);
    expect(time.at(200)).toBe(1500);
    expect(time.at(260)).toBe(1560);
    expect(time.clockAt(1600)).toBe(300);
    expect(time.past(100)).toBe(100);
    expect(time.past(9999)).toBe(1560);
  });
});
