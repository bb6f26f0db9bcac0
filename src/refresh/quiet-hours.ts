/**
 * Hours of the day in which nothing is read, by the clock on the wall of a time zone.
 *
 * A period is written `22:00-06:00`; it includes its first minute and not its last, and may go past midnight. The clock
 * on the wall decides, also when it changes: where summer time begins, a period from 02:00 to 03:00 does not happen;
 * where it ends, an hour that happens twice is quiet twice.
 *
 * Clocks are assumed to change at full quarters of an hour of universal time, as they do in all zones since 1972. Cost:
 * some microseconds to ask whether it is quiet; up to a hundred times that to find the end.
 */
import { UsageError } from "../base/index.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const QUARTER_MS = 15 * MINUTE_MS;

/** Times of the day in milliseconds since midnight. */
interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface QuietHoursOptions {
  /** Periods, as in `22:00-06:00`, separated by commas (default: none). */
  readonly quietHours?: string | undefined;
  /** A time zone by its IANA name, such as `Europe/Berlin` (default: `UTC`). */
  readonly timeZone?: string | undefined;
}

export class QuietHours {
  /** Sorted, apart, and none past midnight: such a one is two. */
  readonly #periods: readonly Period[];
  readonly #format: Intl.DateTimeFormat;
  /** The quarter of an hour whose offset is known. */
  #quarter = Number.NaN;
  #offsetMs = 0;

  constructor({ quietHours = "", timeZone = "UTC" }: QuietHoursOptions = {}) {
    this.#periods = merged(quietHours.trim() === "" ? [] : quietHours.split(",").flatMap(parsed));
    if (this.#lengthMs() >= DAY_MS) {
      throw new UsageError(
        `the quiet hours "${quietHours}" are the whole day, expected some time that is left for reads`,
      );
    }
    this.#format = formatOf(timeZone);
  }

  isQuiet(atMs: number): boolean {
    return this.#periodAt(atMs) !== undefined;
  }

  /** When it is next not quiet: now, or later. */
  endMs(atMs: number): number {
    let ms = atMs;
    for (let period = this.#periodAt(ms); period !== undefined; period = this.#periodAt(ms)) {
      // The clock may change at the next quarter of an hour.
      ms = Math.min(ms + period.toMs - this.#timeOfDay(ms), (Math.floor(ms / QUARTER_MS) + 1) * QUARTER_MS);
    }
    return ms;
  }

  /** The lengths of the periods of a usual day, in milliseconds. */
  lengthsMs(): number[] {
    const lengths = this.#periods.map(({ fromMs, toMs }) => toMs - fromMs);
    // A period past midnight is one.
    const isJoined = lengths.length > 1 && this.#periods[0].fromMs === 0 && this.#periods.at(-1)?.toMs === DAY_MS;
    if (isJoined) lengths[0] += lengths.pop() ?? 0;
    return lengths;
  }

  #lengthMs(): number {
    return this.lengthsMs().reduce((sum, each) => sum + each, 0);
  }

  #periodAt(atMs: number): Period | undefined {
    if (this.#periods.length === 0) return undefined;
    const timeMs = this.#timeOfDay(atMs);
    return this.#periods.find(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs);
  }

  /** Milliseconds since midnight, by the clock on the wall. */
  #timeOfDay(atMs: number): number {
    const quarter = Math.floor(atMs / QUARTER_MS);
    if (quarter !== this.#quarter) {
      this.#offsetMs = offsetAt(this.#format, quarter * QUARTER_MS);
      this.#quarter = quarter;
    }
    const timeMs = (atMs + this.#offsetMs) % DAY_MS;
    return timeMs < 0 ? timeMs + DAY_MS : timeMs;
  }
}

const FIELDS = ["year", "month", "day", "hour", "minute", "second"] as const;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const fields = Object.fromEntries(FIELDS.map((field) => [field, "numeric"]));
  try {
    return new Intl.DateTimeFormat("en-US", { ...fields, hourCycle: "h23", timeZone });
  } catch {
    throw new UsageError(`unknown time zone "${timeZone}", expected an IANA name such as Europe/Berlin or UTC`);
  }
}

/** How far the clock on the wall is ahead of universal time. */
function offsetAt(format: Intl.DateTimeFormat, atMs: number): number {
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 1, ...rest] = FIELDS.map((field) => parts.get(field) ?? 0);
  const wallMs = Date.UTC(year, month - 1, ...rest);
  return wallMs - atMs;
}

const PERIOD = /^(?<from>\d{1,2}:\d{2})-(?<to>\d{1,2}:\d{2})$/;

/** One period, or two if it goes past midnight. */
function parsed(text: string): Period[] {
  const { from, to } = PERIOD.exec(text.trim())?.groups ?? {};
  const fromMs = from === undefined ? Number.NaN : timeOf(from);
  const toMs = to === undefined ? Number.NaN : timeOf(to);
  if (!(fromMs < DAY_MS && toMs <= DAY_MS)) {
    throw new UsageError(`the quiet hours are "${text.trim()}", expected two times of the day, such as 22:00-06:00`);
  }
  if (fromMs === toMs) {
    throw new UsageError(`the quiet hours "${text.trim()}" begin and end at the same time, expected two times`);
  }
  if (fromMs < toMs) return [{ fromMs, toMs }];
  return [
    { fromMs, toMs: DAY_MS },
    { fromMs: 0, toMs },
  ];
}

/** NaN if there is no such time; 24:00 is the end of the day. */
function timeOf(text: string): number {
  const [hours, minutes] = text.split(":").map(Number);
  return minutes < 60 && hours * 60 + minutes <= 1440 ? (hours * 60 + minutes) * MINUTE_MS : Number.NaN;
}

/** The same times without overlaps, in their order. */
function merged(periods: readonly Period[]): Period[] {
  const result: Period[] = [];
  for (const period of [...periods].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = result.at(-1);
    if (period.fromMs === period.toMs) continue;
    if (last === undefined || period.fromMs > last.toMs) result.push(period);
    else result[result.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, period.toMs) };
  }
  return result;
}
