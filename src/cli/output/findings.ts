/** Exports findings of a crawl: broken links, redirects, duplicates, near-duplicates, orphans. */
import { counted, type Progress } from "../../base/index.ts";
import { viewOfLog } from "../../crawl/index.ts";
import {
  FindingsFacts,
  type FindingsFormat,
  type FindingsSource,
  findingsTable,
  PageLookup,
  tableAsCsv,
  tableAsJsonLines,
} from "../../findings/index.ts";
import { asSeen } from "../../log/index.ts";
import { reading, type SqliteStore } from "../../store/index.ts";
import { NO_SIMHASHES } from "../../text/index.ts";
import { intervalsOf, rankOf } from "../input/crawl-graph.ts";
import { checkOutputs, writeOutputs, writePieces } from "./output-file.ts";

export interface FindingsExport {
  /** Unix time in milliseconds; default: now. */
  readonly at?: number | undefined;
  readonly format: FindingsFormat;
  readonly out: string;
  readonly isJson: boolean;
  readonly importance: boolean;
  readonly progress: Progress;
  readonly note: (text: string) => void;
}

export interface WrittenFindings {
  readonly rows: number;
  readonly bytes: number;
  /** "3 broken links" */
  readonly text: string;
}

const ROW_NAMES: Readonly<Record<FindingsFormat, string>> = {
  "broken-links": "broken link",
  redirects: "redirect",
  duplicates: "page",
  "near-duplicates": "page",
  orphans: "orphan",
};

export function exportFindings(dir: string, options: FindingsExport): Promise<WrittenFindings> {
  const { format, out, isJson, progress, note } = options;
  // Redirects and orphans have no importance that is known.
  const importance = options.importance && format !== "redirects" && format !== "orphans";
  checkOutputs([out]);
  const read = async (store: SqliteStore) => {
    progress({ task: importance ? "certifying" : "reading", done: 0, unit: "pages" });
    const source = await sourceOf(store, importance);
    if (format === "near-duplicates" && source.facts.simhashes.isEmpty) note(NO_SIMHASHES);
    const table = findingsTable(format, source);
    let rows = 0;
    const onRow = () => void rows++;
    const pieces = isJson ? tableAsJsonLines(table, onRow) : tableAsCsv(table, onRow);
    const bytes = await writeOutputs([out], ([file]) =>
      writePieces(file, pieces, () => progress({ task: "writing", done: rows, unit: "rows" })),
    );
    return { rows, bytes, text: counted(rows, ROW_NAMES[format]) };
  };
  return reading(dir, read, { atMs: options.at });
}

async function sourceOf(store: SqliteStore, importance: boolean): Promise<FindingsSource> {
  const facts = new FindingsFacts();
  facts.sitemapUrls.read(store);
  const { urls, links, state, intervals } = importance
    ? await intervalsOf(store, facts)
    : { ...viewOfLog(store, facts), intervals: undefined };
  return {
    site: { urls: urls.urls, state, links, targetOf: (url) => urls.targetOf(url) },
    lookup: new PageLookup(store, state),
    *rows() {
      for (const row of store.pages()) yield asSeen(row, state[row.id]);
    },
    facts,
    ...(intervals === undefined ? {} : { ranking: { pages: intervals.ranking(), rankOf: rankOf(intervals) } }),
  };
}
