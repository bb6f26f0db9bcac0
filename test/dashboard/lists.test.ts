/**
 * What the page's lists are made of, without a browser: places in very long lists, rows that come and go, words for
 * shares.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ENTRIES_MAX, LogStore } from "../../src/dashboard/page/lists/log-store.ts";
import { CHUNK_ROWS, RowStore, type RowsAnswer } from "../../src/dashboard/page/lists/row-store.ts";
import { HEIGHT_MAX_PX, ScrollMap } from "../../src/dashboard/page/lists/scroll-map.ts";
import type { LogEntry } from "../../src/dashboard/protocol/http.ts";
import {
  intervalFigures,
  intervalInWords,
  onLogScale,
  shareAtLeast,
  shareAtMost,
  shareFigure,
  shown,
  shownInLine,
} from "../../src/text/index.ts";

describe("a list that fits into an element", () => {
  test("is scrolled as the element is", () => {
    const map = new ScrollMap();
    map.resize(10_000, 500);
    expect(map.scrolled(1234)).toBeUndefined();
    expect(map.topPx).toBe(1234);
    expect(map.shiftPx).toBe(0);
  });

  test("stays within its ends", () => {
    const map = new ScrollMap();
    map.resize(10_000, 500);
    expect(map.goTo(99_999)).toBe(9500);
    expect(map.goTo(-1)).toBe(0);
  });
});

describe("a list that is higher than any element", () => {
  const fullPx = 54_000_000;
  const viewPx = 600;
  const elementMaxPx = HEIGHT_MAX_PX - viewPx;
  const long = (): ScrollMap => {
    const map = new ScrollMap();
    map.resize(fullPx, viewPx);
    return map;
  };

  test("has an element of the greatest height, which one row more does not change", () => {
    expect(ScrollMap.heightOf(HEIGHT_MAX_PX)).toBe(HEIGHT_MAX_PX);
    expect(ScrollMap.heightOf(HEIGHT_MAX_PX + 54)).toBe(HEIGHT_MAX_PX);
  });

  test("moves by as many pixels as a wheel does, and its rows do not move within the element", () => {
    const map = long();
    map.goTo(27_000_000);
    const shiftPx = map.shiftPx;
    const elementPx = map.settle();
    expect(map.scrolled(elementPx + 120)).toBeUndefined();
    expect(map.topPx).toBe(27_000_120);
    expect(map.shiftPx).toBe(shiftPx);
  });

  test("goes to the same fraction of itself when the scrollbar jumps", () => {
    const map = long();
    map.scrolled(elementMaxPx / 2);
    expect(map.topPx).toBeCloseTo((fullPx - viewPx) / 2, 3);
    map.scrolled(elementMaxPx);
    expect(map.topPx).toBe(fullPx - viewPx);
  });

  test("is put back in proportion when scrolling rests, its rows staying where they are seen", () => {
    const map = long();
    let elementPx = map.goTo(27_000_000);
    for (let turn = 0; turn < 100; turn++) map.scrolled((elementPx += 120));
    const { topPx } = map;
    const settledPx = map.settle();
    expect(map.topPx).toBe(topPx);
    expect(settledPx).toBe(Math.round((topPx * elementMaxPx) / (fullPx - viewPx)));
    expect(topPx + map.shiftPx).toBe(settledPx);
  });

  test("is not stopped by the end of the element before its own", () => {
    const map = long();
    // A hundred rows from the top the element is 400 px from its own; a wheel reaches that sooner.
    let elementPx = map.goTo(5400);
    expect(elementPx).toBe(400);
    elementPx = map.scrolled(0)!;
    expect(map.topPx).toBe(5000);
    expect(elementPx).toBe(370);
  });

  test("ends when its own end is reached, wherever the element is", () => {
    const map = long();
    const elementPx = map.goTo(100);
    expect(map.scrolled(elementPx + 500)).toBeUndefined();
    expect(map.scrolled(elementPx + 500 - 700)).toBe(0);
    expect(map.topPx).toBe(0);
  });
});

/** A server of numbers: row i is `${word}${i}`. */
class Numbers {
  readonly asked: number[] = [];
  readonly aborted: number[] = [];
  total: number;
  survey = 1;
  delayMs = 10;
  searched: RowsAnswer<string>["searched"];
  constructor(total: number) {
    this.total = total;
  }
  ask =
    (word: string) =>
    async (
      from: number,
      count: number,
      signal: AbortSignal,
    ): Promise<{ state: "there"; value: RowsAnswer<string> }> => {
      this.asked.push(from);
      signal.addEventListener("abort", () => this.aborted.push(from));
      await new Promise((resolve) => setTimeout(resolve, this.delayMs));
      const { total, survey, searched } = this;
      const rows = Array.from({ length: Math.min(count, total - from) }, (_, i) => `${word}${from + i}`);
      return { state: "there", value: { total, rows, survey, ...(searched && { searched }) } };
    };
}

