/** Shares of importance in words: a lower bound is never rounded up, an upper one never down. */
import type { Share } from "../../protocol.ts";
import { DUST, shareInWords } from "../../words.ts";

const DIGITS = 3;

/** "0.421%": at most the share, within three digits. */
export function shareAtLeast(share: number): string {
  return percentage(stepped(share, -1));
}

/** "0.443%": at least the share; a row of zeros says less than that it is dust. */
export function shareAtMost(share: number): string {
  return percentage(share === 0 ? 0 : stepped(Math.max(share, DUST), 1));
}

/** One number where a bound is all there is: as `shareAtLeast`, or "< 0.0001%". */
export function shareFigure(share: number): string {
  return isDust(share) ? shareInWords(share) : shareAtLeast(share);
}

/** So little that only an upper bound is worth writing. */
export function isDust(share: number): boolean {
  return share < DUST;
}

/** "at least 0.421%, at most 0.443%". */
export function intervalWords({ low, high }: Share): string {
  return isDust(low)
    ? `at most ${shareAtMost(high)}`
    : `at least ${shareAtLeast(low)}, at most ${shareAtMost(high)}`;
}

/** As short as a column wants it. */
export function intervalFigures({ low, high }: Share): string {
  if (isDust(low)) return `up to ${shareAtMost(high)}`;
  return `${shareAtLeast(low).slice(0, -1)} – ${shareAtMost(high)}`;
}

/** From one part in ten to the power of this to all: where a share stands on the scale of pictures, from 0 to 1. */
const DECADES = 8;
export const SCALE_WORDS =
  "Bars are logarithmic: from 0.000001% to 100% of all importance, each eighth of a bar ten times the one before.";

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
  return `${(100 * share).toLocaleString("en-US", { minimumSignificantDigits: DIGITS, maximumSignificantDigits: DIGITS })}%`;
}
