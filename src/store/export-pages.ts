/** Pages as CSV and as JSON lines, with or without importance: text in chunks worth writing. */
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

/** Pages as CSV: a line of names, then one line per URL. */
export function* pagesAsCsv(rows: Iterable<PageRow>, rankOf?: RankOf): Generator<string> {
  const names = PAGE_COLUMNS.map(([name]) => name);
  if (rankOf !== undefined) names.push("rank", "rank_low", "rank_high");
  yield `${names.join(",")}\r\n`;
  yield* inChunks(rows, (row) => {
    const values = PAGE_COLUMNS.map(([, , key]) => row[key]);
    if (rankOf !== undefined) {
      const { rank, rankLow, rankHigh } = rankColumns(rankOf(row.id));
      values.push(rank, rankLow, rankHigh);
    }
    return csvLine(values);
  });
}

/**
 * Pages as JSON lines, in the order of discovery, with the same keys in every line; null where there is nothing to say.
 */
export function pagesAsJsonLines(rows: Iterable<PageRow>, rankOf?: RankOf): Iterable<string> {
  return inChunks(rows, (row) => {
    if (rankOf === undefined) return `${JSON.stringify(row)}\n`;
    return `${JSON.stringify({ ...row, ...rankColumns(rankOf(row.id)) })}\n`;
  });
}
