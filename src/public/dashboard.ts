/** `tidemark/dashboard`: surveys and reports of a crawl, and the server that shows it. */
export { type DashboardServer, type ServerOptions, startServer } from "../dashboard/index.ts";
export {
  type CrawlContents,
  crawlReport,
  type CrawlReportOptions,
  gatherContents,
  summaryLine,
} from "../report/index.ts";
export {
  type Survey,
  SurveyCache,
  type SurveyFacts,
  surveyOf,
  type SurveyOfOptions,
  type SurveySource,
} from "../survey/index.ts";
