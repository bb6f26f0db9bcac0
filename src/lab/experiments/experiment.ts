/** An experiment of a paper: it runs on any graph, and reports which claims of the paper hold there. */
import { formatCount } from "../../base/index.ts";
import type { Chart, Column, Series, Table, ClaimVerdict } from "../exhibits.ts";
import { simulate, trueRanks } from "../simulate.ts";
import type { SimulationInput, SimulationRun } from "../simulation.ts";

/** Input of `runExperiment`. */
export type ExperimentInput = Omit<SimulationInput, "orders" | "coverage" | "guarantee" | "trueRanks">;

export interface Experiment {
  readonly name: string;
  readonly title: string;
  /** Whether it needs the URLs of the pages. */
  readonly needsHosts?: boolean;
  /** Whether it chooses the trust itself and ignores the given one. */
  readonly ownTrust?: boolean;
  /** Charts, tables and runs are left out if there are none. */
  readonly run: (input: ExperimentInput) => Partial<Findings> & Pick<Findings, "paragraphs" | "verdicts">;
}

export interface Findings {
  /** What the paper did, and what was done here. */
  readonly paragraphs: readonly string[];
  readonly charts: readonly Chart[];
  readonly tables: readonly { readonly heading: string; readonly table: Table }[];
  readonly verdicts: readonly ClaimVerdict[];
  readonly runs: readonly SimulationRun[];
}

/** Runs orders one after another, each to its own end. */
export function runOrders(
  input: ExperimentInput & Pick<SimulationInput, "trueRanks">,
  orders: readonly ({ order: string } & Pick<SimulationInput, "coverage" | "guarantee" | "maxPages">)[],
): SimulationRun[] {
  const { graph, trust, damping, progress } = input;
  const truth = input.trueRanks ?? trueRanks(graph, trust, damping, progress);
  return orders.flatMap(
    ({ order, ...limits }) => simulate({ ...input, ...limits, trueRanks: truth, orders: [order] }).runs,
  );
}

/** For a paper that stops after this share of its pages: the same share of ours, or fewer if the user wants fewer. */
export function pagesUpTo(share: number, { graph, maxPages = graph.pages }: ExperimentInput): number {
  return Math.min(maxPages, Math.ceil(share * graph.pages));
}

export function runOf(runs: readonly SimulationRun[], order: string): SimulationRun {
  const run = runs.find((each) => each.order === order);
  if (run === undefined) throw new Error(`no run of ${order}`);
  return run;
}

/** A verdict on a claim; `holds` is undefined if this graph does not decide it. */
export function verdict(claim: string, measured: string, holds: boolean | undefined): ClaimVerdict {
  if (holds === undefined) return { verdict: "untested", claim, measured };
  return { verdict: holds ? "agrees" : "differs", claim, measured };
}

/** A number of downloads, in words. */
export function downloadsTo(downloads: number | undefined): string {
  return downloads === undefined ? "not reached" : formatCount(downloads);
}

/** "1.31 times", or a dash if one of the two is missing. */
export function times(value: number | undefined, base: number | undefined): string {
  return value === undefined || base === undefined ? "–" : `${(value / base).toFixed(2)} times`;
}

/** Whether a relation holds between two numbers; undefined if one of them was not reached. */
export function ifReached(
  a: number | undefined,
  b: number | undefined,
  holds: (a: number, b: number) => boolean,
): boolean | undefined {
  return a === undefined || b === undefined ? undefined : holds(a, b);
}

/** Whether all hold; undefined if one is not decided and none fails. */
export function allHold(holds: readonly (boolean | undefined)[]): boolean | undefined {
  if (holds.includes(false)) return false;
  return holds.includes(undefined) ? undefined : true;
}

export function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of a sample: divided by one less than its size; 0 for a single value. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

/** Columns by title, with the kind of their values. */
export function columnsByTitle(kinds: Readonly<Record<string, Column["kind"]>>): Column[] {
  return Object.entries(kinds).map(([title, kind]) => ({ title, kind }));
}

/** One solid curve per group. */
export function solidCurves(
  measure: string,
  groups: Iterable<readonly [group: string, points: Series["points"]]>,
): Series[] {
  return Array.from(groups, ([group, points]) => ({ group, measure, line: "solid", points }));
}
