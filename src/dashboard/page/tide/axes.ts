/** The axes of the tide chart, and the theme's colours for its canvas. */
import type uPlot from "uplot";
import { formatTick } from "../../../base/index.ts";
import { type Abscissa, height, marks, type Ordinate } from "./curve.ts";

/** The highest coverage in the chart, which has lines up to `highest`. */
export function topOf(plot: uPlot, y: Ordinate, highest: number): number {
  if (y === "full") return 1;
  let top = highest;
  for (const column of plot.data.slice(1)) {
    for (const value of column) if (typeof value === "number") top = Math.max(top, 1 - 10 ** -value);
  }
  return marks(top, "tail").at(-1)!;
}

export function xAxis(x: Abscissa, colours: Colours): uPlot.Axis {
  return {
    ...axis(colours),
    size: 30,
    space: 84,
    grid: { show: false },
    label: x === "pages" ? "pages downloaded" : "time",
    labelSize: 20,
    labelFont: `12px ${colours.font}`,
    ...(x === "time" && {
      incrs: TIME_STEPS,
      values: (_plot, splits, _axis, _space, step) => splits.map((at) => clock(at, step)),
    }),
    ...(x === "pages" && { incrs: COUNT_STEPS, values: (_plot, splits) => splits.map(formatTick) }),
  };
}

export function yAxis(y: Ordinate, highest: () => number, colours: Colours): uPlot.Axis {
  const shown = (plot: uPlot): number[] => marks(topOf(plot, y, highest()), y);
  return {
    ...axis(colours),
    size: 58,
    splits: (plot) => shown(plot).map((mark) => height(mark, y)),
    values: (plot) => shown(plot).map((mark) => `${Number((100 * mark).toPrecision(9))}%`),
    grid: { stroke: colours.line, width: 1 },
  };
}

function axis(colours: Colours): uPlot.Axis {
  return { stroke: colours.muted, font: `12px ${colours.font}`, gap: 7, ticks: { show: false } };
}

const COUNT_STEPS = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((factor) => factor * 10 ** power)).flat();
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const TIME_STEPS = [
  ...[1, MINUTE].flatMap((unit) => [1, 2, 5, 10, 15, 30].map((count) => count * unit)),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10, 30, 60, 120, 365].map((count) => count * DAY),
];

/** The time of a tick, with the precision that the distance between two ticks needs. */
function clock(atSeconds: number, stepSeconds: number): string {
  const date = new Date(atSeconds * 1000);
  if (stepSeconds >= DAY) return date.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  return date.toLocaleTimeString("en-GB", stepSeconds < MINUTE ? { ...time, second: "2-digit" } : time);
}

const PROPERTIES = ["surface", "ink", "muted", "line", "sea", "differs", "warns", "sampled", "font"] as const;
export type Colours = Readonly<Record<(typeof PROPERTIES)[number], string>>;

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(PROPERTIES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Colours;
}

/** A colour of the palette, #rrggbb, made transparent. */
export function withAlpha(colour: string, alpha: number): string {
  return `${colour}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, "0")}`;
}
