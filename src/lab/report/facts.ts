/** Names and values side by side. */
import { type Markup, markup } from "./markup.ts";

export type Fact = readonly [label: string, value: string];

export function drawFacts(facts: readonly Fact[]): Markup {
  const items = facts.map(([label, value]) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return markup`<dl class="facts">${items}</dl>`;
}
