/** The survey that lies beside a crawl, and whether a survey still speaks of the crawl that is there. */
import { openCrawlReadOnly } from "../store/index.ts";
import { foundationOf, isSameCrawl } from "./foundation.ts";
import { StoredSurvey } from "./stored-survey.ts";
import type { Survey } from "./survey.ts";
import { SurveyFile, surveyPath } from "./survey-file.ts";

/** A survey, and the fingerprint of what it was built upon. */
export interface FoundedSurvey {
  readonly survey: Survey;
  readonly foundation: string;
}

type Store = ReturnType<typeof openCrawlReadOnly>;

/** Be it old, as long as it is of this crawl with these settings; undefined where there is none. */
export function storedSurvey(dir: string): FoundedSurvey | undefined {
  const file = SurveyFile.open(surveyPath(dir));
  if (file === undefined) return undefined;
  const { facts, foundation } = file.head;
  const isOfThis = reading(
    dir,
    (store) => foundation === foundationOf(store).fingerprint && hasGoneOnFrom(store, facts),
  );
  if (isOfThis) return { survey: new StoredSurvey(file), foundation };
  file.close();
  return undefined;
}

export interface Standing {
  /** What is certain by the survey is certain of the crawl as it is now. */
  readonly holds: boolean;
  /** It takes in all that the crawl has committed by now, with the limits that it has now. */
  readonly isCurrent: boolean;
}

export function standingOf(dir: string, { survey: { facts }, foundation }: FoundedSurvey): Standing {
  return reading(dir, (store) => {
    const { fingerprint } = foundationOf(store);
    const holds = isSameCrawl(foundation, fingerprint) && hasGoneOnFrom(store, facts);
    const isAll = facts.visits + 1 === store.nextVisit && facts.urls === store.urlCount;
    return { holds, isCurrent: holds && foundation === fingerprint && isAll };
  });
}

/** Somebody may have put an older copy of the crawl in its place, which then went on by another way: visits tell by their times. */
function hasGoneOnFrom(store: Store, { visits, urls, lastVisitMs }: Survey["facts"]): boolean {
  if (visits >= store.nextVisit || urls > store.urlCount) return false;
  if (visits === 0) return true;
  const [last] = store.visits(visits);
  return last?.atMs === lastVisitMs;
}

function reading<T>(dir: string, read: (store: Store) => T): T {
  const store = openCrawlReadOnly(dir);
  try {
    return read(store);
  } finally {
    store.close();
  }
}
