/** Shares of importance as people read them: a lower bound is never rounded up, an upper bound never down. */
import { percent } from "../base/index.ts";

/** Shares below this are no more than dust, and a row of zeros would not fit. */
export const DUST = 1e-6;

/** A share of what is missing. */
export function shareInWords(share: number): string {
  return share > 0 && share < DUST ? "< 0.0001%" : percent(share);
}

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
  return share < DUST ? shareInWords(share) : shareAtLeast(share);
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
