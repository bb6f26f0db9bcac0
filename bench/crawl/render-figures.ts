/** The task of one rendered crawl, and what it measures. */
export interface RenderTask {
  readonly seed: string;
  readonly render: "auto" | "always";
  /** The browser is killed so often, evenly over so many pages. */
  readonly kills: number;
  readonly pages: number;
  /** Memory is compared from this page on. */
  readonly fromPage: number;
}

/** Resident megabytes, as means over a tenth of the pages each, from `fromPage` on. */
export interface MemoryFigures {
  readonly firstMegabytes: number;
  readonly lastMegabytes: number;
  readonly largestMegabytes: number;
  /** The largest mean, as a multiple of the first. */
  readonly growth: number;
}

export interface RenderFigures {
  readonly pages: number;
  readonly linksUnknown: number;
  readonly coverage: number;
  readonly seconds: number;
  readonly cpuMillisecondsPerPage: number;
  /** Pages that went through the browser. */
  readonly rendered: number;
  readonly kills: number;
  readonly own: MemoryFigures;
  readonly browser: MemoryFigures;
}
