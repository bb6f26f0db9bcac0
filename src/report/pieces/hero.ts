/**
 * What a reader in a hurry takes away: one large number, a word that judges it, the level of a tide, and a few sentences. The word says
 * what its colour says, for those who do not see the colour.
 */
import { drawFacts, type Fact, type Section } from "./card.ts";
import { type Markup, markup, nothing } from "./markup.ts";

type Tone = "good" | "fair" | "poor" | "plain";

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

/** A wave of a height that does not change with the width of the picture: eight periods of 50 units. */
const WAVE_MEAN = 10;
const WAVE_HEIGHT = 24;
const WAVE = `M0 ${WAVE_MEAN}${Array.from({ length: 8 }, () => "q12.5-13 25 0t25 0").join("")}V${WAVE_HEIGHT}H0z`;

/** Marks beside the tank; those too near to the target make room for it. */
const MARKS = [0, 0.25, 0.5, 0.75, 1];
const MARK_DISTANCE_MIN = 0.09;

function drawTank({ level, target, figure, before, after }: Hero): Markup {
  const marks = MARKS.filter(
    (mark) => target === undefined || Math.abs(mark - target.value) >= MARK_DISTANCE_MIN,
  ).map((mark) => {
    const at = percent(1 - mark);
    const side = mark < level ? "under" : "above";
    return markup`<g class="mark ${side}"><line x2="100%" y1="${at}" y2="${at}"/><text x="100%" dx="10" y="${at}" dy=".34em">${100 * mark}%</text></g>`;
  });
  return markup`<div class="tank"><div class="basin"><svg width="100%" height="100%" role="img" aria-label="${`A tank filled to the level: ${before} ${figure} ${after}.`}">${drawWater(level)}</svg></div><svg class="scale" width="100%" height="100%" aria-hidden="true">${marks}${drawGoal(target, level)}</svg></div>`;
}

/** Two waves, one behind the other, and the water below them. */
function drawWater(level: number): Markup {
  if (level <= 0) return nothing;
  const top = percent(1 - level);
  const wave = (left: string, kind: string): Markup =>
    markup`<svg class="${kind}" x="${left}" y="${top}" width="112%" height="${WAVE_HEIGHT}" viewBox="0 0 400 ${WAVE_HEIGHT}" preserveAspectRatio="none"><path d="${WAVE}"/></svg>`;
  return markup`<defs><linearGradient id="depth" x2="0" y2="1"><stop class="shallow"/><stop class="deep" offset="1"/></linearGradient></defs><g transform="translate(0 -${WAVE_MEAN})">${wave("-3%", "wave back")}${wave("0", "wave")}<svg y="${top}" width="100%" height="110%"><rect fill="url(#depth)" y="${WAVE_HEIGHT - 1}" width="100%" height="100%"/></svg></g>`;
}

/** Nearer than this to the level, the line lies on the waves, and what keeps it apart from the water would hide them. */
const WAVES_SHARE = 0.06;

function drawGoal(target: Hero["target"], level: number): Markup {
  if (target === undefined) return nothing;
  const at = percent(1 - target.value);
  const line = markup`<line x2="100%" y1="${at}" y2="${at}"/>`;
  const ground =
    Math.abs(level - target.value) < WAVES_SHARE
      ? nothing
      : markup`<line class="ground" x2="100%" y1="${at}" y2="${at}"/>`;
  return markup`<g class="goal">${ground}${line}<text x="100%" dx="10" y="${at}" dy=".34em">${target.label}</text></g>`;
}

function percent(share: number): string {
  return `${Number((100 * Math.min(1, Math.max(0, share))).toFixed(2))}%`;
}
