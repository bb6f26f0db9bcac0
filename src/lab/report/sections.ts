/** The pieces that reports are put together from. Every one is a card with a heading. */
import type { Chart } from "./chart.ts";
import { drawFigure } from "./figure.ts";
import { type Markup, markup, nothing } from "./markup.ts";
import { type Column, formatCell, type Table } from "./table.ts";

export interface Section {
  /** `id` is unique in the page. */
  readonly render: (id: string) => Markup;
}

export interface SectionText {
  readonly heading: string;
  /** Paragraphs under the heading. */
  readonly paragraphs?: readonly string[];
}

/** What a paper (or anybody) claims, and what we measured. */
export interface Verdict {
  readonly verdict: "agrees" | "differs" | "untested";
  readonly claim: string;
  readonly measured: string;
}

export function chartSection(chart: Chart, paragraphs: readonly string[] = []): Section {
  return section({ heading: chart.title, paragraphs }, (id) => drawFigure(chart, `${id}-chart`));
}

export function tableSection(text: SectionText, table: Table): Section {
  return section(text, () => drawTable(text.heading, table));
}

export function textSection(text: SectionText, verdicts: readonly Verdict[] = []): Section {
  const items = verdicts.map(
    ({ verdict, claim, measured }) =>
      markup`<li><span class="badge ${verdict}">${verdict}</span><p>${claim}</p><p>${measured}</p></li>`,
  );
  return section(text, () => (items.length > 0 ? markup`<ul class="verdicts">${items}</ul>` : nothing));
}

/** `command` is what a reader types to get the same report again. */
export function factsSection(
  text: SectionText,
  facts: readonly (readonly [label: string, value: string])[],
  command?: string,
): Section {
  const items = facts.map(([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  const code = command === undefined ? nothing : markup`<pre><code>${command}</code></pre>`;
  return section(text, () => markup`<dl class="facts">${items}</dl>${code}`);
}

function section({ heading, paragraphs = [] }: SectionText, body: (id: string) => Markup): Section {
  const intro = paragraphs.map((paragraph) => markup`<p>${paragraph}</p>`);
  return {
    render: (id) =>
      markup`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${intro}${body(id)}</section>`,
  };
}

function drawTable(label: string, { columns, rows }: Table): Markup {
  const heads = columns.map((column) => markup`<th scope="col"${textClass(column)}>${column.title}</th>`);
  const body = rows.map((row) => {
    const cells = columns.map((column, index) => {
      const cell = row[index] ?? null;
      const text = formatCell(cell, column);
      if (index === 0) return markup`<th scope="row">${text}</th>`;
      return cell === null
        ? markup`<td class="none${column.kind === "text" ? " text" : ""}">${text}</td>`
        : markup`<td${textClass(column)}>${text}</td>`;
    });
    return markup`<tr>${cells}</tr>`;
  });
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="figures"><thead>${groupRow(columns)}<tr>${heads}</tr></thead><tbody>${body}</tbody></table></div>`;
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
