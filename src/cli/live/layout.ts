/** Which parts of a picture are shown where there is not room for all of them, and how high each may be. */
import type { Line } from "./spans.ts";

export interface Section {
  /** Sections of one group stand together; groups are apart where there is room. */
  readonly group: string;
  /** The more important a section, the lower its number. */
  readonly rank: number;
  /** How high it is at the least and at the most; 0 where it has nothing to show. */
  readonly least: number;
  readonly most: number;
  readonly draw: (height: number) => readonly Line[];
}

/** With fewer rows groups stand together. */
const APART_ROWS_MIN = 18;

/** The sections in the order in which they are given, in so many rows at most. */
export function laidOut(sections: readonly Section[], rows: number): Line[] {
  const chosen = new Map<Section, number>();
  const ranked = sections.filter(({ most }) => most > 0).sort((a, b) => a.rank - b.rank);
  let left = rows;
  for (const section of ranked) {
    if (section.least > left) break;
    chosen.set(section, section.least);
    left -= section.least;
  }
  const shown = sections.filter((section) => chosen.has(section));
  const gaps = shown.filter((section, k) => k > 0 && section.group !== shown[k - 1].group).length;
  const isApart = rows >= APART_ROWS_MIN && left >= gaps;
  if (isApart) left -= gaps;
  grow(chosen, left);
  return shown.flatMap((section, k) => {
    const begins = isApart && k > 0 && section.group !== shown[k - 1].group;
    const lines = section.draw(chosen.get(section)!);
    return begins ? [[], ...lines] : lines;
  });
}

/** A row to each that can use it, the most important first, until none is left. */
function grow(heights: Map<Section, number>, rows: number): void {
  let left = rows;
  for (let before = -1; left > 0 && left !== before; ) {
    before = left;
    for (const [section, height] of heights) {
      if (left === 0 || height >= section.most) continue;
      heights.set(section, height + 1);
      left--;
    }
  }
}
