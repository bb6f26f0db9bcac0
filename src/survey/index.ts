export { SurveyKeeper } from "./cache.ts";
export type {
  NumberedSurvey,
  SurveyProgress,
  SurveySource,
  Survey,
  SurveyFacts,
  SurveyHost,
  SurveyMissing,
  TidePoint,
} from "./survey.ts";
export { surveyOf, type SurveyOfOptions } from "./surveyor-thread.ts";
