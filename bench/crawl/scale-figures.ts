/** The tasks and results of the processes of the benchmark of scale. */
import type { ComputedWebOptions } from "./computed-web.ts";

export interface ScaleTask {
  readonly part: "crawl" | "resume";
  readonly web: ComputedWebOptions;
  /** How many pages to fetch. */
  readonly pages: number;
  readonly dir: string;
}

export interface ScaleFigures {
  readonly reason: string;
  readonly pages: number;
  readonly known: number;
  readonly hosts: number;
  readonly coverage: number;
  readonly seconds: number;
  /** CPU time of all threads, including the start of the process. */
  readonly cpuSeconds: number;
  /** The process with all its modules and the web, before the crawl; not included in what follows. */
  readonly baselineMegabytes: number;
  readonly memoryBytesPerUrl: {
    readonly peak: number;
    /** After garbage collection, with the crawl still open. */
    readonly end: number;
    readonly endHeap: number;
    readonly endArrayBuffers: number;
  };
  /** The whole directory, closed. No bodies are stored. */
  readonly diskBytesPerUrl: number;
  readonly pagesPerSecond: Speed;
  /** CPU time of all threads, which a busy machine does not change. */
  readonly pagesPerCpuSecond: Speed;
}

export interface Speed {
  readonly all: number;
  /** For every tenth of the pages. */
  readonly tenths: readonly number[];
  readonly lastToFirst: number;
}

export interface ResumeFigures {
  /** Until the crawl can continue. */
  readonly seconds: number;
  /** CPU time of all threads, including the start of the process. */
  readonly cpuSeconds: number;
  readonly known: number;
  readonly pages: number;
  readonly memoryBytesPerUrl: { readonly peak: number; readonly end: number };
}
