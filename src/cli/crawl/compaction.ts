/** `--keep-visits`: which earlier visits of a crawl are kept, and deleting the others. */
import { counted, systemTimers, UsageError } from "../../base/index.ts";
import { LogCompaction } from "../../crawl/index.ts";
import { type KeptVisits, openCrawl } from "../../store/index.ts";
import type { KeepVisits } from "../../crawl/settings/index.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What is kept at a time. */
export function keptAt(keep: KeepVisits, nowMs: number): KeptVisits {
  return "ageMs" in keep ? { sinceMs: nowMs - keep.ageMs } : keep;
}

/** What is kept by now. Throws if that is a time to come. */
export function keptNow(keep: KeepVisits): KeptVisits {
  const nowMs = systemTimers.wallMs();
  if (!("sinceMs" in keep) || keep.sinceMs <= nowMs) return keptAt(keep, nowMs);
  throw new UsageError(
    `--keep-visits ${new Date(keep.sinceMs).toISOString()} is a time to come: give an earlier one, or 1 to keep no ` +
      "visit but the newest of each page",
  );
}

export interface Compaction {
  readonly deletedVisits: number;
  /** Rows about reads and deleted visits that were folded into others. */
  readonly condensedRows: number;
  /** Since when the crawl can be seen as it was: ISO 8601, UTC; null if no visit was ever deleted. */
  readonly viewsFrom: string | null;
}

/** Deletes what is not kept. Ctrl-C ends the process at once: each step is whole, and the next run does the rest. */
export function compactCrawl(dir: string, keep: KeepVisits, { progress }: Pick<Terminal, "progress">): Compaction {
  const store = openCrawl(dir);
  try {
    const compaction = new LogCompaction(store, keptNow(keep), systemTimers.wallMs());
    while (compaction.step()) progress({ task: "deleting visits", done: compaction.deleted, unit: "visits" });
    const { viewsFromMs } = store;
    const viewsFrom = viewsFromMs === undefined ? null : new Date(viewsFromMs).toISOString();
    return { deletedVisits: compaction.deleted, condensedRows: compaction.condensed, viewsFrom };
  } finally {
    store.close();
  }
}

export function compactionInWords({ deletedVisits, condensedRows, viewsFrom }: Compaction): string {
  const views = viewsFrom === null ? "" : ` What was known can be seen from ${viewsFrom} on (--at).`;
  const condensed = condensedRows === 0 ? "" : ` Condensed: ${counted(condensedRows, "row")} about reads.`;
  return `Deleted: ${counted(deletedVisits, "earlier visit")}.${condensed}${views}`;
}
