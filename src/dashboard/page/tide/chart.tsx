/** The chart of the tide, with a choice of axes, a key, the values at the cursor or by keyboard, and a table. */
import type { VNode } from "preact";
import { useId, useMemo, useRef, useState } from "preact/hooks";
import { formatCount, percentAtLeast, systemTimers } from "../../../base/index.ts";
import type { TidePoint } from "../../../survey/index.ts";
import { ceilingInWords, clockInWords, targetInWords, TIDE_OF_NOW } from "../../../text/index.ts";
import type { Overview, Tide } from "../../protocol/http.ts";
import { type Abscissa, curveOf, isInSight, type Ordinate, projectionOf } from "./curve.ts";
import { type Level, usePlot } from "./plot.ts";

export function TideChart({
  overview,
  tide: { points, isOfNow },
}: {
  readonly overview: Overview;
  readonly tide: Tide;
}): VNode {
  // The target may change while the crawl runs; the overview has the current one.
  const target = overview.limits.coverage ?? null;
  const ceiling = ceilingOf(overview);
  const tide = useMemo(() => ({ points, target, isOfNow }), [points, target, isOfNow]);
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
  const plot = usePlot(stage, { curve, x, y, target, ceiling, arrival, onRead: setRead });
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
          <Choice label="X axis" value={x} onChange={setX} options={{ pages: "Pages", time: "Time" }} />
          <Choice label="Y axis" value={y} onChange={setY} options={{ full: "Full", tail: "Tail" }} />
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
      <Key
        tide={tide}
        confidence={overview.status.sampled?.confidence}
        hasProjection={curve.x.length > curve.measured}
        hasCeiling={ceiling !== null}
      />
      {isOfNow && <p class="muted">{TIDE_OF_NOW}</p>}
      <Numbers tide={tide} />
    </figure>
  );
}

/** The ceiling, where it is worth drawing. */
function ceilingOf({ status: { ceiling } }: Overview): Level | null {
  const label = ceilingInWords(ceiling);
  return label === undefined ? null : { value: ceiling, label };
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}

/** Radio buttons that look like one strip. */
function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>): VNode {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {(Object.keys(options) as T[]).map((option) => (
        <label key={option}>
          <input type="radio" name={name} value={option} checked={option === value} onChange={() => onChange(option)} />
          <span>{options[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Reading({ point, isLast }: { readonly point: TidePoint; readonly isLast: boolean }): VNode {
  const [pages, atMs, certified, guaranteed, sampled] = point;
  return (
    <dl class="reading" aria-hidden="true">
      <div>
        <dt>{isLast ? "Pages now" : "At page"}</dt>
        <dd>{formatCount(pages)}</dd>
      </div>
      <div>
        <dt>Certified</dt>
        <dd class="certified">{percentAtLeast(certified)}</dd>
      </div>
      {guaranteed !== null && (
        <div>
          <dt>Bound while crawling</dt>
          <dd>{percentAtLeast(guaranteed)}</dd>
        </div>
      )}
      {sampled !== null && (
        <div>
          <dt>Sampled</dt>
          <dd class="sampled">{percentAtLeast(sampled)}</dd>
        </div>
      )}
      <div>
        <dt>Time</dt>
        <dd>{clockOf(atMs)}</dd>
      </div>
    </dl>
  );
}

function readingText([pages, atMs, certified, guaranteed, sampled]: TidePoint): string {
  const own = guaranteed === null ? "" : `, bound while crawling ${percentAtLeast(guaranteed)}`;
  const shown = sampled === null ? "" : `, sampled ${percentAtLeast(sampled)}`;
  return `${formatCount(pages)} pages: at least ${percentAtLeast(certified)} certified${own}${shown}, ${clockOf(atMs)}`;
}

function clockOf(atMs: number): string {
  return clockInWords(atMs, { nowMs: systemTimers.wallMs() });
}

/** Whether sampling shows something at a point of the tide. */
function isSampled({ points }: Tide): boolean {
  return points.some((point) => point[4] !== null);
}

interface KeyProps {
  readonly tide: Tide;
  /** Of what sampling shows. */
  readonly confidence: number | undefined;
  readonly hasProjection: boolean;
  readonly hasCeiling: boolean;
}

function Key({ tide, confidence, hasProjection, hasCeiling }: KeyProps): VNode {
  const hasOwn = tide.points.some((point) => point[3] !== null);
  const sure = confidence === undefined ? "" : `, confidence ${targetInWords(confidence)}`;
  return (
    <ul class="key" aria-label="Lines of the chart">
      <li class="key-certified">Certified coverage</li>
      {hasOwn && <li class="key-own">Bound while crawling</li>}
      {isSampled(tide) && <li class="key-sampled">Sampled coverage{sure}</li>}
      {tide.target !== null && <li class="key-target">Target</li>}
      {hasCeiling && <li class="key-ceiling">Ceiling</li>}
      {hasProjection && <li class="key-projected">At the current rate</li>}
    </ul>
  );
}

/** Rows of the table, evenly spaced, with the first and the last point. */
const ROWS = 20;

function Numbers({ tide }: { readonly tide: Tide }): VNode {
  const { points } = tide;
  const hasSampled = isSampled(tide);
  const count = Math.min(ROWS, points.length);
  const rows = Array.from(
    { length: count },
    (_, row) => points[count === 1 ? 0 : Math.round((row * (points.length - 1)) / (count - 1))],
  );
  return (
    <details class="numbers">
      <summary>The numbers of this chart</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Pages</th>
            <th scope="col">Time</th>
            <th scope="col">Certified</th>
            <th scope="col">Bound while crawling</th>
            {hasSampled && <th scope="col">Sampled</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(([pages, atMs, certified, guaranteed, sampled]) => (
            <tr key={pages}>
              <td>{formatCount(pages)}</td>
              <td>{clockOf(atMs)}</td>
              <td>{percentAtLeast(certified)}</td>
              <td>{guaranteed === null ? "–" : percentAtLeast(guaranteed)}</td>
              {hasSampled && <td>{sampled === null ? "–" : percentAtLeast(sampled)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
