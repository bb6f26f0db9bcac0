/** A whole and its parts as bars: each part with an explanation and with its own parts. */
import { card, type Section, type SectionText } from "./sections.ts";
import { type Markup, markup, nothing } from "./markup.ts";

interface SharePart {
  readonly name: string;
  readonly share: number;
  /** The share as text, then a note. */
  readonly figure: string;
  readonly note?: string;
}

export interface ShareGroup extends SharePart {
  /** The class that sets its colour. */
  readonly fill: string;
  /** Paragraphs. */
  readonly words: readonly string[];
  readonly parts: readonly SharePart[];
  /** The parts that are left out: "and 12 more hosts". */
  readonly more?: string;
}

export interface Shares {
  /** The part of the whole that no group has: drawn first. */
  readonly covered: SharePart;
  /** Largest first: bars are drawn in proportion to the first one. */
  readonly groups: readonly ShareGroup[];
  readonly label: string;
}

export function sharesSection(text: SectionText, shares: Shares): Section {
  const body = (): Markup => {
    const groups = shares.groups.map((group) => drawGroup(group, shares.groups[0].share));
    return markup`${drawWhole(shares)}<div class="shares">${groups}</div>`;
  };
  return card(text, body, { isLong: true });
}

/** A bar in proportion to the longest one. */
export function drawBar(share: number, of: number, colour: string): Markup {
  const width = of > 0 ? Number(((100 * share) / of).toFixed(2)) : 0;
  const rect = (kind: string, share: number): Markup =>
    markup`<rect class="${kind}" width="${share}%" height="8" rx="4"/>`;
  const rects = [rect("track", 100), rect("fill", width)];
  return markup`<svg class="bar ${colour}" width="100%" height="8" aria-hidden="true">${rects}</svg>`;
}

/** The whole in one bar. */
function drawWhole({ covered, groups, label }: Shares): Markup {
  let left = 0;
  const piece = (share: number, colour: string): Markup => {
    const drawn = markup`<rect class="${colour}" x="${percent(left)}" width="${percent(share)}" height="100%"/>`;
    left += share;
    return drawn;
  };
  const pieces = [piece(covered.share, "covered"), ...groups.map(({ share, fill }) => piece(share, `piece ${fill}`))];
  const entries = [drawEntry(covered, "covered"), ...groups.map((group) => drawEntry(group, `piece ${group.fill}`))];
  const bar = markup`<svg width="100%" height="26" role="img" aria-label="${label}">${pieces}</svg>`;
  return markup`<div class="whole">${bar}<ul>${entries}</ul></div>`;
}

function drawEntry({ name, figure }: SharePart, colour: string): Markup {
  return markup`<li>${drawDot(colour)}<span>${name}</span> <b>${figure}</b></li>`;
}

function drawDot(colour: string): Markup {
  const rect = markup`<rect class="${colour}" width="12" height="12" rx="3"/>`;
  return markup`<svg class="dot" width="12" height="12" aria-hidden="true">${rect}</svg>`;
}

function drawGroup(group: ShareGroup, largest: number): Markup {
  const { name, fill, figure, note, words, parts, more } = group;
  const rows = parts.map((part) => {
    const bar = drawBar(part.share, group.share, fill);
    const text = markup`<span class="name"><bdi>${part.name}</bdi></span><span class="figure">${part.figure}</span>`;
    return markup`<li>${text}${bar}<span class="note">${part.note ?? ""}</span></li>`;
  });
  return markup`<div class="share">
<h3>${drawDot(`piece ${fill}`)}${name}</h3><p class="figure">${figure}</p>
${drawBar(group.share, largest, fill)}
<p class="note">${note ?? ""}</p>
${words.map((paragraph) => markup`<p class="words">${paragraph}</p>`)}
${rows.length === 0 ? nothing : markup`<ol>${rows}</ol>`}
${more === undefined ? nothing : markup`<p class="note">${more}</p>`}
</div>`;
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(3))}%`;
}
