/** One report of progress from long work; a display decides how to show it. */
export interface ProgressStep {
  /** What is being done, for people: "reading arcs". */
  readonly task: string;
  readonly done: number;
  /** Left out if the end is unknown. */
  readonly total?: number;
  /** What is counted: "arcs", "pages". */
  readonly unit: string;
  /** How often a display that cannot overwrite it shows it, at most (default: as the display does). */
  readonly plainMs?: number;
  /** What else there is to say, the most important first; where there is no room, the last are left out. */
  readonly notes?: readonly string[];
}

/** Receives reports of progress. Calls are cheap but not free. */
export type Progress = (step: ProgressStep) => void;

/** Ignores all reports. */
export const noProgress: Progress = () => {};
