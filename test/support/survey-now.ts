/** A survey made here and now, without a thread. */
import { join } from "node:path";
import { assert } from "../../src/base/index.ts";
import { openCrawlReadOnly } from "../../src/store/index.ts";
import type { Survey } from "../../src/survey/index.ts";
import { StoredSurvey, surveyKey } from "../../src/survey/stored-survey.ts";
import { SurveyFile, writeSurvey } from "../../src/survey/survey-file.ts";
import { Surveyor } from "../../src/survey/surveyor.ts";
import { temporaryDirectory } from "./temporary.ts";

export function surveyed(dir: string): Survey {
  const store = openCrawlReadOnly(dir);
  const { settings, key } = surveyKey(store);
  const surveyor = new Surveyor(settings);
  for (const step of surveyor.read(store)) void step;
  const path = join(temporaryDirectory(), "survey.bin");
  writeSurvey(path, key, surveyor.survey());
  store.close();
  return opened(path);
}

function opened(path: string): Survey {
  const file = SurveyFile.open(path);
  assert(file !== undefined, `${path} is a survey`);
  return new StoredSurvey(file);
}
