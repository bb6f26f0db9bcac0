/** The results of a simulation or an experiment as data: charts, tables, verdicts. */
import { type NumberKind, formatCount, formatCoverage } from "../base/index.ts";
import { type Level, LEVELS, type Sampling, type Simulation, type SimulationRun } from "./simulation.ts";

/** "sampled" is the line of what is claimed with confidence: it has a colour of its own; "points" has no line. */
export type LineStyle = "solid" | "dashed" | "dotted" | "sampled" | "points";

/** What the values of an axis are. "percent" is a coverage that is written as a percentage. */
export type AxisKind = NumberKind | "percent";

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
  readonly line: LineStyle;
  /** Whether a value holds until the next point, as with a bound: between two points no more is proved. */
  readonly steps?: boolean;
  /** Whether the area below it is filled. */
  readonly area?: boolean;
  /** [x, y], x ascending. */
  readonly points: readonly (readonly [number, number])[];
  /** For each point how far the truth may be above or below, drawn as a bar: a standard deviation or error. */
  readonly errors?: readonly number[];
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
  /** The most that y can still become, drawn in the same way. */
  readonly ceiling?: { readonly value: number; readonly label: string };
}

/** null means that there is no value. */
export type Cell = string | number | null;

export interface Column {
  readonly title: string;
  readonly kind: NumberKind | "text";
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
export interface ClaimVerdict {
  readonly verdict: "agrees" | "differs" | "untested";
  readonly claim: string;
  readonly measured: string;
}

type Measure = "actual" | "guaranteed" | "certified" | "sampled";

type Abscissa = "downloads" | "seconds" | "pushes";

export interface CoverageChartOptions {
  readonly title?: string;
  /** Which curves of each run are drawn (default: all that are no samples). */
  readonly measures?: readonly Measure[];
  /** What is on the x axis (default: downloads). */
  readonly against?: Abscissa;
  /** Names of the curves, one per run (default: the names of the orders). */
  readonly names?: readonly string[];
}

/** Coverage by downloads or by their cost, with one colour per order and one line style per measure. */
export function coverageChart(runs: readonly SimulationRun[], options: CoverageChartOptions = {}): Chart {
  const {
    against = "downloads",
    title = `Coverage by ${against}`,
    measures = ["actual", "guaranteed", "certified"],
    names,
  } = options;
  const series = runs.flatMap((run, index) =>
    measures.map((measure) => curveOf(run, { measure, against, group: names?.[index] ?? run.order })),
  );
  const ends = runs.map(({ order, downloads, final }) => {
    const shares = `actual ${formatCoverage(final.actual)}, certified ${formatCoverage(final.certified)}`;
    return `${order}: ${formatCount(downloads)} downloads, ${shares}`;
  });
  return {
    title,
    description: `Coverage by ${ABSCISSAS[against].label.toLowerCase()}. At the end: ${ends.join("; ")}.`,
    groupLabel: "Order",
    x: { ...ABSCISSAS[against], scale: "log" },
    y: { label: "Coverage", kind: "coverage", scale: "linear" },
    series: series.filter(({ points }) => points.length > 0),
  };
}

/** The downloads that each order needs for the usual levels, and what the run cost. */
export function simulationTable(simulation: Simulation): Table {
  const levels = shownLevels(simulation);
  const hasValues = simulation.runs.some(({ valued }) => valued !== undefined);
  const isSampled = simulation.sampling !== undefined;
  const isShown = { actual: true, guaranteed: true, certified: true, sampled: isSampled };
  const groups = COLUMN_GROUPS.filter(({ measure }) =>
    measure === "valued" || measure === "actualValued" ? hasValues : isShown[measure],
  );
  const columns: Column[] = [
    { title: "order", kind: "text" },
    ...groups.flatMap(({ measure, group = measure, importance }) =>
      levels.map((title) => ({ title, kind: "count", group, importance }) as const),
    ),
    { title: "downloads", kind: "count", group: "at the end", importance: 1 },
    { title: "certified", kind: "coverage", group: "at the end", importance: 1 },
    ...(hasValues ? [{ title: "valued", kind: "coverage", group: "at the end", importance: 1 } as const] : []),
    { title: "time", kind: "seconds", importance: 2 },
    { title: "pushes", kind: "count", importance: 1 },
  ];
  const rows = simulation.runs.map((run) => [
    run.order,
    ...groups.flatMap(({ measure }) => levels.map((level) => run[measure]?.[level] ?? null)),
    run.downloads,
    run.final.certified,
    ...(hasValues ? [run.final.valued ?? null] : []),
    run.seconds,
    run.pushes,
  ]);
  return { columns, rows };
}

export function simulationFacts(simulation: Omit<Simulation, "runs">): [label: string, value: string][] {
  const { graph, damping, trust, sampling } = simulation;
  return [
    ["Pages", formatCount(graph.pages)],
    ["Links", formatCount(graph.arcs)],
    ...(graph.hosts === null ? [] : [["Hosts", formatCount(graph.hosts)] as [string, string]]),
    ["Damping", String(damping)],
    ["Trusted pages", formatCount(trust.pages)],
    ["Total trust", formatCoverage(trust.total)],
    ...(sampling === undefined ? [] : factsOf(sampling)),
  ];
}

function factsOf({ confidence, seed }: Sampling): [label: string, value: string][] {
  return [
    ["Confidence of samples", String(confidence)],
    ["Random seed", String(seed)],
  ];
}

/** The usual levels; if no order was certified that far, the highest that were. */
function shownLevels({ runs }: Simulation): readonly Level[] {
  const usual: Level[] = ["0.9", "0.98", "0.99"];
  const certified = LEVELS.map((level): Level => `${level}`).filter((level) =>
    runs.some((run) => run.certified[level] !== undefined),
  );
  return certified.includes("0.98") || certified.length < 3 ? usual : certified.slice(-3);
}

/** The proof matters most, then the truth, then what the order itself knew. */
const COLUMN_GROUPS: readonly { measure: Measure | "valued" | "actualValued"; group?: string; importance: number }[] = [
  { measure: "actual", importance: 3 },
  { measure: "guaranteed", importance: 0 },
  { measure: "sampled", importance: 2 },
  { measure: "certified", importance: 4 },
  { measure: "actualValued", group: "actual value", importance: 3 },
  { measure: "valued", importance: 5 },
];

/** Actual coverage also rises between two points; what is proved is known only at the points. */
const BOUNDS: ReadonlySet<Measure> = new Set(["guaranteed", "certified", "sampled"]);

const LINES: Readonly<Record<Measure, LineStyle>> = {
  actual: "solid",
  guaranteed: "dashed",
  certified: "dotted",
  sampled: "sampled",
};

const ABSCISSAS: Readonly<Record<Abscissa, { label: string; kind: Axis["kind"]; column: 0 | 1 | 2 }>> = {
  downloads: { label: "Downloads", kind: "count", column: 0 },
  seconds: { label: "Seconds spent on choosing", kind: "seconds", column: 1 },
  pushes: { label: "Arc updates", kind: "count", column: 2 },
};

function curveOf(run: SimulationRun, of: { measure: Measure; against: Abscissa; group: string }): Series {
  const { measure, against, group } = of;
  const look = { group, measure, line: LINES[measure], steps: BOUNDS.has(measure) };
  if (measure === "sampled") return { ...look, points: sampledPoints(run) };
  const column = ({ actual: 1, guaranteed: 2, certified: 3 } as const)[measure];
  const points: [number, number][] = [];
  for (const [index, point] of run.curve.entries()) {
    const value = point[column];
    const at = run.cost[index][ABSCISSAS[against].column];
    if (value !== null && at > 0) points.push([at, value]);
  }
  return { ...look, points };
}

/** Each level as the target of a crawl of its own, by the pages fetched in all. */
function sampledPoints({ sampled = {} }: SimulationRun): [number, number][] {
  const points = LEVELS.map((level): [number, number] => [sampled[`${level}`] ?? 0, level]);
  return points.filter(([fetched]) => fetched > 0).sort(([a], [b]) => a - b);
}
