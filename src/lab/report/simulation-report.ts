/** A simulation as a chart, as a table for page and terminal, and as a whole report. */
import type { Level, Simulation, SimulationRun } from "../simulation.ts";
import type { Chart, Line, Series } from "./chart.ts";
import { formatCount, formatCoverage } from "./format.ts";
import { renderReport } from "./html.ts";
import { chartSection, factsSection, tableSection } from "./sections.ts";
import type { Column, Table } from "./table.ts";

export type Measure = "actual" | "guaranteed" | "certified";

export interface CoverageChartOptions {
  readonly title?: string;
  /** Which curves of each run are drawn: all three unless given. */
  readonly measures?: readonly Measure[];
  /** Names of the curves, where those of the orders do not say enough; one per run. */
  readonly names?: readonly string[];
}

export interface SimulationReportOptions {
  readonly title: string;
  readonly subtitle: string;
  /** The command that gives this report again. */
  readonly command: string;
  /** More to know about the run, for instance its seed. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
}

export function simulationReport(simulation: Simulation, options: SimulationReportOptions): string {
  const { title, subtitle, command, facts = [] } = options;
  return renderReport({
    title,
    subtitle,
    sections: [
      chartSection(coverageChart(simulation), [
        "Actual is the true share of all importance, which only a simulation knows. Guaranteed is what the order itself can promise while it runs. Certified is the exact proof that the downloaded pages allow.",
      ]),
      tableSection(
        {
          heading: "Downloads needed",
          paragraphs: ["How many pages each order downloads until a level of coverage is reached."],
        },
        simulationTable(simulation),
      ),
      factsSection({ heading: "How this was made" }, [...simulationFacts(simulation), ...facts], command),
    ],
  });
}

/** Coverage against downloads, one colour an order, one line style a measure. */
export function coverageChart(simulation: Simulation, options: CoverageChartOptions = {}): Chart {
  const {
    title = "Coverage by downloads",
    measures = ["actual", "guaranteed", "certified"],
    names,
  } = options;
  const series = simulation.runs.flatMap((run, index) =>
    measures.map((measure) => curveOf(run, measure, names?.[index] ?? run.order)),
  );
  const best = simulation.runs.map(
    ({ order, downloads, final }) =>
      `${order}: ${formatCount(downloads)} downloads, actual ${formatCoverage(final.actual)}, certified ${formatCoverage(final.certified)}`,
  );
  return {
    title,
    description: `Curves of coverage against the number of downloads. At the end: ${best.join("; ")}.`,
    groupLabel: "Order",
    x: { label: "Downloads", kind: "count", scale: "log" },
    y: { label: "Coverage", kind: "coverage", scale: "linear" },
    series: series.filter(({ points }) => points.length > 0),
  };
}

/** Downloads to the levels that people ask for, and what the run cost. */
export function simulationTable(simulation: Simulation): Table {
  const columns: Column[] = [{ title: "order", kind: "text" }];
  for (const { measure, importance } of COLUMN_GROUPS) {
    for (const level of SHOWN_LEVELS) {
      columns.push({
        title: level,
        kind: "count",
        group: measure,
        importance,
      });
    }
  }
  columns.push(
    { title: "time", kind: "seconds", importance: 2 },
    { title: "pushes", kind: "count", importance: 1 },
  );
  const rows = simulation.runs.map((run) => [
    run.order,
    ...COLUMN_GROUPS.flatMap(({ measure }) => SHOWN_LEVELS.map((level) => run[measure][level] ?? null)),
    run.seconds,
    run.pushes,
  ]);
  return { columns, rows };
}

/** What a result must name to be a result. */
export function simulationFacts({ graph, damping, trust }: Simulation): [label: string, value: string][] {
  return [
    ["Pages", formatCount(graph.pages)],
    ["Links", formatCount(graph.arcs)],
    ...(graph.hosts === null ? [] : [["Hosts", formatCount(graph.hosts)] as [string, string]]),
    ["Damping", String(damping)],
    ["Trusted pages", formatCount(trust.pages)],
    ["Trust, together", formatCoverage(trust.total)],
  ];
}

const SHOWN_LEVELS: readonly Level[] = ["0.9", "0.98", "0.99"];

/** The proof matters most, then the truth behind it, then what the order itself knew. */
const COLUMN_GROUPS: readonly { measure: Measure; importance: number }[] = [
  { measure: "actual", importance: 3 },
  { measure: "guaranteed", importance: 0 },
  { measure: "certified", importance: 4 },
];

const LINES: Readonly<Record<Measure, Line>> = { actual: "solid", guaranteed: "dashed", certified: "dotted" };

function curveOf(run: SimulationRun, measure: Measure, group: string): Series {
  const column = ({ actual: 1, guaranteed: 2, certified: 3 } as const)[measure];
  const points: [number, number][] = [];
  for (const point of run.curve) {
    const value = point[column];
    if (value !== null) points.push([point[0], value]);
  }
  return { group, measure, line: LINES[measure], points };
}
