export {
  type CrawlContents,
  crawlReport,
  type CrawlReportOptions,
  gatherContents,
  momentInWords,
  summaryLine,
  tideChart,
} from "./report/index.ts";
export { surveyOf, type SurveyOfOptions } from "./survey/index.ts";
export { type Beside, type BesideOptions, startBeside } from "./server/beside.ts";
export { type DashboardServer, type ServerOptions, startServer } from "./server/server.ts";
export type { FromCrawl, ToCrawl } from "./feed.ts";
export { SurveyKeeper } from "./survey/index.ts";
export type { Control } from "./protocol.ts";
export { checkToken } from "./server/guard.ts";
