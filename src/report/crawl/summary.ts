/** The top of a report: the coverage, whether it reaches the target, and the largest missing share. */
import { counted, formatBytes, formatCount, percentAtLeast } from "../../base/index.ts";
import type { Limits } from "../../crawl/index.ts";
import type { SurveyFacts } from "../../survey/index.ts";
import {
  isBlocked,
  measureInWords,
  shortened,
  stateTexts,
  strictInWords,
  summaryInWords,
  targetInWords,
  wholeInWords,
} from "../../text/index.ts";
import { Scope } from "../../web/index.ts";
import { full, type Markup, markup, nothing, percent } from "../pieces/markup.ts";
import { type ReportSection, drawFacts, type Fact } from "../pieces/sections.ts";
import type { CrawlContents } from "./contents.ts";

export function summarySection(contents: CrawlContents): ReportSection {
  const { survey, settings, chosen } = contents;
  const { facts } = survey;
  const { coverage, universe } = facts.certificate;
  const { limits } = settings;
  const beside = facts.status.pages === 0 ? undefined : strictInWords(facts.certificate);
  return heroSection({
    figure: percentAtLeast(coverage),
    whole: wholeInWords(universe),
    ...(beside === undefined ? {} : { beside }),
    level: coverage,
    ...(limits.coverage === undefined
      ? {}
      : { target: { value: limits.coverage, label: `target ${targetInWords(limits.coverage)}` } }),
    verdict: verdictOf(facts, limits),
    sentences: sentencesOf(contents),
    facts: factsOf(facts, chosen.deadCount),
  });
}

/** In one line, for the subtitle of a page and for a terminal. */
export function summaryLine({ survey, settings }: CrawlContents): string {
  const { facts } = survey;
  const { coverage, universe } = facts.certificate;
  const covered = `${percentAtLeast(coverage)} of ${wholeInWords(universe)} is certainly covered`;
  const verdict = verdictOf(facts, settings.limits).word.toLowerCase();
  const strict = facts.status.pages === 0 ? undefined : strictInWords(facts.certificate);
  const beside = strict === undefined ? "" : `; ${strict}`;
  return `${covered}, by ${counted(facts.status.pages, "page")} (${verdict}${beside})`;
}

/** Without a target, these shares are good and fair. */
const GOOD_SHARE = 0.9;
const FAIR_SHARE = 0.5;

function verdictOf(facts: SurveyFacts, limits: Limits): Hero["verdict"] {
  const { coverage } = facts.certificate;
  const isEmpty = facts.status.frontier === 0;
  if (facts.status.pages === 0)
    return { tone: "poor", word: isEmpty && facts.visits > 0 ? "No page could be fetched" : "No page yet" };
  if (limits.coverage !== undefined) {
    if (coverage >= limits.coverage) return { tone: "good", word: "Target reached" };
    if ((facts.status.sampled?.coverage ?? 0) >= limits.coverage) {
      return { tone: "good", word: "Target reached by sampling" };
    }
    return isEmpty || facts.status.ceiling < limits.coverage
      ? { tone: "poor", word: "Target out of reach" }
      : { tone: "fair", word: "Target not reached yet" };
  }
  if (isEmpty && isBlocked(facts.missing)) return { tone: "poor", word: "Blocked" };
  if (isEmpty) return { tone: coverage >= FAIR_SHARE ? "good" : "fair", word: "Everything reachable is fetched" };
  if (coverage >= GOOD_SHARE) return { tone: "good", word: "Nearly everything" };
  return coverage >= FAIR_SHARE ? { tone: "fair", word: "More than half" } : { tone: "poor", word: "Less than half" };
}

const SCOPE_LENGTH_MAX = 200;

function sentencesOf({ survey, settings, end }: CrawlContents): string[] {
  const { status, firstVisitMs, lastVisitMs, missing, outside } = survey.facts;
  const { limits, web, seeds } = settings;
  const visits = { firstVisitMs, lastVisitMs };
  return [
    ...summaryInWords({ status, end, limits, seeds: seeds.length, ...visits, missing, outside }),
    measureInWords({
      universe: web.universe,
      scope: shortened(new Scope(web.scope).describe(), SCOPE_LENGTH_MAX),
      seeds,
    }),
  ];
}

function factsOf({ status, certainPlaces }: SurveyFacts, dead: number): Hero["facts"] {
  return [
    ["Pages downloaded", formatCount(status.pages)],
    ["URLs known", formatCount(status.known)],
    ["Waiting", formatCount(status.frontier)],
    ["Hosts", formatCount(status.hosts)],
    ["Dead links", formatCount(dead)],
    [stateTexts.refused.name, formatCount(status.refused)],
    ["Downloaded", formatBytes(status.bytes)],
    ["Certain ranks", certainPlaces === 0 ? "none yet" : formatCount(certainPlaces)],
  ];
}

interface Hero {
  readonly figure: string;
  /** Follows "98.60% of". */
  readonly whole: string;
  /** The stricter number, in words. */
  readonly beside?: string;
  /** The level of the tide, from 0 to 1. */
  readonly level: number;
  readonly target?: { readonly value: number; readonly label: string };
  readonly verdict: { readonly tone: "good" | "fair" | "poor"; readonly word: string };
  readonly sentences: readonly string[];
  readonly facts: readonly Fact[];
}

/** The verdict is a word, so it does not depend on its colour. */
export function heroSection(hero: Hero): ReportSection {
  const { figure, whole, beside, verdict, sentences, facts } = hero;
  const text = sentences.map((sentence) => markup`<p>${sentence}</p>`);
  return {
    heading: "Summary",
    render: (id) => markup`<section class="hero" aria-labelledby="${id}">
<div class="says">
<p class="verdict ${verdict.tone}">${verdict.word}</p>
<h2 id="${id}"><span>At least</span> <strong>${figure}</strong> <span>of ${whole} is covered</span></h2>
${beside === undefined ? nothing : markup`<p class="beside">${beside}</p>`}
${text}
</div>
${drawTank(hero)}
${drawFacts(facts)}
</section>`,
  };
}

/** A wave with a height that does not change with the width of the drawing: eight periods of 50 units. */
const WAVE_MEAN = 10;
const WAVE_HEIGHT = 24;
const WAVE = `M0 ${WAVE_MEAN}${Array.from({ length: 8 }, () => "q12.5-13 25 0t25 0").join("")}V${WAVE_HEIGHT}H0z`;

/** Marks next to the tank; a mark too close to the target is left out. */
const MARKS = [0, 0.25, 0.5, 0.75, 1];
const MARK_DISTANCE_MIN = 0.09;

function drawTank({ level, target, figure, whole }: Hero): Markup {
  const marks = MARKS.filter((mark) => target === undefined || Math.abs(mark - target.value) >= MARK_DISTANCE_MIN).map(
    (mark) => {
      const at = percent(1 - mark);
      const side = mark < level ? "under" : "above";
      const text = markup`<text x="100%" dx="10" y="${at}" dy=".34em">${100 * mark}%</text>`;
      return markup`<g class="mark ${side}"><line x2="100%" y1="${at}" y2="${at}"/>${text}</g>`;
    },
  );
  const label = `A tank filled to the level: At least ${figure} of ${whole} is covered.`;
  const basin = markup`<svg ${full} role="img" aria-label="${label}">${drawWater(level)}</svg>`;
  const scale = markup`<svg class="scale" ${full} aria-hidden="true">${marks}${drawGoal(target, level)}</svg>`;
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
  const water = markup`<rect fill="url(#depth)" y="${WAVE_HEIGHT - 1}" ${full}/>`;
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
