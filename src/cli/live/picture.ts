/**
 * The live view of a crawl as lines: what is certainly covered, how it rose, how fast pages come, how long it will take, the hosts that
 * give most and what happens to them, the last events. What matters most is there in the smallest terminal.
 */
import { Canvas } from "./canvas.ts";
import { eventLine } from "./event-lines.ts";
import { barColumns, coverageLine, pagesLine, speedInWords, timeLine, urlsLine } from "./facts.ts";
import { chartOf, levelRow } from "./glyphs.ts";
import { hostLines } from "./host-lines.ts";
import { laidOut, type Section } from "./layout.ts";
import type { Scene } from "./scene.ts";
import { type Line, span } from "./spans.ts";

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
  return laidOut(
    [
      one("coverage", 1, () => coverageLine(scene, canvas)),
      several("charts", 5, charts * TIDE_ROWS_MAX, (height) => tideLines(scene, canvas, height)),
      several("charts", 8, charts, () => [speedLine(scene, canvas)]),
      one("facts", 2, () => pagesLine(scene, canvas)),
      one("facts", 4, () => urlsLine(scene, canvas)),
      one("facts", 3, () => timeLine(scene, canvas)),
      several("hosts", 6, Math.min(HOSTS_SHOWN_MAX, hosts.length), (count) =>
        hostLines(hosts.slice(0, count), canvas),
      ),
      several("events", 7, Math.min(EVENTS_SHOWN_MAX, events.length), (count) =>
        events.slice(-count).map((event) => eventLine(event, scene.damping, canvas)),
      ),
      one("hint", 9, () => [span("Ctrl-C stops cleanly", "faint")]),
    ],
    rows,
  );
}

function one(group: string, rank: number, draw: () => Line): Section {
  return { group, rank, least: 1, most: 1, draw: () => [draw()] };
}

function several(group: string, rank: number, most: number, draw: Section["draw"]): Section {
  return { group, rank, least: 1, most, draw };
}

/** Certified coverage from the start of the run until now, on a scale from nothing to everything. */
function tideLines(scene: Scene, canvas: Canvas, height: number): Line[] {
  const columns = barColumns(scene, canvas);
  const goal = scene.limits.coverage;
  const options = { columns, height, look: "tide" as const, glyphs: canvas.glyphs, goal };
  const goalRow = goal === undefined || height === 1 ? -1 : height - 1 - levelRow(goal, height);
  return chartOf(scene.history.coverages(columns), options).map((line, row) => {
    if (row === height - 1) return [...line, span(" tide", "faint")];
    return row === goalRow ? [...line, span(" target", "target")] : line;
  });
}

/** Pages a second over the same time, on a scale from nothing to the fastest. */
function speedLine(scene: Scene, canvas: Canvas): Line {
  const columns = barColumns(scene, canvas);
  const speeds = scene.history.speeds(columns);
  const fastest = Math.max(...speeds);
  const shares = speeds.map((speed) => (fastest > 0 ? speed / fastest : 0));
  const options = { columns, height: 1, look: "speed" as const, glyphs: canvas.glyphs, showsLeast: true };
  const [line = []] = chartOf(shares, options);
  const label = ` speed, at most ${speedInWords(fastest)}`;
  return [...line, span(label.length <= canvas.columns - columns ? label : " speed", "faint")];
}
