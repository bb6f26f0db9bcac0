/**
 * Axes of a chart: where a value lies between the two ends, which values get a tick, and how they are written.
 *
 * Besides "linear" and "log" there is "nines" for coverage, the logarithm of what is missing: 0.9, 0.99 and 0.999 are
 * equally far apart. So the tail of a crawl, where orders differ most, fills the plot instead of its top line.
 */
import { formatCoverage, formatTick, formatValue, percentAtLeast } from "../../base/index.ts";
import type { Axis, AxisKind, Chart } from "../../lab/index.ts";

export function groupsOf(chart: Chart): string[] {
  return [...new Set(chart.series.map((series) => series.group))];
}

export function measuresOf(chart: Chart): string[] {
  return [...new Set(chart.series.map((series) => series.measure))];
}

export function xScale(chart: Chart, kind: Axis["scale"]): Scale {
  const xs = chart.series.flatMap((series) => series.points.map(([x]) => x));
  return kind === "log" ? logScale(leastPositive(xs), greatest(xs), "exact") : linearScale(greatest(xs), "exact");
}

export function yScale(chart: Chart, kind: Axis["scale"]): Scale {
  const ys = chart.series.flatMap((series) => series.points.map(([, y]) => y));
  const ends = chart.series.flatMap(({ points, errors = [] }) => errors.map((error, i) => points[i][1] + error));
  if (chart.target !== undefined) ys.push(chart.target.value);
  if (chart.ceiling !== undefined) ys.push(chart.ceiling.value);
  const most = greatest([...ys, ...ends]);
  if (isCoverage(chart.y.kind)) return kind === "log" ? ninesScale(most) : linearScale(1, "exact");
  return kind === "log" ? logScale(leastPositive(ys), most, "round") : linearScale(most, "round");
}

export function isCoverage(kind: AxisKind): boolean {
  return kind === "coverage" || kind === "percent";
}

export function formatOnAxis(value: number, kind: AxisKind): string {
  return kind === "percent" ? percentAtLeast(value) : formatValue(value, kind);
}

export function formatMark(value: number, kind: AxisKind): string {
  return kind === "percent" ? `${formatTick(Number((100 * value).toPrecision(12)))}%` : formatTick(value);
}

/** Plain numbers with the digits that a reader may want to copy, and that the script needs to place the cursor. */
export function formatExactly(value: number, kind: AxisKind): string {
  if (kind === "count") return formatValue(value, kind);
  return isCoverage(kind) ? formatCoverage(value, 6) : String(Number(value.toPrecision(6)));
}

function greatest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function leastPositive(values: readonly number[]): number {
  return values.reduce((least, value) => (value > 0 && value < least ? value : least), Infinity);
}

type ScaleKind = "linear" | "log" | "nines";

export interface Scale {
  readonly kind: ScaleKind;
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

/** Where `value` stands on the axis: 0 at its minimum, 1 at its maximum, values beyond the ends at the ends. */
export function place(scale: Scale, value: number): number {
  const { kind, min, max } = scale;
  const inside = Math.min(max, Math.max(min, value));
  const start = straighten(kind, min);
  return (straighten(kind, inside) - start) / (straighten(kind, max) - start);
}

/** From 0 to `max`, or to the tick above it. */
export function linearScale(max: number, end: "exact" | "round"): Scale {
  const top = max > 0 ? max : 1;
  const step = roundStep(top / 5);
  const count = end === "exact" ? Math.floor(top / step + 1e-9) : Math.ceil(top / step - 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, i) => tidy(i * step));
  return { kind: "linear", min: 0, max: end === "exact" ? top : ticks[count], ticks };
}

/** From the power of ten at or below `min` to `max`, or to the power of ten above it. */
export function logScale(min: number, max: number, end: "exact" | "round"): Scale {
  const low = min > 0 && min < Infinity ? min : 1;
  const first = Math.floor(Math.log10(low) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(low, max)) - 1e-9));
  const top = end === "exact" && max > 10 ** first ? max : 10 ** last;
  return { kind: "log", min: 10 ** first, max: top, ticks: decadeTicks(first, last, 2).filter((tick) => tick <= top) };
}

/** Coverage from 0 to the next full nine above `max`, of which there are one to four. */
export function ninesScale(max: number): Scale {
  const nines = Math.min(4, Math.max(1, Math.ceil(-Math.log10(1 - Math.min(max, 1 - 1e-9)) - 1e-9)));
  const ticks = decadeTicks(-nines, 0, 4).map((missing) => tidy(1 - missing));
  return { kind: "nines", min: 0, max: ticks[0], ticks: ticks.toReversed() };
}

function straighten(kind: ScaleKind, value: number): number {
  if (kind === "linear") return value;
  return kind === "log" ? Math.log10(value) : -Math.log10(1 - value);
}

/** Powers of ten, with their doubles and fivefolds between where they are few, as `crowd` says. */
function decadeTicks(first: number, last: number, crowd: number): number[] {
  const factors = last - first > crowd ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = first; power < last; power++) {
    for (const factor of factors) ticks.push(tidy(factor * 10 ** power));
  }
  return [...ticks, 10 ** last];
}

/** The least of 1, 2, 5 times a power of ten that is not below `atLeast`. */
function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return power * ([1, 2, 5].find((factor) => factor * power >= atLeast * (1 - 1e-9)) ?? 10);
}

/** Without the dust of binary fractions: 0.30000000000000004 is 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
