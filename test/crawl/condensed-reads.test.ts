/** Reads that were condensed: whoever reads the log learns the same as before, whatever pages and clocks did. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { runSteps } from "../../src/base/index.ts";
import { LogCompaction, refreshFacts } from "../../src/crawl/index.ts";
import { DayBudget } from "../../src/crawl/refresh/day-budget.ts";
import { PageBook } from "../../src/crawl/refresh/page-book.ts";
import { PastReads } from "../../src/crawl/refresh/past-reads.ts";
import { FailedVisits } from "../../src/crawl/refresh/importance.ts";
import { readHistory } from "../../src/crawl/refresh/refresh-history.ts";
import { Retries } from "../../src/crawl/refresh/retries.ts";
import { summariseRereads } from "../../src/report/crawl/contents.ts";
import { ModifiedTrust, RefreshQueue } from "../../src/refresh/index.ts";
import { type CrawlStore, MemoryStore } from "../../src/store/index.ts";
import { fakeSurvey } from "../survey/fake-survey.ts";
import { cases } from "../support/cases.ts";
import { inlineSettings } from "../support/inline-web.ts";
import { PAGES, type ReadStep, readSteps, START_MS, writeReads } from "../support/reread-logs.ts";

const DAY = 86_400_000;
const SETTINGS = JSON.stringify(inlineSettings(["http://a.example/0"], {}));

/** All that is learnt from a log: by a plan of reads, by a refresh that goes on, by a report, by a comparison. */
function learnt(store: CrawlStore, nowMs: number): object {
  const dates = new ModifiedTrust();
  const queue = new RefreshQueue({ startMs: nowMs, readsPerDay: 100, dates });
  const [book, budget, retries] = [new PageBook(), new DayBudget(1000, nowMs), new Retries()];
  runSteps(readHistory({ store, queue, book, budget, retries, dates, failed: new FailedVisits() }, nowMs));
  const pages = Array.from({ length: book.count }, (_, page) => [
    book.urlOf(page),
    book.copyOf(page),
    queue.explain(page, nowMs),
    retries.retryMs(page),
    retries.failureOf(page),
    retries.absenceOf(page),
  ]);
  return {
    facts: refreshFacts(store),
    pages,
    past: pastOf(store),
    spent: budget.spent(nowMs),
    report: summariseRereads(store.rereads(), fakeSurvey([], { coverage: 0 })),
    changed: changedWithoutVisit(store),
    reads: store.rereadCount,
  };
}

/** The history of each page, whether dates are believed or not, and how many dates were right and wrong. */
function pastOf(store: CrawlStore): object {
  const [book, dates] = [new PageBook(), new ModifiedTrust()];
  const past = new PastReads(book, new Retries());
  for (const visit of store.visits()) past.visited(visit);
  for (const visit of store.replacedVisits()) past.replaced(visit);
  for (const reread of store.rereads()) past.reread(reread);
  const note = vi.spyOn(dates, "note");
  past.noteDates(dates, () => 0);
  const histories = Array.from({ length: book.count }, (_, page) => [past.of(page, true), past.of(page, false)]);
  return { histories, noted: note.mock.calls };
}

/** Changes of version 0.1, as report/compare/crawl-columns.ts reads them. */
function changedWithoutVisit(store: CrawlStore): ReadonlyMap<number, unknown> {
  const changed = new Map<number, unknown>();
  for (const { url, outcome, digest, visit } of store.rereads()) {
    if (visit !== null) changed.delete(url);
    else if (outcome === "changed") changed.set(url, digest);
  }
  return changed;
}

function storeOf(steps: readonly ReadStep[]): { readonly store: MemoryStore; readonly endMs: number } {
  const store = new MemoryStore(SETTINGS);
  const endMs = writeReads(store, steps);
  return { store, endMs };
}

function condenseAll(store: CrawlStore, untilMs: number): number {
  let freed = 0;
  for (const rows of store.condenseReads(untilMs)) freed += rows;
  store.commit();
  return freed;
}

const reads = (outcomes: readonly ReadStep["outcome"][], waitMs = DAY): ReadStep[] =>
  outcomes.map((outcome) => ({ url: 0, waitMs, outcome, isBelieved: true, etag: null, ageMs: null, place: "/x" }));

function rowsOf(store: CrawlStore): unknown[][] {
  return Array.from(store.rereads(), ({ number, outcome, earlier }) =>
    earlier === undefined ? [number, outcome] : [number, outcome, earlier],
  );
}

