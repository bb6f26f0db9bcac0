/**
 * The values of the tide: at the cursor, in a sentence for screen readers, and in a table; and the key of the chart.
 */
import type { VNode } from "preact";
import { formatCount, percentAtLeast, systemTimers } from "../../../base/index.ts";
import type { TidePoint } from "../../../survey/index.ts";
import { clockInWords } from "../../../text/index.ts";
import type { Tide } from "../../protocol/http.ts";

export function Reading({ point, isLast }: { readonly point: TidePoint; readonly isLast: boolean }): VNode {
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
        <dd>{clockOf(atMs)}</dd>
      </div>
    </dl>
  );
}

export function readingText([pages, atMs, certified, guaranteed]: TidePoint): string {
  const own = guaranteed === null ? "" : `, order's own bound ${percentAtLeast(guaranteed)}`;
  return `${formatCount(pages)} pages: at least ${percentAtLeast(certified)} certified${own}, ${clockOf(atMs)}`;
}

function clockOf(atMs: number): string {
  return clockInWords(atMs, { nowMs: systemTimers.wallMs() });
}

export function Key({
  tide,
  hasProjection,
}: {
  readonly tide: Tide;
  readonly hasProjection: boolean;
}): VNode {
  const hasOwn = tide.points.some((point) => point[3] !== null);
  return (
    <ul class="key" aria-label="Lines of the chart">
      <li class="key-certified">Certified coverage</li>
      {hasOwn && <li class="key-own">The order's own bound</li>}
      {tide.target !== null && <li class="key-target">Target</li>}
      {hasProjection && <li class="key-projected">At the current rate</li>}
    </ul>
  );
}

/** Rows of the table, evenly spaced, with the first and the last point. */
const ROWS = 20;

export function Numbers({ tide: { points } }: { readonly tide: Tide }): VNode {
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
            <th scope="col">Order's own bound</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([pages, atMs, certified, guaranteed]) => (
            <tr key={pages}>
              <td>{formatCount(pages)}</td>
              <td>{clockOf(atMs)}</td>
              <td>{percentAtLeast(certified)}</td>
              <td>{guaranteed === null ? "–" : percentAtLeast(guaranteed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
