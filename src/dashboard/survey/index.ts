export { SurveyKeeper } from "./keeper.ts";
export { surveyOf, type SurveyOfOptions } from "./survey-of.ts";
export type { Survey, SurveyFacts, SurveyHost, SurveyMissing } from "./survey.ts";
