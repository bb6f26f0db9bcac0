/** What the operator of the server decides. Clients can ask for less, never for more. */
import type { CrawlOptions } from "../crawl/index.ts";
import type { Fetcher } from "../fetch/index.ts";
import type { Survey } from "../survey/index.ts";

/** The most that one crawl may take; infinity is no limit. */
export interface OperatorLimits {
  /** Of all runs of the crawl together. */
  readonly pages: number;
  readonly bytes: number;
  /** Of one run. */
  readonly timeMs: number;
}

export interface McpOptions {
  /** The folder of all crawls. */
  readonly root: string;
  readonly limits: OperatorLimits;
  /** Crawls that may run at the same time. */
  readonly crawlsMax: number;
  /** Settings of every crawl, which clients cannot change; private addresses are refused unless they allow them. */
  readonly settings: CrawlOptions;
  /** Told of bugs: clients get no more than a sentence. */
  readonly onBug: (error: unknown) => void;
  /** Gets the pages of a crawl, instead of HTTP. */
  readonly fetcher?: () => Fetcher;
  /** Threads that parse pages, for each crawl. */
  readonly readers?: number;
  /** Surveys a crawl (default: on a thread of its own). The caller closes the survey. */
  readonly surveyOf?: (dir: string) => Promise<Survey>;
}
