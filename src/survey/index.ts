export { SurveyCache } from "./cache.ts";
export type {
  NumberedSurvey,
  Survey,
  SurveyFacts,
  SurveyHost,
  SurveyMissing,
  SurveyProgress,
  SurveySource,
  TidePoint,
} from "./survey.ts";
export { surveyOf, type SurveyOfOptions } from "./surveyor-thread.ts";
