/** What long work reports now and then; a display decides what to make of it. Calls are cheap, not free. */
export interface ProgressStep {
  /** What is being done, as a person would say it: "reading arcs". */
  readonly task: string;
  readonly done: number;
  /** Left out where the end is unknown. */
  readonly total?: number;
  /** What is counted: "arcs", "pages". */
  readonly unit: string;
}

export type Progress = (step: ProgressStep) => void;

export const noProgress: Progress = () => {};
