/**
 * The tide as columns of a chart: measured points, then, if the target is near, projected points at the current rate.
 */
import type { Overview, Tide } from "../../protocol/http.ts";

/** Abscissa: pages or time. Ordinate: coverage from 0 to 100%, or the logarithm of what is missing. */
export type Abscissa = "pages" | "time";
export type Ordinate = "full" | "tail";

export interface Curve {
  readonly x: readonly number[];
  readonly certified: readonly (number | null)[];
  readonly guaranteed: readonly (number | null)[];
  readonly projected: readonly (number | null)[];
  readonly sampled: readonly (number | null)[];
  /** Number of measured points; the others are projected. */
  readonly measured: number;
}

/** Where the crawl reaches its target at the current rate. */
export interface Projection {
  readonly pages: number;
  readonly atMs: number;
  readonly target: number;
}

/** A projection beyond so many times the measured extent would squeeze the measured points. */
const EXTENT_MAX = 3;
const PROJECTED_POINTS = 32;
/** The tail shows at most nine nines: beyond that, rounding errors dominate. */
const MISSING_MIN = 1e-9;

export function curveOf(tide: Tide, projection: Projection | null, x: Abscissa, y: Ordinate): Curve {
  const { points } = tide;
  const abscissa = ([pages, atMs]: readonly [number, number, ...unknown[]]): number =>
    x === "pages" ? pages : atMs / 1000;
  const future = projection === null ? [] : pathTo(projection, tide);
  const none = future.map(() => null);
  const last = points.at(-1);
  return {
    x: [...points.map(abscissa), ...future.map(([pages, atMs]) => abscissa([pages, atMs]))],
    certified: [...points.map((point) => height(point[2], y)), ...none],
    guaranteed: [...points.map((point) => heightIfAny(point[3], y)), ...none],
    projected: [
      ...points.map((point) => (future.length > 0 && point === last ? height(point[2], y) : null)),
      ...future.map((point) => height(point[2], y)),
    ],
    sampled: [...points.map((point) => heightIfAny(point[4], y)), ...none],
    measured: points.length,
  };
}

/** Null if the target is not the next limit or out of reach, or the rate is unknown. */
export function projectionOf(overview: Overview, tide: Tide): Projection | null {
  const { secondsLeft, nextLimit, pagesPerSecond } = overview;
  const last = tide.points.at(-1);
  if (secondsLeft === null || pagesPerSecond === null || last === undefined) return null;
  if (nextLimit !== "coverage" || tide.target === null || tide.target <= last[2]) return null;
  if (tide.target > overview.status.ceiling) return null;
  const pages = Math.round(last[0] + secondsLeft * pagesPerSecond);
  return { pages: Math.max(last[0] + 1, pages), atMs: last[1] + secondsLeft * 1000, target: tide.target };
}

/** Whether a projection is near enough to be drawn. */
export function isInSight(projection: Projection, tide: Tide, x: Abscissa): boolean {
  const [first, last] = [tide.points[0], tide.points.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (x === "pages") return projection.pages <= EXTENT_MAX * last[0];
  return projection.atMs - first[1] <= EXTENT_MAX * (last[1] - first[1]);
}

/** Coverage as a value of the vertical axis. */
export function height(coverage: number, y: Ordinate): number {
  return y === "full" ? coverage : -Math.log10(Math.max(MISSING_MIN, 1 - coverage));
}

function heightIfAny(coverage: number | null, y: Ordinate): number | null {
  return coverage === null ? null : height(coverage, y);
}

/** Ticks as coverages: every fifth, or 0, 50%, 90%, 95%, 99% and so on up to the next full nine above `top`. */
export function marks(top: number, y: Ordinate): number[] {
  if (y === "full") return [0, 0.2, 0.4, 0.6, 0.8, 1];
  const nines = Math.min(9, Math.max(1, Math.ceil(height(top, "tail") - 1e-9)));
  const found = [0, 0.5];
  for (let power = 1; power <= nines; power++) {
    found.push(1 - 10 ** -power);
    if (power < nines && nines <= 4) found.push(1 - 0.5 * 10 ** -power);
  }
  return found.map((mark) => Number(mark.toPrecision(12)));
}

/**
 * What is missing falls like a power of the pages, as in the tails of crawls. The power is chosen to meet the target.
 */
function pathTo({ pages, atMs, target }: Projection, { points }: Tide): [number, number, number][] {
  const [startPages, startMs, covered] = points.at(-1)!;
  const [from, to] = [Math.log(Math.max(1, startPages)), Math.log(pages)];
  const power = to > from ? Math.log((1 - target) / (1 - covered)) / (to - from) : 0;
  return Array.from({ length: PROJECTED_POINTS }, (_, index) => {
    const share = (index + 1) / PROJECTED_POINTS;
    const at = startPages + share * (pages - startPages);
    const missing = (1 - covered) * Math.exp(power * (Math.log(at) - from));
    return [at, startMs + share * (atMs - startMs), share === 1 ? target : 1 - missing];
  });
}
