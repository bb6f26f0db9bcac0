/** Sections of a report, each a card with a heading: charts, tables, texts, facts and commands. */
import { formatCell } from "../../base/index.ts";
import type { Chart, Column, Table, Verdict } from "../../lab/index.ts";
import { drawFigure } from "./figure.ts";
import { type Markup, markup, nothing } from "./markup.ts";

export function chartSection(chart: Chart, paragraphs: readonly string[] = []): Section {
  return card({ heading: chart.title, paragraphs }, (id) => drawFigure(chart, `${id}-chart`));
}

export function tableSection(text: SectionText, table: Table): Section {
  return card(text, () => drawTable(text.heading, table));
}

export function textSection(text: SectionText, verdicts: readonly Verdict[] = []): Section {
  const items = verdicts.map(
    ({ verdict, claim, measured }) =>
      markup`<li><span class="badge ${verdict}">${verdict}</span><p>${claim}</p><p>${measured}</p></li>`,
  );
  return card(text, () => (items.length > 0 ? markup`<ul class="verdicts">${items}</ul>` : nothing));
}

/** `command` reproduces the report. */
export function factsSection(text: SectionText, facts: readonly Fact[], command?: string): Section {
  const code = command === undefined ? nothing : markup`<pre><code>${command}</code></pre>`;
  return card(text, () => markup`${drawFacts(facts)}${code}`);
}

/** Facts with long values. */
export function listSection(text: SectionText, facts: readonly Fact[]): Section {
  return card(text, () => drawFacts(facts, "list"));
}

/** Commands, each with its purpose. */
export function commandsSection(
  text: SectionText,
  commands: readonly { readonly purpose: string; readonly command: string }[],
): Section {
  const items = commands.map(
    ({ purpose, command }) => markup`<div class="command"><p>${purpose}</p><pre><code>${command}</code></pre></div>`,
  );
  return card(text, () => markup`${items}`);
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

export interface Section {
  readonly heading: string;
  /** `id` is unique in the page. */
  readonly render: (id: string) => Markup;
}

export interface SectionText {
  readonly heading: string;
  /** Paragraphs under the heading. */
  readonly paragraphs?: readonly string[];
}

export interface CardOptions {
  /** A long card may break across pages on paper. */
  readonly isLong?: boolean;
}

export function card(
  { heading, paragraphs = [] }: SectionText,
  body: (id: string) => Markup,
  { isLong = false }: CardOptions = {},
): Section {
  const intro = paragraphs.map((paragraph) => markup`<p>${paragraph}</p>`);
  const long = isLong ? markup` class="long"` : nothing;
  return {
    heading,
    render: (id) =>
      markup`<section${long} aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${intro}${body(id)}</section>`,
  };
}

/** A wide table scrolls within its card, also by keyboard. */
export function scrolling(label: string, table: Markup): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`;
}

export type Fact = readonly [label: string, value: string];

/** Pairs of name and value: as tiles for numbers, or as a list for texts of any length. */
export function drawFacts(facts: readonly Fact[], as: "facts" | "list" = "facts"): Markup {
  const items = facts.map(([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return markup`<dl class="${as}">${items}</dl>`;
}
