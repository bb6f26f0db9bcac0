export { SurveyKeeper } from "./cache.ts";
export type { NumberedSurvey, SurveyProgress, SurveySource } from "./survey.ts";
export { surveyOf, type SurveyOfOptions } from "./surveyor-thread.ts";
export type { Survey, SurveyFacts, SurveyHost, SurveyMissing, TidePoint } from "./survey.ts";
