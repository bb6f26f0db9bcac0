/** Computes the surveys of a crawl directory and writes each to its file. Between two it keeps what it has read. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProgressStep } from "../base/index.ts";
import { openCrawlReadOnly, type ReadOptions } from "../store/index.ts";
import { earlierKey, surveyKey, type WrittenSurvey } from "./stored-survey.ts";
import { earlierSurveyPath, removeOldSurveys, type SurveyContents, surveyPath, writeSurvey } from "./survey-file.ts";
import { Surveyor } from "./surveyor.ts";

/** Left free on the disk of the crawl, which stops when the disk is full. */
const SPARE_BYTES = 2 ** 28;

export class SurveyRun {
  readonly #dir: string;
  readonly #moment: ReadOptions;
  #surveyor: Surveyor | undefined;
  #key = "";
  /** Where the survey is kept, and under which key. */
  #kept: { readonly path: string; readonly key: string };

  constructor(dir: string, moment: ReadOptions = {}) {
    this.#dir = dir;
    this.#moment = moment;
    this.#kept = { path: surveyPath(dir), key: this.#key };
  }

  /** Of what the crawl has committed by now, or had at that moment. */
  *survey(): Generator<ProgressStep, WrittenSurvey> {
    try {
      return this.#write(yield* this.#contents());
    } catch (error) {
      // Part of the log may have been read: the next survey starts from the beginning.
      this.#surveyor = undefined;
      throw error;
    }
  }

  *#contents(): Generator<ProgressStep, SurveyContents> {
    const store = openCrawlReadOnly(this.#dir, this.#moment);
    try {
      const now = surveyKey(store);
      this.#kept = store.isNow
        ? { path: surveyPath(this.#dir), key: now.key }
        : { path: earlierSurveyPath(this.#dir, store.nextVisit - 1), key: earlierKey(store) };
      if (this.#surveyor === undefined || now.key !== this.#key) {
        this.#surveyor = new Surveyor(now.settings);
        this.#key = now.key;
      }
      yield* this.#surveyor.read(store);
    } finally {
      store.close();
    }
    return this.#surveyor.survey();
  }

  /** Into the crawl's directory if that is writable and has room, else into a temporary one. */
  #write(contents: SurveyContents): WrittenSurvey {
    const { path } = this.#kept;
    try {
      writeSurvey(path, this.#kept.key, contents, SPARE_BYTES);
      if (path !== surveyPath(this.#dir)) removeOldSurveys(this.#dir);
      return { path, isTemporary: false };
    } catch {
      return this.#writeTemporary(contents);
    }
  }

  #writeTemporary(contents: SurveyContents): WrittenSurvey {
    const path = join(mkdtempSync(join(tmpdir(), "tidemark-survey-")), "survey.bin");
    writeSurvey(path, this.#kept.key, contents);
    return { path, isTemporary: true };
  }
}