describe("rows", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("are requested as they come into view, and once", async () => {
    const numbers = new Numbers(1_000_000);
    const store = new RowStore<string>(() => undefined);
    store.open(numbers.ask("a"));
    await vi.advanceTimersByTimeAsync(100);
    expect(store.state.total).toBe(1_000_000);
    expect(store.row(99)).toBe("a99");
    store.view(700_040, 700_060);
    expect(store.row(700_050)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(100);
    expect(store.row(700_050)).toBe("a700050");
    store.view(700_041, 700_061);
    await vi.advanceTimersByTimeAsync(100);
    expect(numbers.asked).toEqual([0, 700_000]);
    store.close();
  });

  test("that are out of view again before they come are taken back", async () => {
    const numbers = new Numbers(1_000_000);
    const store = new RowStore<string>(() => undefined);
    store.open(numbers.ask("a"));
    await vi.advanceTimersByTimeAsync(100);
    numbers.delayMs = 500;
    store.view(5040, 5060);
    await vi.advanceTimersByTimeAsync(100);
    store.view(9040, 9060);
    await vi.advanceTimersByTimeAsync(700);
    expect(numbers.asked).toEqual([0, 5000, 9000]);
    expect(numbers.aborted).toEqual([5000]);
    expect(store.row(5050)).toBeUndefined();
    expect(store.row(9050)).toBe("a9050");
    store.close();
  });

  test("are kept while there is room: one page more and the oldest goes", async () => {
    const numbers = new Numbers(1_000_000);
    const store = new RowStore<string>(() => undefined);
    store.open(numbers.ask("a"));
    await vi.advanceTimersByTimeAsync(100);
    const visit = async (page: number): Promise<void> => {
      store.view(page * CHUNK_ROWS + 40, page * CHUNK_ROWS + 60);
      await vi.advanceTimersByTimeAsync(100);
    };
    for (let page = 1; page < 50; page++) await visit(page);
    expect(store.row(0)).toBe("a0");
    await visit(50);
    expect(store.row(0)).toBeUndefined();
    expect(store.row(100)).toBe("a100");
    store.close();
  });

  test("of the question before are shown until the new answer is there", async () => {
    const numbers = new Numbers(500);
    const store = new RowStore<string>(() => undefined);
    store.open(numbers.ask("a"));
    await vi.advanceTimersByTimeAsync(100);
    store.open(numbers.ask("b"));
    expect(store.state.isOld).toBe(true);
    expect(store.row(3)).toBe("a3");
    await vi.advanceTimersByTimeAsync(100);
    expect(store.state.isOld).toBe(false);
    expect(store.row(3)).toBe("b3");
    store.close();
  });

  test("of a newer survey make the other rows in view load again", async () => {
    const numbers = new Numbers(500);
    const store = new RowStore<string>(() => undefined);
    store.open(numbers.ask("a"));
    await vi.advanceTimersByTimeAsync(100);
    numbers.survey = 2;
    store.view(60, 140);
    await vi.advanceTimersByTimeAsync(200);
    expect(numbers.asked).toEqual([0, 100, 0]);
    store.close();
  });

  test("of a search are requested until it is done", async () => {
    const numbers = new Numbers(3);
    numbers.searched = { done: 10, total: 100 };
    const store = new RowStore<string>(() => undefined);
    store.open(numbers.ask("a"));
    await vi.advanceTimersByTimeAsync(100);
    expect(store.state.searched).toEqual({ done: 10, total: 100 });
    numbers.total = 7;
    numbers.searched = { done: 100, total: 100 };
    await vi.advanceTimersByTimeAsync(400);
    expect(store.state).toMatchObject({ total: 7, searched: undefined });
    const { length } = numbers.asked;
    await vi.advanceTimersByTimeAsync(5000);
    expect(numbers.asked.length).toBe(length);
    store.close();
  });

  test("that met a problem are requested again when the server is back", async () => {
    let isBroken = true;
    const store = new RowStore<string>(() => undefined);
    store.open(async () =>
      isBroken
        ? { state: "problem", problem: "The server does not answer." }
        : { state: "there", value: { total: 1, rows: ["a"] } },
    );
    await vi.advanceTimersByTimeAsync(10);
    expect(store.state.problem).toBe("The server does not answer.");
    isBroken = false;
    store.refresh();
    await vi.advanceTimersByTimeAsync(10);
    expect(store.state).toMatchObject({ problem: undefined, total: 1 });
    expect(store.row(0)).toBe("a");
    store.close();
  });
});

function entry(key: number): LogEntry {
  return { key, atMs: key, event: "downloaded", text: `visit ${key}`, reason: null, page: null, host: null };
}

/** A log of `length` visits, the newest first. */
function logOf(length: () => number) {
  return async ({ before = Infinity, count }: { before?: number; count: number }) => {
    const last = Math.min(before - 1, length());
    const rows = Array.from({ length: Math.max(0, Math.min(count, last)) }, (_, i) => entry(last - i));
    return { state: "there" as const, value: { rows, more: last > count } };
  };
}

