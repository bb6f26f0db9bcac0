/**
 * One plot of a chart as SVG that needs no script.
 *
 * A plot is written in percentages of its viewport, with text in pixels: the same markup fills a phone, a wide screen
 * and a picture of fixed size, and its labels never shrink. Only the curves have their own coordinates, which are
 * stretched (strokes are not).
 */
import type { Chart, Series } from "../../lab/index.ts";
import { formatMark, groupsOf, measuresOf, place, type Scale } from "./chart.ts";
import { full, type Markup, markup, nothing, percent } from "./markup.ts";
import { LIGHT } from "./style.ts";

export interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

/** The content of an SVG viewport: grid, labels, curves, markers. */
export function drawPlot(chart: Chart, scales: Scales): Markup {
  const groups = groupsOf(chart);
  const measures = measuresOf(chart);
  // The first series matters most and is drawn last, on top.
  const keyed = chart.series
    .toReversed()
    .map((series) => ({ series, group: groups.indexOf(series.group), measure: measures.indexOf(series.measure) }));
  const key = (group: number, measure: number): Markup => markup`data-g="${group}" data-m="${measure}"`;
  const areas = keyed
    .filter(({ series }) => series.area === true && series.points.length > 0)
    .map(({ series, group, measure }) => {
      const path = areaPath(series, scales);
      return markup`<path class="area ${colourClass(group)}" ${key(group, measure)} d="${path}"/>`;
    });
  const bars = keyed
    .filter(({ series }) => series.errors !== undefined)
    .map(({ series, group, measure }) => {
      return markup`<path class="bars ${colourClass(group)}" ${key(group, measure)} d="${barsPath(series, scales)}"/>`;
    });
  const curves = keyed.map(({ series, group, measure }) => {
    const path = series.line === "points" ? dotsPath(series, scales) : curvePath(series, scales);
    return markup`<path class="${colourClass(group)} ${series.line}" ${key(group, measure)} d="${path}"/>`;
  });
  const marks = keyed.map(({ series, group, measure }) => {
    if (series.line === "points") return nothing;
    const drawn = drawMarks(series, scales, group, groups.length);
    // Of several orders, markers say which is which.
    const own = groups.length === 1 && series.line === "sampled" ? " sampled" : "";
    return markup`<g class="${colourClass(group)}${own}" ${key(group, measure)}>${drawn}</g>`;
  });
  return markup`${drawGrid(chart, scales)}
<svg class="curves" ${full} viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">${areas}${bars}${curves}</svg>
${drawTarget(chart, scales)}${drawCeiling(chart, scales)}<g class="marks">${marks}</g>`;
}

export function colourClass(group: number): string {
  return `c${group % LIGHT.curves.length}`;
}

export function markerId(group: number): string {
  return `marker-${group % MARKERS.length}`;
}

/** Outlines of markers around 0,0. With eight colours, the first forty orders all look different. */
export const MARKERS = [
  "M-3.6 0a3.6 3.6 0 1 1 7.2 0a3.6 3.6 0 1 1-7.2 0z",
  "M-3.2-3.2h6.4v6.4h-6.4z",
  "M0-4.6 4.6 0 0 4.6-4.6 0z",
  "M0-4.4 4.4 3.4h-8.8z",
  "M0 4.4 4.4-3.4h-8.8z",
] as const;

/** The shapes that plots and legends use: once per document. */
export function markerDefinitions(): Markup {
  return markup`<defs>${MARKERS.map((d, index) => markup`<path id="marker-${index}" d="${d}"/>`)}</defs>`;
}

/** About a quarter pixel per unit, so that coordinates are short whole numbers. */
const WIDTH = 4000;
const HEIGHT = 2000;

/** `d` of the curve: an absolute start, then relative moves in whole units, without moves of length zero. */
export function curvePath({ points, steps = false }: Series, scales: Scales): string {
  let path = "";
  let lastX = 0;
  let lastY = 0;
  let join = "l";
  for (const [px, py] of points) {
    const x = Math.round(place(scales.x, px) * WIDTH);
    const y = Math.round((1 - place(scales.y, py)) * HEIGHT);
    if (path === "") {
      path = `M${x} ${y}`;
    } else if (steps) {
      path += `${x === lastX ? "" : `h${x - lastX}`}${y === lastY ? "" : `v${y - lastY}`}`;
    } else if (x !== lastX || y !== lastY) {
      path += `${join}${x - lastX}${y < lastY ? "" : " "}${y - lastY}`;
      join = " ";
    }
    lastX = x;
    lastY = y;
  }
  return path;
}

