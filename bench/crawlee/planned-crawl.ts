/** What a crawl needs to know of the crawlers of Crawlee, each of which has types of its own. */
import type { ImportanceQueue } from "../../src/crawlee/index.ts";

export interface CrawlPlan {
  readonly seed: string;
  /** Whose queue. */
  readonly queue: "importance" | "own";
  readonly coverage: number | undefined;
  readonly proxyUrl: string;
  readonly onPage: (page: SeenPage) => Promise<void>;
  /** Before a request, in a hook of the user. */
  readonly onRequest: (url: string) => void;
  readonly onFailure: () => void;
}

export interface SeenPage {
  readonly url: string;
  readonly status: number | undefined;
  /** Takes the links of the page that a filter lets through. */
  readonly take: (isTaken: (url: string) => boolean) => Promise<unknown>;
}

export interface PlannedCrawl {
  /** Undefined for a queue that proves nothing. */
  readonly queue: Pick<ImportanceQueue<never>, "certificate" | "coverage"> | undefined;
  run(): Promise<void>;
  stop(): void;
}

/** As few settings as possible: a second attempt is enough for the overloaded server of the demo web. */
export const LIMITS = { maxRequestRetries: 1, minConcurrency: 4, maxConcurrency: 8 } as const;
/** Nothing is written to the disk. */
export const STORAGE = { persistStorage: false, purgeOnStart: false } as const;
