/** Names and values side by side. */
import { type Markup, markup } from "./markup.ts";

export type Fact = readonly [label: string, value: string];

/** As tiles for numbers; as a list, each with a line of its own, for texts of any length. */
export function drawFacts(facts: readonly Fact[], as: "facts" | "list" = "facts"): Markup {
  const items = facts.map(([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return markup`<dl class="${as}">${items}</dl>`;
}
