import { formatBytes } from "../../src/base/index.ts";
import { describe, expect, it } from "vitest";
import { busiestHosts, CrawlDisplay, type DisplayOptions, type ShownCrawl } from "../../src/cli/live/display.ts";
import {
  type CrawlEvent,
  type CrawlState,
  type CrawlStatus,
  type HostStatus,
  type Limits,
} from "../../src/crawl/index.ts";
import { SmallTerminal } from "../support/small-terminal.ts";

const STATUS: CrawlStatus = {
  pages: 1234,
  dead: 2,
  redirects: 0,
  refused: 5,
  failed: 3,
  retries: 0,
  bytes: 12_345_678,
  known: 98_765,
  frontier: 97_000,
  hosts: 2,
  coverage: 0.5,
  strict: 0.5,
  ceiling: 1,
  guaranteed: 0.4,
  elapsedMs: 61_000,
};

const HOSTS = [
  { name: "small.example", pages: 1, dead: 0, errors: 0 },
  { name: "a-host-with-a-rather-long-name.of-some-university.example", pages: 900, dead: 0, errors: 2 },
  { name: "none.example", pages: 0, dead: 0, errors: 9 },
  { name: "middle.example", pages: 300, dead: 12, errors: 1 },
];

const TREATMENT: HostStatus = {
  state: "resting",
  pausedForMs: null,
  delayMs: 1000,
  connections: 1,
  underWay: 0,
  address: null,
};
const TREATMENTS: Readonly<Record<string, Partial<HostStatus>>> = {
  "a-host-with-a-rather-long-name.of-some-university.example": { state: "paused", pausedForMs: 39_600 },
  "small.example": { state: "busy", underWay: 1 },
  "none.example": { state: "given-up" },
};

/** Two in the afternoon, wherever this runs. */
const AFTERNOON_MS = new Date(2026, 0, 2, 14, 3, 22).getTime();
const EVENTS: readonly CrawlEvent[] = [
  {
    name: "host-paused",
    atMs: AFTERNOON_MS,
    host: "middle.example",
    reason: "status-503",
    forMs: 40_000,
  },
  { name: "limits-changed", atMs: AFTERNOON_MS + 1000, limits: { coverage: 0.9 } },
];

class Shown implements ShownCrawl {
  readonly hosts: ShownCrawl["hosts"];
  readonly terminal: SmallTerminal;
  readonly display: CrawlDisplay;
  readonly written: string[] = [];
  nowMs = 0;
  state: CrawlState = "running";
  limits: Limits;

  constructor(
    [columns, rows]: readonly [number, number],
    { limits = { coverage: 0.9 }, hosts = HOSTS, ...options }: ShownOptions = {},
  ) {
    this.terminal = new SmallTerminal(columns, rows);
    this.limits = limits;
    this.display = new CrawlDisplay({
      rewrites: true,
      color: false,
      unicode: true,
      damping: 0.85,
      universe: "allowed",
      size: () => ({ columns, rows }),
      write: (text) => {
        this.written.push(text);
        if (options.rewrites !== false) this.terminal.write(text);
      },
      clock: { nowMs: () => this.nowMs, wallMs: () => Date.UTC(2026, 10, 16) + this.nowMs },
      ...options,
    });
    this.hosts = hosts;
    this.display.open(this);
  }

  hostStatus(name: string): HostStatus {
    return { ...TREATMENT, ...TREATMENTS[name] };
  }

  /** Nothing at first, and the status a second later. */
  start(): this {
    this.display.show({ ...STATUS, pages: 0, coverage: 0, elapsedMs: 0 });
    this.nowMs = 1000;
    this.display.show({ ...STATUS, elapsedMs: 1000 });
    return this;
  }
}

interface ShownOptions extends Partial<DisplayOptions> {
  readonly limits?: Limits;
  readonly hosts?: typeof HOSTS;
}

