export type { Axis, Chart, Line, Series } from "./chart.ts";
export { type Report, renderReport } from "./html.ts";
export {
  chartSection,
  factsSection,
  type Section,
  type SectionText,
  tableSection,
  textSection,
  type Verdict,
} from "./sections.ts";
export {
  type Abscissa,
  type CoverageChartOptions,
  coverageChart,
  type Measure,
  simulationFacts,
  simulationReport,
  type SimulationReportOptions,
  simulationTable,
} from "./simulation-report.ts";
export { renderChartSvg } from "./svg.ts";
export { type Cell, type Column, renderTable, type RenderTableOptions, type Table } from "./table.ts";
