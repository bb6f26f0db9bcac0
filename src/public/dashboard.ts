/**
 * `tidemark/dashboard`: surveys and reports of a crawl, and the server that shows it.
 *
 * @example
 * ```js
 * import { mkdtempSync, rmSync } from "node:fs";
 * import { crawl, fetcherOfGraph } from "tidemark";
 * import { gatherContents, summaryLine, surveyOf } from "tidemark/dashboard";
 * import { generateGraph } from "tidemark/graph";
 *
 * const folder = mkdtempSync("survey-");
 * const urlOf = (page) => `http://www.example/${page}`;
 * const fetcher = fetcherOfGraph(generateGraph({ pages: 200, seed: 1 }).graph, urlOf);
 * for await (const _ of crawl(urlOf(0), { fetcher, dir: `${folder}/crawl`, delay: 0 }));
 * const survey = await surveyOf(`${folder}/crawl`);
 * console.log(summaryLine(gatherContents(`${folder}/crawl`, survey)));
 * survey.close();
 * rmSync(folder, { recursive: true });
 * ```
 *
 * It prints:
 *
 * ```text
 * 100.00% of what may be fetched is certainly covered, by 200 pages (everything reachable is fetched)
 * ```
 * @packageDocumentation
 */
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
