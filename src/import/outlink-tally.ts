/**
 * Whether the table of links has all links that the table of pages counts.
 *
 * A row of internal_all.csv says how many hyperlinks its page has: "Outlinks" to its own site, "External Outlinks" to
 * others, and with "Unique" before them how many different targets these have. Which hosts are the own site, only the
 * configuration of that crawl says, so the sums are compared. Where the external ones were not counted, links to the
 * host of the page are, lest others stand in for them.
 *
 * Different targets are counted wherever their number is known: they are what a page needs. Otherwise rows are, in the
 * file that has the most of the page, because two files may have the same row.
 */
import type { CsvRow } from "./csv.ts";
import type { LinkRows } from "./link-rows.ts";

interface Rows {
  /** Links to the host of the page, and all. */
  readonly own: number;
  readonly all: number;
}

const NO_ROWS: Rows = { own: 0, all: 0 };

export class OutlinkTally {
  readonly #links: LinkRows;
  /** By page. */
  #inFile = new Map<number, Rows>();
  readonly #most = new Map<number, Rows>();

  constructor(links: LinkRows) {
    this.#links = links;
  }

  /** A row of type hyperlink. What is no web address is counted by nobody. */
  add(page: number, target: number): void {
    const [host, to] = [this.#links.hostOf(page), this.#links.hostOf(target)];
    if (host === undefined || to === undefined) return;
    this.#links.markHyperlink(page, target);
    const { own, all } = this.#inFile.get(page) ?? NO_ROWS;
    this.#inFile.set(page, { own: own + (host === to ? 1 : 0), all: all + 1 });
  }

  endOfFile(): void {
    for (const [page, { own, all }] of this.#inFile) {
      const most = this.#most.get(page) ?? NO_ROWS;
      this.#most.set(page, { own: Math.max(own, most.own), all: Math.max(all, most.all) });
    }
    this.#inFile = new Map();
  }

  /** Whether the row of a page counts more links than the table of links has. To be called after the last `add`. */
  fallsShort(url: string, row: CsvRow): boolean {
    const page = this.#links.find(url);
    const unique = { own: countIn(row("unique outlinks")), external: countIn(row("unique external outlinks")) };
    if (unique.own !== undefined) return isShort(this.#targetsOf(page), unique);
    const counted = { own: countIn(row("outlinks")), external: countIn(row("external outlinks")) };
    return isShort((page === undefined ? undefined : this.#most.get(page)) ?? NO_ROWS, counted);
  }

  #targetsOf(page: number | undefined): Rows {
    if (page === undefined) return NO_ROWS;
    const host = this.#links.hostOf(page);
    const targets = this.#links.hyperlinksOf(page);
    return { own: targets.filter((to) => this.#links.hostOf(to) === host).length, all: targets.length };
  }
}

interface Counted {
  readonly own: number | undefined;
  readonly external: number | undefined;
}

function isShort(rows: Rows, { own = 0, external }: Counted): boolean {
  return external === undefined ? rows.own < own : rows.all < own + external;
}

/** Undefined if nothing is said. A cell that is no count could mean any number of links. */
function countIn(cell: string | undefined): number | undefined {
  if (cell === undefined || cell.trim() === "") return undefined;
  const count = Number(cell);
  return Number.isInteger(count) && count >= 0 ? count : Number.POSITIVE_INFINITY;
}
