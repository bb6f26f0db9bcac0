/**
 * The plot of the tide in an element of the page: water below a stepped surface, the bound while crawling as a dashed
 * line, what sampling shows in a colour of its own, target and ceiling as labelled lines. It is created again when axes
 * or colours change, updated with the tide, and resized with its element.
 */
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { targetInWords } from "../../../text/index.ts";
import { type Colours, readColours, topOf, withAlpha, xAxis, yAxis } from "./axes.ts";
import { type Abscissa, type Curve, type Ordinate, height } from "./curve.ts";

/** A level of coverage that is drawn as a line with a label. */
export interface Level {
  readonly value: number;
  readonly label: string;
}

interface PlotInput {
  readonly curve: Curve;
  readonly x: Abscissa;
  readonly y: Ordinate;
  readonly target: number | null;
  /** The most that can be reached; null where it is not worth drawing. */
  readonly ceiling: Level | null;
  /** The label where the projection meets the target. */
  readonly arrival: string;
  /** Called with the point at the cursor; null if there is none. */
  readonly onRead: (index: number | null) => void;
}

export function usePlot(stage: RefObject<HTMLDivElement | null>, input: PlotInput): RefObject<uPlot | null> {
  const plot = useRef<uPlot | null>(null);
  const newest = useRef(input);
  newest.current = input;
  const isDark = useIsDark();
  const { curve, x, y, target, ceiling } = input;
  useEffect(() => {
    const place = stage.current;
    if (place === null) return;
    const made = new uPlot(
      waterOptions(place, () => newest.current),
      columns(newest.current.curve),
      place,
    );
    plot.current = made;
    const dot = made.over.appendChild(document.createElement("div"));
    dot.className = "now";
    const float = (): void => {
      const { x, certified, measured } = newest.current.curve;
      dot.style.left = `${made.valToPos(x[measured - 1] ?? 0, "x")}px`;
      dot.style.top = `${made.valToPos(certified[measured - 1] ?? 0, "y")}px`;
    };
    (made.hooks.draw ??= []).push(float);
    float();
    // A finger does not move the mouse.
    made.over.addEventListener("pointermove", ({ pointerType, offsetX, offsetY }) => {
      if (pointerType !== "mouse") made.setCursor({ left: offsetX, top: offsetY });
    });
    const observer = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: place.clientHeight }));
    observer.observe(place);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [x, y, isDark]);
  useEffect(() => plot.current?.setData(columns(curve)), [curve, target, ceiling?.value]);
  return plot;
}

function columns({ x, certified, guaranteed, projected, sampled }: Curve): uPlot.AlignedData {
  return [[...x], [...certified], [...guaranteed], [...projected], [...sampled]];
}

/** Whether the reader's system prefers dark colours. */
function useIsDark(): boolean {
  const dark = useMemo(() => matchMedia("(prefers-color-scheme: dark)"), []);
  const [isDark, setIsDark] = useState(dark.matches);
  useEffect(() => {
    const follow = (): void => setIsDark(dark.matches);
    dark.addEventListener("change", follow);
    return () => dark.removeEventListener("change", follow);
  }, [dark]);
  return isDark;
}

const DASH = [7, 5];
const CEILING_DASH = [2, 4];
/** The place of what sampling shows in `columns`. */
const SAMPLED_SERIES = 4;
/** As in reports. */
const SAMPLED_DASH = [10, 3, 2, 3];

/** `newest` is called at every drawing and movement of the cursor, since its values change. */
function waterOptions(place: HTMLElement, newest: () => PlotInput): uPlot.Options {
  const { x, y } = newest();
  const highest = (): number => Math.max(newest().target ?? 0, newest().ceiling?.value ?? 0);
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
    width: place.clientWidth,
    height: place.clientHeight,
    padding: [26, 16, 0, 0],
    legend: { show: false },
    cursor: cursor(newest, colours),
    scales: {
      x: {
        time: false,
        range: (_, min, max) => (min === max ? [min - 1, max + 1] : [x === "pages" ? 0 : min, max]),
      },
      y: { range: (plot) => [0, height(topOf(plot, y, highest()), y)] },
    },
    axes: [xAxis(x, colours), yAxis(y, highest, colours)],
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
      { stroke: colours.sampled, width: 2.5, dash: SAMPLED_DASH, paths: stepped, points: { show: false } },
    ],
    hooks: {
      drawAxes: [(plot) => drawLevels(plot, newest(), colours)],
      draw: [
        (plot) => drawSwell(plot, drawn.area, drawn.surface, colours),
        (plot) => drawArrival(plot, newest(), colours),
      ],
      setCursor: [(plot) => newest().onRead(plot.cursor.idxs?.[1] ?? null)],
    },
  };
}

function cursor(newest: () => PlotInput, colours: Colours): uPlot.Cursor {
  return {
    y: false,
    drag: { x: false, y: false, setScale: false },
    // A bound holds until the next point, so the point at or before the cursor counts.
    dataIdx: (plot, _series, closest, value) => {
      const before = (plot.data[0][closest] ?? 0) > value ? closest - 1 : closest;
      return Math.min(newest().curve.measured - 1, Math.max(0, before));
    },
    points: {
      size: 11,
      width: 2,
      fill: colours.surface,
      stroke: (_plot, series) => (series === SAMPLED_SERIES ? colours.sampled : colours.sea),
    },
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

/** The label of the ceiling is at the right, so that the two labels do not meet; the water stays below that line. */
function drawLevels(plot: uPlot, { target, ceiling, y }: PlotInput, colours: Colours): void {
  if (target !== null) {
    const level = { value: target, label: `Target ${targetInWords(target)}` };
    drawLevel(plot, { level, y, colour: colours.differs, dash: DASH, side: "left", font: colours.font });
  }
  if (ceiling !== null) {
    const style = { colour: colours.warns, dash: CEILING_DASH, side: "right", font: colours.font } as const;
    drawLevel(plot, { level: ceiling, y, ...style });
  }
}

interface LevelStyle {
  readonly level: Level;
  readonly y: Ordinate;
  readonly colour: string;
  readonly dash: readonly number[];
  /** Where the label is. */
  readonly side: "left" | "right";
  readonly font: string;
}

function drawLevel(plot: uPlot, { level, y, colour, dash, side, font }: LevelStyle): void {
  const { ctx, bbox } = plot;
  const unit = uPlot.pxRatio;
  const at = Math.round(plot.valToPos(height(level.value, y), "y", true));
  const [left, right] = [bbox.left, bbox.left + bbox.width];
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = 1.5 * unit;
  ctx.setLineDash(dash.map((length) => length * unit));
  ctx.beginPath();
  ctx.moveTo(left, at);
  ctx.lineTo(right, at);
  ctx.stroke();
  ctx.font = `600 ${13 * unit}px ${font}`;
  ctx.textAlign = side;
  ctx.fillText(level.label, side === "left" ? left + 8 * unit : right - 8 * unit, at - 7 * unit);
  ctx.restore();
}

/** A ring where the crawl reaches its target, with the time. */
function drawArrival(plot: uPlot, { curve, arrival }: PlotInput, colours: Colours): void {
  const [x, y] = [plot.data[0].at(-1), plot.data[3]?.at(-1)];
  if (plot.data[0].length <= curve.measured || x === undefined || typeof y !== "number") return;
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
  ctx.fillText(arrival, left - 2 * unit, top + 24 * unit);
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
