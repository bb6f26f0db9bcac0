import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openTerminal, ProgressLine, writeOut } from "../../src/cli/terminal/terminal.ts";

/** What is written when one step a `stepMs` is shown, from 1 to `steps` of `total`. */
function written(options: {
  rewrites: boolean;
  stepMs: number;
  steps: number;
  total?: number;
  width?: number;
  notes?: string[];
}): string {
  let nowMs = 0;
  let text = "";
  const line = new ProgressLine({
    write: (more) => {
      text += more;
    },
    rewrites: options.rewrites,
    width: () => options.width ?? 80,
    clock: { nowMs: () => nowMs, wallMs: () => Date.UTC(2026, 10, 16) + nowMs },
  });
  for (let done = 1; done <= options.steps; done++) {
    nowMs += options.stepMs;
    const total = options.total === undefined ? {} : { total: options.total };
    line.show({
      task: "reading",
      done: 1000 * done,
      ...total,
      unit: "arcs",
      ...(options.notes && { notes: options.notes }),
    });
  }
  line.clear();
  return text;
}

describe("progress", () => {
  it("elsewhere than on a terminal is a plain line with the time every five seconds", () => {
    const text = written({ rewrites: false, stepMs: 1000, steps: 12, total: 20_000 });
    // The rate counts from the first step, which came after a second.
    expect(text).toBe(
      "2026-11-16T00:00:05.000Z reading: 5,000 of 20,000 arcs, 1,000/s, ETA 15 s\n" +
        "2026-11-16T00:00:10.000Z reading: 10,000 of 20,000 arcs, 1,000/s, ETA 10 s\n",
    );
  });

  it("of short work leaves no trace in a log", () => {
    expect(written({ rewrites: false, stepMs: 100, steps: 40 })).toBe("");
  });

  it("on a terminal rewrites one line and takes it away at the end", () => {
    const text = written({ rewrites: true, stepMs: 200, steps: 3 });
    expect(text.split("\r\u001B[K")).toEqual([
      "",
      "reading: 1,000 arcs",
      "reading: 2,000 arcs",
      "reading: 3,000 arcs",
      "",
    ]);
  });

  it("leaves out what there is no room for on a terminal, the last first, and nothing in a log", () => {
    const notes = ["3 changed, 12 new", "97.9% under a day old"];
    const shown = (width: number) =>
      written({ rewrites: true, stepMs: 1000, steps: 2, width, notes }).split("\r\u001B[K")[2];
    expect(shown(80)).toBe("reading: 2,000 arcs, 3 changed, 12 new, 97.9% under a day old, 1,000/s");
    expect(shown(71)).toBe("reading: 2,000 arcs, 3 changed, 12 new, 97.9% under a day old, 1,000/s");
    expect(shown(70)).toBe("reading: 2,000 arcs, 3 changed, 12 new, 97.9% under a day old");
    expect(shown(40)).toBe("reading: 2,000 arcs, 3 changed, 12 new");
    expect(shown(20)).toBe("reading: 2,000 arcs");
    expect(shown(15)).toBe("reading: 2,000");
    expect(written({ rewrites: false, stepMs: 5000, steps: 1, width: 10, notes })).toContain("under a day old\n");
  });

  it("is shown ten times a second at most", () => {
    const text = written({ rewrites: true, stepMs: 10, steps: 100 });
    expect(text.match(/reading/g)).toHaveLength(10);
  });

  it("is shown as seldom elsewhere as its work wants", () => {
    let nowMs = 0;
    const shown: number[] = [];
    const clock = { nowMs: () => nowMs, wallMs: () => nowMs };
    const line = new ProgressLine({ write: () => void shown.push(nowMs), rewrites: false, width: () => 80, clock });
    for (; nowMs <= 130_000; nowMs += 1000) line.show({ task: "waiting", done: 1, unit: "pages", plainMs: 60_000 });
    expect(shown).toEqual([60_000, 120_000]);
  });

  it("is taken away before the answer is printed to the same terminal", async () => {
    const { stderr, stdout } = process;
    const { isTTY } = stderr;
    const written: string[] = [];
    const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
    const spies = [stderr, stdout].map((stream) => vi.spyOn(stream, "write").mockImplementation(write));
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
      stderr.isTTY = isTTY;
    });
    stderr.isTTY = true;
    const { progress } = openTerminal({ quiet: false });
    await sleep(150);
    progress({ task: "gathering", done: 3, unit: "visits" });
    writeOut("gathered\n");
    expect(written).toEqual(["\r\u001B[Kgathering: 3 visits", "\r\u001B[K", "gathered\n"]);
  });
});