describe("the log", () => {
  const opened = async (length: () => number): Promise<LogStore> => {
    const store = new LogStore(() => undefined);
    store.open(logOf(length));
    await vi.waitFor(() => expect(store.isThere).toBe(true));
    return store;
  };

  test("shows what is new at once while nobody reads further down, else keeps it waiting", async () => {
    let length = 500;
    const store = await opened(() => length);
    length = 503;
    await store.newer();
    expect(store.rows[0]?.key).toBe(503);
    store.isFollowing = false;
    length = 515;
    await store.newer();
    expect(store.rows[0]?.key).toBe(503);
    expect(store.pending.length).toBe(12);
    store.show();
    expect(store.rows.slice(0, 14).map(({ key }) => key)).toEqual([
      515, 514, 513, 512, 511, 510, 509, 508, 507, 506, 505, 504, 503, 502,
    ]);
  });

  test("is requested repeatedly where a filter lets nothing through for long, and ends", async () => {
    const asked: (number | undefined)[] = [];
    const store = new LogStore(() => undefined);
    store.open(async ({ before }) => {
      asked.push(before);
      // Only the third answer holds anything: the entry 7.
      const rows = before === 20 ? [entry(7)] : [];
      const next = before === undefined ? 40 : before === 40 ? 20 : undefined;
      return {
        state: "there",
        value: { rows, more: next !== undefined, ...(next !== undefined && { next }) },
      };
    });
    await vi.waitFor(() => expect(store.rows.map(({ key }) => key)).toEqual([7]));
    expect(asked).toEqual([undefined, 40, 20]);
    expect(store.more).toBe(false);
  });

  test("starts again where more is new than one request returns", async () => {
    let length = 500;
    const store = await opened(() => length);
    length = 5000;
    await store.newer();
    expect(store.rows.length).toBe(200);
    expect(store.rows.at(-1)?.key).toBe(4801);
    await store.older();
    expect(store.rows.at(-1)?.key).toBe(4701);
  });

  test("reaches its first entry, and holds no more than it says", async () => {
    const store = await opened(() => ENTRIES_MAX + 1);
    for (let turn = 0; turn < ENTRIES_MAX / 100 + 5; turn++) await store.older();
    expect(store.rows.length).toBe(ENTRIES_MAX);
    expect(store.rows.at(-1)?.key).toBe(2);
    expect(store.isFull).toBe(true);
    expect(store.more).toBe(false);
  });
});

describe("shares", () => {
  test("that are lower bounds are cut, upper bounds are rounded up", () => {
    expect(shareAtLeast(0.0042199)).toBe("0.421%");
    expect(shareAtMost(0.0042101)).toBe("0.422%");
    expect(shareAtLeast(0.29)).toBe("29.0%");
    expect(shareAtMost(0.29)).toBe("29.0%");
    expect(shareAtMost(0.99999)).toBe("100%");
    expect(shareAtLeast(0.99999)).toBe("99.9%");
  });

  test("that are tiny are written without an exponent", () => {
    expect(shareAtLeast(3.14159e-11)).toBe("0.00000000314%");
    expect(shareAtLeast(0)).toBe("0%");
  });

  test("that are dust are not written out, and no bound is false for it", () => {
    expect(shareFigure(7.21e-8)).toBe("< 0.0001%");
    expect(shareFigure(1e-6)).toBe("0.000100%");
    expect(shareFigure(0)).toBe("0%");
    expect(shareAtMost(7.21e-8)).toBe("0.000100%");
    expect(shareAtMost(0)).toBe("0%");
    expect(intervalFigures({ low: 7.21e-8, high: 9e-8 })).toBe("up to 0.000100%");
    expect(intervalInWords({ low: 7.21e-8, high: 0.0044 })).toBe("at most 0.440%");
  });

  test("are intervals in words", () => {
    expect(intervalInWords({ low: 0.0042, high: 0.0044 })).toBe("at least 0.420%, at most 0.440%");
    expect(intervalInWords({ low: 0, high: 0.0044 })).toBe("at most 0.440%");
    expect(intervalFigures({ low: 0.0042, high: 0.0044 })).toBe("0.420 – 0.440%");
    expect(intervalFigures({ low: 0, high: 0.0044 })).toBe("up to 0.440%");
  });

  test("stand on a scale of powers of ten", () => {
    expect(onLogScale(1)).toBe(1);
    expect(onLogScale(1e-4)).toBeCloseTo(0.5, 12);
    expect(onLogScale(1e-8)).toBeCloseTo(0, 12);
    expect(onLogScale(1e-20)).toBe(0);
    expect(onLogScale(0)).toBe(0);
  });
});

describe("texts of the web", () => {
  test("lose what would turn or hide other text", () => {
    expect(shown("a\u202egnp.exe\u0000b\u0007")).toBe("a\ufffdgnp.exe\ufffdb\ufffd");
    expect(shown("  two\n\tlines ")).toBe("two lines");
    expect(shown("half \ud83d of a character, a whole 🌊")).toBe("half \ufffd of a character, a whole 🌊");
  });

  test("are cut to what one line can show", () => {
    expect(shownInLine("x".repeat(300))).toBe("x".repeat(300));
    expect(shownInLine("x".repeat(301))).toBe(`${"x".repeat(300)}…`);
  });
});
