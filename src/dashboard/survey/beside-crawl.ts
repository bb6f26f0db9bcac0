/** The survey that lies beside a crawl. */
import { openCrawlReadOnly } from "../../store/index.ts";
import { foundationOf } from "./foundation.ts";
import { StoredSurvey } from "./stored-survey.ts";
import type { Survey } from "./survey.ts";
import { SurveyFile, surveyPath } from "./survey-file.ts";

/** Be it old, as long as it is of this crawl with these settings; undefined where there is none. */
export function storedSurvey(dir: string): Survey | undefined {
  const file = SurveyFile.open(surveyPath(dir));
  if (file === undefined) return undefined;
  const store = openCrawlReadOnly(dir);
  try {
    const { facts, foundation } = file.head;
    const isOfThis =
      foundation === foundationOf(store).fingerprint &&
      facts.visits < store.nextVisit &&
      facts.urls <= store.urlCount;
    if (isOfThis) return new StoredSurvey(file);
  } finally {
    store.close();
  }
  file.close();
  return undefined;
}

/** Whether a survey takes in all that the crawl has committed by now. */
export function isCurrent(dir: string, { facts }: Survey): boolean {
  const store = openCrawlReadOnly(dir);
  try {
    return facts.visits + 1 === store.nextVisit && facts.urls === store.urlCount;
  } finally {
    store.close();
  }
}
