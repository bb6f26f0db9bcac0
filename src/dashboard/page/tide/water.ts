/**
 * Draws the tide: water below a stepped surface, the order's own bound as a dashed line, the target as a labelled line.
 */
import uPlot from "uplot";
import { type Colours, readColours, topOf, withAlpha, xAxis, yAxis } from "./axes.ts";
import { type Abscissa, height, type Ordinate } from "./curve.ts";

export interface WaterOptions {
  readonly x: Abscissa;
  readonly y: Ordinate;
  readonly width: number;
  readonly height: number;
  /** Read at every drawing, since it may change. */
  readonly target: () => { readonly coverage: number; readonly text: string } | null;
  /** The label where the projection meets the target; read at every drawing. */
  readonly arrival: () => string;
  /** The number of measured points; read at every movement of the cursor. */
  readonly measured: () => number;
  /** Called with the point at the cursor; null if there is none. */
  readonly onRead: (index: number | null) => void;
}

const DASH = [7, 5];

export function waterOptions(options: WaterOptions): uPlot.Options {
  const colours = readColours();
  const stepped = uPlot.paths.stepped!({ align: 1 });
  const drawn: { area: Path2D | undefined; surface: Path2D | undefined } = { area: undefined, surface: undefined };
  const water: uPlot.Series.PathBuilder = (plot, series, from, to) => {
    const paths = stepped(plot, series, from, to);
    drawn.area = paths?.fill as Path2D | undefined;
    drawn.surface = paths?.stroke as Path2D | undefined;
    return paths;
  };
  return {
    width: options.width,
    height: options.height,
    padding: [26, 16, 0, 0],
    legend: { show: false },
    cursor: cursor(options, colours),
    scales: {
      x: {
        time: false,
        range: (_, min, max) => (min === max ? [min - 1, max + 1] : [options.x === "pages" ? 0 : min, max]),
      },
      y: { range: (plot) => [0, height(topOf(plot, options), options.y)] },
    },
    axes: [xAxis(options.x, colours), yAxis(options, colours)],
    series: [
      {},
      {
        stroke: colours.sea,
        width: 2.5,
        fill: (plot) => depth(plot, colours.sea),
        paths: water,
        points: { show: false },
      },
      { stroke: colours.ink, width: 1.5, dash: [4, 4], paths: stepped, points: { show: false } },
      {
        stroke: colours.sea,
        width: 2,
        dash: [1, 5],
        cap: "round",
        fill: withAlpha(colours.sea, 0.05),
        points: { show: false },
      },
    ],
    hooks: {
      drawAxes: [(plot) => drawTarget(plot, options, colours)],
      draw: [
        (plot) => drawSwell(plot, drawn.area, drawn.surface, colours),
        (plot) => drawArrival(plot, options, colours),
      ],
      setCursor: [(plot) => options.onRead(plot.cursor.idxs?.[1] ?? null)],
    },
  };
}

function cursor({ measured }: WaterOptions, colours: Colours): uPlot.Cursor {
  return {
    y: false,
    drag: { x: false, y: false, setScale: false },
    // A bound holds until the next point, so the point at or before the cursor counts.
    dataIdx: (plot, _series, closest, value) => {
      const before = (plot.data[0][closest] ?? 0) > value ? closest - 1 : closest;
      return Math.min(measured() - 1, Math.max(0, before));
    },
    points: { size: 11, width: 2, fill: colours.surface, stroke: colours.sea },
  };
}

/** Darkest at the surface and lighter below, so the eye follows the surface. */
function depth(plot: uPlot, sea: string): CanvasGradient {
  const { top, height } = plot.bbox;
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height);
  gradient.addColorStop(0, withAlpha(sea, 0.6));
  gradient.addColorStop(0.55, withAlpha(sea, 0.34));
  gradient.addColorStop(1, withAlpha(sea, 0.1));
  return gradient;
}

function drawTarget(plot: uPlot, { target, y }: WaterOptions, colours: Colours): void {
  const aim = target();
  if (aim === null) return;
  const { ctx, bbox } = plot;
  const at = Math.round(plot.valToPos(height(aim.coverage, y), "y", true));
  ctx.save();
  ctx.strokeStyle = colours.differs;
  ctx.fillStyle = colours.differs;
  ctx.lineWidth = 1.5 * uPlot.pxRatio;
  ctx.setLineDash(DASH.map((length) => length * uPlot.pxRatio));
  ctx.beginPath();
  ctx.moveTo(bbox.left, at);
  ctx.lineTo(bbox.left + bbox.width, at);
  ctx.stroke();
  ctx.font = `600 ${13 * uPlot.pxRatio}px ${colours.font}`;
  ctx.textAlign = "left";
  ctx.fillText(aim.text, bbox.left + 8 * uPlot.pxRatio, at - 7 * uPlot.pxRatio);
  ctx.restore();
}

/** A ring where the crawl reaches its target, with the time. */
function drawArrival(plot: uPlot, { measured, arrival }: WaterOptions, colours: Colours): void {
  const [x, y] = [plot.data[0].at(-1), plot.data[3]?.at(-1)];
  if (plot.data[0].length <= measured() || x === undefined || typeof y !== "number") return;
  const { ctx } = plot;
  const unit = uPlot.pxRatio;
  const [left, top] = [plot.valToPos(x, "x", true), plot.valToPos(y, "y", true)];
  ctx.save();
  ctx.setLineDash([]);
  ctx.strokeStyle = colours.differs;
  ctx.fillStyle = colours.surface;
  ctx.lineWidth = 2.5 * unit;
  ctx.beginPath();
  ctx.arc(left, top, 5.5 * unit, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  ctx.font = `600 ${13 * unit}px ${colours.font}`;
  ctx.fillStyle = colours.ink;
  ctx.textAlign = "right";
  ctx.fillText(arrival(), left - 2 * unit, top + 24 * unit);
  ctx.restore();
}

/** A glow along the surface, and rows of flat waves in the water. */
function drawSwell(plot: uPlot, area: Path2D | undefined, surface: Path2D | undefined, { sea }: Colours): void {
  if (area === undefined || surface === undefined) return;
  const { ctx, bbox } = plot;
  const unit = uPlot.pxRatio;
  ctx.save();
  ctx.clip(area);
  ctx.setLineDash([]);
  ctx.lineCap = "round";
  ctx.strokeStyle = withAlpha(sea, 0.1);
  ctx.lineWidth = 12 * unit;
  ctx.stroke(surface);
  ctx.lineWidth = 1.6 * unit;
  const [step, length] = [34 * unit, 46 * unit];
  for (let row = 0, y = bbox.top + step / 2; y < bbox.top + bbox.height; row++, y += step) {
    ctx.strokeStyle = withAlpha(sea, 0.16 * (1 - (y - bbox.top) / bbox.height) + 0.03);
    ctx.beginPath();
    const start = bbox.left - (row % 2) * length;
    ctx.moveTo(start, y);
    for (let x = start; x < bbox.left + bbox.width; x += length) {
      ctx.quadraticCurveTo(x + length / 4, y - 4 * unit, x + length / 2, y);
      ctx.quadraticCurveTo(x + (3 * length) / 4, y + 4 * unit, x + length, y);
    }
    ctx.stroke();
  }
  ctx.restore();
}
