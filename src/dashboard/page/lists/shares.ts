/** Intervals of importance in words and on the scale of pictures. */
import type { Share } from "../../protocol/http.ts";
import { DUST, shareAtLeast, shareAtMost } from "../../../text/index.ts";

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
