import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { PageBook } from "../../src/crawl/refresh/page-book.ts";
import { PastReads } from "../../src/crawl/refresh/past-reads.ts";
import { Retries } from "../../src/crawl/refresh/retries.ts";
import { BLANK_VISIT, type Reread } from "../../src/log/index.ts";
import { ModifiedTrust } from "../../src/refresh/index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 1_700_000_000_000;
const URL_ID = 7;

type Row = Pick<Reread, "outcome" | "atMs"> & Partial<Reread>;

const NOTHING = { reason: null, target: null, status: 200, digest: null, etag: null, lastModified: null, visit: null };

/** What is known of a page that was first read now, after these rereads. */
function after(rows: readonly Row[], { lastVisit = 1 }: { readonly lastVisit?: number } = {}) {
  const book = new PageBook();
  const retries = new Retries();
  const past = new PastReads(book, retries);
  const visit = { ...BLANK_VISIT, number: lastVisit, url: URL_ID, atMs: NOW, outcome: "downloaded" } as const;
  past.visited({ ...visit, status: 200, etag: `"${lastVisit}"`, lastModified: "Tue, 14 Nov 2023 00:00:00 GMT" });
  if (lastVisit > 1) past.replaced({ url: URL_ID, atMs: NOW, outcome: "downloaded" });
  for (const [k, row] of rows.entries()) {
    past.reread({ ...NOTHING, number: k + 1, url: URL_ID, milliseconds: 1, wireBytes: 1, ...row });
  }
  const page = book.pageOf(URL_ID);
  const { etag } = book.copyOf(page);
  const dates = new ModifiedTrust();
  const note = vi.spyOn(dates, "note");
  past.noteDates(dates, () => 0);
  const noted = note.mock.calls[0][1];
  return {
    ...past.of(page, true),
    plain: past.of(page, false),
    noted,
    etag,
    absence: retries.absenceOf(page),
    retryMs: retries.retryMs(page),
  };
}

describe("the reads of a log", () => {
  it("are times without a change, and for each change the time since the read before", () => {
    const found = after(
      [
        { outcome: "unchanged", atMs: NOW + DAY },
        { outcome: "changed", atMs: NOW + 4 * DAY, visit: 2 },
        { outcome: "failed", atMs: NOW + 5 * DAY, reason: "status-500" },
        { outcome: "unchanged", atMs: NOW + 6 * DAY },
        { outcome: "changed", atMs: NOW + 6 * DAY, visit: 3 },
        { outcome: "unchanged", atMs: NOW + 9 * DAY },
        { outcome: "gone", atMs: NOW + 10 * DAY },
      ],
      { lastVisit: 3 },
    );
    // The change at once, by a clock that was set back, is none that any rate explains.
    expect(found.changes).toEqual([{ quietMs: DAY, afterMs: 3 * DAY, ageMs: null }]);
    expect(found.unchangedMs).toBe((2 + 3) * DAY);
    expect(found).toMatchObject({ seenMs: NOW + 9 * DAY, triedMs: NOW + 10 * DAY, ageMs: null });
    expect(found.absence).toEqual({ outcome: "gone", target: null, sinceMs: NOW + 10 * DAY });
  });

  it("say how old changes were by their dates, which of them were right, and which contents were misdated", () => {
    const dated = (daysMs: number) => new Date(NOW + daysMs).toUTCString();
    const rows: Row[] = [
      // The content of the first visit, dated after it, twice: that is wrong once.
      { outcome: "unchanged", atMs: NOW + DAY, lastModified: dated(DAY / 2) },
      { outcome: "unchanged", atMs: NOW + 2 * DAY, lastModified: dated(DAY / 2) },
      { outcome: "changed", atMs: NOW + 6 * DAY, visit: 2, lastModified: dated(5 * DAY) },
      // Of the time before the last read, so it says nothing about this change.
      { outcome: "changed", atMs: NOW + 8 * DAY, visit: 3, lastModified: dated(5 * DAY) },
      { outcome: "unchanged", atMs: NOW + 9 * DAY, lastModified: dated(8.5 * DAY) },
    ];
    const found = after(rows, { lastVisit: 3 });
    expect(found.changes.map(({ ageMs }) => ageMs === null || Math.round(ageMs / HOUR))).toEqual([24, true]);
    expect(found.noted).toEqual({ right: 1, wrong: 2 });
    expect([found.isMisdated, found.sinceMs]).toEqual([true, NOW + 8 * DAY]);
    expect(found.plain.changes.map(({ ageMs }) => ageMs)).toEqual([null, null]);
    // The date of the present content is right again.
    const last = { outcome: "unchanged", atMs: NOW + 10 * DAY, lastModified: dated(7 * DAY) } as const;
    expect(after([...rows, last], { lastVisit: 3 })).toMatchObject({
      noted: { right: 1, wrong: 1 },
      isMisdated: false,
    });
  });

  it("say how old a page was at its first read, where dates are to be believed", () => {
    const found = after([{ outcome: "unchanged", atMs: NOW + DAY }]);
    expect(found.ageMs! / HOUR).toBeCloseTo(22.2, 1);
    expect(found.plain.ageMs).toBeNull();
  });

  it("give the validators of what was read last, but not of what no visit shows", () => {
    const unchanged = { outcome: "unchanged", atMs: NOW + DAY, etag: '"same"' } as const;
    expect(after([unchanged]).etag).toBe('"same"');
    const changed = { outcome: "changed", atMs: NOW + 2 * DAY, etag: '"new"' } as const;
    expect(after([unchanged, { ...changed, visit: 2 }], { lastVisit: 2 }).etag).toBe('"new"');
    // Version 0.1 noted a change, and that it was still so later.
    expect(after([changed, { ...unchanged, atMs: NOW + 3 * DAY }]).etag).toBe('"1"');
    const later = { outcome: "changed", atMs: NOW + 4 * DAY, etag: '"later"', visit: 2 } as const;
    expect(after([changed, later, { ...unchanged, atMs: NOW + 5 * DAY }], { lastVisit: 2 }).etag).toBe('"same"');
  });

  it("say the same without those between two that found nothing new, also where the clock was set back", () => {
    const rows = fc.array(
      fc.record({
        outcome: fc.constantFrom("unchanged", "unchanged", "unchanged", "changed", "failed"),
        hours: fc.integer({ min: -20, max: 100 }),
        ageHours: fc.option(fc.integer({ min: -10, max: 200 })),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(rows, (steps) => {
        let atMs = NOW;
        let visit = 1;
        const all = steps.map(({ outcome, hours, ageHours }, k): Row => {
          atMs += hours * HOUR;
          const lastModified = ageHours === null ? null : new Date(atMs - ageHours * HOUR).toUTCString();
          return { outcome, atMs, etag: `"${k}"`, lastModified, visit: outcome === "changed" ? ++visit : null };
        });
        const isBetween = (k: number): boolean => [k - 1, k, k + 1].every((at) => all[at]?.outcome === "unchanged");
        const kept = all.filter((_, k) => !isBetween(k));
        expect(after(kept, { lastVisit: visit })).toEqual(after(all, { lastVisit: visit }));
      }),
    );
  });
});
