import { afterEach, describe, expect, it, vi } from "vitest";
import { FailureError, UsageError } from "../../src/base/index.ts";
import { aboutFile, endingOf } from "../../src/cli/terminal/endings.ts";
import { onInterrupt, untilInterrupted } from "../../src/cli/terminal/interrupts.ts";
import { StoreError } from "../../src/store/index.ts";

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("an exit code", () => {
  it("distinguishes the user's mistakes from the world's failures", () => {
    expect(endingOf(new UsageError("wrong"))).toEqual({ exitCode: 2, message: "wrong" });
    expect(endingOf(new FailureError("broken"))).toEqual({ exitCode: 1, message: "broken" });
    expect(endingOf(new StoreError("disk-full", "full"))).toEqual({ exitCode: 1, message: "full" });
  });

  it.each<[what: string, work: () => unknown]>([
    ["ordinary", () => new ArrayBuffer(2 ** 50)],
    ["shared", () => new SharedArrayBuffer(2 ** 50)],
    ["typed", () => new Float64Array(2 ** 40)],
  ])("is 1 without a stack where memory is short (%s array)", (_what, work) => {
    const { exitCode, message } = endingOf(thrownBy(work));
    expect(exitCode).toBe(1);
    expect(message).toMatch(/^out of memory/);
    expect(message).not.toContain("\n");
  });

  it("owns up to a bug, with its stack", () => {
    const { exitCode, message } = endingOf(new TypeError("x is undefined"));
    expect(exitCode).toBe(1);
    expect(message).toMatch(/^this is a bug in tidemark.*\nTypeError: x is undefined\n +at /);
  });
});

describe("what the operating system says about a file", () => {
  it.each([
    ["ENOENT", UsageError],
    ["EACCES", UsageError],
    ["EROFS", UsageError],
    ["EISDIR", UsageError],
    ["ENOSPC", FailureError],
    ["EIO", FailureError],
    ["EBUSY", FailureError],
  ])("%s becomes words with its name", (code, kind) => {
    const error = aboutFile("web.arcs", Object.assign(new Error(`${code}: something`), { code }));
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toMatch(/^web\.arcs: ./);
  });

  it("is no matter where a bug of ours shows meanwhile", () => {
    const bug = new TypeError("x is undefined");
    expect(aboutFile("web.arcs", bug)).toBe(bug);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("Ctrl-C", () => {
  it("asks to stop once; a second signal within half a second is ignored, a later one exits with 130", () => {
    vi.useFakeTimers();
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
    vi.advanceTimersByTime(500);
  });

  it("that nobody waits for any more is nobody's; after one that came, the same that arrives again kills nothing", () => {
    vi.useFakeTimers();
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    const before = process.listenerCount("SIGINT");
    onInterrupt(() => {})();
    expect(process.listenerCount("SIGINT")).toBe(before);
    const forget = onInterrupt(() => {});
    process.emit("SIGINT");
    forget();
    process.emit("SIGINT");
    expect(exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(process.listenerCount("SIGINT")).toBe(before);
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
