import { afterEach, describe, expect, it, vi } from "vitest";
import { onInterrupt, untilInterrupted } from "../../src/cli/terminal/interrupts.ts";

afterEach(() => vi.restoreAllMocks());

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

  it("that arrives twice stops a server once, and never by force", async () => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    const interrupted = untilInterrupted();
    process.emit("SIGTERM");
    await interrupted;
    // Without a handler the system would end the process here.
    expect(process.emit("SIGTERM")).toBe(true);
    expect(exit).not.toHaveBeenCalled();
    process.removeAllListeners("SIGTERM").removeAllListeners("SIGINT");
  });
});
