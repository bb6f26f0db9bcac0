export type { Section, SectionText } from "./card.ts";
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
} from "./sections.ts";
export { experimentReport, simulationReport, type SimulationReportOptions } from "./simulation-report.ts";
export { drawBar, type ShareGroup, type SharePart, type Shares, sharesSection } from "./shares.ts";
export { themes } from "./style.ts";
export { renderChartSvg } from "./svg.ts";
export { renderTable, type RenderTableOptions } from "./table.ts";
export { type CrawlReportOptions, crawlReport } from "./crawl/crawl-report.ts";
export type { CrawlContents } from "./crawl/contents.ts";
export { gatherContents } from "./crawl/gather.ts";
export { summaryLine } from "./crawl/summary.ts";
export { tideChart } from "./crawl/tide.ts";
