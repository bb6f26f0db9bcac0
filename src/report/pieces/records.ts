/**
 * Long tables of things with a name: pages, hosts. On a narrow screen the optional columns are hidden, and their
 * content is in a line below the name. A cell may contain a drawing.
 */
import { shortened } from "../../text/index.ts";
import { card, scrolling, type Section, type SectionText } from "./sections.ts";
import { type Markup, markup, nothing } from "./markup.ts";

interface RecordColumn {
  readonly title: string;
  readonly kind: "text" | "number" | "drawn";
  /** Hidden on a narrow screen. */
  readonly isOptional?: boolean;
}

export interface RecordRow {
  /** One for each column. */
  readonly cells: readonly (Markup | string)[];
  /** The content of the optional columns, for a narrow screen. */
  readonly brief?: string;
}

export interface Records {
  readonly columns: readonly RecordColumn[];
  /** Index of the column with the name. */
  readonly nameColumn: number;
  readonly rows: readonly RecordRow[];
  /** Text instead of a table without rows. */
  readonly whenEmpty: string;
  /** What is left out, after the table: "and 1,200 more". */
  readonly more?: string | undefined;
}

export function recordSection(text: SectionText, records: Records): Section {
  return card(text, () => drawRecords(text.heading, records), { isLong: true });
}

/** Several short tables, each with its own heading. */
export function recordGroupsSection(
  text: SectionText,
  groups: readonly (SectionText & { readonly figure: string; readonly records: Records })[],
  whenEmpty: string,
): Section {
  const drawn = groups.map(({ heading, figure, paragraphs = [], records }) => {
    const title = markup`<h3>${heading} <span class="figure">${figure}</span></h3>`;
    const intro = paragraphs.map((paragraph) => markup`<p>${paragraph}</p>`);
    return markup`<div class="group">${title}${intro}${drawRecords(heading, records)}</div>`;
  });
  const body = groups.length === 0 ? [markup`<p class="empty">${whenEmpty}</p>`] : drawn;
  return card(text, () => markup`${body}`, { isLong: true });
}

function drawRecords(label: string, { columns, nameColumn, rows, whenEmpty, more }: Records): Markup {
  if (rows.length === 0) return markup`<p class="empty">${whenEmpty}</p>`;
  const heads = columns.map((column) => markup`<th scope="col" class="${classOf(column)}">${column.title}</th>`);
  const body = rows.map(({ cells, brief }) => {
    const drawn = columns.map((column, index) => {
      if (index !== nameColumn) return markup`<td class="${classOf(column)}">${cells[index]}</td>`;
      const line = brief === undefined ? nothing : markup`<span class="brief">${brief}</span>`;
      return markup`<th scope="row">${cells[index]}${line}</th>`;
    });
    return markup`<tr>${drawn}</tr>
`;
  });
  const rest = more === undefined ? nothing : markup`<p class="note">${more}</p>`;
  const table = markup`<table class="records"><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table>`;
  return markup`${scrolling(label, table)}${rest}`;
}

/** Longer URLs are shown without a link, so that no list gets too large. */
const LINK_LENGTH_MAX = 250;
const SHOWN_LENGTH_MAX = 120;
const TITLE_LENGTH_MAX = 120;

/** A page by title and URL: isolated, shortened, and linked only if it is http or https. */
export function drawPage({ url, title }: { readonly url: string; readonly title?: string | null }): Markup {
  const name =
    title === undefined || title === null || title.trim() === ""
      ? nothing
      : markup`<bdi class="title">${shortened(title.trim(), TITLE_LENGTH_MAX)}</bdi>`;
  const text = markup`<bdi>${shortened(url, SHOWN_LENGTH_MAX)}</bdi>`;
  const isLinked = url.length <= LINK_LENGTH_MAX && /^https?:\/\//.test(url);
  const address = isLinked
    ? markup`<a class="url" href="${url}" rel="noreferrer noopener nofollow">${text}</a>`
    : markup`<span class="url">${text}</span>`;
  return markup`${name}${address}`;
}

/** A share between two bounds: dark up to the lower one, pale up to the upper one. */
export function drawInterval({ low, high }: { readonly low: number; readonly high: number }, of: number): Markup {
  const width = (share: number): string => `${of > 0 ? Number(((100 * share) / of).toFixed(2)) : 0}%`;
  const track = markup`<rect class="track" y="5.5" width="100%" height="1"/>`;
  const may = markup`<rect class="may" y="3" width="${width(high)}" height="6" rx="3"/>`;
  const must = markup`<rect class="must" y="1" width="${width(low)}" height="10" rx="2"/>`;
  return markup`<svg class="interval" width="100%" height="12" aria-hidden="true">${track}${may}${must}</svg>`;
}

function classOf({ kind, isOptional = false }: RecordColumn): string {
  return isOptional ? `${kind} optional` : kind;
}