/** `d` of dots: strokes of length zero, which round ends make visible. */
export function dotsPath({ points }: Series, scales: Scales): string {
  return points
    .map(([px, py]) => {
      return `M${Math.round(place(scales.x, px) * WIDTH)} ${Math.round((1 - place(scales.y, py)) * HEIGHT)}h0`;
    })
    .join("");
}

/** `d` of one bar for each point, from its value minus the error to its value plus it. */
export function barsPath({ points, errors = [] }: Series, scales: Scales): string {
  const height = (value: number): number => Math.round((1 - place(scales.y, value)) * HEIGHT);
  return points
    .map(
      ([px, py], i) =>
        `M${Math.round(place(scales.x, px) * WIDTH)} ${height(py - errors[i])}V${height(py + errors[i])}`,
    )
    .join("");
}

/** The curve, closed along the bottom of the plot. */
export function areaPath(series: Series, scales: Scales): string {
  const start = Math.round(place(scales.x, series.points[0][0]) * WIDTH);
  return `${curvePath(series, scales)}V${HEIGHT}H${start}z`;
}

/** The label is at the left, where curves of coverage are low. */
function drawTarget({ target }: Chart, scales: Scales): Markup {
  if (target === undefined) return nothing;
  const at = percent(1 - place(scales.y, target.value));
  const line = markup`<line x2="100%" y1="${at}" y2="${at}"/>`;
  return markup`<g class="target">${line}<text x="8" y="${at}" dy="-.5em">${target.label}</text></g>`;
}

/** The label is at the right, so that it and that of the target do not meet; nothing is ever drawn above the line. */
function drawCeiling({ ceiling }: Chart, scales: Scales): Markup {
  if (ceiling === undefined) return nothing;
  const at = percent(1 - place(scales.y, ceiling.value));
  const line = markup`<line x2="100%" y1="${at}" y2="${at}"/>`;
  const text = markup`<text x="100%" dx="-8" y="${at}" dy="-.5em" text-anchor="end">${ceiling.label}</text>`;
  return markup`<g class="ceiling">${line}${text}</g>`;
}

/** The order's marker at the end of its curve and at two places before, which differ between orders. */
function drawMarks(series: Series, scales: Scales, group: number, groups: number): Markup[] {
  const placed = series.points.map(([x, y]) => ({ left: place(scales.x, x), top: 1 - place(scales.y, y) }));
  // Near the bottom the curves lie on each other, and so would the markers.
  const risen = placed.filter(({ top }) => top < 0.97);
  const shift = (group + 0.5) / groups;
  const marked = [shift / 2, (1 + shift) / 2].map((share) => alongCurve(risen, share));
  const ends = new Set([...marked, placed.at(-1)].filter((point) => point !== undefined));
  return Array.from(
    ends,
    ({ left, top }) => markup`<use href="#${markerId(group)}" x="${percent(left)}" y="${percent(top)}"/>`,
  );
}

interface Placed {
  readonly left: number;
  readonly top: number;
}

/** The point after the given share of the curve's length. */
function alongCurve(points: readonly Placed[], share: number): Placed | undefined {
  const behind = [0];
  for (let i = 1; i < points.length; i++) {
    behind.push(behind[i - 1] + Math.hypot(points[i].left - points[i - 1].left, points[i].top - points[i - 1].top));
  }
  return points[behind.findIndex((length) => length >= share * behind.at(-1)!)];
}

function drawGrid(chart: Chart, scales: Scales): Markup {
  const columns = scales.x.ticks.map((x) => ({ text: formatMark(x, chart.x.kind), at: percent(place(scales.x, x)) }));
  const rows = scales.y.ticks.map((y) => ({ text: formatMark(y, chart.y.kind), at: percent(1 - place(scales.y, y)) }));
  return markup`<g class="grid">
${rows.map(({ at }) => markup`<line x2="100%" y1="${at}" y2="${at}"/>`)}
${columns.map(({ at }) => markup`<line x1="${at}" x2="${at}" y2="100%"/>`)}
</g><g class="labels">
${rows.map(({ text, at }) => markup`<text x="-8" y="${at}" dy=".34em" text-anchor="end">${text}</text>`)}
${columns.map(({ text, at }) => markup`<text x="${at}" y="100%" dy="1.6em" text-anchor="middle">${text}</text>`)}
<text class="axis" y="-14">${chart.y.label}${scales.y.kind === "nines" ? ", logarithm of what is missing" : ""}</text>
<text class="axis" x="100%" y="100%" dy="3.2em" text-anchor="end">${chart.x.label}</text>
</g>`;
}
