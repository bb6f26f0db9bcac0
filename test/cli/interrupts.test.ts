import { afterEach, describe, expect, it, vi } from "vitest";
import { onInterrupt, untilInterrupted } from "../../src/cli/terminal/endings.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("Ctrl-C", () => {
  it("asks to stop once; again within half a second it is the same one, later it ends all with 130", () => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    let nowMs = 1000;
    let asked = 0;
    const forget = onInterrupt(() => asked++, { nowMs: () => nowMs });
    process.emit("SIGINT");
    nowMs = 1499;
    process.emit("SIGINT");
    process.emit("SIGTERM");
    expect(asked).toBe(1);
    expect(exit).not.toHaveBeenCalled();
    nowMs = 1500;
    process.emit("SIGINT");
    expect(asked).toBe(1);
    expect(exit).toHaveBeenCalledExactlyOnceWith(130);
    forget();
    process.once("SIGINT", () => {});
    process.emit("SIGINT");
    expect(exit).toHaveBeenCalledTimes(1);
  });

  it("that arrives twice ends a server once, and does not kill it while it closes", async () => {
    vi.useFakeTimers();
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    const before = process.listenerCount("SIGTERM");
    const ended = untilInterrupted();
    process.emit("SIGTERM");
    await ended;
    expect(process.listenerCount("SIGTERM")).toBe(before + 1);
    process.emit("SIGTERM");
    expect(exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(process.listenerCount("SIGTERM")).toBe(before);
  });
});
