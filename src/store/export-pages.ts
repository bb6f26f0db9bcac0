/** What the exports of pages share: which pages, what importance, and text in chunks worth writing. */
import type { PageRow } from "./sqlite-reader.ts";

/** Bounds of a page's share of all importance; undefined where nothing is known of it. */
interface RankInterval {
  readonly low: number;
  readonly high: number;
}

export interface ExportOptions {
  /** Pages in these states only; all unless said. */
  readonly states?: ReadonlySet<PageRow["state"]>;
  /** Adds columns of importance: facts hold none, whoever exports computes it. */
  readonly rankOf?: (id: number) => RankInterval | undefined;
}

const CHUNK_CHARACTERS = 1 << 16;

/** The text of the rows, one after another, in chunks. */
export function* exportRows(
  rows: Iterable<PageRow>,
  { states }: ExportOptions,
  textOf: (row: PageRow) => string,
): Generator<string> {
  let text = "";
  for (const row of rows) {
    if (states !== undefined && !states.has(row.state)) continue;
    text += textOf(row);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}
