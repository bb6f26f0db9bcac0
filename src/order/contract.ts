/**
 * What to fetch next: the contract of all crawl orders, on integer ids. An order knows nothing of files, networks or
 * clocks. It receives facts and hands out pages, so the simulator scores the same module that the live crawler runs.
 */
import type { CrawlFacts } from "../coverage/index.ts";
import type { LinkTable } from "../graph/index.ts";

/** Decides which page a crawl fetches next. Report every fact to it, and call `next`. */
export interface CrawlOrder extends CrawlFacts {
  readonly name: string;
  /** Reports a URL that no known page links to, for instance from a sitemap: it waits with the lowest priority. */
  known(page: number): void;
  /** The page to fetch next; -1 when none waits. Report its outcome as a fact. Several may be in flight at a time. */
  next(): number;
  /** Gives back a page that cannot be fetched now: it waits again. A batch that has ended is not reopened for it. */
  putBack(page: number): void;
  /** The order's own running bound of coverage; null if it has none. It is best after calling `next`. */
  guaranteed(): number | null;
  /** What of all importance has certainly arrived at a page that was not fetched yet; left out by orders without it. */
  arrived?(page: number): number;
  /** What waits on the page that `next` would give, -Infinity where none waits; left out by orders without it. */
  best?(): number;
  /** Arc updates made so far: the cost of choosing. */
  readonly pushes: number;
  /** Batches begun so far, for orders that download in batches. */
  readonly rounds?: number;
}

/** What an order needs to know of the web. */
export interface OrderContext {
  /** The caller fills in the links of a page before it reports the page as downloaded. Orders read only such rows. */
  readonly links: LinkTable;
  /** Ids below this may occur; `grow` raises it. */
  readonly pages: number;
  readonly damping: number;
  /** The host (or domain) of each page, for orders that treat links between hosts differently. */
  readonly hostOf?: (page: number) => number;
  /** The true ranks, known only in a simulation, for the order `optimal`. */
  readonly trueRanks?: Float64Array;
}
