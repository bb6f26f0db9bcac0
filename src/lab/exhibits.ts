/** What a simulation or an experiment shows, as data: charts, tables, verdicts. report/ draws them, a terminal prints the tables. */
import type { Kind } from "../base/index.ts";

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

/** null is a value that does not exist. */
export type Cell = string | number | null;

export interface Column {
  readonly title: string;
  readonly kind: Kind | "text";
  /** Neighbouring columns of one group stand under a common heading. */
  readonly group?: string;
  /** When space is short the column of least importance goes first, of equals the rightmost. 0 unless given. */
  readonly importance?: number;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

/** What a paper (or anybody) claims, and what we measured. */
export interface Verdict {
  readonly verdict: "agrees" | "differs" | "untested";
  readonly claim: string;
  readonly measured: string;
}
