/**
 * The top of a report: one large number, a verdict, the level of the tide, and a few sentences. The verdict is a word,
 * so it does not depend on its colour.
 */
import { drawFacts, type Fact, type Section } from "./sections.ts";
import { type Markup, markup, nothing } from "./markup.ts";

type Tone = "good" | "fair" | "poor" | "plain";

export interface Hero {
  /** The heading: the text before the number, the number, and the text after it. */
  readonly before: string;
  readonly figure: string;
  readonly after: string;
  /** The level of the tide, from 0 to 1. */
  readonly level: number;
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

const FULL = markup`width="100%" height="100%"`;
/** A wave with a height that does not change with the width of the drawing: eight periods of 50 units. */
const WAVE_MEAN = 10;
const WAVE_HEIGHT = 24;
const WAVE = `M0 ${WAVE_MEAN}${Array.from({ length: 8 }, () => "q12.5-13 25 0t25 0").join("")}V${WAVE_HEIGHT}H0z`;

/** Marks next to the tank; a mark too close to the target is left out. */
const MARKS = [0, 0.25, 0.5, 0.75, 1];
const MARK_DISTANCE_MIN = 0.09;

function drawTank({ level, target, figure, before, after }: Hero): Markup {
  const marks = MARKS.filter((mark) => target === undefined || Math.abs(mark - target.value) >= MARK_DISTANCE_MIN).map(
    (mark) => {
      const at = percent(1 - mark);
      const side = mark < level ? "under" : "above";
      const text = markup`<text x="100%" dx="10" y="${at}" dy=".34em">${100 * mark}%</text>`;
      return markup`<g class="mark ${side}"><line x2="100%" y1="${at}" y2="${at}"/>${text}</g>`;
    },
  );
  const label = `A tank filled to the level: ${before} ${figure} ${after}.`;
  const basin = markup`<svg ${FULL} role="img" aria-label="${label}">${drawWater(level)}</svg>`;
  const scale = markup`<svg class="scale" ${FULL} aria-hidden="true">${marks}${drawGoal(target, level)}</svg>`;
  return markup`<div class="tank"><div class="basin">${basin}</div>${scale}</div>`;
}

/** Two waves, one behind the other, and the water below them. */
function drawWater(level: number): Markup {
  if (level <= 0) return nothing;
  const top = percent(1 - level);
  const stretched = markup`viewBox="0 0 400 ${WAVE_HEIGHT}" preserveAspectRatio="none"`;
  const wave = (left: string, kind: string): Markup =>
    markup`<svg class="${kind}" x="${left}" y="${top}" width="112%" height="${WAVE_HEIGHT}" ${stretched}
><path d="${WAVE}"/></svg>`;
  const water = markup`<rect fill="url(#depth)" y="${WAVE_HEIGHT - 1}" ${FULL}/>`;
  return markup`<defs><linearGradient id="depth" x2="0" y2="1">
<stop class="shallow"/><stop class="deep" offset="1"/></linearGradient></defs>
<g transform="translate(0 -${WAVE_MEAN})">${wave("-3%", "wave back")}${wave("0", "wave")}
<svg y="${top}" width="100%" height="110%">${water}</svg></g>`;
}

/** If the target is closer to the level than this, its line lies on the waves, and its background would hide them. */
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
