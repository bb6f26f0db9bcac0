export {
  type CompareReportOptions,
  compareReport,
  comparisonLine,
  coverageInWords,
  notesOf,
} from "./compare/compare-report.ts";
export {
  type ComparedCrawl,
  type ComparedPage,
  type ComparisonContents,
  gatherComparison,
  type PageInCrawl,
} from "./compare/contents.ts";
export { type CrawlContents, gatherContents } from "./crawl/contents.ts";
export { type CrawlReportOptions, crawlReport } from "./crawl/crawl-report.ts";
export { summaryLine } from "./crawl/summary.ts";
export { tideChart } from "./crawl/tide.ts";
export { renderChartSvg } from "./pieces/figure.ts";
export { sharedStyle } from "./pieces/style.ts";
export { experimentReport, simulationReport, type SimulationReportOptions } from "./simulation-report.ts";
