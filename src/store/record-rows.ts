/** Rows of the tables `urls` and `rereads` as records; those of visits and pages are in page-rows.ts. */
import { decodeEarlierReads, decodeRereadReason, refusalReason, type Reread, type UrlRecord } from "../log/index.ts";
import { REREAD_NAMES, SOURCE_NAMES } from "./row-codes.ts";
import type { Row } from "./sqlite.ts";

export function urlOf(row: Row): UrlRecord {
  return {
    id: row[0] as number,
    origin: row[1] as number,
    path: row[2] as string | null,
    depth: row[3] as number,
    source: SOURCE_NAMES[row[4] as number],
    discoveredAt: row[5] as number,
    reason: row[6] === null ? null : refusalReason(row[6] as string),
  };
}

export function rereadOf(row: Row): Reread {
  const outcome = REREAD_NAMES[row[3] as number];
  return {
    number: row[0] as number,
    url: row[1] as number,
    atMs: row[2] as number,
    outcome,
    ...decodeRereadReason(outcome, row[4] as string | null),
    status: row[5] as number | null,
    digest: row[6] as Uint8Array | null,
    etag: row[7] as string | null,
    lastModified: row[8] as string | null,
    milliseconds: row[9] as number,
    wireBytes: row[10] as number,
    visit: (row[11] ?? null) as number | null,
    // Not there in a crawl of an older version.
    ...(typeof row[12] === "string" ? { earlier: decodeEarlierReads(row[12]) } : {}),
  };
}
