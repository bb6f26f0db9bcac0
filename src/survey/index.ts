export { distinct } from "./columns.ts";
export { SurveyCache } from "./cache.ts";
export { packCrawl } from "./pack-crawl.ts";
export { searchDirectory } from "./search-directory.ts";
export { searchImportance } from "./search-importance.ts";
export * from "./survey.ts";
export { surveyHere } from "./survey-here.ts";
export { surveyOf, type SurveyOfOptions } from "./surveyor-thread.ts";
