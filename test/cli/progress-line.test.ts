import { describe, expect, it } from "vitest";
import { ProgressLine } from "../../src/cli/terminal/terminal.ts";

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
});