describe("the live view of a crawl", () => {
  it("shows coverage, tide, speed, numbers, time, hosts and events", () => {
    const shown = new Shown([80, 24]);
    for (const event of EVENTS) shown.display.note(event);
    shown.start();
    // 79 columns, of which 39 are for words and 3 around the bar: 37 cells. Half of them is 18 and a half, 90% is
    // within the 34th. Four columns of a quarter of a second each, of which only the last ends when half was covered:
    // half of four rows is two.
    expect(shown.terminal.lines).toEqual([
      `▕${"█".repeat(18)}▌${"·".repeat(14)}┃···▏ 50.00% certainly covered, target 90.00%`,
      "",
      `${"┄".repeat(39)} target`,
      "",
      "   █",
      `   █${" ".repeat(35)} tide`,
      `████${" ".repeat(35)} speed, peak 1,234 pages/s`,
      "",
      "1,234 pages · 1,234 pages/s · 12.3 MB",
      "97,000 of 98,765 known URLs waiting · 2 dead · 5 not fetched · 2 hosts",
      // What is missing has halved in a second; from 0.5 to 0.1 it halves 2.3 times.
      "1 s elapsed · ETA 2 s (90.00% covered)",
      "",
      // 79 columns without 9 + 7 + 8 + 15 of the others and 2 before each leave 32.
      "a-host-with-a-rather-long-name.…  900 pages           2 errors  paused for 40 s",
      "middle.example                    300 pages  12 dead   1 error  resting 1 s",
      "small.example                        1 page                     fetching 1",
      "none.example                        0 pages           9 errors  given up",
      "",
      "14:03:22  middle.example responds with 503 (overloaded): paused for 40 s",
      "14:03:23  new limits: 90% coverage",
      "",
      "Ctrl-C stops cleanly",
    ]);
  });

  it("shows the ceiling in bar and tide, the stricter number, and no forecast for a target above the ceiling", () => {
    const shown = new Shown([80, 24]);
    const status = { ...STATUS, strict: 0.4, ceiling: 0.7 };
    shown.display.show({ ...status, pages: 0, coverage: 0, strict: 0, elapsedMs: 0 });
    shown.nowMs = 1000;
    shown.display.show({ ...status, elapsedMs: 1000 });
    // 70% of 37 cells is within the 26th: the 11 after it cannot be filled. Each of the five rows of the tide is a
    // fifth: 90% is in the first, 70% in the second, and half fills two and a half.
    expect(shown.terminal.lines.slice(0, 13)).toEqual([
      `▕${"█".repeat(18)}▌${"·".repeat(7)}${"╱".repeat(7)}┃╱╱╱▏ 50.00% certainly covered, target 90.00%`,
      "at most 70.00% can be reached",
      "40.00% if forbidden and dead pages count as the worst",
      "",
      `${"┄".repeat(39)} target`,
      `${"╌".repeat(39)} ceiling`,
      "   ▄",
      "   █",
      `   █${" ".repeat(35)} tide`,
      `████${" ".repeat(35)} speed, peak 1,234 pages/s`,
      "",
      "1,234 pages · 1,234 pages/s · 12.3 MB",
      "97,000 of 98,765 known URLs waiting · 2 dead · 5 not fetched · 2 hosts",
    ]);
    expect(shown.terminal.lines).toContain("1 s elapsed");
  });

  it("shows what matters most where there is room for little", () => {
    const lines = (columns: number, rows: number) => new Shown([columns, rows]).start().terminal.lines;
    // 19 columns without 6 for the number and 3 around the bar are 10 cells; 90% is the tenth.
    expect(lines(20, 5)).toEqual([
      `▕${"█".repeat(5)}····┃▏ 50.00%`,
      "1,234 pages",
      "97,000 URLs waiting",
      "1 s elapsed",
    ]);
    expect(lines(40, 3)).toEqual([
      `▕${"█".repeat(11)}········┃··▏ 50.00% covered`,
      "1,234 pages · 1,234 pages/s · 12.3 MB",
    ]);
    expect(lines(40, 2)).toEqual([`▕${"█".repeat(11)}········┃··▏ 50.00% covered`]);
  });

  it.each([20, 21, 30, 40, 48, 60, 80, 120, 200])(
    "fits %i columns and any number of rows, and is drawn over itself without moving the screen",
    (columns) => {
      for (const rows of [2, 3, 5, 8, 12, 18, 24, 50]) {
        const shown = new Shown([columns, rows]);
        for (const event of EVENTS) shown.display.note(event);
        shown.start();
        const before = shown.terminal.lines.length;
        for (let k = 2; k <= 5; k++) {
          shown.nowMs = 1000 * k;
          shown.display.show({ ...STATUS, elapsedMs: 1000 * k });
        }
        expect(shown.terminal.lines.length).toBe(before);
        expect(before).toBeLessThan(rows);
        expect(shown.terminal.scrolled).toEqual([]);
        expect(shown.terminal).toMatchObject({ writes: 6, openFrames: 0, isCursorShown: false });
        shown.display.clear();
        expect(shown.terminal.lines).toEqual([]);
        expect(shown.terminal.isCursorShown).toBe(true);
      }
    },
  );

  it("leaves what was written before where it is", () => {
    const shown = new Shown([80, 24]);
    shown.terminal.write("a new crawl\n");
    shown.start();
    shown.display.clear();
    shown.terminal.write("done\n");
    expect(shown.terminal.lines).toEqual(["a new crawl", "done"]);
    const writes = shown.written.length;
    shown.display.clear();
    expect(shown.written).toHaveLength(writes);
  });

  it("goes up over as many rows as its lines have become in a narrower terminal", () => {
    let columns = 80;
    const shown = new Shown([80, 5], { size: () => ({ columns, rows: 5 }), limits: {} }).start();
    // The bar takes all 79 columns but the one of its cells' rounding: two rows of 40; the others take 37, 70 and 11: 1
    // + 2 + 1.
    expect(shown.terminal.lines.map(({ length }) => length)).toEqual([79, 37, 70, 11]);
    columns = 40;
    shown.display.resized();
    expect(shown.written.at(-1)).toContain("\u001B[6A\r");
  });

  it("goes on with time while nothing comes, and says that a crawl is paused", () => {
    const shown = new Shown([80, 24], { limits: {} }).start();
    shown.nowMs = 1800;
    shown.display.tick();
    expect(shown.written).toHaveLength(2);
    shown.state = "paused";
    for (shown.nowMs = 2000; shown.nowMs < 31_000; shown.nowMs += 1000) shown.display.tick();
    shown.display.tick();
    expect(shown.terminal.lines).toContain("paused · 31 s elapsed");
    expect(shown.terminal.lines.join()).toContain("0.0 pages/s");
    shown.display.close();
    shown.nowMs = 40_000;
    shown.display.tick();
    expect(shown.terminal.lines).toEqual([]);
  });

  it("is plain ASCII where the locale is", () => {
    const shown = new Shown([80, 24], { unicode: false });
    shown.display.note({ ...EVENTS[0], host: "bücher.example" } as CrawlEvent);
    shown.start();
    expect(shown.written.join("")).toMatch(/^[\p{ASCII}]*$/u);
    expect(shown.terminal.lines[0]).toBe(
      `[${"#".repeat(18)}${".".repeat(15)}|...] 50.00% certainly covered, target 90.00%`,
    );
    expect(shown.terminal.lines).toContain("1,234 pages, 1,234 pages/s, 12.3 MB");
    expect(shown.terminal.lines.join("\n")).toContain("b?cher.example responds");
  });

  it("has colours only where they are wanted, and the same text with them", () => {
    const plain = new Shown([80, 24]).start();
    const coloured = new Shown([80, 24], { color: true }).start();
    expect(plain.written.join("")).not.toMatch(/\[\d+m/);
    expect(coloured.written.join("")).toContain(`\u001B[36m${"█".repeat(18)}\u001B[39m`);
    expect(coloured.terminal.lines).toEqual(plain.terminal.lines);
  });

  it("never lets a name command the terminal", () => {
    const evil = { name: "evil\u001B[2J\u0007\u202E\r\n.example", pages: 7, dead: 0, errors: 0 };
    const shown = new Shown([80, 24], { hosts: [evil] });
    shown.display.note({ ...EVENTS[0], host: evil.name } as CrawlEvent);
    // The terminal of this test throws when a control character reaches it.
    shown.start();
    const text = shown.terminal.lines.join("\n");
    expect(text).toContain("evil?[2J????.example  7 pages");
    expect(text).toContain("evil?[2J????.example responds with 503 (overloaded)");
  });

  it("keeps the last six events, and no more", () => {
    const shown = new Shown([80, 60]);
    for (let k = 1; k <= 7; k++) {
      shown.display.note({ name: "host-given-up", atMs: AFTERNOON_MS, host: `h${k}`, reason: "status-503" });
    }
    shown.start();
    const told = shown.terminal.lines.filter((line) => line.includes("is given up"));
    expect(told.map((line) => line.slice(10, 12))).toEqual(["h2", "h3", "h4", "h5", "h6", "h7"]);
  });
});

describe("the plain lines of a crawl", () => {
  const plain = (limits: Limits = {}) => new Shown([80, 24], { rewrites: false, limits });

  it("come every ten seconds, with the time, where nothing can be overwritten", () => {
    const shown = plain();
    const { display, written } = shown;
    for (let elapsedMs = 0; elapsedMs <= 25_000; elapsedMs += 1000) {
      shown.nowMs = elapsedMs;
      display.show({ ...STATUS, pages: elapsedMs / 100, elapsedMs });
    }
    display.tick();
    display.clear();
    expect(written).toEqual([
      "2026-11-16T00:00:10.000Z 100 pages, 10 pages/s, 50.00% covered, 97,000 URLs waiting\n",
      "2026-11-16T00:00:20.000Z 200 pages, 10 pages/s, 50.00% covered, 97,000 URLs waiting\n",
    ]);
  });

  it("count one as one", () => {
    const { display, written } = plain();
    display.show({ ...STATUS, pages: 1, frontier: 1, elapsedMs: 10_000 });
    expect(written).toEqual(["2026-11-16T00:00:00.000Z 1 page, 50.00% covered, 1 URL waiting\n"]);
  });
});

describe("hosts", () => {
  it("are those of most pages, then of most errors; those of neither are left out", () => {
    const names = (count: number) =>
      busiestHosts([...HOSTS, { name: "silent.example", pages: 0, dead: 0, errors: 0 }], count).map(
        ({ pages, errors }) => [pages, errors],
      );
    expect(names(2)).toEqual([
      [900, 2],
      [300, 1],
    ]);
    expect(names(9)).toEqual([
      [900, 2],
      [300, 1],
      [1, 0],
      [0, 9],
    ]);
  });
});

describe("numbers of bytes", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 KB"],
    [123_456, "123 KB"],
    [12_345_678, "12.3 MB"],
    [7.7e15, "7700 TB"],
  ])("writes %d bytes as %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
