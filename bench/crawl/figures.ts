/** The task of one crawler, and what it measures. */
import { writeSync } from "node:fs";

export interface CrawlTask {
  readonly seed: string;
  readonly pages: number;
  readonly certificateFile: string;
  /** An empty folder, for what the crawler stores. */
  readonly dir: string;
  readonly tidemark?: { readonly readers?: number; readonly concurrency?: number; readonly perHost?: number };
  readonly crawlee?: {
    readonly http2?: boolean;
    readonly minConcurrency?: number;
    readonly maxConcurrency?: number;
    /** Generate the headers of a browser for each request. */
    readonly headers?: boolean;
  };
}

export interface CrawlFigures {
  readonly crawler: string;
  /** Responses with status 200. */
  readonly pages: number;
  readonly kilobytesPerPage: number;
  /** From the first call of the crawler's API to the last page, with all modules loaded. */
  readonly seconds: number;
  readonly pagesPerSecond: number;
  readonly cpuMillisecondsPerPage: number;
  readonly peakMegabytes: number;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Crawled {
  readonly crawler: string;
  readonly pages: number;
  /** Bytes of bodies. */
  readonly bytes: number;
  readonly details: Readonly<Record<string, unknown>>;
}

export class CrawlMeter {
  readonly #startMs = performance.now();
  readonly #cpu = process.cpuUsage();

  report({ crawler, pages, bytes, details }: Crawled): void {
    const seconds = (performance.now() - this.#startMs) / 1000;
    const { user, system } = process.cpuUsage(this.#cpu);
    const figures: CrawlFigures = {
      crawler,
      pages,
      kilobytesPerPage: bytes / 1000 / pages,
      seconds,
      pagesPerSecond: pages / seconds,
      cpuMillisecondsPerPage: (user + system) / 1000 / pages,
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
      details,
    };
    writeSync(1, `${JSON.stringify(figures)}\n`);
  }
}

export function ranAs({ tidemark, crawlee }: CrawlTask): string {
  if (tidemark !== undefined) return `Tidemark, readers ${tidemark.readers ?? 1}`;
  return `CheerioCrawler, HTTP/${crawlee?.http2 === true ? "2" : "1.1"}`;
}
