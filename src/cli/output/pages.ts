/** Exports pages of a crawl: tables of them, their content as Markdown, and a list of them for language models. */
import { counted, UsageError } from "../../base/index.ts";
import {
  hasTexts,
  llmsTxt,
  type MarkdownDocument,
  markdownDocuments,
  PageFiles,
  TextReader,
} from "../../content/index.ts";
import { isDownloaded, type PageStateName } from "../../coverage/index.ts";
import type { TextForm } from "../../log/index.ts";
import {
  pagesAsCsv,
  pagesAsJsonLines,
  type PageRow,
  type PageTable,
  pageTable,
  reading,
  type SqliteStore,
} from "../../store/index.ts";
import { noPagesInWords } from "../../text/index.ts";
import { crawlPages, type CrawlPagesOptions } from "./crawl-pages.ts";
import { checkOutputs, writeOutputs, writePieces } from "./output-file.ts";
import { checkFolder, isFolderName, type NamedText, writeFolder } from "./page-folder.ts";

export interface PagesExport extends CrawlPagesOptions {
  /** Unix time in milliseconds; default: now. */
  readonly at?: number | undefined;
  readonly out: string;
  readonly note: (text: string) => void;
}

export interface TableExport extends PagesExport {
  readonly format: "jsonl" | "csv" | "parquet";
  readonly states?: ReadonlySet<PageStateName> | undefined;
  readonly content?: TextForm | undefined;
}

export interface WrittenPages {
  readonly pages: number;
  readonly bytes: number;
  /** Pages that were left out. */
  readonly withoutText?: number;
  /** "3 pages, 2,000 bytes" */
  readonly text: string;
}

export function exportTable(dir: string, options: TableExport): Promise<WrittenPages> {
  const { format, out, states, top, content } = options;
  checkOutputs([out]);
  const read = async (store: SqliteStore) => {
    const column = content && contentColumn(dir, store, { form: content, note: options.note });
    const crawl = await crawlPages(store, options);
    const count = { pages: 0 };
    const rows = tallied(top === undefined ? crawl.inStates(states) : crawl.downloaded(), count);
    const pieces = await piecesOf(format, pageTable(rows, { rankOf: crawl.rankOf, content: column }));
    return written(count, await writeFile(options, pieces, count));
  };
  return reading(dir, read, { atMs: options.at });
}

/** The downloaded pages one after the other, or as one file each where the name of a folder is given. */
export function exportMarkdown(dir: string, options: PagesExport): Promise<WrittenPages> {
  const { out, progress } = options;
  const isFolder = isFolderName(out);
  if (isFolder) checkFolder(out);
  else checkOutputs([out]);
  const read = async (store: SqliteStore) => {
    const markdownOf = textsIn(dir, store, { form: "markdown", note: options.note });
    const crawl = await crawlPages(store, options);
    const count = { pages: 0, withoutText: 0 };
    const documents = tallied(
      markdownDocuments({
        rows: crawl.downloaded(),
        rankOf: crawl.rankOf,
        markdownOf,
        onEmpty: () => void count.withoutText++,
      }),
      count,
    );
    const onStep = () => progress({ task: "writing", done: count.pages, unit: "pages" });
    const bytes = isFolder
      ? await writeFolder(out, filesOf(documents), onStep)
      : await writeFile(options, oneAfterTheOther(documents), count);
    if (count.pages === 0) options.note(`no page was written: ${counted(count.withoutText, "page")} without text`);
    return written(count, bytes);
  };
  return reading(dir, read, { atMs: options.at });
}

export function exportLlmsTxt(dir: string, options: PagesExport): Promise<WrittenPages> {
  checkOutputs([options.out]);
  const read = async (store: SqliteStore) => {
    const reader = new TextReader(dir, store);
    if (!store.hasPages) options.note(noPagesInWords(dir));
    else if (!hasTexts(dir, store)) {
      options.note(`${NO_TEXTS}, so they are listed by their titles only. ${STORE_TEXTS}`);
    }
    const crawl = await crawlPages(store, options);
    const count = { pages: 0 };
    const pieces = llmsTxt({
      pages: crawl.ids,
      row: crawl.row,
      importance: crawl.importance,
      textOf: ({ id, url }) => {
        count.pages++;
        return reader.read(id, url, "text");
      },
    });
    return written(count, await writeFile(options, pieces, count));
  };
  return reading(dir, read, { atMs: options.at });
}

const NO_TEXTS = "the crawl has stored no text of its pages";
const STORE_TEXTS = "Crawl with --store markdown (or with --warc) to have it.";

interface TextColumn {
  readonly form: TextForm;
  readonly note: (text: string) => void;
}

/** One form of the texts of pages; throws if the crawl has none at all. */
function textsIn(dir: string, store: SqliteStore, { form, note }: TextColumn): (row: PageRow) => string | undefined {
  let isPlain = false;
  const reader = new TextReader(dir, store, () => {
    if (!isPlain)
      note("the crawl has stored plain text, which stands in place of Markdown: --store markdown stores that");
    isPlain = true;
  });
  if (!store.hasPages) throw new UsageError(noPagesInWords(dir));
  if (!hasTexts(dir, store)) throw new UsageError(`${dir}: ${NO_TEXTS}. ${STORE_TEXTS}`);
  return ({ id, url }) => reader.read(id, url, form);
}

/** A page without text is told of once: its column is empty. */
function contentColumn(dir: string, store: SqliteStore, column: TextColumn) {
  const { form, note } = column;
  const textOf = textsIn(dir, store, column);
  let isTold = false;
  const of = (row: PageRow): string | null => {
    if (!isDownloaded(row.state)) return null;
    const text = textOf(row);
    if (text === undefined && !isTold) {
      note(
        `some pages have no ${form}, such as ${row.url}: nothing that it can be made of was stored (--store ${form})`,
      );
      isTold = true;
    }
    return text ?? null;
  };
  return { name: form, of };
}

function* tallied<T>(rows: Iterable<T>, count: { pages: number }): Generator<T> {
  for (const row of rows) {
    count.pages++;
    yield row;
  }
}

export async function piecesOf(
  format: TableExport["format"],
  table: PageTable,
): Promise<Iterable<string | Uint8Array>> {
  if (format === "csv") return pagesAsCsv(table);
  if (format === "jsonl") return pagesAsJsonLines(table);
  const { tableAsParquet } = await import("./parquet.ts");
  return tableAsParquet(table);
}

/** With a blank line between them. */
function* oneAfterTheOther(documents: Iterable<MarkdownDocument>): Generator<string> {
  let between = "";
  for (const { text } of documents) {
    yield between + text;
    between = "\n";
  }
}

function* filesOf(documents: Iterable<MarkdownDocument>): Generator<NamedText> {
  const files = new PageFiles();
  for (const { url, text } of documents) yield { path: files.pathOf(url), text };
}

function writeFile(
  { out, progress }: PagesExport,
  pieces: Iterable<string | Uint8Array>,
  count: { readonly pages: number },
): Promise<number> {
  return writeOutputs([out], ([file]) =>
    writePieces(file, pieces, () => progress({ task: "writing", done: count.pages, unit: "pages" })),
  );
}

function written(count: { readonly pages: number; readonly withoutText?: number }, bytes: number): WrittenPages {
  const { pages, withoutText = 0 } = count;
  const leftOut = withoutText === 0 ? [] : [`${counted(withoutText, "page")} without text left out`];
  return { ...count, bytes, text: [counted(pages, "page"), ...leftOut, counted(bytes, "byte")].join(", ") };
}
