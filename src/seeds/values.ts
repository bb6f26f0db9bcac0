/**
 * What a page is worth, by the paper's rule (section 4): 1; if it is spam -10; if it was clicked in search results 10, set and not added, for a
 * spam page too; plus the number of links to pages not crawled yet, times the probability that a new page of its site is unique.
 */
import { UsageError } from "../base/index.ts";

const PLAIN = 1;
const SPAM = -10;
const CLICKED = 10;

export interface PageFacts {
  readonly pages: number;
  /** Ids. */
  readonly spam?: Iterable<number>;
  readonly clicked?: Iterable<number>;
  /** Links of every page to pages that were not crawled. */
  readonly uncrawledLinks?: Uint32Array | undefined;
  /** For every page, the probability that a new page of its site is unique; 1 unless given. */
  readonly uniqueness?: Float64Array | undefined;
}

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
