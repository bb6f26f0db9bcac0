/** Pages as documents of Markdown, each below what is known of the page, as YAML between two lines (front matter). */
import { type PageRow, rankColumns, type RankOf } from "../store/index.ts";

export interface DocumentSource {
  readonly rows: Iterable<PageRow>;
  readonly rankOf?: RankOf | undefined;
  /** Undefined where nothing of the page was stored. */
  readonly markdownOf: (row: PageRow) => string | undefined;
  /** A page without any text is left out. */
  readonly onEmpty: () => void;
}

export interface MarkdownDocument {
  readonly url: string;
  /** Ends with a line break. */
  readonly text: string;
}

export function* markdownDocuments({ rows, rankOf, markdownOf, onEmpty }: DocumentSource): Generator<MarkdownDocument> {
  for (const row of rows) {
    const markdown = markdownOf(row)?.trim() ?? "";
    if (markdown === "") onEmpty();
    else yield { url: row.url, text: `${frontMatter(row, rankOf)}\n${markdown}\n` };
  }
}

/** Without what is not known. A text is written as in JSON, which is YAML too. */
function frontMatter({ id, url, title, language, fetchedAt }: PageRow, rankOf: RankOf | undefined): string {
  const { rank, rankLow } = rankColumns(rankOf?.(id));
  const entries = Object.entries({ url, title, language, fetched: fetchedAt, rank, rank_low: rankLow });
  const lines = entries
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join("")}---\n`;
}
