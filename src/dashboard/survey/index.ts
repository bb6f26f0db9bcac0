export { type KeeperOptions, SurveyKeeper, surveyOf, type SurveyOfOptions } from "./keeper.ts";
export type { NumberedSurvey, SurveySource } from "./source.ts";
export type { Survey, SurveyFacts, SurveyHost, SurveyMissing } from "./survey.ts";
