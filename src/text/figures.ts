/**
 * Shares of importance, points in time and durations as people read them. Of a share, a lower bound is never rounded up
 * and an upper bound never down.
 */
import { formatCount, formatSeconds } from "../base/index.ts";

/** Below this a share is negligible: it would be a row of zeros. */
const NEGLIGIBLE = 1e-6;
const DIGITS = 3;
/** What the sums may be off by: 1 - 0.98 is 2%, not 2.01%. */
const ROUNDING = 1e-12;

/** A share that certainly lies between two bounds (C2). */
export interface ShareBounds {
  readonly low: number;
  readonly high: number;
}

/** A share of what is missing, which is an upper bound: at least two decimals, and three digits of a small share. */
export function shareInWords(share: number): string {
  if (share > 0 && share < NEGLIGIBLE) return "< 0.0001%";
  return share < 0.1 ? shareAtMost(share * (1 - ROUNDING)) : hundredthsAtMost(share);
}

/** "at most 3.10%": a share that is an upper bound, where nothing else says so. */
export function atMostInWords(share: number): string {
  return share > 0 && share < NEGLIGIBLE ? "less than 0.0001%" : `at most ${shareInWords(share)}`;
}

/** "17.05%": an upper bound with the decimals that coverage has. */
export function hundredthsAtMost(share: number): string {
  return `${(Math.ceil(1e4 * share * (1 - ROUNDING)) / 100).toFixed(2)}%`;
}

/** "0.421%": at most the share, with three digits. */
export function shareAtLeast(share: number): string {
  return percentage(stepped(share, -1));
}

/** "0.443%": at least the share, with three digits. */
export function shareAtMost(share: number): string {
  return percentage(share === 0 ? 0 : stepped(Math.max(share, NEGLIGIBLE), 1));
}

/** One number for a lower bound: as `shareAtLeast`, or "< 0.0001%". */
export function shareFigure(share: number): string {
  return isNegligible(share) ? shareInWords(share) : shareAtLeast(share);
}

/** So little that only an upper bound is worth writing. */
export function isNegligible(share: number): boolean {
  return share < NEGLIGIBLE;
}

/** "at least 0.421%, at most 0.443%". */
export function intervalInWords({ low, high }: ShareBounds): string {
  return isNegligible(low)
    ? `at most ${shareAtMost(high)}`
    : `at least ${shareAtLeast(low)}, at most ${shareAtMost(high)}`;
}

/** For a column: "0.421 – 0.443%". */
export function intervalFigures({ low, high }: ShareBounds): string {
  if (isNegligible(low)) return `up to ${shareAtMost(high)}`;
  return `${shareAtLeast(low).slice(0, -1)} – ${shareAtMost(high)}`;
}

const DECADES = 8;
export const SCALE_WORDS =
  "Bars are logarithmic, from 0.000001% to 100% of all importance: each eighth of a bar is ten times the one before.";

export const PART_WORDS = "A full bar is all importance.";

/** The position of a share on the logarithmic scale of bars, from 0 to 1. */
export function onLogScale(share: number): number {
  return share <= 0 ? 0 : Math.min(1, Math.max(0, 1 + Math.log10(share) / DECADES));
}

/** The nearest number of three digits on one side of `value`. */
function stepped(value: number, side: 1 | -1): number {
  if (value <= 0) return 0;
  const nearest = Number(value.toPrecision(DIGITS));
  if (side * (nearest - value) >= 0) return nearest;
  const unit = 10 ** (Math.floor(Math.log10(value)) - DIGITS + 1);
  return Number((nearest + side * unit).toPrecision(DIGITS));
}

function percentage(share: number): string {
  if (share === 0) return "0%";
  const digits = { minimumSignificantDigits: DIGITS, maximumSignificantDigits: DIGITS };
  return `${(100 * share).toLocaleString("en-US", digits)}%`;
}

/** "14 Nov 2023, 22:13 UTC" */
export function momentInWords(atMs: number): string {
  return `${new Date(atMs).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC`;
}

/** By the reader's clock: the time if it is today, else the date and the time. */
export function clockInWords(
  atMs: number,
  { nowMs, to = "second" }: { readonly nowMs: number; readonly to?: "second" | "minute" },
): string {
  const date = new Date(atMs);
  if (date.toDateString() !== new Date(nowMs).toDateString())
    return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  return date.toLocaleTimeString("en-GB", { timeStyle: to === "second" ? "medium" : "short" });
}

/** When something was done: "on ...", or "within 29 min 05 s, until ...". */
export function spanInWords(firstMs: number, lastMs: number): string {
  const seconds = Math.round((lastMs - firstMs) / 1000);
  const end = momentInWords(lastMs);
  return seconds < 1 ? `on ${end}` : `within ${formatSeconds(seconds)}, until ${end}`;
}

/** Seconds as a rough duration: an estimate should look like one. */
export function roughlyInWords(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return formatSeconds(Math.round(seconds / 60) * 60);
  return `${formatCount(Math.round(seconds / 86_400))} days`;
}

/** As it was given: 0.95 is "95%", 0.99995 is "99.995%". */
export function targetInWords(target: number): string {
  return `${Number((100 * target).toPrecision(12))}%`;
}
