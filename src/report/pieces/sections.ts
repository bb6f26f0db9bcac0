/** Sections of a report: charts, tables, texts, facts and commands. */
import { formatCell } from "../../base/index.ts";
import type { Chart, Column, Table, Verdict } from "../../lab/index.ts";
import { card, drawFacts, type Fact, scrolling, type Section, type SectionText } from "./card.ts";
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
    ({ purpose, command }) =>
      markup`<div class="command"><p>${purpose}</p><pre><code>${command}</code></pre></div>`,
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
