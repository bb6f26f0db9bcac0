/**
 * A chart in a page: four plots (each axis linear or logarithmic) of which radio buttons show one, without a script; a
 * legend that doubles as the readout at the cursor; and the numbers as tables, which are also what the script reads.
 */
import { formatExactly, formatOnAxis, groupsOf, isCoverage, measuresOf, xScale, yScale } from "./chart.ts";
import type { Axis, Chart, Line, Series } from "../lab/index.ts";
import { type Markup, markup, nothing } from "./markup.ts";
import { colourClass, drawPlot, markerId } from "./plot.ts";
import type { Scale } from "./scale.ts";

/** `id` is unique in the page. */
export function drawFigure(chart: Chart, id: string): Markup {
  return markup`<figure class="chart" id="${id}">
<div class="controls">
${drawChoice(chart.x.label, `${id}-x`, chart.x, ["Linear", "Logarithmic"])}
${drawChoice(chart.y.label, `${id}-y`, chart.y, isCoverage(chart.y.kind) ? ["Full range", "Tail"] : ["Linear", "Logarithmic"])}
</div>
<div class="stage${groupsOf(chart).length === 1 ? " alone" : ""}">
<div class="plots">${drawViews(chart, id)}</div>
${drawLegend(chart)}
</div>
<details class="data"><summary>The numbers behind the picture</summary>
<div class="columns" tabindex="0" role="region" aria-label="${chart.title}">${groupsOf(chart).map((group, index) => drawData(chart, group, index))}</div>
</details>
</figure>`;
}

/** A line as it looks in the plot, for legends. */
export function drawSwatch(line: Line, group?: number): Markup {
  const marker = group === undefined ? nothing : markup`<use href="#${markerId(group)}" x="15" y="6"/>`;
  return markup`<svg class="swatch ${group === undefined ? "plain" : colourClass(group)}" width="30" height="12" viewBox="0 0 30 12" aria-hidden="true"><path class="${line}" d="M1 6h28"/>${marker}</svg>`;
}

const SCALES = ["linear", "log"] as const;

function drawChoice(legend: string, name: string, axis: Axis, labels: readonly [string, string]): Markup {
  const options = SCALES.map((scale, index) => {
    const checked = scale === axis.scale ? markup` checked` : nothing;
    return markup`<label><input type="radio" name="${name}" class="${name.at(-1)!}-${scale}"${checked}><span>${labels[index]}</span></label>`;
  });
  return markup`<fieldset><legend>${legend}</legend>${options}</fieldset>`;
}

function drawViews(chart: Chart, id: string): Markup[] {
  return SCALES.flatMap((xKind) =>
    SCALES.map((yKind) => {
      const scales = { x: xScale(chart, xKind), y: yScale(chart, yKind) };
      const label = `${id}-${xKind}-${yKind}`;
      return markup`<div class="plot on-x-${xKind} on-y-${yKind}" data-x="${scaleData(scales.x)}" data-y="${scaleData(scales.y)}">
<svg width="100%" height="100%" role="img" aria-labelledby="${label}-title ${label}-description"><title id="${label}-title">${chart.title}</title>
<desc id="${label}-description">${chart.description}</desc>
${drawPlot(chart, scales)}</svg></div>`;
    }),
  );
}

function drawLegend(chart: Chart): Markup {
  const measures = measuresOf(chart);
  const columns = measures.map((measure, index) => {
    const line = chart.series.find((series) => series.measure === measure)!.line;
    return markup`<th scope="col"><button type="button" data-toggle="m" data-index="${index}" aria-pressed="true">${drawSwatch(line)}<span>${measure}</span></button></th>`;
  });
  const rows = groupsOf(chart).map((group, index) => {
    const cells = measures.map((measure, column) => {
      const last = findSeries(chart, group, measure)?.points.at(-1);
      return markup`<td data-g="${index}" data-m="${column}">${last === undefined ? "–" : formatOnAxis(last[1], chart.y.kind)}</td>`;
    });
    return markup`<tr><th scope="row"><button type="button" data-toggle="g" data-index="${index}" aria-pressed="true">${drawSwatch("solid", index)}<span>${group}</span></button></th>${cells}</tr>`;
  });
  return markup`<div class="legend" data-kind="${chart.y.kind}" data-x-label="${chart.x.label}"><table>
<caption>At the end of each curve</caption>
<thead><tr><th scope="col">${chart.groupLabel}</th>${columns}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** One table per group, a row for each x, a column for each measure of it. */
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
  const heads = present.map(
    (measure) => markup`<th scope="col" data-m="${measures.indexOf(measure)}">${measure}`,
  );
  const body = [...rows]
    .sort(([a], [b]) => a - b)
    .map(
      ([x, cells]) => markup`
<tr><th>${formatExactly(x, chart.x.kind)}${cells.map((cell) => markup`<td>${cell}`)}`,
    );
  return markup`<table data-g="${index}"><caption>${group}</caption><thead><tr><th scope="col">${chart.x.label}${heads}</thead><tbody>${body}</tbody></table>`;
}

function findSeries(chart: Chart, group: string, measure: string): Series | undefined {
  return chart.series.find((series) => series.group === group && series.measure === measure);
}

function scaleData({ kind, min, max }: Scale): string {
  return `${kind} ${min} ${max}`;
}
