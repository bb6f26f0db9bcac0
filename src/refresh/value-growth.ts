/**
 * When a value that grows with time reaches a target, rather too early than too late.
 *
 * The logarithm of what a read is worth is a concave function of the logarithm of the time since the last read: the
 * value grows like its square at first, and not at all in the end. So the slope now, measured a little ahead, never
 * leads too far. It leads at most `FURTHEST` times as far as now, so that one look in between finds what has changed.
 */
const AHEAD = 1.1;
const FURTHEST = 64;
/** Where the slope is measured if the page was read just now. */
const SHORTEST_MS = 1;

/** A time since the last read up to which the value stays below the target. It may be now or shortly after. */
export function belowUntil(
  valueAfter: (sinceMs: number) => number,
  { target, sinceMs }: { readonly target: number; readonly sinceMs: number },
): number {
  const fromMs = Math.max(SHORTEST_MS, sinceMs);
  const now = valueAfter(fromMs);
  const soon = valueAfter(fromMs * AHEAD);
  if (now >= target) return sinceMs;
  const slope = now > 0 && soon > now ? Math.log(soon / now) / Math.log(AHEAD) : 0;
  const factor = slope > 0 ? Math.exp(Math.log(target / now) / slope) : FURTHEST;
  return fromMs * Math.min(FURTHEST, factor);
}
