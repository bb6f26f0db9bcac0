/** What one crawl of the demo web is asked for, and what came of it. */

export interface DemoTask {
  readonly crawler: "cheerio" | "playwright";
  readonly queue: "importance" | "own";
  /** Ends the crawl when so much is proved; only with the queue of Tidemark. */
  readonly coverage?: number;
  /** Ends the crawl when the pages fetched truly hold so much. */
  readonly held?: number;
  readonly requestsMax?: number;
  /** Whether the user's filter drops every seventh link or so, by page and target. */
  readonly filter?: boolean;
  /** Whether hooks and handlers throw on some pages. */
  readonly throws?: boolean;
}

export interface DemoFigures {
  /** Pages that a handler saw. */
  readonly pages: number;
  /** How many pages would hold the share that was wanted, at least. */
  readonly fewest?: number;
  /** What the server was asked for, redirects and second attempts included. */
  readonly requests: number;
  /** The true share of the importance that these pages hold. */
  readonly held: number;
  /** What was proved in the end; 0 with a queue that proves nothing. */
  readonly coverage: number;
  readonly strict: number;
  /** The most by which what was proved exceeded the truth at any time: negative if it never did. */
  readonly excess: number;
  /** Pages that failed for good. */
  readonly failed: number;
  /** Whether nothing was left to fetch, or the target was reached. */
  readonly hasEnded: boolean;
}
