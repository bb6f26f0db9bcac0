/**
 * The value of a page by the paper's rule (section 4): 10 if it was clicked in search results, otherwise -10 if it is
 * spam, otherwise 1; plus the number of its links to pages not crawled yet, times the probability that a new page of
 * its site is unique.
 */
import { UsageError } from "../base/index.ts";

const PLAIN = 1;
const SPAM = -10;
const CLICKED = 10;

/** What the paper's rule for the value of pages needs to know. */
export interface PageFacts {
  readonly pages: number;
  /** Ids of spam pages. */
  readonly spam?: Iterable<number>;
  /** Ids of pages that were clicked in search results. */
  readonly clicked?: Iterable<number>;
  /** For every page, its number of links to pages that were not crawled. */
  readonly uncrawledLinks?: Uint32Array | undefined;
  /** For every page, the probability that a new page of its site is unique (default: 1). */
  readonly uniqueness?: Float64Array | undefined;
}

/** The value of every page by the rule of the seed selection paper. */
export function paperValues(facts: PageFacts): Float64Array {
  const { pages, spam = [], clicked = [], uncrawledLinks, uniqueness } = facts;
  const values = new Float64Array(pages).fill(PLAIN);
  set(values, spam, SPAM, "spam");
  set(values, clicked, CLICKED, "clicked");
  if (uncrawledLinks === undefined) return values;
  for (const [what, list] of Object.entries({ uncrawledLinks, uniqueness })) {
    if (list !== undefined && list.length !== pages)
      throw new UsageError(`${what} has ${list.length} entries, expected one for each of the ${pages} pages`);
  }
  for (let page = 0; page < pages; page++) values[page] += uncrawledLinks[page] * (uniqueness?.[page] ?? 1);
  return values;
}

function set(values: Float64Array, pages: Iterable<number>, value: number, what: string): void {
  for (const page of pages) {
    if (!(Number.isInteger(page) && page >= 0 && page < values.length)) {
      throw new UsageError(
        `${what} page ${page} is out of range, expected ids from 0 to ${values.length - 1}`,
      );
    }
    values[page] = value;
  }
}
