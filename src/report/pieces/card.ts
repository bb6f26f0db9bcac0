/** What every section of a report is: a card with a heading, some paragraphs, and a body; and pairs of names and values. */
import { type Markup, markup, nothing } from "./markup.ts";

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
  /** On paper a card stays on one page, unless it is long. */
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

export type Fact = readonly [label: string, value: string];

/** As tiles for numbers; as a list, each with a line of its own, for texts of any length. */
export function drawFacts(facts: readonly Fact[], as: "facts" | "list" = "facts"): Markup {
  const items = facts.map(([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return markup`<dl class="${as}">${items}</dl>`;
}
