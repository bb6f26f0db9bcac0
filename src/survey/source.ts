/** Where a server has its surveys from: the newest that there is, and newer ones as the crawl goes on. */
import type { Survey } from "./survey.ts";

export interface SurveyProgress {
  readonly task: string;
  readonly done: number;
  /** Left out where it is not known. */
  readonly total?: number;
  readonly unit: string;
  /** Why it could not be made; left out where all goes well. It is tried again. */
  readonly problem?: string;
}

export interface NumberedSurvey {
  /** From 1, one more for each survey of this process. */
  readonly number: number;
  /** Unix time in milliseconds when it was computed. */
  readonly atMs: number;
  /** Stays open until two newer ones have come: use it within a request and let it go. */
  readonly survey: Survey;
}

export interface SurveySource {
  /** Undefined while the first one is computed. */
  current(): NumberedSurvey | undefined;
  /** How far the one is that is being computed; undefined where none is. */
  progress(): SurveyProgress | undefined;
  /** What went wrong with the last one, in words; undefined where nothing did. */
  problem(): string | undefined;
  /** Asks for a newer one. Costs nothing where the crawl is as it was, or where the last one took so long that it is too soon. */
  refresh(): void;
  /** Called after each new survey. */
  onSurveyed(listener: (surveyed: NumberedSurvey) => void): void;
  close(): Promise<void>;
}
