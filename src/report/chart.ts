/** How the values of a chart are scaled and written. What a chart is stands in lab/exhibits.ts, how it is drawn in plot.ts. */
import { formatCoverage, formatTick, formatValue, percentAtLeast } from "../base/index.ts";
import type { Axis, AxisKind, Chart } from "../lab/index.ts";
import { linearScale, logScale, ninesScale, type Scale } from "./scale.ts";

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
