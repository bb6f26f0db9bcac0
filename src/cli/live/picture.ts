/**
 * The live view of a crawl as lines: coverage and how it rose, speed, time left, the hosts that give most pages, the
 * latest events. The most important lines are shown even in the smallest terminal.
 */
import { Canvas, chartOf, levelLines } from "./canvas.ts";
import {
  barColumns,
  coverageLine,
  eventLine,
  hostLines,
  levelsOf,
  pagesLine,
  proofLines,
  speedInWords,
  timeLine,
  urlsLine,
} from "./lines.ts";
import type { Scene } from "./scene.ts";
import { type Line, span } from "./screen.ts";

export interface PictureOptions {
  readonly columns: number;
  readonly rows: number;
  readonly unicode: boolean;
}

export const HOSTS_SHOWN_MAX = 8;
export const EVENTS_SHOWN_MAX = 6;
const TIDE_ROWS_MAX = 5;

export function pictureOf(scene: Scene, { rows, ...options }: PictureOptions): Line[] {
  const canvas = new Canvas(options);
  const { hosts, events, history } = scene;
  const charts = history.size > 1 ? 1 : 0;
  const proof = proofLines(scene, canvas);
  return laidOut(
    [
      one("coverage", 1, () => coverageLine(scene, canvas)),
      several("coverage", 5, proof.length, (count) => proof.slice(0, count)),
      several("charts", 6, charts * TIDE_ROWS_MAX, (height) => tideLines(scene, canvas, height)),
      several("charts", 9, charts, () => [speedLine(scene, canvas)]),
      one("facts", 2, () => pagesLine(scene, canvas)),
      one("facts", 4, () => urlsLine(scene, canvas)),
      one("facts", 3, () => timeLine(scene, canvas)),
      several("hosts", 7, Math.min(HOSTS_SHOWN_MAX, hosts.length), (count) => hostLines(hosts.slice(0, count), canvas)),
      several("events", 8, Math.min(EVENTS_SHOWN_MAX, events.length), (count) =>
        events.slice(-count).map((event) => eventLine(event, scene.damping, canvas)),
      ),
      one("hint", 10, () => [span("Ctrl-C stops cleanly", "faint")]),
    ],
    rows,
  );
}

function one(group: string, rank: number, draw: () => Line): PictureSection {
  return { group, rank, least: 1, most: 1, draw: () => [draw()] };
}

function several(group: string, rank: number, most: number, draw: PictureSection["draw"]): PictureSection {
  return { group, rank, least: 1, most, draw };
}

/** Certified coverage from the start of the run until now, on a scale from 0 to 1. */
function tideLines(scene: Scene, canvas: Canvas, height: number): Line[] {
  const columns = barColumns(scene, canvas);
  const levels = levelsOf(scene);
  const options = { columns, height, look: "tide" as const, glyphs: canvas.glyphs, ...levels };
  const lines = levelLines(levels, height);
  return chartOf(scene.history.coverages(columns), options).map((line, row) => {
    if (row === height - 1) return [...line, span(" tide", "faint")];
    const labels = lines.filter(({ fromTop }) => fromTop === row);
    return [...line, ...labels.map(({ glyph, look }) => span(glyph === "level" ? " target" : " ceiling", look))];
  });
}

/** Pages per second over the same time, on a scale from 0 to the fastest. */
function speedLine(scene: Scene, canvas: Canvas): Line {
  const columns = barColumns(scene, canvas);
  const speeds = scene.history.speeds(columns);
  const fastest = Math.max(...speeds);
  const shares = speeds.map((speed) => (fastest > 0 ? speed / fastest : 0));
  const options = { columns, height: 1, look: "speed" as const, glyphs: canvas.glyphs, showsLeast: true };
  const [line = []] = chartOf(shares, options);
  const label = ` speed, peak ${speedInWords(fastest)}`;
  return [...line, span(label.length <= canvas.columns - columns ? label : " speed", "faint")];
}

export interface PictureSection {
  /** Sections of one group stand together; groups are separated where there is room. */
  readonly group: string;
  /** The more important a section, the lower its number. */
  readonly rank: number;
  /** Rows at least. */
  readonly least: number;
  /** Rows at most; 0 where it has nothing to show. */
  readonly most: number;
  readonly draw: (height: number) => readonly Line[];
}

/** With fewer rows, groups are not separated. */
const APART_ROWS_MIN = 18;

/** The sections in the given order, in at most this many rows: unimportant ones are left out, others may grow. */
export function laidOut(sections: readonly PictureSection[], rows: number): Line[] {
  const chosen = new Map<PictureSection, number>();
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

/** Adds a row to each section that can use it, the most important first, until none is left. */
function grow(heights: Map<PictureSection, number>, rows: number): void {
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
