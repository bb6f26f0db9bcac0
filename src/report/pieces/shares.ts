/** A whole and its parts as bars: what each part is, why, what one can do about it, and of what it consists in turn. */
import { card, type Section, type SectionText } from "./card.ts";
import { type Markup, markup, nothing } from "./markup.ts";
import { colourClass } from "./plot.ts";

interface SharePart {
  readonly name: string;
  readonly share: number;
  /** The share as text, then what else is to be said of it. */
  readonly figure: string;
  readonly note?: string;
}

export interface ShareGroup extends SharePart {
  /** Paragraphs. */
  readonly words: readonly string[];
  readonly parts: readonly SharePart[];
  /** What parts are left out: "and 12 more hosts". */
  readonly more?: string;
}

export interface Shares {
  /** What of the whole none of the groups holds: drawn first. */
  readonly rest: SharePart;
  /** Bars are drawn in relation to the first one, which is the largest. */
  readonly groups: readonly ShareGroup[];
  readonly label: string;
}

export function sharesSection(text: SectionText, shares: Shares): Section {
  return card(
    text,
    () =>
      markup`${drawWhole(shares)}<div class="shares">${shares.groups.map((group, index) => drawGroup(group, index, shares.groups[0].share))}</div>`,
    { isLong: true },
  );
}

/** A bar whose length is a share of the longest one; what is not nothing can be seen. */
export function drawBar(share: number, of: number, colour: string): Markup {
  const width = of > 0 ? Number(((100 * share) / of).toFixed(2)) : 0;
  return markup`<svg class="bar ${colour}" width="100%" height="8" aria-hidden="true"><rect class="track" width="100%" height="8" rx="4"/><rect class="fill" width="${width}%" height="8" rx="4"/></svg>`;
}

/** All of it in one bar. */
function drawWhole({ rest, groups, label }: Shares): Markup {
  let left = 0;
  const piece = (share: number, colour: string): Markup => {
    const drawn = markup`<rect class="${colour}" x="${percent(left)}" width="${percent(share)}" height="100%"/>`;
    left += share;
    return drawn;
  };
  const pieces = [
    piece(rest.share, "held"),
    ...groups.map(({ share }, index) => piece(share, colourOf(index))),
  ];
  const entries = [
    drawEntry(rest, "held"),
    ...groups.map((group, index) => drawEntry(group, colourOf(index))),
  ];
  return markup`<div class="whole"><svg width="100%" height="26" role="img" aria-label="${label}">${pieces}</svg><ul>${entries}</ul></div>`;
}

function drawEntry({ name, figure }: SharePart, colour: string): Markup {
  return markup`<li><svg class="dot" width="12" height="12" aria-hidden="true"><rect class="${colour}" width="12" height="12" rx="3"/></svg><span>${name}</span> <b>${figure}</b></li>`;
}

function drawGroup(group: ShareGroup, index: number, largest: number): Markup {
  const { name, figure, note, words, parts, more } = group;
  const rows = parts.map(
    (part) =>
      markup`<li><span class="name"><bdi>${part.name}</bdi></span><span class="figure">${part.figure}</span>${drawBar(part.share, group.share, colourClass(index))}<span class="note">${part.note ?? ""}</span></li>`,
  );
  return markup`<div class="share">
<h3><svg class="dot" width="12" height="12" aria-hidden="true"><rect class="${colourOf(index)}" width="12" height="12" rx="3"/></svg>${name}</h3><p class="figure">${figure}</p>
${drawBar(group.share, largest, colourClass(index))}
<p class="note">${note ?? ""}</p>
${words.map((paragraph) => markup`<p class="words">${paragraph}</p>`)}
${rows.length === 0 ? nothing : markup`<ol>${rows}</ol>`}
${more === undefined ? nothing : markup`<p class="note">${more}</p>`}
</div>`;
}

function colourOf(index: number): string {
  return `piece ${colourClass(index)}`;
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(3))}%`;
}
