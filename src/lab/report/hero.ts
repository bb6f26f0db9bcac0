/**
 * What a reader in a hurry takes away: one large number, a word that judges it, the level of a tide, and a few sentences. The word says
 * what its colour says, for those who do not see the colour.
 */
import type { Section } from "./card.ts";
import { drawFacts, type Fact } from "./facts.ts";
import { type Markup, markup, nothing } from "./markup.ts";

export type Tone = "good" | "fair" | "poor" | "plain";

export interface Hero {
  /** Words before the number, the number, and words after it: together the heading. */
  readonly before: string;
  readonly figure: string;
  readonly after: string;
  /** How high the tide stands, from 0 to 1. */
  readonly level: number;
  /** Where it should stand. */
  readonly target?: { readonly value: number; readonly label: string };
  readonly verdict: { readonly tone: Tone; readonly word: string };
  readonly sentences: readonly string[];
  readonly facts: readonly Fact[];
}

export function heroSection(hero: Hero): Section {
  const { before, figure, after, verdict, sentences, facts } = hero;
  const text = sentences.map((sentence) => markup`<p>${sentence}</p>`);
  return {
    heading: "Summary",
    render: (id) => markup`<section class="hero" aria-labelledby="${id}">
<div class="says">
<p class="verdict ${verdict.tone}">${verdict.word}</p>
<h2 id="${id}"><span>${before}</span> <strong>${figure}</strong> <span>${after}</span></h2>
${text}
</div>
${drawTank(hero)}
${drawFacts(facts)}
</section>`,
  };
}

/** A wave of a height that does not change with the width of the picture: period 50 of 400 units. */
const WAVE = `M0 8${Array.from({ length: 8 }, () => "q12.5-8 25 0t25 0").join("")}V20H0z`;

/** Marks on the wall of the tank. */
const MARKS = [0.25, 0.5, 0.75];

function drawTank({ level, target, figure, before, after }: Hero): Markup {
  const top = percent(1 - level);
  const marks = MARKS.map((mark) => {
    const at = percent(1 - mark);
    const side = mark < level ? "under" : "above";
    return markup`<g class="mark ${side}"><line x2="100%" y1="${at}" y2="${at}"/><text x="100%" dx="-12" y="${at}" dy="-.45em" text-anchor="end">${100 * mark}%</text></g>`;
  });
  const water =
    level <= 0
      ? nothing
      : markup`<svg class="wave back" x="-3%" y="${top}" width="112%" height="20" viewBox="0 0 400 20" preserveAspectRatio="none"><path d="${WAVE}"/></svg><svg class="wave" y="${top}" width="106%" height="20" viewBox="0 0 400 20" preserveAspectRatio="none"><path d="${WAVE}"/></svg><svg y="${top}" width="100%" height="100%"><rect class="water" y="17" width="100%" height="100%"/></svg>`;
  return markup`<div class="tank"><svg width="100%" height="100%" role="img" aria-label="${`A tank filled to the level: ${before} ${figure} ${after}.`}">${water}${marks}${drawGoal(target)}</svg></div>`;
}

/** The label stands below the line where there is no room above it. */
function drawGoal(target: Hero["target"]): Markup {
  if (target === undefined) return nothing;
  const at = percent(1 - target.value);
  const side = target.value > 0.85 ? "1.5em" : "-.6em";
  return markup`<g class="goal"><line x2="100%" y1="${at}" y2="${at}"/><text x="12" y="${at}" dy="${side}">${target.label}</text></g>`;
}

function percent(share: number): string {
  return `${Number((100 * Math.min(1, Math.max(0, share))).toFixed(2))}%`;
}
