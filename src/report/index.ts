export type { Section, SectionText } from "./pieces/card.ts";
export type { Fact } from "./pieces/card.ts";
export { type Hero, heroSection } from "./pieces/hero.ts";
export { type Report, renderReport } from "./pieces/html.ts";
export { type Markup, markup } from "./pieces/markup.ts";
export {
  drawInterval,
  drawPage,
  type RecordColumn,
  type RecordRow,
  type Records,
  recordGroupsSection,
  recordSection,
  shortened,
} from "./pieces/records.ts";
export {
  chartSection,
  commandsSection,
  factsSection,
  listSection,
  tableSection,
  textSection,
} from "./pieces/sections.ts";
export { experimentReport, simulationReport, type SimulationReportOptions } from "./simulation-report.ts";
export { drawBar, type ShareGroup, type SharePart, type Shares, sharesSection } from "./pieces/shares.ts";
export { themes } from "./pieces/style.ts";
export { renderChartSvg } from "./pieces/figure.ts";
export { renderTable, type RenderTableOptions } from "./pieces/table.ts";
export { type CrawlReportOptions, crawlReport } from "./crawl/crawl-report.ts";
export type { CrawlContents } from "./crawl/contents.ts";
export { gatherContents } from "./crawl/contents.ts";
export { summaryLine } from "./crawl/summary.ts";
export { tideChart } from "./crawl/tide.ts";
