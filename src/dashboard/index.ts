export type { FromCrawl, ToCrawl } from "./feed.ts";
export type { Control, Politeness } from "./protocol.ts";
export {
  type CrawlContents,
  crawlReport,
  type CrawlReportOptions,
  gatherContents,
  momentInWords,
  summaryLine,
  tideChart,
} from "./report/index.ts";
export { type Beside, type BesideOptions, startBeside } from "./server/beside.ts";
export { checkToken } from "./server/guard.ts";
export type { CrawlPort } from "./server/live.ts";
export { type DashboardServer, type ServerOptions, startServer } from "./server/server.ts";
export {
  type NumberedSurvey,
  type Survey,
  SurveyKeeper,
  type SurveyFacts,
  surveyOf,
  type SurveyOfOptions,
  type SurveySource,
} from "./survey/index.ts";
