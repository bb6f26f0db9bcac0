/** Pages as a table, with or without importance and content; as CSV and as JSON lines: text in chunks worth writing. */
import { csvLine, inChunks } from "./csv.ts";
import { PAGE_COLUMNS, type PageRow } from "./page-rows.ts";

/** Place in the ranking of the downloaded pages, from 1, and bounds of a page's share of all importance. */
interface RankInterval {
  readonly place: number | undefined;
  readonly low: number;
  readonly high: number;
}

/** Adds columns of importance: facts hold none, whoever exports computes it. */
export type RankOf = (id: number) => RankInterval | undefined;

/** The columns of importance, in CSV; null where there is nothing to say. */
export interface RankColumns {
  readonly rank: number | null;
  readonly rankLow: number | null;
  readonly rankHigh: number | null;
}

export function rankColumns(rank: RankInterval | undefined): RankColumns {
  return { rank: rank?.place ?? null, rankLow: rank?.low ?? null, rankHigh: rank?.high ?? null };
}

/** What a table has besides what the crawl says of each URL, and what of that it has not. */
export interface TableOptions {
  /** Columns that the table has not, by their keys. */
  readonly without?: readonly (keyof PageRow)[];
  readonly rankOf?: RankOf | undefined;
  /** The text of a page, or null, in a column of this name. */
  readonly content?: { readonly name: string; readonly of: (row: PageRow) => string | null } | undefined;
}

type Cell = string | number | boolean | null;

export interface PageTable {
  /** The name of each column, and its key in a row. */
  readonly columns: readonly (readonly [name: string, key: string])[];
  /** With the same keys in every row; null where there is nothing to say. */
  readonly rows: Iterable<Readonly<Record<string, Cell>>>;
}

/** Rows are made as they are written, so neither the length of the table nor the texts cost memory. */
export function pageTable(rows: Iterable<PageRow>, options: TableOptions = {}): PageTable {
  const { without = [], rankOf, content } = options;
  const kept = PAGE_COLUMNS.filter(([, , key]) => !without.includes(key));
  const columns: [name: string, key: string][] = kept.map(([name, , key]) => [name, key]);
  if (rankOf !== undefined) columns.push(["rank", "rank"], ["rank_low", "rankLow"], ["rank_high", "rankHigh"]);
  if (content !== undefined) columns.push([content.name, content.name]);
  const added = function* () {
    for (const row of rows) {
      yield {
        ...(without.length === 0 ? row : Object.fromEntries(kept.map(([, , key]) => [key, row[key]]))),
        ...(rankOf === undefined ? {} : rankColumns(rankOf(row.id))),
        ...(content === undefined ? {} : { [content.name]: content.of(row) }),
      };
    }
  };
  return { columns, rows: added() };
}

/** A line of names, then one line per URL. */
export function* pagesAsCsv({ columns, rows }: PageTable): Generator<string> {
  yield `${columns.map(([name]) => name).join(",")}\r\n`;
  yield* inChunks(rows, (row) => csvLine(columns.map(([, key]) => row[key])));
}

export function pagesAsJsonLines({ rows }: PageTable): Iterable<string> {
  return inChunks(rows, (row) => `${JSON.stringify(row)}\n`);
}
