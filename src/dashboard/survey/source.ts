/**
 * Where the server gets its surveys from. Surveying takes seconds for a large crawl, so it happens elsewhere and nobody waits: there is a
 * newest survey or none yet, and a newer one can be asked for.
 */
import type { SurveyProgress } from "../protocol.ts";
import type { Survey } from "./survey.ts";

/** Numbers count up: lists of one number belong together. */
export interface NumberedSurvey {
  readonly number: number;
  /** Unix time in milliseconds at which it was finished. */
  readonly atMs: number;
  readonly survey: Survey;
}

export interface SurveySource {
  /**
   * The newest survey, of the seeds and settings that the crawl has now; undefined while there is none. It may be closed once a newer one
   * was told and its listeners have returned, so nobody keeps it while waiting for something else.
   */
  current(): NumberedSurvey | undefined;
  progress(): SurveyProgress;
  /** Asks for a newer survey; costs next to nothing where nothing is new or one is under way. */
  refresh(): void;
  /** Called whenever `current` has changed. The answer takes the listener away. */
  onSurveyed(listener: () => void): () => void;
  close(): Promise<void>;
}
