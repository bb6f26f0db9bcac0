/**
 * A chart in a page: four plots (each axis linear or logarithmic) of which radio buttons show one, without a script; a
 * legend that shows the values at the cursor; and the numbers as tables, which the script reads. Also a chart as an SVG
 * file of its own, for a README or a paper.
 */
import type { Axis, Chart, LineStyle, Series } from "../../lab/index.ts";
import { formatExactly, formatOnAxis, groupsOf, isCoverage, measuresOf, type Scale, xScale, yScale } from "./chart.ts";
import { Markup, markup, nothing } from "./markup.ts";
import { colourClass, drawPlot, markerDefinitions, markerId } from "./plot.ts";
import { plotStyle } from "./style.ts";

/** `id` is unique in the page. */
export function drawFigure(chart: Chart, id: string): Markup {
  const groups = groupsOf(chart);
  const tables = groups.map((group, index) => drawData(chart, group, index));
  const yNames = isCoverage(chart.y.kind) ? (["Full range", "Tail"] as const) : SCALE_NAMES;
  return markup`<figure class="chart" id="${id}">
<div class="controls">
${drawChoice(chart.x.label, `${id}-x`, chart.x, SCALE_NAMES)}
${drawChoice(chart.y.label, `${id}-y`, chart.y, yNames)}
</div>
<div class="stage${groups.length === 1 ? " alone" : ""}">
<div class="plots">${drawViews(chart, id)}</div>
${drawLegend(chart)}
</div>
<details class="data"><summary>The numbers of this chart</summary>
<div class="columns" tabindex="0" role="region" aria-label="${chart.title}">${tables}</div>
</details>
</figure>`;
}

/** A line as it looks in the plot, for legends. */
function drawSwatch(line: LineStyle, group?: number): Markup {
  const marker = group === undefined ? nothing : markup`<use href="#${markerId(group)}" x="15" y="6"/>`;
  const colour = group === undefined ? "plain" : colourClass(group);
  return markup`<svg class="swatch ${colour}" width="30" height="12" viewBox="0 0 30 12" aria-hidden="true"
><path class="${line}" d="M1 6h28"/>${marker}</svg>`;
}

const SCALES = ["linear", "log"] as const;
const SCALE_NAMES = ["Linear", "Logarithmic"] as const;

function drawChoice(legend: string, name: string, axis: Axis, labels: readonly [string, string]): Markup {
  const options = SCALES.map((scale, index) => {
    const checked = scale === axis.scale ? markup` checked` : nothing;
    const input = markup`<input type="radio" name="${name}" class="${name.at(-1)!}-${scale}"${checked}>`;
    return markup`<label>${input}<span>${labels[index]}</span></label>`;
  });
  return markup`<fieldset class="choice"><legend>${legend}</legend>${options}</fieldset>`;
}

function drawViews(chart: Chart, id: string): Markup[] {
  return SCALES.flatMap((xKind) =>
    SCALES.map((yKind) => {
      const scales = { x: xScale(chart, xKind), y: yScale(chart, yKind) };
      const label = `${id}-${xKind}-${yKind}`;
      const data = markup`data-x="${scaleData(scales.x)}" data-y="${scaleData(scales.y)}"`;
      return markup`<div class="plot on-x-${xKind} on-y-${yKind}" ${data}>
<svg width="100%" height="100%" role="img" aria-labelledby="${label}-title ${label}-description">
<title id="${label}-title">${chart.title}</title>
<desc id="${label}-description">${chart.description}</desc>
${drawPlot(chart, scales)}</svg></div>`;
    }),
  );
}

