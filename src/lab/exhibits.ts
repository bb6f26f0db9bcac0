/** The results of a simulation or an experiment as data: charts, tables, verdicts. */
import type { Kind } from "../base/index.ts";

export type Line = "solid" | "dashed" | "dotted";

/** What the values of an axis are. "percent" is a coverage that is written as a percentage. */
export type AxisKind = Kind | "percent";

export interface Axis {
  readonly label: string;
  readonly kind: AxisKind;
  /** How the axis is shown at first; for coverage "log" is the logarithm of what is missing. */
  readonly scale: "linear" | "log";
}

/** One curve. Series of a group (an order) share colour and marker, those of a measure share the line style. */
export interface Series {
  readonly group: string;
  readonly measure: string;
  readonly line: Line;
  /** Whether a value holds until the next point, as with a bound: between two points no more is proved. */
  readonly steps?: boolean;
  /** Whether the area below it is filled. */
  readonly area?: boolean;
  /** [x, y], x ascending. */
  readonly points: readonly (readonly [number, number])[];
}

export interface Chart {
  readonly title: string;
  /** What the chart shows, in words, for people who cannot see it. */
  readonly description: string;
  /** What a group is: "order". */
  readonly groupLabel: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** A target level of y, drawn as a horizontal line. */
  readonly target?: { readonly value: number; readonly label: string };
}

/** null means that there is no value. */
export type Cell = string | number | null;

export interface Column {
  readonly title: string;
  readonly kind: Kind | "text";
  /** Neighbouring columns of a group have a common heading. */
  readonly group?: string;
  /** If space is short, the least important columns are dropped first, of equals the rightmost (default: 0). */
  readonly importance?: number;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A claim, of a paper or our own, and what we measured. */
export interface Verdict {
  readonly verdict: "agrees" | "differs" | "untested";
  readonly claim: string;
  readonly measured: string;
}
