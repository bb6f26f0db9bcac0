/** Sections of a report, each a card with a heading: charts, tables, texts, facts and commands. */
import { formatCell } from "../../base/index.ts";
import type { Chart, Column, Table, ClaimVerdict } from "../../lab/index.ts";
import { shortened } from "../../text/index.ts";
import { drawFigure } from "./figure.ts";
import { type Markup, markup, nothing, percent } from "./markup.ts";

export function chartSection(chart: Chart, paragraphs: readonly string[] = []): ReportSection {
  return card({ heading: chart.title, paragraphs }, (id) => drawFigure(chart, `${id}-chart`));
}

export function tableSection(text: SectionText, table: Table): ReportSection {
  return card(text, () => drawTable(text.heading, table));
}

export function textSection(text: SectionText, verdicts: readonly ClaimVerdict[] = []): ReportSection {
  const items = verdicts.map(
    ({ verdict, claim, measured }) =>
      markup`<li><span class="badge ${verdict}">${verdict}</span><p>${claim}</p><p>${measured}</p></li>`,
  );
  return card(text, () => (items.length > 0 ? markup`<ul class="verdicts">${items}</ul>` : nothing));
}

/** `command` reproduces the report. */
export function factsSection(text: SectionText, facts: readonly Fact[], command?: string): ReportSection {
  const code = command === undefined ? nothing : markup`<pre><code>${command}</code></pre>`;
  return card(text, () => markup`${drawFacts(facts)}${code}`);
}

/** Facts with long values. */
export function listSection(text: SectionText, facts: readonly Fact[]): ReportSection {
  return card(text, () => drawFacts(facts, "list"));
}

/** Commands, each with its purpose. */
export function commandsSection(
  heading: string,
  intro: string,
  commands: readonly { readonly purpose: string; readonly command: string }[],
): ReportSection {
  const items = commands.map(
    ({ purpose, command }) => markup`<div class="command"><p>${purpose}</p><pre><code>${command}</code></pre></div>`,
  );
  return card({ heading, paragraphs: [intro] }, () => markup`${items}`);
}

function drawTable(label: string, { columns, rows }: Table): Markup {
  const heads = columns.map((column) => markup`<th scope="col"${textClass(column)}>${column.title}</th>`);
  const body = rows.map((row) => {
    const cells = columns.map((column, index) => {
      const cell = row[index] ?? null;
      const text = formatCell(cell, column.kind);
      if (index === 0) return markup`<th scope="row">${text}</th>`;
      return cell === null
        ? markup`<td class="none${column.kind === "text" ? " text" : ""}">${text}</td>`
        : markup`<td${textClass(column)}>${text}</td>`;
    });
    return markup`<tr>${cells}</tr>`;
  });
  const head = markup`<thead>${groupRow(columns)}<tr>${heads}</tr></thead>`;
  return scrolling(label, markup`<table class="figures">${head}<tbody>${body}</tbody></table>`);
}

function groupRow(columns: readonly Column[]): Markup {
  if (columns.every((column) => column.group === undefined)) return nothing;
  const spans: { group: string | undefined; size: number }[] = [];
  for (const { group } of columns) {
    const last = spans.at(-1);
    if (last !== undefined && last.group === group) last.size++;
    else spans.push({ group, size: 1 });
  }
  const cells = spans.map(({ group, size }) =>
    group === undefined
      ? markup`<td colspan="${size}"></td>`
      : markup`<th scope="colgroup" colspan="${size}">${group}</th>`,
  );
  return markup`<tr>${cells}</tr>`;
}

function textClass(column: Column): Markup {
  return column.kind === "text" ? markup` class="text"` : nothing;
}

export interface ReportSection {
  readonly heading: string;
  /** `id` is unique in the page. */
  readonly render: (id: string) => Markup;
}

export interface SectionText {
  readonly heading: string;
  /** Paragraphs under the heading. */
  readonly paragraphs?: readonly string[];
  /** It may break across pages on paper. */
  readonly isLong?: boolean;
}

export function card({ heading, paragraphs = [], isLong }: SectionText, body: (id: string) => Markup): ReportSection {
  const intro = paragraphs.map((paragraph) => markup`<p>${paragraph}</p>`);
  const long = isLong === true ? markup` class="long"` : nothing;
  return {
    heading,
    render: (id) =>
      markup`<section${long} aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${intro}${body(id)}</section>`,
  };
}

/** A wide table scrolls within its card, also by keyboard. */
function scrolling(label: string, table: Markup): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

export type Fact = readonly [label: string, value: string];

/** Pairs of name and value: as tiles for numbers, or as a list for texts of any length. */
export function drawFacts(facts: readonly Fact[], as: "facts" | "list" = "facts"): Markup {
  const items = facts.map(([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return markup`<dl class="${as}">${items}</dl>`;
}

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

export function recordSection(heading: string, intro: string, records: Records): ReportSection {
  return card({ heading, paragraphs: [intro], isLong: true }, () => drawRecords(heading, records));
}

/** Several short tables, each with its own heading. */
export function recordGroupsSection(
  heading: string,
  intro: string,
  groups: readonly (SectionText & { readonly figure: string; readonly records: Records })[],
  whenEmpty: string,
): ReportSection {
  const drawn = groups.map(({ heading, figure, paragraphs = [], records }) => {
    const title = markup`<h3>${heading} <span class="figure">${figure}</span></h3>`;
    const intro = paragraphs.map((paragraph) => markup`<p>${paragraph}</p>`);
    return markup`<div class="group">${title}${intro}${drawRecords(heading, records)}</div>`;
  });
  const body = groups.length === 0 ? [markup`<p class="empty">${whenEmpty}</p>`] : drawn;
  return card({ heading, paragraphs: [intro], isLong: true }, () => markup`${body}`);
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

/** A URL without a link, which takes less space: for lists that name several in a row. */
export function drawUrl(url: string, lengthMax = SHOWN_LENGTH_MAX): Markup {
  return markup`<span class="url"><bdi>${shortened(url, lengthMax)}</bdi></span>`;
}

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
    : drawUrl(url);
  return markup`${name}${address}`;
}

/** A bar in proportion to the longest one. */
export function drawBar(share: number, of: number, colour: string): Markup {
  const rect = (kind: string, width: string): Markup =>
    markup`<rect class="${kind}" width="${width}" height="8" rx="4"/>`;
  const rects = [rect("track", "100%"), rect("fill", percent(of > 0 ? share / of : 0))];
  return markup`<svg class="bar ${colour}" width="100%" height="8" aria-hidden="true">${rects}</svg>`;
}

/** A share between two bounds: dark up to the lower one, pale up to the upper one. */
export function drawInterval({ low, high }: { readonly low: number; readonly high: number }, of: number): Markup {
  const width = (share: number): string => percent(of > 0 ? share / of : 0);
  const track = markup`<rect class="track" y="5.5" width="100%" height="1"/>`;
  const may = markup`<rect class="may" y="3" width="${width(high)}" height="6" rx="3"/>`;
  const must = markup`<rect class="must" y="1" width="${width(low)}" height="10" rx="2"/>`;
  return markup`<svg class="interval" width="100%" height="12" aria-hidden="true">${track}${may}${must}</svg>`;
}

function classOf({ kind, isOptional = false }: RecordColumn): string {
  return isOptional ? `${kind} optional` : kind;
}
