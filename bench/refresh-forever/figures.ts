/** The tasks and results of the processes of the benchmark of a refresh that goes on. */

export interface ForeverTask {
  readonly part: "crawl" | "refresh";
  readonly dir: string;
  /** Pages of the crawl before the first day. */
  readonly pages: number;
  readonly days: number;
  /** Pages that may be read per day, as a share of all. */
  readonly share: number;
}

export interface CrawledFigures {
  readonly pages: number;
  readonly known: number;
  readonly cpuSeconds: number;
  readonly databaseBytes: number;
}

/** A simulated day. */
export interface DayFigures {
  /** Of this day. */
  readonly reads: number;
  readonly changed: number;
  readonly new: number;
  readonly cpuSeconds: number;
  /** How often the log was read from its beginning: to weigh pages, or to find URLs in a round of reads. */
  readonly logReads: number;
  /** At its end, after garbage collection: what the program holds, and what the process has taken. */
  readonly heldBytes: number;
  readonly residentBytes: number;
  /** At its end. */
  readonly databaseBytes: number;
}

export interface RefreshedFigures {
  /** Until the first page could be read. */
  readonly startCpuSeconds: number;
  /** Of one weighing of all pages, when it started. */
  readonly weighingCpuSeconds: number;
  /** The simulated machine takes so many times as long as this one to compute. */
  readonly slowness: number;
  readonly days: readonly DayFigures[];
  readonly coverage: number;
  readonly peakBytes: number;
  /** The middle of the simulated time and its end, Unix time in milliseconds. */
  readonly middleMs: number;
  readonly endMs: number;
}

/** Rows about reads, and the size of the database without free space. */
export interface KeptRows {
  readonly rereads: number;
  readonly deletedVisits: number;
  readonly bytes: number;
}

export interface CondensedFigures {
  readonly reads: number;
  /** Everything; without visits that count no more; and with reads condensed. */
  readonly whole: KeptRows;
  readonly deleted: KeptRows;
  readonly condensed: KeptRows;
  /** Of condensing. */
  readonly cpuSeconds: number;
}
