/** A section of a report: a card with a heading, some paragraphs, and a body. */
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
