/**
 * What a survey of a large crawl costs, and what its intervals of importance (C9) add to it: CPU seconds of one survey
 * from the beginning, on a dense web, where intervals cost the most.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { certify, RankIntervals } from "../src/coverage/index.ts";
import { ledgerOfLog, parseSettings } from "../src/crawl/index.ts";
import { openCrawlReadOnly, type SqliteStore } from "../src/store/index.ts";
import { Surveyor } from "../src/survey/surveyor.ts";
import { makeCrawledWeb } from "./dashboard/crawled-web.ts";
import { bestCpuSeconds } from "./measure.ts";

export interface SurveyFigures {
  readonly pages: number;
  readonly links: number;
  readonly surveySeconds: number;
  readonly intervalSeconds: number;
  /** A survey compared with one that has no intervals. */
  readonly ratio: number;
}

const RUNS = 2;
const DENSE = { pages: 300_000, visits: 250_000, averageDegree: 40 };
const TINY = { pages: 3000, visits: 2500, averageDegree: 40 };

export function benchSurvey({ tiny }: { readonly tiny: boolean }): SurveyFigures {
  const dir = mkdtempSync(join(tmpdir(), "tidemark-bench-survey-"));
  try {
    makeCrawledWeb({ dir: join(dir, "crawl"), ...(tiny ? TINY : DENSE) });
    const store = openCrawlReadOnly(join(dir, "crawl"));
    try {
      return figuresOf(store);
    } finally {
      store.close();
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function figuresOf(store: SqliteStore): SurveyFigures {
  const settings = parseSettings(store.settings());
  // The first survey of a process is slower.
  let links = 0;
  const survey = (): void => {
    const surveyor = new Surveyor(settings);
    for (const _ of surveyor.read(store));
    links = surveyor.survey().columns.inSources.length;
  };
  const surveySeconds = bestCpuSeconds(RUNS, survey);
  const { ledger } = ledgerOfLog(store);
  const certificate = certify(ledger);
  const intervalSeconds = bestCpuSeconds(RUNS, () => {
    const intervals = new RankIntervals(ledger, certificate);
    for (let url = 0; url < store.urlCount; url++) intervals.of(url);
    intervals.certainPrefix();
  });
  return {
    pages: ledger.downloadedCount,
    links,
    surveySeconds,
    intervalSeconds,
    ratio: surveySeconds / (surveySeconds - intervalSeconds),
  };
}
