/**
 * Which crawl a survey belongs to, and whether it is still up to date. The key of a survey is a fingerprint of everything
 * besides the log that the survey depends on. If the key has changed, nothing derived before is of use.
 */
import { createHash } from "node:crypto";
import { VERSION } from "../base/index.ts";
import { type CrawlLog } from "../log/index.ts";
import { type CrawlSettings, parseSettings } from "../crawl/index.ts";
import { openCrawlReadOnly } from "../store/index.ts";
import { StoredSurvey } from "./stored-survey.ts";
import { SurveyFile, surveyPath } from "./survey-file.ts";
import type { Survey } from "./survey.ts";

export interface Foundation {
  readonly settings: CrawlSettings;
  readonly fingerprint: string;
}

/** Where this part has changed too, what was certain is no more: it was of another crawl, or of other trust. */
function isSameCrawl(fingerprint: string, other: string): boolean {
  return fingerprint.split(" ", 1)[0] === other.split(" ", 1)[0];
}

export function foundationOf(store: CrawlLog): Foundation {
  const settings = parseSettings(store.settings());
  const { order, damping, limits, web } = settings;
  const { depth = "-", pagesPerHost = "-" } = limits;
  const hash = createHash("sha256");
  // The seed of the fingerprints is drawn anew for each crawl: it tells one directory from another. What another version computed may
  // mean something else.
  const { hashSeed } = web;
  hash.update(JSON.stringify({ version: VERSION, order, damping, hashSeed }));
  for (const { url, weight } of store.trust()) hash.update(`\n${url} ${weight}`);
  // Limits say only why something is missing.
  return { settings, fingerprint: `${hash.digest("hex")} ${depth} ${pagesPerHost}` };
}

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
