import { describe, expect, it } from "vitest";
import { waitInWords } from "../../src/cli/crawl/forever.ts";

/** By the clock of whoever reads. */
const NOW_MS = new Date(2026, 10, 18, 16, 20).getTime();
const MINUTE = 60_000;

describe("why a refresh reads nothing now", () => {
  it("is not said while it goes on", () => {
    expect(waitInWords({ nextMs: NOW_MS - 1, isQuiet: false }, NOW_MS)).toBeUndefined();
    expect(waitInWords({ nextMs: NOW_MS + MINUTE - 1, isQuiet: false }, NOW_MS)).toBeUndefined();
  });

  it("is said with the time of the next read", () => {
    expect(waitInWords({ nextMs: NOW_MS + MINUTE, isQuiet: false }, NOW_MS)).toBe("next at 16:21");
    expect(waitInWords({ nextMs: NOW_MS + 1000, isQuiet: true }, NOW_MS)).toBe("quiet until 16:20");
    expect(waitInWords({ nextMs: NOW_MS + 840 * MINUTE, isQuiet: true }, NOW_MS)).toBe(
      "quiet until 19 Nov 2026, 06:20",
    );
    expect(waitInWords({ nextMs: null, isQuiet: false }, NOW_MS)).toBe("nothing to read");
  });
});
