/** What the benchmark of scale asks of its processes, and what they answer. */
import type { ComputedWebOptions } from "./computed-web.ts";

export interface ScaleTask {
  readonly part: "crawl" | "resume";
  readonly web: ComputedWebOptions;
  /** To fetch. */
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
  /** Of all threads, the start of the process included. */
  readonly cpuSeconds: number;
  /** Of the process with all its modules and the web, before the crawl; not in what follows. */
  readonly baselineMegabytes: number;
  readonly memoryBytesPerUrl: {
    readonly peak: number;
    /** After collection of garbage, the crawl still open. */
    readonly end: number;
    readonly endHeap: number;
    readonly endArrayBuffers: number;
  };
  /** The whole directory, closed. No bodies are kept. */
  readonly diskBytesPerUrl: number;
  readonly pagesPerSecond: Speed;
  /** Of all threads: what a busy machine does not change. */
  readonly pagesPerCpuSecond: Speed;
}

export interface Speed {
  readonly all: number;
  /** For each tenth of the pages. */
  readonly tenths: readonly number[];
  readonly lastToFirst: number;
}

export interface ResumeFigures {
  /** Until the crawl may go on. */
  readonly seconds: number;
  /** Of all threads, the start of the process included. */
  readonly cpuSeconds: number;
  readonly known: number;
  readonly pages: number;
  readonly memoryBytesPerUrl: { readonly peak: number; readonly end: number };
}