describe("reads that were condensed", () => {
  it("tell the same to whoever learns from them, at any time and as often as it is done", () => {
    let freed = 0;
    fc.assert(
      fc.property(
        readSteps,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
        (steps, shares) => {
          const { store, endMs } = storeOf(steps);
          const nowMs = Math.max(endMs, START_MS) + DAY;
          const before = learnt(store, nowMs);
          for (const share of shares) {
            freed += condenseAll(store, START_MS + share * (nowMs - 3 * DAY - START_MS));
            expect(learnt(store, nowMs)).toEqual(before);
          }
        },
      ),
      { numRuns: cases(400) },
    );
    expect(freed).toBeGreaterThan(cases(400) / 4);
  });

  it("tell the same when visits were deleted as well, and when more is read in between", () => {
    fc.assert(
      fc.property(readSteps, fc.integer({ min: 1, max: 3 }), (steps, newest) => {
        const [whole, compact] = [storeOf(steps), storeOf(steps)];
        const nowMs = Math.max(whole.endMs, START_MS) + 4 * DAY;
        const compaction = new LogCompaction(compact.store, { newest }, nowMs);
        while (compaction.step());
        expect(learnt(compact.store, nowMs)).toEqual(learnt(whole.store, nowMs));
        const number = whole.store.rereadCount + 1;
        const more = { ...[...whole.store.rereads()].at(-1)!, number, atMs: nowMs, outcome: "unchanged" as const };
        for (const { store } of [whole, compact]) store.addReread({ ...more, visit: null });
        condenseAll(compact.store, nowMs);
        expect(learnt(compact.store, nowMs + 4 * DAY)).toEqual(learnt(whole.store, nowMs + 4 * DAY));
      }),
      { numRuns: cases(300) },
    );
  });

  it("keep the first, the last change and the last of each page, and what was found in between as numbers", () => {
    const { store, endMs } = storeOf(
      reads(["unchanged", "unchanged", "changed", "failed", "unchanged", "changed", "unchanged", "unchanged"]),
    );
    expect(condenseAll(store, endMs)).toBe(5);
    const none = { unchanged: 0, gone: 0, moved: 0, failed: 0 };
    const change = { quietMs: DAY, quietAgeMs: null, afterMs: DAY, ageMs: null };
    expect(rowsOf(store)).toEqual([
      [1, "unchanged"],
      [6, "changed", { ...none, unchanged: 2, failed: 1, changes: [change], quietMs: 2 * DAY, quietAgeMs: null }],
      [8, "unchanged", { ...none, unchanged: 1, changes: [], quietMs: DAY, quietAgeMs: null }],
    ]);
    expect(condenseAll(store, endMs)).toBe(0);
  });

  it("keep how old changes were by their dates, and which dates of contents were later than these", () => {
    const dated = (outcome: ReadStep["outcome"], ageDays: number | null): ReadStep => ({
      ...reads([outcome])[0],
      ageMs: ageDays === null ? null : ageDays * DAY,
    });
    const { store, endMs } = storeOf([
      // Before the first change, nobody knows from these rows whether the date is later than the content.
      dated("unchanged", 90),
      dated("unchanged", 90),
      dated("changed", 0.5),
      // Modified after it was seen so: the date is wrong. The other is right, and is not told.
      dated("unchanged", null),
      dated("unchanged", 1),
      dated("changed", 0.25),
      dated("unchanged", 90),
      dated("changed", null),
    ]);
    const past = pastOf(store);
    expect(condenseAll(store, endMs)).toBe(6);
    const changes = [...store.rereads()]
      .at(-1)
      ?.earlier?.changes.map(({ ageMs, quietAgeMs }) =>
        [quietAgeMs, ageMs].map((ms) => (ms === null ? null : Math.round((10 * ms) / DAY) / 10)),
      );
    expect(changes).toEqual([
      [90, 0.5],
      [1, 0.3],
    ]);
    expect(pastOf(store)).toEqual(past);
    expect(past).toMatchObject({ noted: expect.arrayContaining([[0, { right: 2, wrong: 1 }]]) });
  });

  it("keep the first and the last of failures in a row", () => {
    const { store, endMs } = storeOf(reads(["unchanged", "failed", "failed", "failed", "failed"]));
    expect(condenseAll(store, endMs)).toBe(2);
    expect(rowsOf(store).map(([number]) => number)).toEqual([1, 2, 5]);
  });

  it("stay bounded by pages and not by reads, and no row stands for more than 64 changes", () => {
    const { store, endMs } = storeOf(
      reads(Array.from({ length: 1000 }, (_, k) => (k % 3 === 0 ? "changed" : "unchanged"))),
    );
    condenseAll(store, endMs);
    const rows = [...store.rereads()];
    expect(rows.length).toBeLessThan(3 + (3 * 334) / 64);
    expect(Math.max(...rows.map(({ earlier }) => earlier?.changes.length ?? 0))).toBe(63);
    expect(store.rereadCount).toBe(1000);
  });

  it("of the last two days, and of the time of which views are kept, have their rows", () => {
    const outcomes = Array.from({ length: 20 }, () => "unchanged" as const);
    const numbersOf = (kept: { readonly newest: number } | { readonly sinceMs: number }): number[] => {
      const { store, endMs } = storeOf(reads(outcomes));
      const compaction = new LogCompaction(store, kept, endMs);
      while (compaction.step());
      expect(compaction.condensed).toBe(20 - [...store.rereads()].length);
      return Array.from(store.rereads(), ({ number }) => number);
    };
    expect(numbersOf({ newest: 1 })).toEqual([1, 18, 19, 20]);
    expect(numbersOf({ sinceMs: START_MS + PAGES + 15 * DAY })).toEqual([1, 15, 16, 17, 18, 19, 20]);
    expect(numbersOf({ sinceMs: START_MS + PAGES + 19 * DAY })).toEqual([1, 18, 19, 20]);
  });
});

it("a page that has changed is asked for by the validators of its newest content", () => {
  const step = { url: 0, waitMs: DAY, isBelieved: true, ageMs: null, place: "/x" };
  const { store } = storeOf([
    { ...step, outcome: "unchanged", etag: '"before"' },
    { ...step, outcome: "changed", etag: '"after"' },
  ]);
  expect(refreshFacts(store).pages.find(({ url }) => url === 0)?.etag).toBe('"after"');
});
