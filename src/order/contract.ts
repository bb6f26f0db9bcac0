/**
 * What to fetch next: the one contract of all crawl orders, on integer ids. An order knows nothing of files, networks or
 * clocks; it is told facts and asked for pages, so the simulator scores the very module that the live crawler runs.
 */
import type { CrawlFacts } from "../coverage/index.ts";
import type { LinkTable } from "../graph/index.ts";

export interface CrawlOrder extends CrawlFacts {
  readonly name: string;
  /** A URL that no known page links to (from a sitemap, say): it waits with the lowest priority. */
  known(page: number): void;
  /**
   * The page to fetch next, or -1 when no page is waiting. It is handed out once; tell what became of it by a fact.
   * Several pages may be under way at the same time.
   */
  next(): number;
  /**
   * Gives back a page that was handed out and cannot be fetched now: it waits again as if it had never left. A batch that has
   * ended since is not opened again for it.
   */
  putBack(page: number): void;
  /**
   * The order's own running bound of coverage, or null where it has none. For the pages downloaded so far, read it
   * after asking for the next one: that is when an order has made the most of what it knows.
   */
  guaranteed(): number | null;
  /** Arc updates made so far: the cost of choosing. */
  readonly pushes: number;
  /** Batches begun so far, for orders that download in batches. */
  readonly rounds?: number;
}

export interface OrderContext {
  /** Filled by the caller before it reports a page as downloaded. Orders read rows of downloaded pages only. */
  readonly links: LinkTable;
  /** Ids below this may occur; `grow` raises it. */
  readonly pages: number;
  readonly damping: number;
  /** The host (or domain) of each page, for orders that tell links between hosts from links inside one. */
  readonly hostOf?: (page: number) => number;
  /** The truth, known only in simulation, for the order that is optimal by definition. */
  readonly trueRanks?: Float64Array;
}
