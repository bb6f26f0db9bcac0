export { type CrawlReportOptions, crawlReport } from "./crawl-report.ts";
export type { CrawlContents } from "./contents.ts";
export { gatherContents } from "./gather.ts";
export { summaryLine } from "./summary.ts";
export { tideChart } from "./tide.ts";
export { momentInWords } from "../words.ts";
