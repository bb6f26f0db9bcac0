/** Exports findings of a crawl: broken links, redirects, duplicates, orphans. */
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
import type { SqliteStore } from "../../store/index.ts";
import { intervalsOf, rankOf, reading } from "../input/crawl-graph.ts";
import { checkOutputs, writeOutputs, writePieces } from "./output-file.ts";

export interface FindingsExport {
  readonly format: FindingsFormat;
  readonly out: string;
  readonly isJson: boolean;
  readonly importance: boolean;
  readonly progress: Progress;
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
  orphans: "orphan",
};

export function exportFindings(dir: string, options: FindingsExport): Promise<WrittenFindings> {
  const { format, out, isJson, progress } = options;
  // Redirects and orphans have no importance that is known.
  const importance = options.importance && (format === "broken-links" || format === "duplicates");
  checkOutputs([out]);
  return reading(dir, async (store) => {
    progress({ task: importance ? "certifying" : "reading", done: 0, unit: "pages" });
    const table = findingsTable(format, await sourceOf(store, importance));
    let rows = 0;
    const onRow = () => void rows++;
    const pieces = isJson ? tableAsJsonLines(table, onRow) : tableAsCsv(table, onRow);
    const bytes = await writeOutputs([out], ([file]) =>
      writePieces(file, pieces, () => progress({ task: "writing", done: rows, unit: "rows" })),
    );
    return { rows, bytes, text: counted(rows, ROW_NAMES[format]) };
  });
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
