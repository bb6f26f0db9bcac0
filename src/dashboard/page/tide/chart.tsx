/**
 * The chart of the tide, with a choice of axes, the values at the cursor or by keyboard, and the same numbers as a
 * table.
 */
import type { VNode } from "preact";
import { useId, useMemo, useRef, useState } from "preact/hooks";
import type { Overview, Tide } from "../../protocol/http.ts";
import { systemTimers } from "../../../base/index.ts";
import { clockInWords } from "../../../text/index.ts";
import { type Abscissa, curveOf, isInSight, type Ordinate, projectionOf } from "./curve.ts";
import { Key, Numbers, Reading, readingText } from "./reading.tsx";
import { usePlot } from "./use-plot.ts";

interface ChartProps {
  readonly overview: Overview;
  readonly tide: Tide;
}

export function TideChart({ overview, tide: { points } }: ChartProps): VNode {
  // The target may change while the crawl runs; the overview has the current one.
  const target = overview.limits.coverage ?? null;
  const tide = useMemo(() => ({ points, target }), [points, target]);
  const [x, setX] = useState<Abscissa>("pages");
  const [y, setY] = useState<Ordinate>("full");
  const [read, setRead] = useState<number | null>(null);
  const projection = useMemo(() => {
    const found = projectionOf(overview, tide);
    return found !== null && isInSight(found, tide, x) ? found : null;
  }, [tide, overview, x]);
  const curve = useMemo(() => curveOf(tide, projection, x, y), [tide, projection, x, y]);
  const nowMs = systemTimers.wallMs();
  const etaMs = nowMs + (overview.secondsLeft ?? 0) * 1000;
  const arrival = projection === null ? "" : `about ${clockInWords(etaMs, { nowMs, to: "minute" })}`;
  const index = Math.min(read ?? tide.points.length - 1, tide.points.length - 1);
  const stage = useRef<HTMLDivElement>(null);
  const plot = usePlot(stage, { curve, x, y, tide, arrival, onRead: setRead });
  const seek = (to: number | null): void => {
    const at = to === null ? undefined : curve.x[to];
    const left = at === undefined ? -10 : (plot.current?.valToPos(at, "x") ?? -10);
    plot.current?.setCursor({ left, top: at === undefined ? -10 : 10 });
    setRead(to);
  };
  const isRising = overview.state === "running" || overview.state === "elsewhere";
  return (
    <figure class="tide">
      <div class="tide-head">
        <Reading point={tide.points[index]} isLast={read === null} />
        <div class="tide-choices controls">
          <Choice
            label="Horizontal"
            value={x}
            onChange={setX}
            options={[
              ["pages", "Pages"],
              ["time", "Time"],
            ]}
          />
          <Choice
            label="Vertical"
            value={y}
            onChange={setY}
            options={[
              ["full", "Full"],
              ["tail", "Tail"],
            ]}
          />
        </div>
      </div>
      <div class="tide-stage" data-rising={isRising}>
        <div class="tide-plot" ref={stage} aria-hidden="true" />
        <input
          class="tide-reader"
          type="range"
          aria-label="Read the chart point by point"
          aria-valuetext={readingText(tide.points[index])}
          min={0}
          max={tide.points.length - 1}
          value={index}
          onInput={(event) => seek(Number(event.currentTarget.value))}
          onBlur={() => seek(null)}
        />
      </div>
      <Key tide={tide} hasProjection={curve.x.length > curve.measured} />
      <Numbers tide={tide} />
    </figure>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly onChange: (value: T) => void;
}

/** Radio buttons that look like one strip. */
function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>): VNode {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {options.map(([option, text]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
