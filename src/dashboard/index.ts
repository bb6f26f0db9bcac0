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
