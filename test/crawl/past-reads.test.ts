import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PageBook } from "../../src/crawl/refresh/page-book.ts";
import { PastReads } from "../../src/crawl/refresh/past-reads.ts";
import { Retries } from "../../src/crawl/refresh/retries.ts";
import { BLANK_VISIT, type Reread } from "../../src/log/index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 1_700_000_000_000;
const URL_ID = 7;

type Row = Pick<Reread, "outcome" | "atMs"> & Partial<Reread>;

const NOTHING = { reason: null, target: null, status: 200, digest: null, etag: null, lastModified: null, visit: null };

/** What is known of a page that was first read now, after these rereads. */
function after(rows: readonly Row[], { lastVisit = 1, isReplaced = lastVisit > 1 } = {}) {
  const book = new PageBook();
  const retries = new Retries();
  const past = new PastReads(book, retries);
  const visit = { ...BLANK_VISIT, number: lastVisit, url: URL_ID, atMs: NOW, outcome: "downloaded" } as const;
  past.visited({ ...visit, status: 200, etag: `"${lastVisit}"`, lastModified: "Tue, 14 Nov 2023 00:00:00 GMT" });
  if (isReplaced) past.replaced({ url: URL_ID, atMs: NOW, outcome: "downloaded" });
  for (const [k, row] of rows.entries()) {
    past.reread({ ...NOTHING, number: k + 1, url: URL_ID, milliseconds: 1, wireBytes: 1, ...row });
  }
  const page = book.pageOf(URL_ID);
  const { etag } = book.copyOf(page);
  return { ...past.of(page), etag, absence: retries.absenceOf(page), retryMs: retries.retryMs(page) };
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
    expect(found.changedAfterMs).toEqual([3 * DAY]);
    expect(found.unchangedMs).toBe((1 + 2 + 3) * DAY);
    expect(found).toMatchObject({ seenMs: NOW + 9 * DAY, triedMs: NOW + 10 * DAY, ageMs: null });
    expect(found.absence).toEqual({ outcome: "gone", target: null, sinceMs: NOW + 10 * DAY });
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
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(rows, (steps) => {
        let atMs = NOW;
        let visit = 1;
        const all = steps.map(({ outcome, hours }, k): Row => {
          atMs += hours * HOUR;
          return { outcome, atMs, etag: `"${k}"`, visit: outcome === "changed" ? ++visit : null };
        });
        const isBetween = (k: number): boolean => [k - 1, k, k + 1].every((at) => all[at]?.outcome === "unchanged");
        const kept = all.filter((_, k) => !isBetween(k));
        expect(after(kept, { lastVisit: visit })).toEqual(after(all, { lastVisit: visit }));
      }),
    );
  });
});
