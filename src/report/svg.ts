/** A chart as a picture of its own, for a README or a paper: fixed size, its own card, light and dark. */
import type { Chart, Line } from "../lab/index.ts";
import { groupsOf, measuresOf, xScale, yScale } from "./chart.ts";
import { drawSwatch } from "./figure.ts";
import { Markup, markup } from "./markup.ts";
import { drawPlot, markerDefinitions } from "./plot.ts";
import { plotStyle } from "./style.ts";

const WIDTH = 960;
const MARGIN = { left: 68, right: 36 };
const PLOT = { top: 96, height: 360 };
const ENTRY_HEIGHT = 24;

/** A whole SVG document, each axis as the chart first shows it. */
export function renderChartSvg(chart: Chart): string {
  const inside = WIDTH - MARGIN.left - MARGIN.right;
  const entries = [...groupEntries(chart), ...measureEntries(chart)];
  const placed = flow(entries, inside);
  const legendTop = PLOT.top + PLOT.height + 66;
  const height = legendTop + placed.height + 14;
  const scales = { x: xScale(chart, chart.x.scale), y: yScale(chart, chart.y.scale) };
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">${chart.title}</title>
<desc id="description">${chart.description}</desc>
<style>${new Markup(plotStyle)}.card { fill: var(--surface); stroke: var(--line); } .legend text { font-size: 13px; fill: var(--ink); } text.title { font-size: 20px; font-weight: 650; fill: var(--ink); }</style>
${markerDefinitions()}
<rect class="card" x=".5" y=".5" width="${WIDTH - 1}" height="${height - 1}" rx="12"/>
<text class="title" x="24" y="42">${chart.title}</text>
<svg x="${MARGIN.left}" y="${PLOT.top}" width="${inside}" height="${PLOT.height}">${drawPlot(chart, scales)}</svg>
<g class="legend" transform="translate(${MARGIN.left} ${legendTop})">${placed.entries}</g>
</svg>
`.source;
}

interface Entry {
  readonly text: string;
  readonly swatch: Markup;
}

function groupEntries(chart: Chart): Entry[] {
  return groupsOf(chart).map((text, index) => ({ text, swatch: drawSwatch("solid", index) }));
}

/** Which line is which measure; of no use where there is only one. */
function measureEntries(chart: Chart): Entry[] {
  const lines = new Map<string, Line>(chart.series.map((series) => [series.measure, series.line]));
  return lines.size < 2
    ? []
    : measuresOf(chart).map((text) => ({ text, swatch: drawSwatch(lines.get(text)!) }));
}

/** Entries side by side in as many lines as they need; widths are estimated, since nothing here can measure text. */
function flow(entries: readonly Entry[], width: number): { entries: Markup[]; height: number } {
  let x = 0;
  let y = 0;
  const drawn: Markup[] = [];
  for (const { text, swatch } of entries) {
    const size = 38 + text.length * 6.9 + 22;
    if (x > 0 && x + size > width) {
      x = 0;
      y += ENTRY_HEIGHT;
    }
    drawn.push(markup`<g transform="translate(${x} ${y})">${swatch}<text x="38" y="10.5">${text}</text></g>`);
    x += size;
  }
  return { entries: drawn, height: y + ENTRY_HEIGHT };
}
