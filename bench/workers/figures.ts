/** The tasks and results of the processes of the benchmark of workers. */
import type { ComputedWebOptions } from "../crawl/computed-web.ts";

export interface WorkersTask {
  /** The plain crawler, one worker of a job that was made, or gathering that job. */
  readonly part: "plain" | "worker" | "gather";
  readonly name: string;
  readonly web: ComputedWebOptions;
  readonly pages: number;
  readonly dir: string;
}

export interface PartFigures {
  /** Of all threads, without the start of the process. */
  readonly cpuSeconds: number;
  /** The same after the first pages of this process, while its code was interpreted and compiled; of so many pages. */
  readonly warmCpuSeconds: number;
  readonly warmPages: number;
  readonly seconds: number;
  readonly pages: number;
  /** At its peak, beyond what the process held before. */
  readonly memoryBytes: number;
  /** Of the whole crawl. */
  readonly known: number;
  readonly messages: number;
  readonly messageBytes: number;
  readonly factBytes: number;
}
