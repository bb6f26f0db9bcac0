export { SurveyKeeper } from "./keeper.ts";
export type { NumberedSurvey, SurveyProgress, SurveySource } from "./source.ts";
export { surveyOf, type SurveyOfOptions } from "./survey-of.ts";
export type { Survey, SurveyFacts, SurveyHost, SurveyMissing, TidePoint } from "./survey.ts";
