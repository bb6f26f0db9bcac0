/** What a chart is: curves over two axes. How it is drawn is in plot.ts. */
import { formatCoverage, formatTick, formatValue, type Kind, percentAtLeast } from "../../base/index.ts";
import { linearScale, logScale, ninesScale, type Scale } from "./scale.ts";

export type Line = "solid" | "dashed" | "dotted";

/** What the values of an axis are. A "percent" is a coverage that is written for people who think in percent. */
export type AxisKind = Kind | "percent";

export interface Axis {
  readonly label: string;
  readonly kind: AxisKind;
  /** How the axis is first shown; for coverage "log" is the logarithm of what is missing. The reader may change it. */
  readonly scale: "linear" | "log";
}

/**
 * One curve, the only one of its group and measure. Series of one group (an order) share colour and marker, those of one
 * measure share the line.
 */
export interface Series {
  readonly group: string;
  readonly measure: string;
  readonly line: Line;
  /** Whether a value stands until the next point, as that of a bound does: between two points no more is proved. */
  readonly steps?: boolean;
  /** Whether the area below it is filled. */
  readonly area?: boolean;
  /** [x, y], x ascending. */
  readonly points: readonly (readonly [number, number])[];
}

export interface Chart {
  readonly title: string;
  /** What the picture shows, in words, for those who cannot see it. */
  readonly description: string;
  /** What a group is: "order". */
  readonly groupLabel: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** A level of y that was asked for, drawn as a line across. */
  readonly target?: { readonly value: number; readonly label: string };
}

export function groupsOf(chart: Chart): string[] {
  return [...new Set(chart.series.map((series) => series.group))];
}

export function measuresOf(chart: Chart): string[] {
  return [...new Set(chart.series.map((series) => series.measure))];
}

export function xScale(chart: Chart, kind: Axis["scale"]): Scale {
  const xs = chart.series.flatMap((series) => series.points.map(([x]) => x));
  return kind === "log"
    ? logScale(leastPositive(xs), greatest(xs), "exact")
    : linearScale(greatest(xs), "exact");
}

export function yScale(chart: Chart, kind: Axis["scale"]): Scale {
  const ys = chart.series.flatMap((series) => series.points.map(([, y]) => y));
  if (chart.target !== undefined) ys.push(chart.target.value);
  if (isCoverage(chart.y.kind)) return kind === "log" ? ninesScale(greatest(ys)) : linearScale(1, "exact");
  return kind === "log"
    ? logScale(leastPositive(ys), greatest(ys), "round")
    : linearScale(greatest(ys), "round");
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