function drawLegend(chart: Chart): Markup {
  const measures = measuresOf(chart);
  const columns = measures.map((measure, index) => {
    const line = chart.series.find((series) => series.measure === measure)!.line;
    return markup`<th scope="col">${drawToggle("m", index, { swatch: drawSwatch(line), text: measure })}</th>`;
  });
  const rows = groupsOf(chart).map((group, index) => {
    const cells = measures.map((measure, column) => {
      const last = findSeries(chart, group, measure)?.points.at(-1);
      const value = last === undefined ? "–" : formatOnAxis(last[1], chart.y.kind);
      return markup`<td data-g="${index}" data-m="${column}">${value}</td>`;
    });
    const toggle = drawToggle("g", index, { swatch: drawSwatch("solid", index), text: group });
    return markup`<tr><th scope="row">${toggle}</th>${cells}</tr>`;
  });
  return markup`<div class="legend" data-kind="${chart.y.kind}" data-x-label="${chart.x.label}"><table>
<caption>At the end of each curve</caption>
<thead><tr><th scope="col">${chart.groupLabel}</th>${columns}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** An entry of a legend: a button that hides a group ("g") or a measure ("m"). */
function drawToggle(kind: "g" | "m", index: number, { swatch, text }: Entry): Markup {
  const data = markup`data-toggle="${kind}" data-index="${index}"`;
  return markup`<button type="button" ${data} aria-pressed="true">${swatch}<span>${text}</span></button>`;
}

/** One table per group, a row for each x, a column for each of its measures. */
function drawData(chart: Chart, group: string, index: number): Markup {
  const measures = measuresOf(chart);
  const present = measures.filter((measure) => findSeries(chart, group, measure) !== undefined);
  const rows = new Map<number, string[]>();
  for (const [column, measure] of present.entries()) {
    for (const [x, y] of findSeries(chart, group, measure)!.points) {
      const row = rows.get(x) ?? present.map(() => "");
      row[column] = formatExactly(y, chart.y.kind);
      rows.set(x, row);
    }
  }
  const heads = present.map((measure) => markup`<th scope="col" data-m="${measures.indexOf(measure)}">${measure}`);
  const body = [...rows]
    .sort(([a], [b]) => a - b)
    .map(
      ([x, cells]) => markup`
<tr><th>${formatExactly(x, chart.x.kind)}${cells.map((cell) => markup`<td>${cell}`)}`,
    );
  const head = markup`<thead><tr><th scope="col">${chart.x.label}${heads}</thead>`;
  return markup`<table data-g="${index}"><caption>${group}</caption>${head}<tbody>${body}</tbody></table>`;
}

function findSeries(chart: Chart, group: string, measure: string): Series | undefined {
  return chart.series.find((series) => series.group === group && series.measure === measure);
}

function scaleData({ kind, min, max }: Scale): string {
  return `${kind} ${min} ${max}`;
}

const WIDTH = 960;
const MARGIN = { left: 68, right: 36 };
const PLOT = { top: 96, height: 360 };
const ENTRY_HEIGHT = 24;

/** A whole SVG document, each axis as the chart first shows it. */
export function renderChartSvg(chart: Chart): string {
  const inside = WIDTH - MARGIN.left - MARGIN.right;
  const placed = flow(entriesOf(chart), inside);
  const legendTop = PLOT.top + PLOT.height + 66;
  const height = legendTop + placed.height + 14;
  const scales = { x: xScale(chart, chart.x.scale), y: yScale(chart, chart.y.scale) };
  const size = markup`viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title description">
<title id="title">${chart.title}</title>
<desc id="description">${chart.description}</desc>
<style>${new Markup(plotStyle)}
.card { fill: var(--surface); stroke: var(--line); } .legend text { font-size: 13px; fill: var(--ink); }
text.title { font-size: 20px; font-weight: 650; fill: var(--ink); }</style>
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

/** The groups, then which line is which measure; the latter is of no use where there is only one. */
function entriesOf(chart: Chart): Entry[] {
  const groups = groupsOf(chart).map((text, index) => ({ text, swatch: drawSwatch("solid", index) }));
  const lines = new Map<string, LineStyle>(chart.series.map((series) => [series.measure, series.line]));
  const measures = [...lines].map(([text, line]) => ({ text, swatch: drawSwatch(line) }));
  return measures.length < 2 ? groups : [...groups, ...measures];
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
