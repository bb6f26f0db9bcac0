/** The chart of the tide with its choices, a reading under the cursor or by the keyboard, and the same numbers as a table. */
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { formatCount, percentAtLeast } from "../../../base/index.ts";
import type { Overview, Tide, TidePoint } from "../../protocol.ts";
import { Choice } from "../components/choice.tsx";
import { formatClock, formatMinute, formatTarget } from "../components/parts.tsx";
import { type Abscissa, type Curve, curveOf, isInSight, type Ordinate, projectionOf } from "./curve.ts";
import { waterOptions } from "./water.ts";

interface ChartProps {
  readonly overview: Overview;
  readonly tide: Tide;
}

export function TideChart({ overview, tide }: ChartProps): VNode {
  const [x, setX] = useState<Abscissa>("pages");
  const [y, setY] = useState<Ordinate>("full");
  const [read, setRead] = useState<number | null>(null);
  const projection = useMemo(() => {
    const found = projectionOf(overview, tide);
    return found !== null && isInSight(found, tide, x) ? found : null;
  }, [tide, overview, x]);
  const curve = useMemo(() => curveOf(tide, projection, x, y), [tide, projection, x, y]);
  const goal =
    projection === null ? "" : `about ${formatMinute(Date.now() + (overview.secondsLeft ?? 0) * 1000)}`;
  const index = Math.min(read ?? tide.points.length - 1, tide.points.length - 1);
  const stage = useRef<HTMLDivElement>(null);
  const plot = usePlot(stage, { curve, x, y, tide, goal, onRead: setRead });
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
        <Reading point={tide.points[index]!} isLast={read === null} />
        <div class="tide-choices controls">
          <Choice
            label="Across"
            value={x}
            onChange={setX}
            options={[
              ["pages", "Pages"],
              ["time", "Time"],
            ]}
          />
          <Choice
            label="Up"
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
          aria-label="Read the tide point by point"
          aria-valuetext={readingText(tide.points[index]!)}
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

interface PlotInput {
  readonly curve: Curve;
  readonly x: Abscissa;
  readonly y: Ordinate;
  readonly tide: Tide;
  readonly goal: string;
  readonly onRead: (index: number | null) => void;
}

/** A plot that lives in `stage`: made anew when axes or colours change, filled when the tide rises, stretched with its place. */
function usePlot(
  stage: { readonly current: HTMLDivElement | null },
  input: PlotInput,
): { current: uPlot | null } {
  const plot = useRef<uPlot | null>(null);
  const newest = useRef(input);
  newest.current = input;
  const scheme = useScheme();
  const { curve, x, y } = input;
  useEffect(() => {
    const place = stage.current;
    if (place === null) return;
    const options = waterOptions({
      x,
      y,
      width: place.clientWidth,
      height: place.clientHeight,
      target: () => targetOf(newest.current.tide),
      goal: () => newest.current.goal,
      measured: () => newest.current.curve.measured,
      onRead: (index) => newest.current.onRead(index),
    });
    const made = new uPlot(options, columns(newest.current.curve), place);
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
    // Fingers move no mouse.
    made.over.addEventListener("pointermove", ({ pointerType, offsetX, offsetY }) => {
      if (pointerType !== "mouse") made.setCursor({ left: offsetX, top: offsetY });
    });
    const observer = new ResizeObserver(() =>
      made.setSize({ width: place.clientWidth, height: place.clientHeight }),
    );
    observer.observe(place);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [x, y, scheme]);
  useEffect(() => plot.current?.setData(columns(curve)), [curve]);
  return plot;
}

function columns({ x, certified, guaranteed, projected }: Curve): uPlot.AlignedData {
  return [[...x], [...certified], [...guaranteed], [...projected]];
}

function targetOf({ target }: Tide): { coverage: number; text: string } | null {
  return target === null ? null : { coverage: target, text: `Target ${formatTarget(target)}` };
}

/** Changes with what the reader's system prefers, light or dark. */
function useScheme(): boolean {
  const dark = useMemo(() => matchMedia("(prefers-color-scheme: dark)"), []);
  const [isDark, setIsDark] = useState(dark.matches);
  useEffect(() => {
    const follow = (): void => setIsDark(dark.matches);
    dark.addEventListener("change", follow);
    return () => dark.removeEventListener("change", follow);
  }, [dark]);
  return isDark;
}

function Reading({ point, isLast }: { readonly point: TidePoint; readonly isLast: boolean }): VNode {
  const [pages, atMs, certified, guaranteed] = point;
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
          <dt>Order's own bound</dt>
          <dd>{percentAtLeast(guaranteed)}</dd>
        </div>
      )}
      <div>
        <dt>Time</dt>
        <dd>{formatClock(atMs)}</dd>
      </div>
    </dl>
  );
}

function readingText([pages, atMs, certified, guaranteed]: TidePoint): string {
  const own = guaranteed === null ? "" : `, order's own bound ${percentAtLeast(guaranteed)}`;
  return `${formatCount(pages)} pages: at least ${percentAtLeast(certified)} certified${own}, ${formatClock(atMs)}`;
}

function Key({ tide, hasProjection }: { readonly tide: Tide; readonly hasProjection: boolean }): VNode {
  const hasOwn = tide.points.some((point) => point[3] !== null);
  return (
    <ul class="key" aria-label="Lines of the picture">
      <li class="key-certified">Certified coverage</li>
      {hasOwn && <li class="key-own">The order's own bound</li>}
      {tide.target !== null && <li class="key-target">Target</li>}
      {hasProjection && <li class="key-projected">By present speed</li>}
    </ul>
  );
}

/** About twenty points, evenly chosen, with the first and the last. */
const ROWS = 20;

function Numbers({ tide: { points } }: { readonly tide: Tide }): VNode {
  const count = Math.min(ROWS, points.length);
  const rows = Array.from(
    { length: count },
    (_, row) => points[count === 1 ? 0 : Math.round((row * (points.length - 1)) / (count - 1))]!,
  );
  return (
    <details class="numbers">
      <summary>The numbers behind the picture</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Pages</th>
            <th scope="col">Time</th>
            <th scope="col">Certified</th>
            <th scope="col">Order's own bound</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([pages, atMs, certified, guaranteed]) => (
            <tr key={pages}>
              <td>{formatCount(pages)}</td>
              <td>{formatClock(atMs)}</td>
              <td>{percentAtLeast(certified)}</td>
              <td>{guaranteed === null ? "–" : percentAtLeast(guaranteed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
