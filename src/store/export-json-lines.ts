/**
 * Pages as JSON lines: one object a URL, the same keys in every line (null where there is nothing to say), in the order in which URLs were
 * heard of. With importance, `rankLow` and `rankHigh` are its certain bounds.
 */
import { type ExportOptions, exportRows } from "./export-pages.ts";
import type { PageRow } from "./sqlite-reader.ts";

export function pagesAsJsonLines(rows: Iterable<PageRow>, options: ExportOptions = {}): Iterable<string> {
  const { rankOf } = options;
  return exportRows(rows, options, (row) => {
    if (rankOf === undefined) return `${JSON.stringify(row)}\n`;
    const rank = rankOf(row.id);
    return `${JSON.stringify({ ...row, rankLow: rank?.low ?? null, rankHigh: rank?.high ?? null })}\n`;
  });
}
