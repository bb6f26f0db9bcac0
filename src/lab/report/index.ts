export type { Section, SectionText } from "./card.ts";
export type { Axis, Chart, Line, Series } from "./chart.ts";
export type { Fact } from "./facts.ts";
export { type Hero, heroSection } from "./hero.ts";
export { type Report, renderReport } from "./html.ts";
export { type Markup, markup } from "./markup.ts";
export {
  drawInterval,
  drawPage,
  type RecordColumn,
  type RecordRow,
  type Records,
  recordGroupsSection,
  recordSection,
  shortened,
} from "./records.ts";
export {
  chartSection,
  commandsSection,
  factsSection,
  listSection,
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
export { drawBar, type ShareGroup, type SharePart, type Shares, sharesSection } from "./shares.ts";
export { themes } from "./style.ts";
export { renderChartSvg } from "./svg.ts";
export { type Cell, type Column, renderTable, type RenderTableOptions, type Table } from "./table.ts";
