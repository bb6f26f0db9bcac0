import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { QuietHours } from "../../src/refresh/quiet-hours.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const berlin = (quietHours: string): QuietHours => new QuietHours({ quietHours, timeZone: "Europe/Berlin" });
const at = (iso: string): number => Date.parse(iso);

/** Minutes that are quiet from a time on. */
function quietMinutes(hours: QuietHours, fromMs: number, lengthMs: number): number {
  let minutes = 0;
  for (let ms = fromMs; ms < fromMs + lengthMs; ms += MINUTE) if (hours.isQuiet(ms)) minutes++;
  return minutes;
}

describe("quiet hours", () => {
  it("are never without periods", () => {
    const hours = new QuietHours();
    expect(hours.isQuiet(at("2026-01-01T03:00Z"))).toBe(false);
    expect(hours.endMs(123)).toBe(123);
    expect(hours.lengthsMs()).toEqual([]);
  });

  it("begin with their first minute and end before their last", () => {
    const hours = new QuietHours({ quietHours: "09:30-11:00" });
    expect(hours.isQuiet(at("2026-01-01T09:29:59.999Z"))).toBe(false);
    expect(hours.isQuiet(at("2026-01-01T09:30Z"))).toBe(true);
    expect(hours.isQuiet(at("2026-01-01T10:59:59.999Z"))).toBe(true);
    expect(hours.isQuiet(at("2026-01-01T11:00Z"))).toBe(false);
    expect(hours.endMs(at("2026-01-01T09:30:00.001Z"))).toBe(at("2026-01-01T11:00Z"));
    expect(hours.endMs(at("2026-01-01T11:00Z"))).toBe(at("2026-01-01T11:00Z"));
  });

  it("go past midnight, in a time zone", () => {
    // Berlin is an hour ahead of UTC in winter.
    const hours = berlin("22:00-06:00");
    expect(hours.isQuiet(at("2026-01-01T20:59Z"))).toBe(false);
    expect(hours.endMs(at("2026-01-01T21:00Z"))).toBe(at("2026-01-02T05:00Z"));
    expect(hours.endMs(at("2026-01-02T04:59Z"))).toBe(at("2026-01-02T05:00Z"));
    expect(hours.lengthsMs()).toEqual([8 * HOUR]);
    // Nepal is 5:45 ahead.
    const nepal = new QuietHours({ quietHours: "00:00-01:00", timeZone: "Asia/Kathmandu" });
    expect(nepal.isQuiet(at("2026-01-01T18:14Z"))).toBe(false);
    expect(nepal.endMs(at("2026-01-01T18:15Z"))).toBe(at("2026-01-01T19:15Z"));
    // Times before 1970 are times of the day, too.
    expect(new QuietHours({ quietHours: "23:00-24:00" }).isQuiet(-1)).toBe(true);
  });

  it("are an hour shorter when summer time begins, and an hour longer when it ends", () => {
    const hours = berlin("22:00-06:00");
    expect(hours.endMs(at("2026-03-28T21:00Z"))).toBe(at("2026-03-29T04:00Z"));
    expect(hours.endMs(at("2026-10-24T20:00Z"))).toBe(at("2026-10-25T05:00Z"));
  });

  it("do not happen in an hour that is skipped, and happen twice in one that is repeated", () => {
    const hours = berlin("02:00-03:00");
    expect(quietMinutes(hours, at("2026-03-28T12:00Z"), DAY)).toBe(0);
    expect(quietMinutes(hours, at("2026-10-24T12:00Z"), DAY)).toBe(120);
    expect(hours.endMs(at("2026-10-25T00:00Z"))).toBe(at("2026-10-25T02:00Z"));
    // 02:30 to 04:00: the clock goes from 02:00 to 03:00, at 01:00 UTC.
    expect(berlin("02:30-04:00").isQuiet(at("2026-03-29T00:59Z"))).toBe(false);
    expect(berlin("02:30-04:00").endMs(at("2026-03-29T01:00Z"))).toBe(at("2026-03-29T02:00Z"));
    // 01:30 to 02:30 in autumn: 02:30 comes at 00:30 UTC, but the clock goes back to 02:00 at 01:00 UTC.
    const twice = berlin("01:30-02:30");
    expect(twice.endMs(at("2026-10-24T23:30Z"))).toBe(at("2026-10-25T00:30Z"));
    expect(twice.endMs(at("2026-10-25T01:00Z"))).toBe(at("2026-10-25T01:30Z"));
  });

  it("may be several, which may overlap", () => {
    const hours = new QuietHours({ quietHours: "12:00-13:00, 08:00-09:00,08:30-10:00 , 23:00-00:00, 00:00-01:00" });
    expect(hours.lengthsMs()).toEqual([2 * HOUR, 2 * HOUR, HOUR]);
    expect(hours.endMs(at("2026-01-01T08:45Z"))).toBe(at("2026-01-01T10:00Z"));
    expect(hours.endMs(at("2026-01-01T23:30Z"))).toBe(at("2026-01-02T01:00Z"));
    expect(quietMinutes(hours, at("2026-01-01T00:00Z"), DAY)).toBe(300);
    const nested = new QuietHours({ quietHours: "08:00-12:00,09:00-10:00" });
    expect(nested.endMs(at("2026-01-01T08:30Z"))).toBe(at("2026-01-01T12:00Z"));
  });

  it("are those that the clock on the wall shows, minute by minute, and end when it first shows another time", () => {
    const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];
    const two = (value: number): string => String(value).padStart(2, "0");
    const cases = fc.record({
      timeZone: fc.constantFrom(...zones),
      from: fc.integer({ min: 0, max: 1439 }),
      length: fc.integer({ min: 1, max: 1439 }),
      // Near the days on which clocks change in 2026, in all these zones.
      day: fc.constantFrom("2026-03-08", "2026-03-29", "2026-04-04", "2026-10-03", "2026-10-25", "2026-11-01"),
      minute: fc.integer({ min: -1440, max: 2880 }),
    });
    fc.assert(
      fc.property(cases, ({ timeZone, from, length, day, minute }) => {
        const to = (from + length) % 1440;
        const written = (value: number): string => `${two(Math.floor(value / 60))}:${two(value % 60)}`;
        const hours = new QuietHours({ quietHours: `${written(from)}-${written(to)}`, timeZone });
        const wall = new Intl.DateTimeFormat("de-DE", { timeZone, hour: "2-digit", minute: "2-digit" });
        const isQuiet = (ms: number): boolean => {
          const shown = wall.format(ms);
          return written(from) < written(to)
            ? shown >= written(from) && shown < written(to)
            : shown >= written(from) || shown < written(to);
        };
        const startMs = at(`${day}T00:00Z`) + minute * MINUTE;
        expect(hours.isQuiet(startMs)).toBe(isQuiet(startMs));
        let endMs = startMs;
        while (isQuiet(endMs)) endMs += MINUTE;
        expect(hours.endMs(startMs)).toBe(endMs);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ["22-6", /^the quiet hours are "22-6", expected two times of the day, such as 22:00-06:00$/],
    ["22:00", /expected two times of the day/],
    ["25:00-06:00", /expected two times of the day/],
    ["24:00-06:00", /expected two times of the day/],
    ["10:60-12:00", /expected two times of the day/],
    ["10:00-12:00,", /the quiet hours are "", expected/],
    ["07:00-07:00", /begin and end at the same time/],
    ["00:00-24:00", /are the whole day/],
    ["00:00-12:00,11:00-00:00", /are the whole day/],
  ])("%s is refused", (quietHours, words) => {
    expect(() => new QuietHours({ quietHours })).toThrow(words);
    expect(() => new QuietHours({ quietHours })).toThrow(UsageError);
  });

  it("of a time zone that nobody knows are refused", () => {
    expect(() => new QuietHours({ timeZone: "Europe/Atlantis" })).toThrow(
      /^unknown time zone "Europe\/Atlantis", expected an IANA name/,
    );
  });
});
